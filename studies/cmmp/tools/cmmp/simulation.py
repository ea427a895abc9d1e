# SPDX-License-Identifier: MIT
"""Runs on the simulated machine (../../simulated): the system's semaphores and the rootfinder's stages,
with the costs of a profile."""

import json
import os
import subprocess

from parley_runner import places
from parley_runner.status import BadRequest

PROFILES = os.path.join(places.ROOT, "studies", "cmmp", "data", "profiles.json")


def profiles() -> dict[str, dict]:
    with open(PROFILES, encoding="utf-8") as file:
        return json.load(file)


class Machine:
    """One profile's. Questions are collected and answered together."""

    def __init__(self, profile: dict):
        self.profile = profile

    def words(self, kind: str, **values) -> str:
        costs = self.profile["kinds"][kind] | self.profile["shared"]
        servers = values.pop("servers", None)
        semaphore = f"{kind}:{servers}" if servers else kind
        words = {"semaphore": semaphore} | costs | values
        return " ".join(f"{name}={value}" for name, value in words.items())

    def message_words(self, design: str, **values) -> str:
        """A run whose stages messages carry, under that design."""
        words = {"carry": "messages"} | self.profile["messages"][design] | self.profile["shared"] | values
        return " ".join(f"{name}={value}" for name, value in words.items())

    def ask(self, questions: list[str]) -> list[dict]:
        program = os.path.join(places.BUILD, "studies", "cmmp", "cmmp")
        if not os.path.exists(program):
            raise BadRequest(f"There is no {program}; `make paper STUDY=cmmp' builds it.")
        done = subprocess.run(
            [program], input="\n".join(questions) + "\n", capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise BadRequest(f"The simulated machine: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines()]
