# SPDX-License-Identifier: MIT
"""What is known of mutants, one JSON object a line, written as it becomes known: a run that is ended loses
nothing. The last line about a mutant counts."""

import json
import os
from dataclasses import asdict, dataclass

DIED, SURVIVED, NOT_REACHED = "died", "survived", "not reached"
EQUIVALENT, NOT_BUILT = "equivalent", "not built"
# What has proved it equivalent.
LEMMA, SAME_CODE = "a lemma", "identical object code"


@dataclass
class Entry:
    name: str
    verdict: str
    state: str  # of the sources that the verdict is about
    by: str = ""  # the test that failed
    how: str = ""  # what it said
    seconds: float = 0.0


class Ledger:
    def __init__(self, path: str):
        self.path = path
        self.entries: dict[str, Entry] = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    try:
                        entry = Entry(**json.loads(line))
                    except (ValueError, TypeError):
                        continue  # cut off when a run was ended
                    self.entries[entry.name] = entry
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.file = open(path, "a+", encoding="utf-8")
        # A line that was cut off must not swallow the next.
        if self.file.tell() > 0:
            with open(path, "rb") as file:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    self.file.write("\n")

    def known(self, name: str) -> Entry | None:
        return self.entries.get(name)

    def hint(self, name: str) -> str:
        """The test that has found it before."""
        entry = self.entries.get(name)
        return entry.by if entry is not None else ""

    def keep(self, entry: Entry) -> None:
        self.entries[entry.name] = entry
        self.file.write(json.dumps(asdict(entry)) + "\n")
        self.file.flush()
