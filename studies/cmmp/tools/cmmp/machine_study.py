# SPDX-License-Identifier: MIT
"""What slowed C.mmp's processors down, one at a time on the simulated machine: two speeds, interrupts, time
slices and memory banks, with what the profile says of them (its `machine`)."""

import statistics
from dataclasses import dataclass, field

from cmmp import documents, study
from cmmp.simulation import Machine

BLOCKING = ("kernel", "policy-1:300ms")
KINDS = ("spin", *BLOCKING)
FAST = 8  # processors of figure 4.2, beside one slow one
SEED = 1
UNIT = 1_000_000  # ns, of the profile's milliseconds
OWNER = 0  # of the device; spinning processes keep their processors, so also the number of its process
WORDS = 15  # the bank of the words that processes spin on, where nothing else is wanted
DELAY = 20  # turns of the delay loop
LATENCIES = 100_000
BINS = (500, 1000, 2000, 5000, 14_000, 50_000)  # tables 3.4 to 3.6, in nanoseconds
EDGE = 0.5 * UNIT  # processes of a stage begin at slightly different times; service routines take longer


@dataclass
class Results:
    # (kind, machine) -> processes -> answer; machines: fast, stealing, bound
    speeds: dict[tuple[str, str], dict[int, dict]] = field(default_factory=dict)
    # processes -> without, with interrupts
    interrupts: dict[int, tuple[dict, dict]] = field(default_factory=dict)
    # processes -> without, with an end of time slices
    slices: dict[int, tuple[dict, dict]] = field(default_factory=dict)
    code: dict[str, dict[int, dict]] = field(default_factory=dict)  # private or shared -> processes -> answer
    latencies: dict[str, list[float]] = field(default_factory=dict)
    # where the words lie -> evaluation of the process whose bank it is or is not
    polling: dict[str, float] = field(default_factory=dict)
    ranking: dict[str, float] = field(default_factory=dict)


def authentic(machine: Machine, kind: str, processes: int, **more) -> str:
    return machine.words(kind, processes=processes, lengths="authentic", mean=documents.AUTHENTIC_MEAN * UNIT,
                         deviation=documents.AUTHENTIC_DEVIATION, **more)  # fmt: skip


def drawn(machine: Machine, kind: str, processes: int, lengths: str = "normal", **more) -> str:
    return machine.words(kind, processes=processes, lengths=lengths, mean=documents.AUTHENTIC_MEAN * UNIT,
                         deviation=documents.AUTHENTIC_DEVIATION, seed=SEED, **more)  # fmt: skip


def two_speeds(machine: Machine, results: Results) -> None:
    """Eight fast processors and a slow one, which the ninth process gets; and nine fast ones."""
    numbers = range(1, study.MOST + 1)
    slowdown = machine.profile["machine"]["speeds"]
    mixed = f"fast:{FAST},slow:{study.MOST - FAST}"
    for kind in KINDS:
        for name, more in {
            "fast": {"speeds": f"fast:{study.MOST}"},
            "stealing": {"speeds": mixed} | slowdown,
            "bound": {"speeds": mixed, "stealing": "off"} | slowdown,
        }.items():
            answers = machine.ask([authentic(machine, kind, n, **more) for n in numbers])
            results.speeds[kind, name] = dict(zip(numbers, answers))


def extra(results: Results, kind: str, name: str) -> float:
    """What the slow processor costs a stage of nine processes, in milliseconds."""
    slow, fast = (results.speeds[kind, machine][study.MOST] for machine in (name, "fast"))
    return (slow["elapsed"] - fast["elapsed"]) / slow["stages"] / UNIT


def disturbed(machine: Machine, results: Results) -> None:
    """By interrupts of one processor, and by requests for time slices."""
    device = machine.profile["machine"]["interrupts"]
    slices = machine.profile["machine"]["slices"]
    for n in (1, study.MOST):
        # The asker is another processor; one process has only its own, and a spare one.
        interrupts = device | {"interrupts": f"{OWNER}:1", "speeds": f"fast:{max(n, 2)}"}
        alone, interrupted, sliced = machine.ask(
            [drawn(machine, "spin", n, samples=1, **more) for more in ({}, interrupts, slices)]
        )
        results.interrupts[n] = (alone, interrupted)
        results.slices[n] = (alone, sliced)


@dataclass
class Interrupted:
    """Stages in which the owner's process was interrupted while it computed. Those are left out before which
    it woke the others, one by one: an interrupt of that delays them all."""

    last: int = 0  # it came last
    before: int = 0  # it did not
    longer_last: int = 0  # of these, stages that took longer than without interrupts
    longer_before: int = 0
    others: int = 0  # evaluations of other processes that took longer


