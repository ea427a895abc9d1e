# SPDX-License-Identifier: MIT
"""Tables of what slowed C.mmp's processors down, each beside what the documents print."""

import statistics

from cmmp import documents, machine_study, study
from cmmp.machine_study import KINDS, Results

ABOUT = "(simulated clock, profile cmmp-1978{})"


def head(title: str, more: str = "") -> str:
    return f"\n{title}\n{ABOUT.format(more)}"


def speeds(results: Results) -> list[str]:
    """Figure 4.2's ninth processor."""
    machines = {"fast": "9 fast", "stealing": "8 fast, 1 slow", "bound": "no stealing"}
    columns = [(kind, machine) for kind in KINDS for machine in machines]
    lines = [
        head("Figure 4.2's slow processor: authentic speed-up, 8 fast processors and a slow one",
             "; 1 slow takes 1.55 times as long"),
        "    " + " ".join(f"{kind:>15}" for kind, _ in columns),
        f"{'n':>3} " + " ".join(f"{machines[machine]:>15}" for _, machine in columns),
    ]  # fmt: skip
    curves = {column: machine_study.curve(results.speeds[column]) for column in columns}
    for n in range(1, study.MOST + 1):
        lines.append(f"{n:3} " + " ".join(f"{curves[column][n]:15.3f}" for column in columns))
    lines.append("documents: at nine a much more severe drop for spin than for kernel and policy-1")
    return lines


def code(results: Results) -> list[str]:
    lines = [
        head("Figure 3.6: authentic speed-up under spin by where code and data lie", ", banks a model"),
        f"{'n':>3} {'private':>10} {'shared':>10}",
    ]
    curves = {name: machine_study.curve(answers) for name, answers in results.code.items()}
    for n in range(1, study.MOST + 1):
        lines.append(f"{n:3} {curves['private'][n]:10.3f} {curves['shared'][n]:10.3f}")
    printed = "; ".join(f"{name} {best:g} at {n}" for name, (best, n) in documents.CODE.items())
    lines.append(f"documents, best: {printed}")
    return lines


def latencies(results: Results) -> list[str]:
    edges = [0, *machine_study.BINS]
    names = [f"{low / 1000:g}-{high / 1000:g}" for low, high in zip(edges, edges[1:])]
    names.append(f">{edges[-1] / 1000:g}")
    counts = {name: machine_study.histogram(times) for name, times in results.latencies.items()}
    lines = [
        head(f"Tables 3.5 and 3.6: {machine_study.LATENCIES} references by their length",
             ", banks a model; nine processors"),
        f"{'us':>6} {'private':>10} {'documents':>10} {'shared':>10} {'documents':>10}",
    ]  # fmt: skip
    for place, name in enumerate(names):
        cells = " ".join(f"{counts[of][place]:10} {documents.CYCLES[of][place]:10}" for of in counts)
        lines.append(f"{name:>6} {cells}")
    means = {name: statistics.mean(times) / 1000 for name, times in results.latencies.items()}
    lines.append(
        f"mean {means['private']:.2f} and {means['shared']:.2f} us; documents, by the middles of the "
        "classes, 0.88 and 2.33. The class of an idle machine is not simulated: how often idle processors "
        "look for work is not printed."
    )
    return lines


def evaluations(results: Results) -> list[str]:
    """Figure 3.9, as counts; of one process."""
    width = 50
    pairs = {
        "alone": results.slices[1][0],
        "time slices": results.slices[1][1],
        "interrupts": results.interrupts[1][1],
    }
    times = {
        name: [time / machine_study.UNIT for time in answer["evaluations"][0]]
        for name, answer in pairs.items()
    }
    lines = [
        head("Figure 3.9: evaluations of one process by their time, normal lengths", ", seed 1"),
        f"{'ms':>9} " + " ".join(f"{name:>12}" for name in times),
    ]
    last = int(max(max(values) for values in times.values()) // width)
    for place in range(last + 1):
        cells = " ".join(
            f"{sum(int(value // width) == place for value in values):12}" for values in times.values()
        )
        lines.append(f"{place * width:4}-{(place + 1) * width:4} {cells}")
    return lines


def ranking(results: Results) -> list[str]:
    lines = [
        head("Table 3.8: sources of variation, largest over smallest"),
        f"{'':20} {'here':>8} {'rank':>5} {'documents':>10} {'rank':>5}",
    ]
    ours = sorted(results.ranking, key=results.ranking.get, reverse=True)
    for place, (name, printed) in enumerate(documents.RANKING.items(), start=1):
        lines.append(
            f"{name:20} {results.ranking[name]:8.2f} {ours.index(name) + 1:5} {printed:10.2f} {place:5}"
        )
    lines.append(
        "here: the longest and the shortest authentic evaluation; means of a reference of nine processors\n"
        "to one bank and to nine, of the last and the first wake-up in a stage of five under policy-0, of\n"
        "one process's evaluations on a slow and on a fast processor, with and without interrupts, in the\n"
        "two kinds of banks. How the documents' 2.8 and 1.3 were formed is not printed."
    )
    return lines


def whole(results: Results) -> list[str]:
    parts = (speeds, code, latencies, evaluations, ranking)
    return [line for part in parts for line in part(results)]
