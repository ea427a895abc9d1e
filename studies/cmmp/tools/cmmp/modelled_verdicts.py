# SPDX-License-Identifier: MIT
"""What the documents print and claim of the rootfinder, judged by boots on the modelled C.mmp."""

import os
from dataclasses import replace

from cmmp import documents, modelled_cost_reasons, modelled_drawn, modelled_memory, modelled_ninth
from cmmp import modelled_ranking, modelled_ratios, modelled_reasons, modelled_stages, modelled_traces, theory
from cmmp.modelled_boots import FAST, FIVE, MOST, SEVEN, SHARED_BEST
from cmmp.modelled_results import Results, bounds, threshold, undisturbed_name
from cmmp.modelled_roots import all_of, median_is_within, median_of
from cmmp.modelled_rows import each_wait
from cmmp.modelled_verdict import (
    LITTLE_APART,
    FAR_KINDS,
    LATE,
    REQUEST,
    SAME,
    SPEEDUP_WITHIN,
    THRESHOLD_WITHIN,
    Cause,
    Verdict,
    agrees,
    by_roots,
    listed,
    number,
    number_by_roots,
    rising,
)
from parley_runner import places
from parley_study import statements

KINDS = tuple(documents.KINDS)
SPIN_ALONE = 15  # ms, section 5: below, spin alone is adequate
REASONS = "studies/cmmp/docs/cmmp.md"
SECTION = "What does not come out on the modelled machine"
# What these boots do not tell, in the documentation's words, too.
UNJUDGED = {
    "C02, C03": "are of the equations alone, which test_cmmp compares",
    "T3.4": "is of an idle machine, whose processors go round a loop and meet there; an idle processor of"
    " this kernel sleeps until a tick",
    "T3.5, the classes": "are of single memory cycles, and a record has what all of them take together,"
    " so only their mean is judged",
    **modelled_memory.unjudged(),
    **modelled_ranking.UNJUDGED,
    "F3.5": "is told by curves alone: no elapsed time is printed, and C10 to C12 judge what is said of them",
}


def crossings(curves: dict) -> dict[str, float | None]:
    found = {kind: threshold(curves[kind]) for kind in KINDS}
    return {kind: one and one / 1e6 for kind, one in found.items()}


def threshold_of(results: Results, said: str, kind: str, curve: dict[float, float]) -> Verdict:
    """By the threshold of all roots together, and what the median of their own is, as a part of it."""
    printed, boots = documents.THRESHOLDS[kind], f"threshold {kind} *"
    found = threshold(curve)
    if found is None:
        text = f"{bounds(curve) * 1e-6:.3g} ms, where the lengths end; printed {printed:g} ms"
        return Verdict(said, False, text, boots)
    own = threshold(results.shares[kind]) or found
    roots = [one * (found / own) for one in results.threshold_roots[kind]]
    least, most = (1e6 * printed * (1 + sign * THRESHOLD_WITHIN) for sign in (-1, 1))
    text = (
        f"{found / 1e6:.3g} ms, by the median root {median_of(roots) * 1e-6:.3g} ms; printed {printed:g} ms,"
        f" ratio {found / 1e6 / printed:.2f}, limit {100 * THRESHOLD_WITHIN:.0f} %"
    )
    return by_roots(said, median_is_within(roots, least, most), text, boots)


def thresholds(results: Results) -> list[Verdict]:
    """Figure 4.5 has them where a curve has half the performance without any overhead, of the hardware and
    the system too; in the abstract's words half of the time is attributed to overheads of semaphores."""
    found = crossings(results.shares)
    made = [
        threshold_of(results, f"T4.2: the threshold of {kind}, {by}", kind, curves[kind])
        for by, curves in (("by figure 4.5", results.shares), ("by the abstract", results.computing))
        for kind in KINDS
    ]
    others = [found[kind] for kind in KINDS if kind != "spin"]
    alone = None not in (found["spin"], *others) and found["spin"] < SPIN_ALONE <= min(others)
    text = f"{listed(found)} ms"
    return [
        *made,
        Verdict(
            "C13: thresholds rise from spin over kernel and policy-1 to policy-0",
            rising(list(found.values())),
            text,
            "threshold *",
        ),
        Verdict("4.4: below 15 ms spin alone is adequate", alone, text, "threshold *"),
        predicted(results, found),
    ]