def interrupted(pair: tuple[dict, dict]) -> Interrupted:
    alone, with_device = pair
    found = Interrupted()
    rows = list(zip(alone["evaluations"], with_device["evaluations"]))
    for process, (without, disturbed_ones) in enumerate(rows):
        if process != OWNER:
            found.others += sum(now > before for before, now in zip(without, disturbed_ones))
    last = with_device["last"]
    for stage, (before, now) in enumerate(zip(*rows[OWNER])):
        if now <= before or (len(rows) > 1 and stage > 0 and last[stage - 1] == OWNER):
            continue
        longer = with_device["stage times"][stage] > alone["stage times"][stage] + EDGE
        if last[stage] == OWNER:
            found.last += 1
            found.longer_last += longer
        else:
            found.before += 1
            found.longer_before += longer
    return found


@dataclass
class Tail:
    longest_without: float  # evaluations, in milliseconds
    longest: float
    beyond: int  # evaluations longer than the longest without slices
    crossings: int  # allotments that ended
    elsewhere: int  # evaluations that took longer though no allotment ended in them


def tail(pair: tuple[dict, dict], allotment: float) -> Tail:
    """Of one process, whose computing adds up without gaps."""
    (without,), (sliced,) = pair[0]["evaluations"], pair[1]["evaluations"]
    used, crossings, elsewhere = 0.0, 0, 0
    for before, now in zip(without, sliced):
        ends = int((used + before) // allotment) - int(used // allotment)
        used += before
        crossings += ends
        elsewhere += (now > before) != (ends > 0)
    beyond = sum(now > max(without) for now in sliced)
    return Tail(max(without) / UNIT, max(sliced) / UNIT, beyond, crossings, elsewhere)


def memory(machine: Machine, results: Results) -> None:
    banks = machine.profile["machine"]["banks"]
    numbers = range(1, study.MOST + 1)
    for code in ("private", "shared"):
        placed = banks | {"code": code, "words": WORDS}
        answers = machine.ask([authentic(machine, "spin", n, **placed) for n in numbers])
        results.code[code] = dict(zip(numbers, answers))
        results.latencies[code] = machine.ask(
            [machine.words("spin", processes=study.MOST, latencies=LATENCIES, **placed)]
        )[0]["latencies"]
    # Exponential lengths: while one process works, most others have long been waiting for it.
    for name, words, delay in (("elsewhere", WORDS, 0), ("its bank", OWNER, 0), ("delay", OWNER, DELAY)):
        placed = banks | {"code": "private", "words": words}
        placed |= {"semaphore": f"spin:{delay}", "samples": 1}
        answer = machine.ask([drawn(machine, "spin", study.MOST, "exponential", **placed)])[0]
        results.polling[name] = statistics.mean(answer["evaluations"][OWNER])


def curve(answers: dict[int, dict], alone: float | None = None) -> dict[int, float]:
    """Speed-up, on one process of the same runs unless another time is given."""
    base = alone or answers[1]["elapsed"]
    return {n: base / answer["elapsed"] for n, answer in answers.items()}


def histogram(times: list[float]) -> list[int]:
    counts = [0] * (len(BINS) + 1)
    for time in times:
        counts[sum(time >= edge for edge in BINS)] += 1
    return counts


def rank(machine: Machine, results: Results) -> None:
    """Each source's largest over its smallest, all else being the same."""
    parts = machine.profile["machine"]
    evaluations = machine.ask([authentic(machine, "kernel", 1, samples=1)])[0]["evaluations"][0]
    alone, with_device = results.interrupts[1]
    policy = machine.ask([authentic(machine, "policy-0", study.FIVE)])[0]["woken after"]
    slow, fast = machine.ask(
        [authentic(machine, "kernel", 1, speeds=speed, **parts["speeds"]) for speed in ("slow:1", "fast:1")]
    )
    cycles = parts["banks"]["banks"].split(",")
    kinds = [cycles.index(cycle) for cycle in sorted(set(cycles), key=int)]
    banks = machine.ask(
        [authentic(machine, "kernel", 1, code=bank, **parts["banks"]) for bank in (kinds[0], kinds[-1])]
    )
    results.ranking = {
        "application": max(evaluations) / min(evaluations),
        "memory contention": statistics.mean(results.latencies["shared"])
        / statistics.mean(results.latencies["private"]),
        "kernel processes": max(policy) / min(policy),
        "processors": slow["elapsed"] / fast["elapsed"],
        "interrupts": with_device["evaluation"] / alone["evaluation"],
        "memories": banks[1]["elapsed"] / banks[0]["elapsed"],
    }


def whole(machine: Machine) -> Results:
    results = Results()
    two_speeds(machine, results)
    disturbed(machine, results)
    memory(machine, results)
    rank(machine, results)
    return results
