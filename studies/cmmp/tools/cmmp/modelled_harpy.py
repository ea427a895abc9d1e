# SPDX-License-Identifier: MIT
"""HARPY on the modelled C.mmp: what its boots found, beside what is printed, and what is judged of it."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

from cmmp import harpy_documents as printed
from cmmp.modelled_boots import HARPY_PROCESSES, HARPY_VERSIONS, USUAL_BEAM, Form, harpy_uncontended
from cmmp.modelled_results import rows, value
from cmmp.modelled_roots import ERRORS, Estimate, estimate
from cmmp.modelled_verdict import (
    REQUEST,
    Cause,
    Verdict,
    agrees,
    by_roots,
    number,
    number_by_roots,
    rising,
)
from parley_report.verdicts import QUARTILES
from parley_study.tables import Table

WITHIN = 0.15
SPLIT = ("V3", "V4")
PRUNING = printed.PRUNING[0] / printed.PRUNING[1]
# Of units of work that are printed, in ms: CHECKSTATE that keeps a state's probability, and that changes it.
CHECKSTATE = {"CHECKSTATE, none": 0.8, "CHECKSTATE, update": 1.2}


@dataclass(frozen=True)
class Search:
    """One version with so many processes; times in nanoseconds."""

    forward: float
    pruning: float
    utilization: float  # percent
    spread: float  # from the first that ends the forward step to the last, the median of all segments
    pruning_spread: float
    answer: float
    spread_error: float = 0.0  # standard ones, of the medians
    pruning_spread_error: float = 0.0


Searches = dict[tuple[str, int], Search]


@dataclass
class Results:
    searches: Searches  # by version and number of processes
    by_beam: dict[int, dict[int, float]]  # beam -> processes -> V4's forward step
    stored: float  # to push a pair and to pop it, over a CHECKSTATE
    pairs: dict[int, float]  # beam -> of a segment
    units: dict[str, float]  # what a unit of work takes, by name: one process, timed
    beginning: float  # from the first process that is woken to the last
    uncontended: dict[str, float]  # version -> speed-up where nothing disturbs and no bank takes time
    uncontended_pruning: float  # V1's speed-up there
    one_candidate: float  # percent of the segments
    few_candidates: float  # percent that have 1 to 10


def search_of(record: dict) -> Search:
    names = ("forward", "pruning", "utilization", "forward spread", "pruning spread", "answer")
    errors = (error_of_median(record, name) for name in ("forward spread", "pruning spread"))
    return Search(*(value(record, name) for name in names), *errors)


def error_of_median(record: dict, name: str) -> float:
    (row,) = rows(record, name)
    return QUARTILES * (row["upper_quartile"] - row["lower_quartile"]) / math.sqrt(row["samples"])


def of(records: dict[str, dict], form: Form, v: float) -> Results:
    """`v`: a V under spin."""
    searches = {
        (version, n): search_of(records[f"harpy {version} {n}"])
        for version in HARPY_VERSIONS
        for n in form.versions_at
    }
    beams = dict.fromkeys(form.beams, "beam {} {}") | {USUAL_BEAM: "harpy V4 {1}"}
    at = {
        beam: {n: records[name.format(beam, n)] for n in (1, HARPY_PROCESSES)}
        for beam, name in sorted(beams.items())
    }
    alone = value(records[harpy_uncontended("V1", 1)], "forward")
    units = {row["name"]: row["median"] for row in records["units"]["rows"] if is_unit(row["name"])}
    stored = sum(value(records["units"], f"{name} alone") for name in ("push", "pop"))
    return Results(
        searches=searches,
        by_beam={
            beam: {n: value(record, "forward") for n, record in both.items()} for beam, both in at.items()
        },
        stored=stored / units["CHECKSTATE, none"],
        pairs={beam: mean(both[1], "pairs") for beam, both in at.items()},
        units=units,
        beginning=(HARPY_PROCESSES - 1) * v,
        uncontended={
            version: alone / value(records[harpy_uncontended(version, HARPY_PROCESSES)], "forward")
            for version in HARPY_VERSIONS
        },
        uncontended_pruning=value(records[harpy_uncontended("V1", 1)], "pruning")
        / value(records[harpy_uncontended("V1", HARPY_PROCESSES)], "pruning"),
        one_candidate=value(records["harpy V1 1"], "one candidate"),
        few_candidates=value(records["harpy V1 1"], "candidates 1-10"),
    )


def is_unit(name: str) -> bool:
    return name.startswith(("CHECK", "SAVE"))


def mean(record: dict, name: str) -> float:
    """Of all segments, as far as quartiles tell."""
    (row,) = rows(record, name)
    return (row["lower_quartile"] + row["median"] + row["upper_quartile"]) / 3


def speedup(results: Results, version: str, processes: int = HARPY_PROCESSES) -> float:
    """On V1's one process."""
    return results.searches["V1", 1].forward / results.searches[version, processes].forward