def predicted(results: Results, found: dict[str, float | None]) -> Verdict:
    ratios, boots = {}, {kind: f"traced {kind}" for kind in modelled_stages.PREDICTED}
    for kind, boot in boots.items():
        whole = (results.costs[kind].find + results.single.wakes[boot].all_run) / 1e6
        ratios[kind] = whole / found[kind] if found[kind] else 0.0
    return Verdict(
        "C14: what P and V take predicts the thresholds of kernel and policy-1 with 300 ms",
        all(abs(ratio - 1) <= THRESHOLD_WITHIN for ratio in ratios.values()),
        "FIND and from the first V of a stage until the last process has a processor, over the threshold:"
        f" {listed(ratios, '{:.2f}')}",
        f"{', '.join(boots.values())}, threshold *",
    )


def costs(results: Results) -> list[Verdict]:
    made = []
    wakes = results.single.wakes
    for kind, (v, wake, switch, policy) in documents.COSTS.items():
        ours, boots, traced = results.costs[kind], f"threshold {kind} *", f"traced {kind}"
        said = f"T4.1: a V under {kind}"
        made.append(number(said, ours.v / 1e6, v, THRESHOLD_WITHIN, boots, " ms"))
        said = f"T4.1: from V until the process wakes under {kind}"
        took, by = (wakes[traced].first, traced) if traced in wakes else (ours.wake, boots)
        made.append(number(said, took / 1e6, wake, THRESHOLD_WITHIN, by, " ms"))
        if switch is not None:
            said, found = f"T4.1: from P until the switch under {kind}", results.traced["traced"][kind]
            made.append(number(said, found.switch / 1e6, switch, THRESHOLD_WITHIN, traced, " ms"))
        if policy is not None:
            said = f"T4.1: in policy processes for each that is woken under {kind}"
            made.append(in_policy_processes(said, found.policy / 1e6, policy, traced))
    boots = modelled_traces.POLICY
    five = wakes[boots]
    for which, found, printed in zip(("first", "last"), (five.first, five.last), documents.FIRST_AND_LAST):
        said = f"F3.8: from V until the {which} of five processes wakes under policy-0"
        made.append(number(said, found / 1e6, printed, THRESHOLD_WITHIN, boots, " ms"))
    late = {"policy-0": five.apart, "kernel": wakes["traced kernel"].apart}
    made.append(
        Verdict(
            "C08: under policy-0 the last of five wakes up twice as late after its V as the"
            " first, and under kernel not",
            late["policy-0"] >= LATE > late["kernel"],
            f"{listed(late, '{:.2f}')} times",
            f"{boots}, traced kernel",
        )
    )
    return made


def in_policy_processes(said: str, found: float, printed: float, boots: str) -> Verdict:
    if printed == 0:
        return Verdict(said, found == 0, f"{found:.3g} ms in most stages, printed 0", boots)
    return number(said, found, printed, THRESHOLD_WITHIN, boots, " ms")


def counts(results: Results) -> list[Verdict]:
    written = {kind: each_wait(results.counts[kind], "page writes") for kind in KINDS}
    requests = {kind: each_wait(results.counts[kind], "policy requests") for kind in KINDS}
    calls = results.counts["spin"]["kernel P and V"]
    return [
        Verdict(
            "C06: pages are written for waits under policy-0 and policy-1 without a delay, and no others",
            modelled_reasons.is_of_writing(written),
            f"{listed(written, '{:.2f}')} pages a wait, those that starting the processes dirtied among them",
            "threshold *",
        ),
        Verdict(
            "C07: policy processes run for the same ones alone, and spin makes no call",
            modelled_reasons.is_of_writing(requests) and calls == 0,
            f"{listed(requests, '{:.2f}')} requests a wait; spin's calls {calls:g}",
            "threshold *",
        ),
    ]


def speedups(results: Results) -> list[Verdict]:
    made = []
    for kind, (printed, processes) in documents.AUTHENTIC.items():
        curve = results.speedups[kind]
        said = f"F4.2: the speed-up of {kind}, at {processes} processes"
        boots = f"authentic {kind} {processes}, authentic spin 1"
        made.append(number_by_roots(said, curve[processes], printed, SPEEDUP_WITHIN, boots))
    at = {kind: curve[FAST] for kind, curve in results.speedups.items()}
    curve = {n: one for n, one in results.speedups["spin"].items() if n <= FAST}
    deviation = documents.AUTHENTIC_DEVIATION / 100
    between = {
        n: (theory.speedup("normal", n, deviation), theory.speedup("constant", n)) for n in curve
    }
    made += [
        by_roots(
            f"F4.2: at {FAST} processes spin is above kernel, and kernel above policy-1 with 300 ms",
            all_of(ratio.is_above(1) for ratio in results.order),
            f"{listed(at, '{:.2f}')}; each one's stages over the one's before: "
            + " and ".join(f"{ratio:.2f}" for ratio in results.order),
            f"authentic * {FAST}",
        ),
        by_roots(
            "F4.2: under policy-0 one process alone is faster",
            results.policy_0.is_within(0, 1),
            f"speed-up of {FIVE}: {results.policy_0:.2f}",
            f"authentic policy-0 {FIVE}",
        ),
        by_roots(
            "C12: the authentic speed-up lies between that of independent lengths and the constant one",
            all_of(curve[n].is_within(*limits) for n, limits in between.items()),
            "; ".join(
                f"n={n}: {curve[n]:.2f} of {low:.2f} to {high:.2f}" for n, (low, high) in between.items()
            ),
            "authentic spin *",
        ),
    ]
    return made


