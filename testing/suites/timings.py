# SPDX-License-Identifier: MIT
"""How long tests took here, in seconds of the wall clock: kept under build/, so that the next run can say
how long it will take, and starts what takes longest first."""

import json
import os

# Until there is a measurement: seconds of one test of such a suite, by the longest beginning that fits its
# name.
FIRST = {
    "": 1.0,
    "nucleus": 0.02,
    "asan/nucleus": 0.02,
    "leaves": 0.5,
    "parts": 0.02,
    "asan/parts": 0.02,
    "asan/leaves": 0.5,
    "tsan/leaves": 1.0,
    "messaging": 0.5,
    "asan/messaging": 0.5,
    "tsan/messaging": 1.0,
    "explorer": 3.0,
    "nx": 0.02,
    "programs": 0.02,
    "runner": 0.3,
    "runner/pulse": 8.0,  # it sleeps, so it is best begun while others build
    "boots": 1.5,
}
NEWEST_COUNTS = 0.5


class Timings:
    def __init__(self, path: str):
        self.path, self.seconds = path, {}
        try:
            with open(path, encoding="utf-8") as file:
                self.seconds = {str(key): float(value) for key, value in json.load(file).items()}
        except (OSError, ValueError, AttributeError):
            pass  # nothing is remembered, or nothing of use

    def of(self, suite: str, test: str) -> float:
        known = self.seconds.get(f"{suite}: {test}")
        if known is not None:
            return known
        return FIRST[max((name for name in FIRST if suite.startswith(name)), key=len)]

    def took(self, suite: str, test: str, seconds: float) -> None:
        key = f"{suite}: {test}"
        before = self.seconds.get(key, seconds)
        self.seconds[key] = round(before + (seconds - before) * NEWEST_COUNTS, 3)

    def keep(self) -> None:
        new = f"{self.path}.{os.getpid()}"
        with open(new, "w", encoding="utf-8") as file:
            json.dump(self.seconds, file, indent=0, sort_keys=True)
        os.replace(new, self.path)