def pruning_speedup(results: Results, version: str = "V1") -> float:
    one, most = (results.searches[version, n] for n in (1, HARPY_PROCESSES))
    return one.pruning / most.pruning


def of_pruning(results: Results) -> dict[str, float]:
    """By version: it is the same in all, and an end of slices that comes in it makes it longer."""
    return {version: pruning_speedup(results, version) for version in HARPY_VERSIONS}


def pruning(results: Results) -> Estimate:
    """So each version is one measurement of the same, and how far they are apart is chance."""
    return estimate(list(of_pruning(results).values()))


def told(values: dict[str, float], form: str = "{:.2f}") -> str:
    return ", ".join(f"{name} {form.format(one)}" for name, one in values.items())


def numbers(results: Results) -> list[Verdict]:
    made = []
    for version in HARPY_VERSIONS:
        boots = f"harpy {version} {HARPY_PROCESSES}"
        said = f"6.6: the speed-up of {version}'s forward step with eight processes on V1's one"
        theirs = printed.FORWARD[version]
        alone = (
            "where nothing disturbs and no processor waits for a bank"
            f" {results.uncontended[version]:.2f} (boots {boots} without contention,"
            " harpy V1 1 without contention)"
        )
        one = number_by_roots(
            said,
            with_chance(results, version, speedup(results, version)),
            theirs.on_v1,
            WITHIN,
            f"{boots}, harpy V1 1",
        )
        made.append(explained(results, one, version, alone))
        found = results.searches[version, HARPY_PROCESSES].utilization
        said = f"6.6: the utilization of {version} with eight processes"
        one = number_by_roots(
            said, with_chance(results, version, found), theirs.utilization, WITHIN, boots, " %"
        )
        made.append(of_utilization(results, one, version, found))
    made += alone_over_v1(results)
    made.append(one_candidate(results))
    said = "6.6: the speed-up of pruning with eight processes"
    one = number_by_roots(said, pruning(results), PRUNING, WITHIN, "harpy *")
    alone = results.uncontended_pruning
    text = (
        f"where nothing disturbs and no processor waits for a bank {alone:.2f} (boots harpy V1"
        f" {HARPY_PROCESSES} without contention, harpy V1 1 without contention); {pruned(results)}"
    )
    made.append(replace(one, cause=Cause(text, agrees(alone, PRUNING, WITHIN))))
    return made


def alone_over_v1(results: Results) -> list[Verdict]:
    """What a version takes with one process. V3 and V4 push pairs and pop them, beyond what V1 does."""
    made = []
    for version in HARPY_VERSIONS[1:]:
        found = results.searches[version, 1].forward / results.searches["V1", 1].forward
        theirs = printed.FORWARD[version].one / printed.FORWARD["V1"].one
        one = number_by_roots(
            f"6.6: what {version} takes with one process, over V1",
            with_chance(results, version, found, 1),
            theirs,
            WITHIN,
            f"harpy {version} 1, harpy V1 1",
        )
        if version in printed.FOLLOWS:
            how = f"; {theirs:.3g} follows from its printed speed-up"
            one = replace(one, evidence=one.evidence.replace(f", printed {theirs:.3g}", how))
        if version in SPLIT:
            part = 100 * results.stored
            text = f"to push a pair and to pop it takes {part:.1f} % of a CHECKSTATE (boot units)"
            one = replace(one, cause=Cause(text, results.stored < theirs - 1))
        made.append(one)
    return made


