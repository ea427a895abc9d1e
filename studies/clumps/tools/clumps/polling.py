# SPDX-License-Identifier: MIT
"""What polling a second, dearer source adds to a local round trip: one run, its table and what is asked of
it. The thesis's table 7.6 has a round trip without the network's protocol and one with adaptive polling."""

from clumps.document import Printed
from clumps.modelled_runs import WARM, Run, Told
from clumps.modelled_statements import below
from parley_study.statements import Verdict
from parley_study.tables import table

WORDS = f"--samples 3 --trips 100 {WARM}"
# As two_sources names them.
LOOK, NEVER, ALWAYS, ADAPTIVE = "a look", "never", "fixed", "adaptive:4:64"
POLLINGS = (NEVER, ALWAYS, "fractional:16", ADAPTIVE)
ADDED = 0.20  # of a round trip: printed are 19 %
SENDS = 2  # of a round trip, each of which polls first


def run_of() -> Run:
    return Run("two_sources", "lock-free", 2, WORDS)


def lines(told: Told, printed: Printed) -> list[str]:
    def cell(name: str) -> str:
        mean, half = told.figures[name]
        return f"{mean:g}+-{half:g}" + (f" ({printed.polling[name]:g})" if name in printed.polling else "")

    def added(name: str) -> str:
        beside = f"{100 * (told[name] / told[NEVER] - 1):.0f} %"
        if name not in printed.polling:
            return beside
        return beside + f" ({100 * (printed.polling[name] / printed.polling[NEVER] - 1):.0f} %)"

    rows = [
        ["round trip, us", *(cell(name) for name in POLLINGS)],
        ["added", *(added(name) for name in POLLINGS)],
        ["in looks", *(f"{(told[name] - told[NEVER]) / told[LOOK]:.1f}" for name in POLLINGS)],
    ]
    title = f"Table 7.6 (printed): a far source is looked into; a look takes {told[LOOK]:g} us"
    return table(title, ["", *POLLINGS], rows)


def statements(told: Told) -> list[Verdict]:
    most = (1 + ADDED) * told[NEVER]
    least = told[NEVER] + SENDS * told[LOOK]
    return [
        Verdict(
            f"adaptive polling adds at most {100 * ADDED:g} % to a local round trip",
            {ADAPTIVE: (told[ADAPTIVE] <= most, f"{told[ADAPTIVE]:.2f} us, and {most:.2f} are allowed")},
        ),
        Verdict(
            "naive polling adds a whole look for each message of a round trip, and more",
            {ALWAYS: below(least, told[ALWAYS])},
        ),
    ]