def long_lengths(results: Results) -> list[Verdict]:
    """Mean lengths of 375 ms; and 400."""
    gaps = results.gaps
    far = {kind: results.far[kind] / results.far["spin"] - 1 for kind in FAR_KINDS}
    made = [
        number_by_roots(
            f"F4.3: the speed-up of {kind}, constant lengths, at {processes} processes",
            results.constant[kind],
            printed,
            SPEEDUP_WITHIN,
            f"constant {kind} {processes}, constant spin 1",
        )
        for kind, (printed, processes) in documents.CONSTANT.items()
    ]
    made += [
        number_by_roots(
            f"F4.3: the speed-up of {kind}, constant lengths, at {MOST} processes, two of them slow",
            results.at_nine[kind],
            printed,
            SPEEDUP_WITHIN,
            f"constant {kind} {MOST}, constant spin 1",
        )
        for kind, printed in documents.AT_NINE.items()
    ]
    return [
        *made,
        *modelled_drawn.judge(results.drawn),
        by_roots(
            "C17: spin is far above policy-0 for constant lengths, little for exponential ones",
            all_of(
                [gaps["constant"].is_above(LITTLE_APART), gaps["exponential"].is_within(0, LITTLE_APART)]
            ),
            f"{listed(gaps, '{:.2f}')} times",
            f"constant * {SEVEN}, exponential * {SEVEN}",
        ),
        Verdict(
            "C16: at 400 ms all but policy-0 are within 5 percent of spin",
            all(one <= SAME for one in far.values()),
            listed({kind: 100 * one for kind, one in far.items()}, "{:+.1f} %"),
            "far *",
        ),
    ]


def losses(results: Results) -> list[Verdict]:
    stages = {name: stage / 1e6 for name, stage in results.stages.items()}
    one, eight = (stages[f"device {n}"] / stages[f"undisturbed {n}"] - 1 for n in (1, FAST))
    longest = [results.longest[name] / 1e6 for name in ("slices 1", "undisturbed 1")]
    longer = results.elapsed["slices 1"] - results.elapsed["undisturbed 1"]
    requests = results.requests["slices 1"]
    each = longer / requests if requests else 0.0
    return [
        *modelled_ninth.judge(results.ninth),
        by_roots(
            "C19: interrupts of one processor cost one process a larger part of its time than eight",
            all_of([results.interrupted.is_above(0), results.interrupted_eight.is_above(1)]),
            f"{100 * one:.1f} % of one's, {100 * eight:.1f} % of eight's; root by root the former is larger"
            f" by {results.interrupted:.3f} of the time",
            "device *, undisturbed *",
        ),
        Verdict(
            "C20: slices' ends make evaluations longer, by the 150 ms of a request",
            agrees(each, REQUEST, SPEEDUP_WITHIN) and longest[0] > longest[1],
            f"one process's run is longer by {each / 1e6:.0f} ms for each of {requests:g} requests; its"
            f" longest evaluation takes {longest[0]:.0f} ms with them and {longest[1]:.0f} without",
            "slices 1, undisturbed 1",
        ),
        by_roots(
            "C21: with all pages in one bank the speed-up falls after a few processes, and with banks of"
            " their own it is higher",
            all_of(
                [results.slowed.is_within(0, 1), results.private.is_above(results.shared[SHARED_BEST])]
            ),
            f"one bank: {listed({str(n): s for n, s in results.shared.items()}, '{:.2f}')}, {FAST} processes"
            f" {results.slowed:.3f} times as fast as {SHARED_BEST}, though"
            f" {100 * results.memory.elsewhere:.0f} % of their pages had no room there; own: nine"
            f" {results.private:.2f}",
            "shared *, nine fast spin",
        ),
        number_by_roots(
            f"F3.6: the speed-up of {MOST} processes in banks of their own",
            results.private,
            documents.CODE["private"][0],
            SPEEDUP_WITHIN,
            "nine fast spin, authentic spin 1",
        ),
        number(
            f"F3.6: the speed-up of {SHARED_BEST} processes in one bank",
            results.shared[SHARED_BEST],
            documents.CODE["shared"][0],
            SPEEDUP_WITHIN,
            f"shared {SHARED_BEST}, shared 1",
        ),
    ]