def one_candidate(results: Results) -> Verdict:
    """The grammar and the utterances are synthetic, and were chosen by the classes that are printed."""
    few = printed.CANDIDATES[0]
    one = number(
        "6.5: the segments with one candidate alone",
        results.one_candidate,
        printed.ONE_CANDIDATE,
        WITHIN,
        "harpy V1 1",
        " %",
    )
    text = f"an input: {results.few_candidates:.0f} % have 1 to 10, printed {few:.0f} % (boot harpy V1 1)"
    return replace(one, cause=Cause(text, agrees(results.few_candidates, few, WITHIN)))


def pruned(results: Results) -> str:
    by_version = told(of_pruning(results))
    return f"the same pruning, by the version that it is a step of: {by_version} (boots harpy *)"


def of_utilization(results: Results, one: Verdict, version: str, found: float) -> Verdict:
    """Processes that do one's work in so much less time are busy for as large a part of it, or more: where
    the printed part is smaller than the printed speed-up says, ours is meant to be of the speed-up. Where
    both agree, ours is meant to be less than printed, and as printed where nothing disturbs."""
    theirs = printed.FORWARD[version]
    implied = 100 * theirs.own / HARPY_PROCESSES
    over_v1 = results.searches[version, 1].forward / results.searches["V1", 1].forward
    calm = 100 * results.uncontended[version] * over_v1 / HARPY_PROCESSES
    text = (
        f"eight processes that do one's work {theirs.own:.2f} times as fast are busy for {implied:.0f} %;"
        f" where nothing disturbs and no processor waits for a bank ours are for {calm:.0f} % (boots harpy"
        f" {version} {HARPY_PROCESSES} without contention, harpy V1 1 without contention; its one over V1's:"
        f" harpy {version} 1, harpy V1 1)"
    )
    if agrees(implied, theirs.utilization, WITHIN):
        is_so = found < theirs.utilization and agrees(calm, theirs.utilization, WITHIN)
    else:
        is_so = implied > theirs.utilization and agrees(found, implied, WITHIN)
    return replace(one, cause=Cause(text, is_so))


def explained(results: Results, one: Verdict, version: str, alone: str) -> Verdict:
    """Where eight processes are busy for less than the printed speed-up of one's work, by the documents' own
    utilization, what that utilization allows is meant to be found where nothing disturbs. Otherwise the
    speed-up on the version's own one process is meant to agree."""
    theirs = printed.FORWARD[version]
    allowed = HARPY_PROCESSES * theirs.utilization / 100
    if allowed < theirs.on_v1:
        text = f"{alone}; the printed utilization of eight processes is {allowed:.2f} processes' work"
        return replace(one, cause=Cause(text, agrees(results.uncontended[version], allowed, WITHIN)))
    own = results.searches[version, 1].forward / results.searches[version, HARPY_PROCESSES].forward
    text = f"{alone}; on its own one process {own:.2f}, printed {theirs.own:.2f}"
    return replace(one, cause=Cause(text, agrees(own, theirs.own, WITHIN)))


def with_chance(
    results: Results, version: str, found: float, processes: int = HARPY_PROCESSES
) -> Estimate:
    """What one end of slices more or less does to a number of so many processes, which is chance."""
    return Estimate(found, found * REQUEST / results.searches[version, processes].forward / ERRORS)


def falling(times: list[float]) -> bool | None:
    """In ms. None: some are less apart than an end of slices, which one search meets and another does not, by
    chance."""
    apart = [before - after for before, after in pairwise(times)]
    if min(apart) <= -REQUEST / 1e6:
        return False
    return True if min(apart) >= REQUEST / 1e6 else None


def within(said: str, found: Estimate, unit: float, boots: str) -> Verdict:
    """Of how far apart processes end, in the median segment."""
    text = f"{Estimate(found.mean / 1e6, found.error / 1e6):.2f} ms of {unit / 1e6:.2f}"
    return by_roots(said, found.is_within(-math.inf, unit), text, boots)


