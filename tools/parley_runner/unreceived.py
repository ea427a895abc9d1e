# SPDX-License-Identifier: MIT
"""UNRECEIVED=1: what the processes of a run's jobs have left: messages that nobody received, receives that
nobody waited for, and calls on requests that had ended before."""

from . import outcome


def of_job(entry: dict, job: dict) -> list[str]:
    """A line for each, by process."""
    left = [one for one in entry.get("unreceived", []) if one["job"] == job["job"]]
    texts = {key: str(value) for key, value in job.items()}
    name = lambda one: outcome.name_of({key: str(one[key]) for key in ("node", "pid")}, texts)
    return [f"  {name(one)}: {one['sentence']}" for one in left]


def told(records: list[dict]) -> str:
    lines = []
    for entry in records:
        for job in entry["jobs"]:
            left = of_job(entry, job)
            head = f"Job {job['name']} ({job.get('design')})"
            lines.append(f"{head} has left {'unreceived:' if left else 'nothing unreceived.'}")
            lines += left
    return "\n".join(lines)
