# SPDX-License-Identifier: MIT
"""What the document proposes against overheads of loops, and nobody built on Cedar: each as two runs that
differ in nothing else. They are not watched."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cedar.modelled_runs import Instrument, Run
from cedar.modelled_statements import LAST
from parley_study.tables import table

LENGTH = 100  # percent, of iterations


@dataclass(frozen=True)
class Proposal:
    what: str
    without: Run
    with_it: Run


def proposals() -> list[Proposal]:
    nested, flat, adm = (
        Run(name, LAST, LENGTH, flat=is_flat, instrument=Instrument.NONE)
        for name, is_flat in (("FLO52", False), ("FLO52", True), ("ADM", False))
    )
    found = [Proposal("merged loops", run, replace(run, merged=True)) for run in (nested, flat, adm)]
    for run in (nested, flat, adm):
        tree = replace(run, leaves="barrier=combining")
        found.append(Proposal("barrier by a combining tree", run, tree))
    for run in (flat, adm):
        tree = replace(run, leaves="distribution=combining")
        found.append(Proposal("pick-up by a combining tree", run, tree))
    for run in (flat, adm):
        called, in_line = (replace(run, leaves=f"distribution=locked:{n}") for n in (1, 0))
        found.append(Proposal("locks in line", called, in_line))
    return found


def runs() -> list[Run]:
    return list(dict.fromkeys(run for one in proposals() for run in (one.without, one.with_it)))


def lines(took: Mapping[Run, float]) -> list[str]:
    """took: ns of each run."""
    rows = []
    before = ""
    for one in proposals():
        without, with_it = took[one.without], took[one.with_it]
        rows.append(
            [one.what if one.what != before else "", one.without.program + " flat" * one.without.flat]
            + [f"{without / 1e6:.2f}", f"{with_it / 1e6:.2f}"]
            + [f"{100 * (with_it - without) / without:+.2f}"]
        )
        before = one.what
    head = ["", "program", "without, ms", "with it, ms", "change, %"]
    return table(f"What was proposed and not built, each by itself, on {LAST} processors", head, rows)