def judge(results: Results) -> list[Verdict]:
    at = {version: results.searches[version, HARPY_PROCESSES] for version in HARPY_VERSIONS}
    ones = {version: results.searches[version, 1] for version in HARPY_VERSIONS}
    answers = {one.answer for one in results.searches.values()}
    times = {version: one.forward / 1e6 for version, one in at.items()}
    used = {version: one.utilization for version, one in at.items()}
    slower = {version: ones[version].forward / ones["V1"].forward for version in SPLIT}
    gains = {f"beam {beam}": both[1] / both[HARPY_PROCESSES] for beam, both in results.by_beam.items()}
    forward = with_chance(results, "V1", speedup(results, "V1"))
    unit = results.beginning + results.units["CHECKSTATE, update"]
    saved = results.beginning + results.units["SAVESTATES, kept"]
    eight = f"harpy * {HARPY_PROCESSES}"
    return [
        Verdict(
            "C05: all versions and numbers of processes find the same sentences and probabilities",
            len(answers) == 1,
            f"{len(results.searches)} boots, {len(answers)} answer; each also beside a serial search",
            "harpy *",
        ),
        by_roots(
            "C23: eight processes take less time in V2 than in V1, in V3 at most as much, and least in V4",
            falling(list(times.values())),
            told(times, "{:.0f}") + f" ms, of which an end of slices is {REQUEST / 1e6:.0f}",
            eight,
        ),
        Verdict(
            "C23: the utilization of eight processes rises from V1 to V4",
            rising(list(used.values())),
            told(used, "{:.0f}") + " %",
            eight,
        ),
        Verdict(
            "C23: one process takes longer in V3 and V4 than in V1",
            min(slower.values()) > 1,
            told(slower) + " times as long",
            "harpy V1 1, harpy V3 1, harpy V4 1",
        ),
        by_roots(
            "C23: pruning's speed-up is above that of V1's forward step",
            (pruning(results) - forward).is_above(0),
            f"{pruning(results):.2f} and {forward:.2f}; {pruned(results)}",
            "harpy *",
        ),
        Verdict(
            "C24: V4's speed-up rises with what there is to be tried",
            rising(list(gains.values())),
            told(gains) + f"; pairs of a segment about {told(results.pairs, '{:.0f}')}",
            "beam *, harpy V4 *",
        ),
        within(
            "C25: processes that take pairs end within a unit of work, beside how far apart they begin",
            Estimate(at["V3"].spread, at["V3"].spread_error),
            unit,
            f"harpy V3 {HARPY_PROCESSES}, units",
        ),
        within(
            "C25: so do those that prune states",
            Estimate(at["V1"].pruning_spread, at["V1"].pruning_spread_error),
            saved,
            f"harpy V1 {HARPY_PROCESSES}, units",
        ),
        *numbers(results),
    ]


def tables(results: Results) -> list[Table]:
    rows = []
    for (version, n), one in results.searches.items():
        theirs = printed.FORWARD[version]
        beside = (f"{theirs.on_v1:.3g}", f"{theirs.utilization:.3g}")
        on_v1, used = beside if n == HARPY_PROCESSES else ("-", "-")
        rows.append(
            [version, str(n), f"{one.forward / 1e6:.1f}", f"{speedup(results, version, n):.2f}", on_v1,
             f"{one.utilization:.1f}", used, f"{one.pruning / 1e6:.1f}"]
        )  # fmt: skip
    head = ["version", "processes", "forward, ms", "on V1's one", "printed", "utilization, %", "printed, %"]
    units = [
        [name, f"{took / 1e6:.2f}", f"{CHECKSTATE[name]:g}" if name in CHECKSTATE else "-"]
        for name, took in results.units.items()
    ]
    return [
        Table("HARPY: forward step and pruning", [*head, "pruning, ms"], rows),
        Table("HARPY: units of work, an input", ["unit", "here, ms", "printed, ms"], units),
    ]
