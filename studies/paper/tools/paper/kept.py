# SPDX-License-Identifier: MIT
"""Records of boots that are kept: what another run has measured already, of the same jobs, machine and
build, is not booted again. So a study that was interrupted goes on."""

import json
import os

from parley_runner import executable, machine_file, places
from parley_study import kept_runs

PLUGIN = os.path.join(places.BUILD, "machine_model", "plugin.so")


def key(machine: str, jobs: list[dict], common: dict) -> str:
    """Equal for boots that must give equal records. A program counts by what it is, not by where it lies."""
    dispatch = common.get("dispatch", "virtual")
    system = (*(places.kernel(dispatch, measuring=one) for one in (False, True)), places.library(dispatch))
    programs = [executable.find(common["app"], places.BUILD, places.ROOT)]
    files = (*system, PLUGIN, machine_file.find(machine), *programs)
    words = {name: value for name, value in common.items() if name != "app"}
    return kept_runs.digest(files, json.dumps([jobs, words], sort_keys=True))


class Records:
    """In a folder; without one nothing is kept."""

    def __init__(self, folder: str):
        self.folder = folder
        self.found = 0  # records that another run had made

    def path(self, machine: str, name: str) -> str:
        return kept_runs.KeptRuns(self.folder).path(f"{machine} {name}")

    def get(self, machine: str, name: str, jobs: list[dict], common: dict, boot) -> dict:
        """The record, made by boot() and kept where there is none of the same."""
        if not self.folder:
            return boot()
        kept, wanted = kept_runs.KeptRuns(self.folder), key(machine, jobs, common)
        record = kept.get(f"{machine} {name}", wanted)
        if record is not None:
            self.found += 1
            return record
        record = boot()
        kept.put(f"{machine} {name}", wanted, record)
        return record
