# SPDX-License-Identifier: MIT
"""What the study adds to the runner: the keys by which losses are injected into the machine, and what is told
of them. Users say them to `make run` beside all others."""

from cmmp import banks, device, disks, durations, loss_profile, speeds, time_slices
from parley_runner.additions import Additions
from parley_runner.key import JOB, RUN, Key
from parley_runner.status import said_in

PARSERS = {
    **device.PARSERS,
    **banks.PARSERS,
    "speeds": speeds.parse,
    "tick": time_slices.parse_tick,
    "slice": lambda value: None if value == time_slices.NONE else time_slices.parse_slice(value),
    "disk": disks.parse,
    "request": lambda value: durations.parse("request", value, time_slices.MOST),
}


class Losses(Additions):
    keys = (
        Key(
            "losses",
            RUN,
            None,
            "all that slowed C.mmp's programs down, by one word: cmmp-1978. What a modelled MACHINE has"
            " itself is not injected; any key that it sets may be said otherwise (studies/cmmp/docs/cmmp.md)",
            (loss_profile.NAME,),
        ),
        Key(
            "pages",
            JOB,
            None,
            "the memory bank of each process's pages: private (one after the other), apart (the same, but not"
            " the first, which has the kernel; and shared pages over all others), shared (the first), or"
            " 0,0,2",
        ),
        Key(
            "speeds",
            RUN,
            None,
            "processors of two speeds, as fast:3,slow:2: a loss that is injected into the slow ones"
            " (studies/cmmp/docs/cmmp.md)",
        ),
        Key(
            "slowdown",
            RUN,
            None,
            "percent of a fast processor's time that a slow one takes (default: 155)",
            lowest=100,
            highest=1000,
        ),
        Key(
            "stealing",
            RUN,
            None,
            "whether an idle fast processor takes over what runs on a slow one (default: on)",
            ("on", "off"),
        ),
        Key(
            "tick",
            RUN,
            None,
            "time between the clock interrupts of a processor that runs programs, as 500ms; the processor"
            " that keeps the time then asks the device (default: 10ms, the kernel's own)",
        ),
        Key(
            "slice",
            RUN,
            None,
            "length of a timeshared program's time slices, as 500ms; it asks the scheduler for more when an"
            " allotment of them has ended; none: as without LOSSES (studies/cmmp/docs/cmmp.md)",
        ),
        Key(
            "allotment",
            RUN,
            None,
            "slices that a program has before it must ask for more (default: 10)",
            lowest=1,
            highest=1000000,
        ),
        Key(
            "request",
            RUN,
            None,
            "what asking for more takes beyond the work, as 150ms: injected (default: nothing)",
        ),
        Key(
            "disk",
            RUN,
            None,
            "where policy processes write the pages of who waits: none (they take no time), fixed-head, or"
            f" {disks.NAME}:{disks.ROTATION}:{disks.DISKS}, a revolution and how many disks",
        ),
        Key(
            "device",
            RUN,
            None,
            "a simulated device of one processor, of which another asks something by interrupts, as"
            " owner:0,asker:1; none: as without LOSSES (studies/cmmp/docs/cmmp.md)",
        ),
        Key(
            "every",
            RUN,
            None,
            f"time between two requests of the device on average, drawn (default: {device.EVERY})",
        ),
        Key(
            "service",
            RUN,
            None,
            "what the device's service routine takes, shortest and longest: injected (default:"
            f" {device.SERVICE})",
        ),
        Key(
            "banks",
            RUN,
            None,
            "memory as banks, which take so many ns for a reference, as 585x16: where pages lie is real, what"
            " that costs a model (studies/cmmp/docs/cmmp.md)",
        ),
        Key(
            "between",
            RUN,
            None,
            "what a processor computes between two references, for the model of BANKS (default: 870ns)",
        ),
    )
    texts = ("bank_samples",)

    def parse(self, key: Key, value: str) -> None:
        if key.name in PARSERS:
            PARSERS[key.name](value)

    implying = "losses"

    def implied(self, values: dict) -> dict:
        return loss_profile.implied(values)

    def check(self, request) -> None:
        values = request.values
        with said_in(request.where, "losses"):
            loss_profile.check(values, request.processors)
        machine = loss_profile.machine_of(values)
        with said_in(request.where, "speeds"):
            speeds.check(values, machine is not None and bool(loss_profile.slow_ones(machine)))
        with said_in(request.where, "banks"):
            banks.check(values, request.jobs, loss_profile.banks_of(machine))
        with said_in(request.where, "device"):
            device.check(request.values, request.processors)
        with said_in(request.where, "slice"):
            time_slices.check(request.values, request.jobs)

    def processors(self, values: dict) -> int | None:
        found = speeds.of(values)
        return None if found is None else found.processors

    def machine(self, request) -> list[str]:
        values = request.values
        return [
            *loss_profile.words(values, request.processors),
            *(word for part in (speeds, time_slices, device, banks, disks) for word in part.words(values)),
        ]

    def of_job(self, values: dict, end: dict) -> dict:
        return banks.of_job(values, end)

    def notes(self, records: list[dict]) -> list[str]:
        return banks.notes(records)


ADDED = Losses()
