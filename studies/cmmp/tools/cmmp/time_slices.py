# SPDX-License-Identifier: MIT
"""Time slices of timeshared programs, SLICE=500ms, and what a program does that has used up its allotment."""

from cmmp import durations
from parley_runner.status import BadRequest

MOST = 10_000_000_000
NONE = "none"
ALLOTMENT = 10  # slices, as Hydra's


def parse_slice(text: str) -> int:
    """Milliseconds; or a BadRequest that says what is wrong."""
    span = durations.parse("slice", text, MOST, durations.TICK)
    if span % durations.TICK != 0:
        raise BadRequest(f"slice is a multiple of the clock's tick of 10 ms, which {text} is not.")
    return span // durations.UNITS["ms"]


def check(values: dict, jobs) -> None:
    """Whether the run's values go together, and its jobs have slices."""
    if values["slice"] in (None, NONE):
        for name in ("allotment", "request"):
            if values[name] is not None:
                raise BadRequest(f"{name} is of programs that have time slices: say SLICE=500ms too.")
        return
    for job in jobs:
        if job.schedule != "timeshared":
            raise BadRequest(
                f"SLICE={values['slice']} is for timeshared programs, and job {job.name} may be a gang, "
                "which keeps its processors: say SCHEDULE=timeshared."
            )


def words(values: dict) -> list[str]:
    """For the kernel (measuring/losses.hpp); nothing where there are no slices but ticks."""
    if values["slice"] in (None, NONE):
        return []
    request = durations.parse("request", values["request"] or "0ns", MOST)
    return [
        f"slice={parse_slice(values['slice'])}",
        f"allotment={values['allotment'] or ALLOTMENT}",
        f"request={request // durations.UNITS['us']}",
    ]
