# SPDX-License-Identifier: MIT
"""How often processes look into their network interface (section 7.1): what fewer looks save of a round trip
within a multiprocessor, and of a message to another. The runs are network.py's with other pollings."""

from collections.abc import Mapping
from dataclasses import replace

from clumps import network
from clumps.modelled_runs import Run, Told
from clumps.modelled_statements import below
from clumps.network import BETWEEN, WITHIN
from parley_study.statements import Verdict
from parley_study.tables import table

ALWAYS, SOME, SELDOM = "fixed", "adaptive:4:16", network.POLLING
WITHIN_POLLINGS = (ALWAYS, SOME, SELDOM)  # fewer and fewer looks where all messages are from near
BETWEEN_POLLINGS = (ALWAYS, SELDOM)
REACHED = 0.10  # section 7.1: with s_max of 16 programs are within so much of the limit
NAMES = ("RTT", "o_s", "o_r", "g")

Found = Mapping[tuple[str, str], Told]  # by where the other node is, and polling


def all_runs() -> dict[tuple[str, str], Run]:
    quick = network.loggp_runs(False)
    pollings = {WITHIN: WITHIN_POLLINGS, BETWEEN: BETWEEN_POLLINGS}
    return {
        (where, polling): replace(quick[where], polling=polling)
        for where, by in pollings.items()
        for polling in by
    }


def lines(found: Found) -> list[str]:
    rows = [
        [where, polling, *(f"{told[name]:g}" for name in NAMES)] for (where, polling), told in found.items()
    ]
    return table("LogGP by how often processes look into their interface, us", ["", "polling", *NAMES], rows)


def statements(found: Found) -> list[Verdict]:
    trips = {polling: found[WITHIN, polling]["RTT"] for polling in WITHIN_POLLINGS}
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
    ]
