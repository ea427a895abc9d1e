# SPDX-License-Identifier: MIT
"""Boots with many jobs, through tools/parley like everybody; what they measured comes from the record."""

import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from typing import TypeVar

from parley_runner import places

T = TypeVar("T")
RUNNER = os.path.join(places.ROOT, "tools", "parley")


class Failed(Exception):
    """A boot that should have measured something did not succeed."""


def quoted(value) -> str:
    return str(value) if isinstance(value, int) else json.dumps(str(value))


def configuration(jobs: list[dict], common: dict) -> str:
    lines = [f"{key} = {quoted(value)}" for key, value in common.items()]
    for job in jobs:
        lines += ["", "[[job]]", *(f"{key} = {quoted(value)}" for key, value in job.items())]
    return "\n".join(lines) + "\n"


def run(jobs: list[dict], **common) -> list[dict]:
    """One boot; for each job the medians of its rows: (name, bytes) -> value."""
    return medians(record(jobs, **common))


def record(jobs: list[dict], **common) -> dict:
    """One boot's record."""
    with tempfile.TemporaryDirectory(prefix="parley-batch-") as folder:
        config, path = os.path.join(folder, "batch.toml"), os.path.join(folder, "record.json")
        with open(config, "w", encoding="utf-8") as file:
            file.write(configuration(jobs, common))
        done = subprocess.run(
            [RUNNER, "run", f"CONFIG={config}", f"RECORD={path}", "CONSOLE=hide"],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            raise Failed((done.stdout + done.stderr)[-3000:])
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def medians(found: dict) -> list[dict]:
    return of_jobs(found, lambda row: row["median"])


def of_jobs(found: dict, what: Callable[[dict], T]) -> list[dict[tuple[str, int], T]]:
    """What of each row, for each job."""
    index = {job["job"]: place for place, job in enumerate(found["jobs"])}
    values = [{} for _ in index]
    for row in found["rows"]:
        values[index[row["job"]]][row["name"], row["bytes"]] = what(row)
    return values


def by_job(found: dict, what: Callable[[dict], T]) -> dict[str, dict[tuple[str, int], T]]:
    """The same by the jobs' names."""
    return dict(zip([job["name"] for job in found["jobs"]], of_jobs(found, what)))
