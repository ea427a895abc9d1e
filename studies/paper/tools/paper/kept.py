# SPDX-License-Identifier: MIT
"""Records of boots that are kept: what another run has measured already, of the same jobs, machine and
build, is not booted again. So a study that was interrupted goes on."""

import hashlib
import json
import os

from parley_runner import executable, machine_file, places

PLUGIN = os.path.join(places.BUILD, "machine_model", "plugin.so")


def digest(path: str) -> str:
    """Of a file's content; of one that is not there, none."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""


def key(machine: str, jobs: list[dict], common: dict) -> str:
    """Equal for boots that must give equal records. A program counts by what it is, not by where it lies."""
    dispatch = common.get("dispatch", "virtual")
    system = (*(places.kernel(dispatch, measuring=one) for one in (False, True)), places.library(dispatch))
    programs = [executable.find(common["app"], places.BUILD, places.ROOT)]
    files = (*system, PLUGIN, machine_file.find(machine), *programs)
    words = {name: value for name, value in common.items() if name != "app"}
    whole = json.dumps([jobs, words, [digest(path) for path in files]], sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()


class Records:
    """In a folder; without one nothing is kept."""

    def __init__(self, folder: str):
        self.folder = folder
        self.found = 0  # records that another run had made

    def path(self, machine: str, name: str) -> str:
        letters = (letter if letter.isalnum() or letter in "-." else "_" for letter in f"{machine} {name}")
        return os.path.join(self.folder, "".join(letters) + ".json")

    def get(self, machine: str, name: str, jobs: list[dict], common: dict, boot) -> dict:
        """The record, made by boot() and kept where there is none of the same."""
        if not self.folder:
            return boot()
        wanted, path = key(machine, jobs, common), self.path(machine, name)
        try:
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["key"] == wanted:
                self.found += 1
                return kept["record"]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # it is measured (again)
        record = boot()
        os.makedirs(self.folder, exist_ok=True)
        places.write_atomically(path, json.dumps({"key": wanted, "record": record}).encode())
        return record
