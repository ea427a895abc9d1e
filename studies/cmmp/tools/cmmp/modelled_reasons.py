# SPDX-License-Identifier: MIT
"""Why verdicts on the modelled C.mmp do not hold: boots with one thing changed, what they found, and whether
that is what the reason says. A listed reason that a run does not bear out excuses nothing."""

import statistics
from dataclasses import dataclass

from cmmp import documents, modelled_memory, modelled_stages, theory
from cmmp.modelled_boots import (
    FAR,
    FAST,
    FIVE,
    FIXED,
    MOST,
    NO_DISK,
    NO_PERTURBATION,
    POLLED,
    SEVEN,
    SHARED_BEST,
    STARTING,
    WORK,
    WRITING,
    Cell,
    Form,
    Length,
    authentic,
    constant,
    drawn,
)
from cmmp.modelled_rows import STAGE, counts, each_wait, rows, speedup, undisturbed_name, value
from cmmp.modelled_verdict import (
    LITTLE_APART,
    FAR_KINDS,
    SAME,
    SPEEDUP_WITHIN,
    THRESHOLD_WITHIN,
    Cause,
    agrees,
    listed,
)

MANY_ROOTS = "--roots 10 --every 5"
BANK, BETWEEN = 585.0, 870.0  # ns, as tools/machines/cmmp.toml has them
# Of the references of C.mmp's loop that waits (4.2.1) those that look at the word: a comparison of three
# words looks at it, and a branch of one goes back.
LOOKS = 1 / 5
ALONE = ("slow 1", "undisturbed 1")  # boots of one process, on a slow processor and on a fast one
NEAREST = ("kernel", "policy-1:300ms")  # kinds whose order at eight is judged


def boots(form: Form, length: Length) -> dict[str, Cell]:
    """What no verdict is read from, and their reasons are."""
    alone = (*NO_PERTURBATION, NO_DISK)
    far = constant(length.steps(FAR * 1e6), form.long_roots)
    long = drawn("constant", length.steps(documents.LONG * 1e6), form.long_roots)
    cells = {f"far undisturbed {kind}": Cell(kind, FIVE, far, NO_PERTURBATION) for kind in FAR_KINDS}
    cells["far no disk policy-1:0s"] = Cell("policy-1:0s", FIVE, far, alone)
    # Of kernel there is one with figure 4.2's.
    cells[f"undisturbed {NEAREST[1]} {FAST}"] = Cell(NEAREST[1], FAST, authentic(), NO_PERTURBATION)
    for processes in (1, SEVEN):
        cells[f"long undisturbed spin {processes}"] = Cell("spin", processes, long, NO_PERTURBATION)
    cells[f"long no disk policy-0 {SEVEN}"] = Cell("policy-0", SEVEN, long, alone)
    for what, fixed in (("ten roots", f" --fixed {FIXED}"), ("ten roots unfixed", "")):
        cells[f"{what} 1"] = Cell("spin", 1, f"--work {WORK}{fixed} {MANY_ROOTS}", NO_PERTURBATION)
    return cells


@dataclass
class Beside:
    """What these boots found; times in nanoseconds."""

    far: dict[str, float]  # kind -> the mean stage of 400 ms over spin's, where nothing disturbs
    far_no_disk: float  # the same of policy-1:0s without disks
    at_eight: dict[str, float]  # kind -> authentic speed-up where nothing disturbs
    long: dict[str, float]  # kind -> speed-up of seven with 375 ms where nothing disturbs, and no disk is
    varied: dict[str, float]  # ten roots -> the longest evaluation over the shortest
    fetches: float  # the part of one process's references that fetches instructions
    waits: dict[str, float]  # boot of one process -> of the time that its processor is awake, waits for banks
    idle: float  # of that process on a slow processor: references of the other processors, over its own's
    written: dict[str, float]  # kind -> pages written for a wait, where nothing disturbs
    requests: dict[str, float]  # kind -> the same of requests to policy processes


def stretched(processors: int, part: float) -> float:
    """How much longer it takes from one reference to the next where such a part of all processors' references
    goes to one bank, and no others meet: exact mean value analysis of that closed queue."""
    think, service = BETWEEN + BANK * (1 - part), BANK * part
    return (think + service * (1 + there(processors - 1, part))) / (BETWEEN + BANK)


def there(processors: int, part: float) -> float:
    """How many of such processors are at that bank at a time."""
    think, service = BETWEEN + BANK * (1 - part), BANK * part
    found = 0.0
    for number in range(1, processors + 1):
        taken = service * (1 + found)
        found = number * taken / (think + taken)
    return found


