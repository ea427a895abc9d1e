# SPDX-License-Identifier: MIT
"""Boots for the benchmark: quiet, in this process, through the same runner as everything else."""

import io
import os
import subprocess
import time

from parley_runner import boot, designs, guest, places, request, screen


class Failed(Exception):
    """A boot that should have measured something did not succeed."""


class Timed(boot.Boot):
    """Notes when the first frame of a job came: the program's first instruction follows at once."""

    first_job: float | None = None

    def watch(self, scratch: str):
        self.started = time.monotonic()
        return super().watch(scratch)

    def take_frame(self, frame) -> None:
        if frame.name == "job" and self.first_job is None:
            self.first_job = time.monotonic() - self.started
        super().take_frame(frame)


def run(**values) -> Timed:
    words = [f"{name}={value}" for name, value in values.items()]
    one = request.make(words).boots(lambda: designs.presets(places.BUILD))[0]
    guest.check(one)
    silent = screen.Screen(out=io.TextIOWrapper(io.BytesIO()), errors=io.StringIO())
    timed = Timed(one, silent, False, one.jobs[0].design)
    timed.record = timed.run()
    if timed.record["exit_status"] != 0:
        raise Failed(f"{' '.join(words)}: {timed.record['status']}: {timed.record['sentence']}")
    return timed


def rows(record: dict, name: str) -> dict[int, float]:
    """size -> median"""
    return {row["bytes"]: row["median"] for row in record["rows"] if row["name"] == name}


def program(folder: str, source: str) -> str:
    """A program of the benchmark's own, built as a user would."""
    target = os.path.join(folder, os.path.basename(source).removesuffix(".c"))
    compiler = os.path.join(places.BUILD, "nxcc")
    if not os.path.exists(compiler):
        raise Failed(f"{compiler} is not there: build it by `make all`")
    subprocess.run([compiler, "-O2", f"-I{places.ROOT}", "-o", target, source], check=True)
    return target
