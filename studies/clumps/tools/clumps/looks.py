# SPDX-License-Identifier: MIT
"""How often processes look into their network interface (section 7.1): what fewer looks save of a round trip
within a multiprocessor, and of a message to another; and what programs take by the shortest period on
workstations, and by the damping on multiprocessors. The runs are those of network.py and interfaces.py with
other pollings."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from clumps import interfaces, network
from clumps.modelled_runs import Run, Told
from clumps.modelled_statements import below, within
from clumps.network import BETWEEN, WITHIN
from parley_study.statements import Verdict
from parley_study.tables import table

ALWAYS, SOME, SELDOM = "fixed", "adaptive:4:16", network.POLLING
WITHIN_POLLINGS = (ALWAYS, SOME, SELDOM)  # fewer and fewer looks where all messages are from near
BETWEEN_POLLINGS = (ALWAYS, SELDOM)
REACHED = 0.10  # section 7.1: with s_max of 16 programs are within so much of the limit
NAMES = ("RTT", "o_s", "o_r", "g")

# A program that only gains where processes look seldomer, and one that others wait for (figure 7.3).
STREAMING, WAITED_FOR = "SAMPLE", "CON/comm"
SHORTEST = {1: "adaptive:1:64", 4: network.POLLING, 64: "adaptive:64:64"}
DAMPING = {64: "adaptive:4:64:4096:64", 256: network.POLLING, 1024: "adaptive:4:64:4096:1024"}
ALIKE = 0.05  # printed are 3 % between dampings (table 7.5)

# By where the other node is, or the program and its multiprocessors; and polling.
Found = Mapping[tuple[str, str], Told]


def on_workstations(program: str) -> str:
    return f"{program}, {network.shape(interfaces.WORKSTATIONS)}"


def on_multiprocessors(program: str) -> str:
    return f"{program}, {network.shape(interfaces.SHARED)}"


def all_runs() -> dict[tuple[str, str], Run]:
    quick = network.loggp_runs()
    by_place = {WITHIN: (quick[WITHIN], WITHIN_POLLINGS), BETWEEN: (quick[BETWEEN], BETWEEN_POLLINGS)}
    for program in (STREAMING, WAITED_FOR):
        alone = interfaces.run(program, interfaces.WORKSTATIONS)
        together = interfaces.run(program, interfaces.SHARED)
        by_place[on_workstations(program)] = (alone, tuple(SHORTEST.values()))
        by_place[on_multiprocessors(program)] = (together, tuple(DAMPING.values()))
    return {
        (place, polling): replace(run, polling=polling)
        for place, (run, pollings) in by_place.items()
        for polling in pollings
    }


def times(found: Found, place: str, pollings: Mapping[int, str]) -> dict[int, float]:
    return {number: found[place, polling]["time"] for number, polling in pollings.items()}


def lines(found: Found) -> list[str]:
    rows = [
        [place, polling, *(f"{told[name]:g}" for name in NAMES)]
        for (place, polling), told in found.items()
        if place in (WITHIN, BETWEEN)
    ]
    loggp = table("LogGP by how often processes look into their interface, us", ["", "polling", *NAMES], rows)

    def by(what: str, place: Callable[[str], str], pollings: Mapping[int, str]) -> list[str]:
        cells = [
            [where, *(f"{time / 1e3:.2f}" for time in times(found, where, pollings).values())]
            for where in map(place, (STREAMING, WAITED_FOR))
        ]
        return table(f"Programs by {what}, ms", ["", *map(str, pollings)], cells)

    return [
        *loggp,
        *by("the fewest polls of which one looks", on_workstations, SHORTEST),
        *by("damping", on_multiprocessors, DAMPING),
    ]


def statements(found: Found) -> list[Verdict]:
    trips = {polling: found[WITHIN, polling]["RTT"] for polling in WITHIN_POLLINGS}
    streaming = times(found, on_workstations(STREAMING), SHORTEST)
    waited_for = times(found, on_workstations(WAITED_FOR), SHORTEST)
    usual = 256
    return [
        Verdict(
            "within a multiprocessor a round trip is shorter where processes look seldomer into the network, "
            f"and one look in 16 polls is within {100 * REACHED:g} % of one in 64",
            {
                f"{fewer} before {ALWAYS}": below(trips[fewer], trips[ALWAYS]) for fewer in (SOME, SELDOM)
            }
            | {
                SOME: (
                    trips[SOME] <= (1 + REACHED) * trips[SELDOM],
                    f"{trips[SOME]:.1f} us, and {trips[SELDOM]:.1f}",
                )
            },
        ),
        Verdict(
            "between multiprocessors o_s and o_r are lower where processes look seldomer",
            {
                name: below(found[BETWEEN, SELDOM][name], found[BETWEEN, ALWAYS][name])
                for name in ("o_s", "o_r")
            },
        ),
        Verdict(
            f"on workstations {STREAMING} is faster, and {WAITED_FOR} slower, the more polls pass between "
            "looks at least",
            {
                f"{STREAMING}, 4 before 1": below(streaming[4], streaming[1]),
                f"{STREAMING}, 64 before 4": below(streaming[64], streaming[4]),
                f"{WAITED_FOR}, 1 before 4": below(waited_for[1], waited_for[4]),
                f"{WAITED_FOR}, 4 before 64": below(waited_for[4], waited_for[64]),
            },
        ),
        Verdict(
            f"on multiprocessors programs take the same whatever the damping is, within {100 * ALIKE:g} %",
            {
                f"{program}, {damping}": (
                    within(time, by_damping[usual], ALIKE),
                    f"{time:.0f} us, and {by_damping[usual]:.0f}",
                )
                for program in (STREAMING, WAITED_FOR)
                for by_damping in (times(found, on_multiprocessors(program), DAMPING),)
                for damping, time in by_damping.items()
                if damping != usual
            },
        ),
    ]
