# SPDX-License-Identifier: MIT
"""The model of HARPY as tables, beside what is printed, and which of the documents' findings it has."""

import statistics

from cmmp import harpy_documents as documents
from cmmp.harpy_model import VERSIONS, Costs, Outcome, simulate
from cmmp.harpy_work import Segment

Results = dict[tuple[str, int], Outcome]


def results_of(costs: Costs, segments: list[Segment], processes: int) -> Results:
    return {
        (version, n): simulate(costs, segments, version, n)
        for version in VERSIONS
        for n in range(1, processes + 1)
    }


def shares(values: list[int]) -> tuple[float, ...]:
    counts = [0] * 4
    for value in values:
        counts[(value > 10) + (value > 100) + (value > 1000)] += 1
    return tuple(100 * count / len(values) for count in counts)


def workload(segments: list[Segment]) -> str:
    def line(name: str, here: tuple[float, ...], there: tuple[float, ...]) -> str:
        return (
            f"{name:12}"
            + "".join(f"{value:8.1f}" for value in here)
            + "    printed:"
            + "".join(f"{value:7.1f}" for value in there)
        )

    candidates = [len(segment.candidates) for segment in segments]
    one = 100 * candidates.count(1) / len(candidates)
    return "\n".join(
        (
            f"{len(segments)} segments; their units of work, in percent of segments:",
            f"{'':12}{'1-10':>8}{'11-100':>8}{'-1000':>8}{'more':>8}",
            line("candidates", shares(candidates), documents.CANDIDATES),
            line("pairs", shares([segment.pairs for segment in segments]), documents.PAIRS),
            f"one candidate: {one:.1f} %; printed: {documents.ONE_CANDIDATE:.0f} %",
        )
    )


def table(results: Results) -> str:
    most = max(n for _, n in results)
    lines = [f"{'':4}{'n':>3}{'forward':>12}{'own':>8}{'on V1':>8}{'busy %':>8}{'pruning':>12}{'own':>8}"]
    first = results["V1", 1]
    for (version, n), one in results.items():
        own = results[version, 1]
        lines.append(
            f"{version:4}{n:3}{one.forward:12.1f}{own.forward / one.forward:8.3f}"
            f"{first.forward / one.forward:8.3f}{100 * one.utilization:8.1f}{one.pruning:12.1f}"
            f"{own.pruning / one.pruning:8.3f}"
            + (f"  {documents.line(version)}" if n == most and most == 8 else "")
        )
    return "\n".join(lines)


def overtakes(results: Results, version: str, other: str) -> int | None:
    """The first number of processes from which on it is faster."""
    most = max(n for _, n in results)
    slower = [n for n in range(1, most + 1) if results[version, n].forward >= results[other, n].forward]
    first = max(slower, default=0) + 1
    return first if first <= most else None


def findings(results: Results, costs: Costs) -> list[tuple[str, bool]]:
    """Sentences of C23 and C25, and whether they hold for these."""
    most = max(n for _, n in results)
    at = {version: results[version, most] for version in VERSIONS}
    ones = {version: results[version, 1] for version in VERSIONS}
    begins = (most - 1) * costs.v + costs.wake  # from the first to the last
    unit = begins + costs.pop * most + costs.retrieve + max(costs.update, costs.none)
    pruning = ones["V1"].pruning / at["V1"].pruning
    at_v1, at_v2 = overtakes(results, "V3", "V1"), overtakes(results, "V3", "V2")
    time = at["V1"].forward > at["V2"].forward >= at["V3"].forward > at["V4"].forward
    used = at["V1"].utilization < at["V2"].utilization < at["V3"].utilization < at["V4"].utilization
    return [
        (f"C23: time of {most} processes: V1 > V2 >= V3 > V4", time),
        (f"C23: utilization of {most} processes: V1 < V2 < V3 < V4", used),
        (
            "C23: one process is slower in V3 and V4 than in V1",
            min(ones["V3"].forward, ones["V4"].forward) > ones["V1"].forward,
        ),
        (
            f"C23: pruning's speed-up, {pruning:.2f}, is above V1's",
            pruning > ones["V1"].forward / at["V1"].forward,
        ),
        (
            f"C23: V3 overtakes V1 (from {at_v1 or 'no'} processes; printed: 3) and V2 (from {at_v2 or 'no'};"
            " printed: 6)",
            bool(at_v1 and at_v2),
        ),
        (
            "C25: processes that take pairs end within a unit of work, beside how far apart they begin",
            max(at["V3"].forward_spread, at["V4"].forward_spread) <= unit + 1e-9,
        ),
        (
            "C25: so do those that prune states",
            at["V1"].pruning_spread <= begins + costs.pop * most + costs.save + 1e-9,
        ),
    ]


def complexity(segments: list[Segment]) -> float:
    return statistics.fmean(segment.pairs for segment in segments)


def richer(all_results: list[tuple[float, Results]]) -> tuple[str, bool]:
    """C24, over works by their mean pairs of a segment."""
    ordered = sorted(all_results, key=lambda one: one[0])
    most = max(n for _, n in ordered[0][1])
    speedups = [results["V4", 1].forward / results["V4", most].forward for _, results in ordered]
    told = ", ".join(f"{pairs:.0f}: {speedup:.2f}" for (pairs, _), speedup in zip(ordered, speedups))
    return (
        f"C24: more pairs a segment, greater speed-up of V4 with {most} processes ({told})",
        speedups == sorted(speedups),
    )
