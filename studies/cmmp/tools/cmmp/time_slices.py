# SPDX-License-Identifier: MIT
"""Time slices of timeshared programs, SLICE=500ms, what a program does that has used up its allotment, and
how often the clock interrupts programs, TICK=500ms."""

from cmmp import durations
from parley_runner.status import BadRequest

MOST = 10_000_000_000
MOST_TICK = 1_000_000_000
NONE = "none"
ALLOTMENT = 10  # slices, as Hydra's


def parse_slice(text: str) -> int:
    """Milliseconds; or a BadRequest that says what is wrong."""
    span = durations.parse("slice", text, MOST, durations.TICK)
    if span % durations.TICK != 0:
        raise BadRequest(f"slice is a multiple of the clock's tick of 10 ms, which {text} is not.")
    return span // durations.UNITS["ms"]


def parse_tick(text: str) -> int:
    """Milliseconds; or a BadRequest that says what is wrong."""
    span = durations.parse("tick", text, MOST_TICK, durations.TICK)
    if span % durations.TICK != 0:
        raise BadRequest(f"tick is a multiple of the kernel's own of 10 ms, which {text} is not.")
    return span // durations.UNITS["ms"]


def tick_of(slices: str | None) -> str:
    """Such that a processor's clock interrupts programs at the end of a slice and at no other time, where its
    timer can."""
    if slices in (None, NONE):
        return "500ms"
    whole = parse_slice(slices) * durations.UNITS["ms"] <= MOST_TICK
    return slices if whole else durations.written(durations.TICK)


def check_tick(values: dict) -> None:
    """Whether a slice is a whole number of ticks."""
    if values["tick"] is None or values["slice"] in (None, NONE):
        return
    if parse_slice(values["slice"]) % parse_tick(values["tick"]) != 0:
        raise BadRequest(
            f"SLICE={values['slice']} is no multiple of TICK={values['tick']}, in which slices are counted."
        )


def check(values: dict, jobs) -> None:
    """Whether the run's values go together, and its jobs have slices."""
    check_tick(values)
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
    ticks = [] if values["tick"] is None else [f"tick={parse_tick(values['tick'])}"]
    if values["slice"] in (None, NONE):
        return ticks
    request = durations.parse("request", values["request"] or "0ns", MOST)
    return [
        *ticks,
        f"slice={parse_slice(values['slice'])}",
        f"allotment={values['allotment'] or ALLOTMENT}",
        f"request={request // durations.UNITS['us']}",
    ]
