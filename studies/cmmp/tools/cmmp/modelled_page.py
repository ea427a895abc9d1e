# SPDX-License-Identifier: MIT
"""The tables of studies/cmmp/docs/cmmp.md as a run of the modelled study has them, and where the page has
others."""

import os
import re

from cmmp import documents, harpy_documents, modelled_harpy, modelled_verdicts
from cmmp.curves import Curve
from cmmp.modelled_boots import FAST, HARPY_PROCESSES, HARPY_VERSIONS, LENGTHS, MOST, SEVEN, SHARED_BEST
from cmmp.modelled_drawn import Drawn
from cmmp.modelled_results import Results, first_steps, threshold
from cmmp.modelled_roots import median_of
from cmmp.modelled_verdict import Verdict
from parley_runner import places

PAGE = os.path.join(places.ROOT, "studies", "cmmp", "docs", "cmmp.md")
OPEN = "What is left open on the modelled machine"
Row = tuple[str | None, ...]  # None: what a run does not say


def counted(judged: list[Verdict]) -> str:
    is_open, holding = sum(one.is_open for one in judged), sum(one.holds for one in judged)
    rest = len(judged) - is_open - holding
    return f"{is_open} of {len(judged)} verdicts are `open`, {holding} hold and {rest} do not"


def left_open(judged: list[Verdict]) -> list[Row]:
    return [(one.said, one.evidence) for one in judged if one.is_open]


def milliseconds(nanoseconds: float | None) -> str:
    if nanoseconds is None:
        return ""
    return f"{nanoseconds / 1e6:.1f}" if nanoseconds < 100e6 else f"{nanoseconds / 1e6:.0f}"


def disturbing(results: Results) -> list[Row]:
    """Mean stages at the printed thresholds, with parts left out."""
    made = []
    for kind, printed in documents.THRESHOLDS.items():
        boots = (
            f"threshold {kind} {first_steps(kind, results.length)}",
            *(f"{part} {kind}" for part in ("no device", "no perturbation", "no disk", "own ticks")),
        )
        made.append((f"`{kind}`", f"{printed:g}", *(milliseconds(results.stages.get(one)) for one in boots)))
    return made


def drawn_lengths(found: Drawn) -> list[Row]:
    columns = found.calm, found.speedups, found.longer
    return [
        (lengths, None, None, *(f"{one[lengths]:.2f}" for one in columns))
        for lengths in LENGTHS
    ]


def of_threshold(results: Results, kind: str, curve: Curve) -> str:
    found, own = threshold(curve), median_of(results.threshold_roots[kind])
    return f"{'none' if found is None else f'{found / 1e6:.3g}'}, {own * 1e-6:.3g}"


def numbers(results: Results) -> list[Row]:
    spin, kernel, policy = (results.speedups[kind] for kind in ("spin", "kernel", "policy-1:300ms"))
    thresholds = [
        (f"threshold of `{kind}`", of_threshold(results, kind, results.shares[kind]), f"{printed:g}")
        for kind, printed in documents.THRESHOLDS.items()
    ]
    banks, bank = results.private, results.shared[SHARED_BEST]
    return [
        *thresholds,
        (f"figure 4.2: `spin` at {FAST}", f"{spin[FAST]:.2f}", "2.8"),
        (f"`spin` at {MOST}, one of them slow", f"{spin[MOST]:.2f}", None),
        (f"`kernel` at {FAST}", f"{kernel[FAST]:.2f}", "2.4"),
        (f"`kernel` at {MOST}, one of them slow", f"{kernel[MOST]:.2f}", None),
        ("`policy-1:300ms` at 6", f"{policy[6]:.2f}", "2.0"),
        (f"`policy-1:300ms` at {FAST}", f"{policy[FAST]:.2f}", None),
        (f"`policy-1:300ms` at {MOST}, one of them slow", f"{policy[MOST]:.2f}", None),
        (f"figure 4.3: `spin` at {SEVEN}", f"{results.constant['spin']:.2f}", "2.8"),
        (f"`policy-0` at {SEVEN}", f"{results.constant['policy-0']:.2f}", "2.1"),
        (f"`spin` at {MOST}, two of them slow", f"{results.at_nine['spin']:.2f}", "2.0"),
        (f"`policy-0` at {MOST}, two of them slow", f"{results.at_nine['policy-0']:.2f}", "2.0"),
        (f"figure 3.6: {MOST} in banks of their own", f"{banks:.2f}", "2.60"),
        (f"{SHARED_BEST} in one bank", f"{bank:.2f}", "1.53"),
    ]


def harpy(searches: modelled_harpy.Results) -> list[Row]:
    made = []
    for version in HARPY_VERSIONS:
        printed, own = harpy_documents.FORWARD[version], searches.searches[version, HARPY_PROCESSES]
        on_v1 = f"{modelled_harpy.speedup(searches, version):.2f}"
        pruning = f"{modelled_harpy.pruning_speedup(searches, version):.1f}"
        made.append(
            (version, on_v1, f"{searches.uncontended[version]:.2f}", f"{printed.on_v1:.2f}",
             f"{own.utilization:.0f} %", f"{printed.utilization:.0f} %", pruning)
        )  # fmt: skip
    return made


def tables(results: Results, searches: modelled_harpy.Results, judged: list[Verdict]) -> dict[str, list[Row]]:
    return {
        "drawn lengths": drawn_lengths(results.drawn),
        "what disturbs": disturbing(results),
        "numbers": numbers(results),
        "HARPY": harpy(searches),
        OPEN: left_open(judged),
    }


def rows_of(text: str) -> list[tuple[str, ...]]:
    lines = (line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---"))
    return [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines]


def is_like(row: tuple[str, ...], wanted: Row) -> bool:
    return len(row) == len(wanted) and all(one in (None, cell) for cell, one in zip(row, wanted))


def line_of(row: Row) -> str:
    return "| " + " | ".join("..." if cell is None else cell for cell in row) + " |"


def section(text: str, title: str) -> str:
    found = re.search(rf"(?ms)^## {re.escape(title)}$(.*?)(?=^## |\Z)", text)
    return found[1] if found else ""


def differences(text: str, wanted: dict[str, list[Row]], sentences: list[str]) -> list[str]:
    """Of the page's text, a line for each."""
    here = rows_of(text)
    made = [
        f"{title}: the page has no {line_of(row)}"
        for title, rows in wanted.items()
        for row in rows
        if not any(is_like(one, row) for one in here)
    ]
    made += [
        f"{OPEN}: this run has no {line_of(row)}"
        for row in rows_of(section(text, OPEN))[1:]
        if not any(is_like(row, one) for one in wanted[OPEN])
    ]
    whole = " ".join(text.split())
    return made + [f"The page does not say: {one}" for one in sentences if one not in whole]


def sentences(judged: list[Verdict]) -> list[str]:
    return [counted(judged), *(f"* {one}." for one in modelled_verdicts.unjudged())]


def compared(results: Results, searches: modelled_harpy.Results, judged: list[Verdict]) -> list[str]:
    text = places.read_bounded(PAGE, PAGE, 1 << 20).decode()
    found = differences(text, tables(results, searches, judged), sentences(judged))
    return ["", f"{PAGE}: {len(found)} differences from this run", *(f"  {one}" for one in found)]