def causes(beside: Beside, found) -> dict[str, Cause]:
    """verdict -> what explains it, if anything of it is so. `found`: the results that are judged."""
    order = f"F4.2: at {FAST} processes spin is above kernel, and kernel above policy-1 with 300 ms"
    long = "F4.3: the speed-up of {}, constant lengths, at {} processes"
    return {
        "C06: pages are written for waits under policy-0 and policy-1 without a delay, and no"
        " others": of_counts(beside.written, "pages"),
        "C07: policy processes run for the same ones alone, and spin makes no call": of_counts(
            beside.requests, "requests"
        ),
        "C14: what P and V take predicts the thresholds of kernel and policy-1 with 300 ms": of_parts(found),
        "C16: at 400 ms all but policy-0 are within 5 percent of spin": of_far_lengths(beside),
        order: of_the_order(beside),
        **{long.format(kind, SEVEN): of_long_lengths(beside, kind) for kind in documents.CONSTANT},
        "C17: spin is far above policy-0 for constant lengths, little for exponential ones": of_the_gap(
            beside, found
        ),
        **of_banks(beside, found),
        modelled_memory.SAID: of_polling(found),
        **of_variation(beside, found),
        modelled_stages.STARTS_SAID: of_starts(found),
    }


def is_of_writing(each: dict[str, float]) -> bool:
    """Whether at least one comes for a wait under the kinds that write, and none under others."""
    return all(one >= 1 if kind in WRITING else one == 0 for kind, one in each.items())


def of_counts(each: dict[str, float], what: str) -> Cause:
    text = f"without device and slices' ends {listed(each, '{:.2f}')} {what} a wait (boots no perturbation *)"
    return Cause(text, is_of_writing(each))


def of_parts(found) -> Cause:
    boots = {kind: f"traced no perturbation {kind}" for kind in modelled_stages.PREDICTED}
    parts = {kind: found.single.wakes[boot].explained for kind, boot in boots.items()}
    return Cause(
        "without device and slices' ends the time from a stage's first V until the last process has a"
        " processor, and the stage's longest evaluation, which is the one that begins while others are woken,"
        f" are of the stage {listed(parts, '{:.2f}')} (boots {', '.join(boots.values())})",
        all(agrees(part, 1, SPEEDUP_WITHIN) for part in parts.values()),
    )


def of_far_lengths(beside: Beside) -> Cause:
    far = {kind: 100 * (beside.far[kind] - 1) for kind in FAR_KINDS}
    no_disk = 100 * (beside.far_no_disk - 1)
    writing = far.pop("policy-1:0s")
    return Cause(
        f"where nothing disturbs {listed(far, '{:+.1f} %')}; policy-1:0s {writing:+.1f} % and without the"
        f" disks {no_disk:+.1f} % (boots far undisturbed *, far no disk policy-1:0s)",
        max(*far.values(), no_disk) <= 100 * SAME,
    )


def of_the_order(beside: Beside) -> Cause:
    kernel, policy = (beside.at_eight[kind] for kind in NEAREST)
    return Cause(
        f"where nothing disturbs {listed(beside.at_eight, '{:.2f}')} (boots undisturbed * {FAST})",
        kernel > policy,
    )


def of_long_lengths(beside: Beside, kind: str) -> Cause:
    printed, one = documents.CONSTANT[kind][0], beside.long[kind]
    writes = kind == "policy-0"
    what = "without device and slices' ends" + (", and without the disks" if writes else "")
    boot = f"long {'no disk' if writes else 'undisturbed'} {kind} {SEVEN}"
    # Disks that are waited for take time, so without them it may be above what is printed.
    least = one >= printed * (1 - SPEEDUP_WITHIN)
    return Cause(
        f"{what} {one:.2f} (boots {boot}, long undisturbed spin 1)",
        least and (writes or agrees(one, printed, SPEEDUP_WITHIN)),
    )


def of_the_gap(beside: Beside, found) -> Cause:
    """Constant lengths alone, whose stages an end of slices makes longer by most."""
    spin, policy = beside.long["spin"], found.constant["policy-0"].mean
    return Cause(
        f"without device and slices' ends spin is {spin / policy:.2f} times as far as policy-0 with them for"
        f" constant lengths (boots long undisturbed spin {SEVEN}, constant policy-0 {SEVEN})",
        spin / policy > LITTLE_APART and found.gaps["exponential"].mean <= LITTLE_APART,
    )


def of_banks(beside: Beside, found) -> dict[str, Cause]:
    code, rest = 100 * beside.fetches, 1 - beside.fetches
    alone = found.shared[SHARED_BEST] * stretched(SHARED_BEST, 1.0) / stretched(SHARED_BEST, beside.fetches)
    met = found.private.mean / stretched(MOST, rest)
    shared, private = documents.CODE["shared"][0], documents.CODE["private"][0]
    return {
        f"F3.6: the speed-up of {SHARED_BEST} processes in one bank": Cause(
            f"all of a process's pages lie in that bank here; {code:.0f} % of its references fetch code, and"
            f" if only these met there it would be {alone:.2f} by mean value analysis (boot shared 1)",
            agrees(alone, shared, SPEEDUP_WITHIN),
        ),
        f"F3.6: the speed-up of {MOST} processes in banks of their own": Cause(
            f"no two processes' pages lie in one bank here; if the {100 - code:.0f} % of references that"
            f" fetch no code all met in one, it would be {met:.2f} by mean value analysis (boot shared 1)",
            met < private < found.private.mean,
        ),
    }


