# SPDX-License-Identifier: MIT
"""The study's tables as text, each beside what the documents print, and named by clock and profile."""

import statistics

from cmmp import claims, documents, study, theory
from cmmp.study import KINDS, Results

MS = 1e6


def head(title: str, results: Results, more: str = "") -> str:
    about = f"simulated clock, profile {results.profile}{more}"
    return f"\n{title}\n({about})"


def cell(value: float | None, digits: int = 2) -> str:
    return f"{'-':>10}" if value is None else f"{value:10.{digits}f}"


def message_name(design: str) -> str:
    return f"msg {design}"


def costs(results: Results, unit: float, name: str) -> list[str]:
    """Table 4.1, measured on the simulated machine; with the documents' numbers where these are its."""
    lines = [
        head(f"Table 4.1: what P and V cost, {name}", results, ", 20 wake-ups, each after 100 ms"),
        f"{'':16} {'P':>10} {'V':>10} {'V to run':>10} {'policy':>10} {'servers':>8}",
    ]
    for kind in KINDS:
        one, p = results.thresholds[kind].costs, results.thresholds[kind].p
        cells = " ".join(cell(value / unit, 3) for value in (p, one.v, one.wake, one.service))
        lines.append(f"{kind:16} {cells} {one.servers:8}")
        if results.profile == "cmmp-1978":
            v, wake, p, policy = documents.COSTS[kind]
            lines.append(f"{'  documents':16} " + " ".join(cell(value, 3) for value in (p, v, wake, policy)))
    for design, message in results.messages.items():
        one = message.costs
        cells = " ".join(cell(value / unit, 3) for value in (one.receive, one.send, one.wake + one.receive))
        lines.append(f"{message_name(design):16} {cells} {cell(None)} {0:8}")
    lines.append("P: until it looks at the count. policy: time in a policy process that schedules, for a V.")
    if results.messages:
        lines.append(
            "msg: messages of 112 bytes under that design: P is crecv of one that is there, V is csend, V to"
            " run the way from csend to crecv's end; counted, and no run of the simulated machine."
        )
    return lines


def crossings(results: Results, unit: float, name: str) -> list[str]:
    printed = results.profile == "cmmp-1978"
    lines = [
        head(f"Table 4.2: thresholds of five processes, {name}", results,
             "; constant lengths, 25 of them, 50 roots, one repetition: nothing is drawn"),
        f"{'':16} {'found':>10} {'model':>10} {'error':>8}" + (f" {'documents':>10}" if printed else ""),
    ]  # fmt: skip
    for kind in KINDS:
        one = results.thresholds[kind]
        line = (
            f"{kind:16} {cell(one.found / unit, 3)} {cell(one.predicted / unit, 3)} {100 * one.error:+7.1f}%"
        )
        lines.append(line + (f" {cell(documents.THRESHOLDS[kind], 0)}" if printed else ""))
    others = results.further | {message_name(name): one for name, one in results.messages.items()}
    for name, other in others.items():
        cells = f"{cell(other.found / unit, 3)} {cell(other.predicted / unit, 3)}"
        lines.append(f"{name:17}{cells} {100 * other.error:+7.1f}%")
    lines.append("model: section 4.1's costs in two lines (studies/cmmp/tools/rootfinder.py model).")
    if results.further:
        lines.append("at once: one call of nx_v_all wakes all others (--wake together); combining by a tree.")
    if results.messages:
        lines.append(
            "msg: posts and wake-ups are messages from and to the first process, which does FIND"
            " (--carry messages)."
        )
    elif printed:
        lines.append("Messages: the documents do not print what one costs on C.mmp.")
    return lines


def servers(results: Results) -> list[str]:
    lines = [
        head("Thresholds of policy-1:0s by the number of policy processes, ms", results),
        f"{'servers':16} {'found':>10} {'model':>10}",
    ]
    for count, one in results.servers.items():
        lines.append(f"{count:<16} {cell(one.found / MS)} {cell(one.predicted / MS)}")
    return lines


def authentic(results: Results) -> list[str]:
    lines = [
        head("Figure 4.2: authentic speed-up, lengths of mean 72 ms and deviation 18 ms", results,
             ", one repetition: nothing is drawn"),
        f"{'n':>3} " + " ".join(f"{kind:>15}" for kind in KINDS),
    ]  # fmt: skip
    curves = {kind: study.authentic_speedups(results, kind) for kind in KINDS}
    for n in range(1, theory.MOST_PROCESSES + 1):
        lines.append(f"{n:3} " + " ".join(f"{curves[kind][n]:15.3f}" for kind in KINDS))
    printed = "; ".join(
        f"{kind} {speedup:g} at {n}" for kind, (speedup, n) in documents.AUTHENTIC.items()
    )
    lines.append(f"documents: {printed}; policy-0 below 1, and falls")
    return lines


def synthetic(results: Results) -> list[str]:
    kinds = sorted({kind for kind, _ in results.speedups}, key=KINDS.index)
    columns = [(lengths, kind) for lengths in theory.KINDS for kind in kinds]
    lines = [
        head("Figures 3.5, 4.3 and 4.4: speed-up of lengths of mean 375 ms", results,
             f", seeds {study.SEEDS[0]} to {study.SEEDS[-1]}: mean and standard error"),
        "    " + " ".join(f"{lengths:>15}" for lengths, _ in columns),
        f"{'n':>3} " + " ".join(f"{kind:>15}" for _, kind in columns),
    ]  # fmt: skip
    for n in range(1, study.MOST + 1):
        cells = []
        for lengths, kind in columns:
            values = results.speedups[kind, lengths][n]
            spread = f" ({study.standard_error(values):.3f})" if len(values) > 1 else " " * 8
            cells.append(f"{statistics.mean(values):7.3f}{spread}")
        lines.append(f"{n:3} " + " ".join(cells))
    lines.append(
        "theory "
        + "; ".join(
            f"{lengths} at 9: {theory.speedup(lengths, study.MOST):.3f}" for lengths in theory.KINDS
        )
        + "; documents, constant: spin 2.8 and policy-0 2.1 at 7"
    )
    return lines


def ranges(results: Results) -> list[str]:
    lines = [
        head("Figure 4.5: speed-up of five processes by length", results),
        f"{'ms':>5} " + " ".join(f"{kind:>15}" for kind in KINDS),
    ]
    for length in results.ranges["spin"]:
        cells = " ".join(f"{results.ranges[kind][length]:15.3f}" for kind in KINDS)
        lines.append(f"{length:5g} {cells}")
    ideal = theory.speedup("constant", study.FIVE)
    lines.append(f"without overhead {ideal:.3f}; half of it {ideal / 2:.3f}")
    return lines


def judged(title: str, made: list[claims.Claim]) -> list[str]:
    return [f"\n{title}", *(f"  {claim.sentence()}" for claim in made)]