def exact(results: Results) -> list[Verdict]:
    wrong = [name for name, right in results.right.items() if not right]
    return [
        Verdict(
            "C01, C09: stages are those of the printed table, and all roots are right",
            not wrong,
            f"{len(results.right)} boots, of which each fails that has a wrong root"
            + (f"; wrong: {', '.join(wrong)}" if wrong else ""),
            "all",
        ),
        Verdict(
            "two equal boots have equal times",
            results.repeats,
            "every row and clock compared",
            "threshold kernel, the first; again",
        ),
    ]


def causes(results: Results) -> dict[str, Cause]:
    """verdict -> what explains it, if anything of it is so"""
    return (
        modelled_cost_reasons.causes(results)
        | modelled_reasons.causes(results.beside, results)
        | {modelled_ratios.SAID: modelled_ratios.cause(results)}
        | {modelled_ranking.FIRST: modelled_ranking.cause(results)}
        | {
            f"F4.2: the speed-up of {kind}, at {processes} processes": Cause(
                f"without device and slices' ends {results.undisturbed[kind]:.2f}"
                f" (boots {undisturbed_name(kind, processes)}, undisturbed 1)",
                agrees(results.undisturbed[kind], printed, SPEEDUP_WITHIN),
            )
            for kind, (printed, processes) in documents.AUTHENTIC.items()
        }
    )


def judge(results: Results) -> list[Verdict]:
    made = [
        *exact(results), *thresholds(results), *costs(results), *counts(results), *speedups(results),
        *modelled_ratios.judge(results), *long_lengths(results), *losses(results),
        *modelled_memory.judge(results.memory), *modelled_stages.judge(results.single),
        *modelled_ranking.judge(results),
    ]  # fmt: skip
    return with_causes(made, causes(results))


def with_causes(made: list[Verdict], found: dict[str, Cause]) -> list[Verdict]:
    return [replace(one, cause=found.get(one.said)) for one in made]


def reasons() -> dict[str, str]:
    """verdict -> why it does not hold, as the documentation lists them"""
    return statements.listed(os.path.join(places.ROOT, REASONS), SECTION)


def fails(one: Verdict) -> bool:
    return not one.holds and not one.is_open


def excused(one: Verdict, known: dict[str, str]) -> bool:
    """Whether it has a listed reason, and this run bears that out."""
    return one.said in known and one.borne_out


def status(made: list[Verdict], known: dict[str, str]) -> int:
    """1: one does not hold for no listed reason, or holds in spite of one that is not of some builds alone,
    or a reason is of none. An open one is neither."""
    unexplained = any(fails(one) and not excused(one, known) for one in made)
    spurious = any(one.holds and statements.in_spite_of(known.get(one.said)) for one in made)
    return int(unexplained or spurious or not known.keys() <= {one.said for one in made})


def unjudged() -> list[str]:
    """Sentences without their full stops."""
    return [f"{what} {why}" for what, why in UNJUDGED.items()]


def lines(made: list[Verdict], known: dict[str, str]) -> list[str]:
    told = ["\nVerdicts, each read from this run's records of the boots that it names"]
    for one in made:
        word = "holds" if one.holds else "open" if one.is_open else "DOES NOT HOLD"
        told.append(f"  {word}: {one.said}: {one.evidence} [{one.boots}]")
        if one.cause:
            told.append(f"    {one.cause.text}")
            if fails(one) and not one.borne_out:
                told.append("    which is not what would explain it")
        if one.said in known:
            told.append(f"    {REASONS} says why it should not: {known[one.said]}")
            if not one.cause:
                told.append("    of which nothing is asked of the boots, so it excuses nothing")
    told += [f"  not judged: {one}" for one in unjudged()]
    holding = sum(one.holds for one in made)
    is_open = sum(one.is_open for one in made)
    unlisted = sum(fails(one) and not excused(one, known) for one in made)
    told.append(
        f"  {holding} of {len(made)} hold; {is_open} are open: this run does not tell them from"
        f" chance; of the others {unlisted} do not for no reason that is listed and borne out"
    )
    told += [f"  listed, but of no verdict: {said}" for said in known.keys() - {one.said for one in made}]
    return told
