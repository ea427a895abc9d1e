# SPDX-License-Identifier: MIT
"""Asks build/designs, the one authority on designs, before anything is booted."""

import functools
import json
import os
import subprocess

from .status import BadRequest


def call(build: str, *arguments: str) -> str:
    tool = os.path.join(build, "designs")
    try:
        done = subprocess.run(
            [tool, *arguments],
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=30,
            check=False,
        )
    except OSError as problem:
        raise BadRequest(f"{tool} cannot be run ({problem.strerror}); `make run' builds it.") from problem
    except subprocess.TimeoutExpired:
        raise BadRequest(f"{tool} gave no answer in half a minute; is the host very busy?") from None
    if done.returncode == 0:
        return done.stdout
    sentence = done.stderr.strip() or done.stdout.strip() or f"{tool} failed with status {done.returncode}"
    raise BadRequest(sentence)


@functools.cache  # a sweep asks the same of every program and machine
def answer(build: str, *words: str) -> str:
    return call(build, *words)


def presets(build: str) -> list[str]:
    listing = json.loads(call(build, "list", "--json"))
    return [one["name"] if isinstance(one, dict) else one for one in listing["presets"]]


def classes(build: str) -> list[dict]:
    """Every class: its factor and its name."""
    return json.loads(call(build, "list", "--json"))["classes"]


def check_semaphore(build: str, kind: str) -> None:
    """A BadRequest where there are no such semaphores."""
    answer(build, "semaphore", kind)




def resolve(build: str, design: str, nodes: int, processors: int, machines: int = 1) -> dict:
    """What the design comes to, or a BadRequest with the sentence that refuses it."""
    numbers = {"--nodes": nodes, "--processors": processors, "--machines": machines}
    words = [word for name, number in numbers.items() for word in (name, str(number))]
    return json.loads(answer(build, "resolve", design, *words, "--json"))
