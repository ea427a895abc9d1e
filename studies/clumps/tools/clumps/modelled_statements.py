# SPDX-License-Identifier: MIT
"""What the thesis says of shared memory on one multiprocessor, asked of the programs on the modelled
Enterprise 5000. Each answer is read from runs. Where the thesis gives no number for "flat" or "the same",
the limits are this project's; they stand first."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from clumps.document import Printed
from clumps.modelled_runs import Told
from parley_runner.counted import counted
from parley_study.statements import Verdict

SAME = 0.10  # round trips that are "within 10 %" of each other (section 6.3.2 has no number for "roughly")
JUMP = 0.05  # what the second writer adds at least; printed are 11 % and more
FLAT = 0.02  # what lock-free claims may add from two writers on
SUM = 0.15  # how close g is to o_s + o_r, "approximately"
FITS = 0.05  # of a time that the formula of section 6.3.2 gives
COUNTS = 0.10  # of short messages that follow from SAMPLE's algorithm; samples and splitters are more
NEAR, NEAR_LATENCY = 0.15, 0.2  # of printed numbers; of L in us

LOCK_FREE = ("lock-free", "fifo")
SPINNING = ("test-and-set", "test-and-test-and-set", "ticket-claim", "anderson")
SLEEPING = "preemption-safe"
# Table 6.4 at seven writers, the best first.
ORDER = ("fifo", "lock-free", "ticket-claim", "test-and-test-and-set", "anderson", "test-and-set", SLEEPING)
SIMPLE = ("test-and-set", "test-and-test-and-set", "ticket-claim")
BLOCK = 8192
KEYS_A_MESSAGE = 6


def writers(many: int) -> str:
    return counted(many, "writer")


def stress(told: Told) -> dict[int, float]:
    """Of a run: by the number of writers."""
    return {int(name.split()[0]): mean for name, (mean, _) in told.figures.items() if "writer" in name}


def transfers(told: Told) -> dict[int, float]:
    """Of a run: us until the last reply, by bytes."""
    prefix = "transfer, "
    return {
        int(name.removeprefix(prefix)): mean
        for name, (mean, _) in told.figures.items()
        if name.startswith(prefix)
    }


def within(value: float, other: float, part: float) -> bool:
    return abs(value - other) <= part * abs(other)


def below(small: float, large: float) -> tuple[bool, str]:
    return small < large, f"{small:.3f} and {large:.3f} us"


def of_loggp(told: Mapping[str, Told]) -> list[Verdict]:
    """told: by claim."""
    spinning = {claim: told[claim]["RTT"] for claim in (*SPINNING, *LOCK_FREE)}
    least = min(spinning.values())
    return [
        Verdict(
            "L is half a round trip without o_s and o_r",
            {
                claim: (
                    abs(run["RTT"] / 2 - run["o_s"] - run["o_r"] - run["L"]) <= rounding(run),
                    f"{run['RTT'] / 2 - run['o_s'] - run['o_r']:.3f} and {run['L']:.3f} us",
                )
                for claim, run in told.items()
            },
        ),
        Verdict(
            "L is below zero: sending and receiving overlap",
            {claim: (run["L"] < 0, f"{run['L']:.2f} us") for claim, run in told.items()},
        ),
        Verdict(
            f"round trips under spin locks and lock-free claims are within {100 * SAME:g} % of each other",
            {
                claim: (within(value, least, SAME), f"{value:.2f} us, and the least {least:.2f}")
                for claim, value in spinning.items()
            },
        ),
        Verdict(
            "the lock whose waiters sleep has the longest round trip",
            {claim: below(value, told[SLEEPING]["RTT"]) for claim, value in spinning.items()},
        ),
        Verdict(
            f"g is o_s + o_r, within {100 * SUM:g} %",
            {
                claim: (
                    within(run["g"], run["o_s"] + run["o_r"], SUM),
                    f"{run['g']:.2f} and {run['o_s'] + run['o_r']:.2f} us",
                )
                for claim, run in told.items()
            },
        ),
    ]


def rounding(run: Told) -> float:
    """Each was rounded to the one digit of its interval."""
    return sum(max(run.figures[name][1], 0.001) for name in ("RTT", "o_s", "o_r", "L"))


def of_bandwidth(told: Mapping[str, Told]) -> list[Verdict]:
    """The formula: N blocks take N times the longer of sending and receiving one, and once what is left."""
    formula, half = {}, {}
    for claim, run in told.items():
        times = transfers(run)
        most = max(times)
        each = (times[most] - times[most // 2]) / (most / 2 / BLOCK)
        once = times[BLOCK] - each
        for bytes_, time in times.items():
            if bytes_ > BLOCK:
                fitted = bytes_ / BLOCK * each + once
                found = f"{time:.0f} us, by the formula {fitted:.0f}"
                formula[f"{claim}, {bytes_ // 1024} kB"] = within(time, fitted, FITS), found
        point = half_power(times, BLOCK / each)
        half[claim] = point is not None and point < BLOCK, "-" if point is None else f"{point / 1024:.1f} kB"
    return [
        Verdict(f"times of blocks follow the thesis's formula within {100 * FITS:g} %", formula),
        Verdict("half of the bandwidth is reached within one block", half),
    ]


def half_power(times: Mapping[int, float], asymptote: float) -> float | None:
    """The bytes at which half of so many bytes a us are reached, between two that were measured."""
    speeds = [(bytes_, bytes_ / times[bytes_]) for bytes_ in sorted(times)]
    if speeds[0][1] >= asymptote / 2:
        return speeds[0][0]
    for (bytes_, speed), (next_bytes, next_speed) in pairwise(speeds):
        if next_speed >= asymptote / 2:
            return bytes_ + (next_bytes - bytes_) * (asymptote / 2 - speed) / (next_speed - speed)
    return None


def of_many_to_one(told: Mapping[str, Told]) -> list[Verdict]:
    """told: by claim."""
    by_claim = {claim: stress(run) for claim, run in told.items()}
    most = max(by_claim["fifo"])
    test_and_set = by_claim["test-and-set"]
    return [
        Verdict(
            f"at {most} writers claims come in the order of table 6.4",
            {
                f"{better} before {worse}": below(by_claim[better][most], by_claim[worse][most])
                for better, worse in pairwise(ORDER)
            },
        ),
        Verdict(
            f"the second writer adds {100 * JUMP:g} % and more",
            {
                claim: (times[2] >= (1 + JUMP) * times[1], f"{times[1]:.3f}, then {times[2]:.3f} us")
                for claim, times in by_claim.items()
            },
        ),
        Verdict(
            "test-and-set takes longer with each writer from two on",
            {
                writers(after): below(test_and_set[before], test_and_set[after])
                for before, after in pairwise(range(2, most + 1))
            },
        ),
        Verdict(
            "lock-free claims take no longer with more writers than with two",
            {
                f"{claim}, {writers(many)}": (
                    by_claim[claim][many] <= (1 + FLAT) * by_claim[claim][2],
                    f"{by_claim[claim][2]:.3f}, then {by_claim[claim][many]:.3f} us",
                )
                for claim in LOCK_FREE
                for many in range(3, most + 1)
            },
        ),
        Verdict(
            "but at two writers the lock-free claim by compare-and-swap is behind the simple spin locks",
            {claim: below(by_claim[claim][2], by_claim["lock-free"][2]) for claim in SIMPLE},
        ),
        Verdict(
            "from two writers on fifo, with one atomic operation fewer, is before lock-free",
            {
                writers(many): below(by_claim["fifo"][many], by_claim["lock-free"][many])
                for many in range(2, most + 1)
            },
        ),
    ]


def of_sample(told: Mapping[str, Told], nodes: int, keys: int) -> list[Verdict]:
    """told: by claim. Keys of each node."""
    times = {claim: run["time"] for claim, run in told.items()}
    behind = (*SPINNING, SLEEPING)
    follows = 2 * keys * (nodes - 1) / nodes / KEYS_A_MESSAGE
    return [
        Verdict(
            f"SAMPLE sends the short messages that follow from it, within {100 * COUNTS:g} %",
            {
                claim: (within(run.messages, follows, COUNTS), f"{run.messages}, and {follows:.0f} follow")
                for claim, run in told.items()
            },
        ),
        Verdict(
            "SAMPLE is faster under lock-free claims than under locks",
            {
                f"{claim} before {lock}": below(times[claim], times[lock])
                for claim in LOCK_FREE
                for lock in behind
            },
        ),
        Verdict(
            "SAMPLE is slowest under the lock whose waiters sleep",
            {claim: below(times[claim], times[SLEEPING]) for claim in (*SPINNING, *LOCK_FREE)},
        ),
    ]


def of_printed(told: Mapping[str, Told], printed: Printed) -> list[Verdict]:
    """How close to the thesis's own numbers they come."""
    named = ("RTT", "o_s", "o_r", "g", "G")
    return [
        Verdict(
            f"round trip, o_s, o_r, g and G are within {100 * NEAR:g} % of the printed ones",
            {
                f"{claim}, {name}": (
                    within(run[name], printed.loggp[name][claim], NEAR),
                    f"{run[name]:.2f}, printed {printed.loggp[name][claim]:g}",
                )
                for claim, run in told.items()
                for name in named
            },
        ),
        Verdict(
            f"L is within {NEAR_LATENCY:g} us of the printed one",
            {
                claim: (
                    abs(run["L"] - printed.loggp["L"][claim]) <= NEAR_LATENCY,
                    f"{run['L']:.2f}, printed {printed.loggp['L'][claim]:g} us",
                )
                for claim, run in told.items()
            },
        ),
    ]


def of_repeated(one: Told, two: Told) -> Verdict:
    cell = one.processors == two.processors, f"{clock(one):.0f} and {clock(two):.0f} ps"
    return Verdict("two runs of one program are the same, to the picosecond", {"fifo": cell})


def clock(told: Told) -> float:
    return max(each["clock"] for each in told.processors)


@dataclass(frozen=True)
class Taken:
    """What messages take of the processors that took part, by message; times in us."""

    atomic: float
    memory: float  # beyond the first level of the cache
    transfers: float  # on the bus, each of a line or an upgrade
    bus_waiting: float


PICOSECONDS = 1e6  # in a us


def taken(less: Told, more: Told, messages: int) -> Taken:
    """Of all processors together: two runs of which one sends so many messages more. Instructions cannot be
    told so: what idle processors do differs by more between two runs."""

    def added(*names: str) -> float:
        return sum(
            after[name] - before[name]
            for before, after in zip(less.processors, more.processors, strict=True)
            for name in names
        ) / messages

    return Taken(
        added("atomic"),
        added("memory_time") / PICOSECONDS,
        added("bus_transfers"),
        added("bus_waiting") / PICOSECONDS,
    )