def of_polling(found) -> Cause:
    """Who waits looks seldom: here its loop is a call. By the calls of its record so few looks slow nobody
    much, and as many as in C.mmp's loop would."""
    looks = found.memory.looks
    seldom, often = (BANK * there(SEVEN - 1, part) / (BETWEEN + BANK) for part in (looks, LOOKS))
    return Cause(
        f"each look is a call, and calls are at most {100 * looks:.1f} % of the references of who waits (boot"
        f" {POLLED}): by mean value analysis of {SEVEN - 1} such it would be {100 * seldom:.1f} % longer at"
        f" most, and {100 * often:.0f} % if one of five was a look, as in C.mmp's loop",
        seldom <= SAME < often,
    )


def of_variation(beside: Beside, found) -> dict[str, Cause]:
    few, many = beside.varied["ten roots"], beside.varied["ten roots unfixed"]
    printed = documents.RANKING
    slow, fast = (found.evaluations[name] * (1 - beside.waits[name]) for name in ALONE)
    said = "T3.8: the largest over the smallest of"
    return {
        f"{said} application": Cause(
            f"an input: of ten roots {few:.2f}, and {many:.2f} without the steps that are"
            " always the same, which make figure 4.2's mean and deviation (boots ten roots *)",
            few < printed["application"] < many,
        ),
        f"{said} processors": Cause(
            f"for {100 * beside.waits[ALONE[0]]:.0f} % of the time that it is awake the slow processor waits"
            f" for banks, to which those that idle refer {beside.idle:.1f} times as often, and without its"
            f" waits it would be {slow / fast:.2f} (boots {', '.join(ALONE)})",
            beside.idle > 1 and agrees(slow / fast, printed["processors"], THRESHOLD_WITHIN),
        ),
    }


def of_starts(found) -> Cause:
    """Ours start sooner, and with starts as far apart as is printed the speed-up here would be farther from
    the printed one than it is with these. By the printed numbers alone they do not go together either, which
    is arithmetic."""
    printed, processes = documents.CONSTANT["policy-0"]
    times, last = theory.stages(1) / theory.stages(processes), (processes - 1) * documents.STARTS
    alone, stage = (found.stages[f"constant {boot}"] / 1e6 for boot in ("spin 1", f"policy-0 {SEVEN}"))
    own = (processes - 1) * statistics.mean(found.single.later) / 1e6
    with_theirs = times * alone / (stage - own + last)
    speedup, by_print = found.constant["policy-0"].mean, times * documents.LONG / (documents.LONG + last)
    return Cause(
        f"with the last start {last} ms after the first, in place of {own:.0f} in the mean of stages, the"
        f" speed-up of {processes} would be {with_theirs:.2f} here; {speedup:.2f} was found and {printed} is"
        f" printed (boots {STARTING}, constant policy-0 {SEVEN}, constant spin 1); {documents.LONG} ms and"
        f" such starts alone allow {by_print:.2f}",
        own < last and abs(speedup - printed) < abs(with_theirs - printed),
    )


def worked_most(record: dict) -> dict:
    """The processor that ran the one process."""
    return max(record["model"]["processors"], key=lambda one: one.get("fetches", 0))


def references(processor: dict) -> int:
    return processor["fetches"] + processor["reads"] + processor["writes"]


def fetches_of(record: dict) -> float:
    most = worked_most(record)
    return most["fetches"] / references(most)


def waits_of(record: dict) -> float:
    most = worked_most(record)
    return most["bus_waiting"] / (most["clock"] - most["asleep"])


def idle_of(record: dict) -> float:
    own = references(worked_most(record))
    return sum(map(references, record["model"]["processors"])) / own - 1


def of(records: dict[str, dict]) -> Beside:
    def stage(name: str) -> float:
        return value(records[name], STAGE)

    def ratio(name: str) -> float:
        (row,) = rows(records[name], "evaluation")
        return row["maximum"] / row["minimum"]

    spin = stage("far undisturbed spin")
    calm = {kind: counts(records[f"no perturbation {kind}"]) for kind in documents.KINDS}
    return Beside(
        far={kind: stage(f"far undisturbed {kind}") / spin for kind in FAR_KINDS},
        far_no_disk=stage("far no disk policy-1:0s") / spin,
        at_eight={
            kind: speedup(records, "undisturbed 1", undisturbed_name(kind, FAST))
            for kind in NEAREST
        },
        long={
            "spin": speedup(records, "long undisturbed spin 1", f"long undisturbed spin {SEVEN}"),
            "policy-0": speedup(records, "long undisturbed spin 1", f"long no disk policy-0 {SEVEN}"),
        },
        varied={what: ratio(f"{what} 1") for what in ("ten roots", "ten roots unfixed")},
        fetches=fetches_of(records["shared 1"]),
        waits={name: waits_of(records[name]) for name in ALONE},
        idle=idle_of(records[ALONE[0]]),
        written={kind: each_wait(one, "page writes") for kind, one in calm.items()},
        requests={kind: each_wait(one, "policy requests") for kind, one in calm.items()},
    )
