# SPDX-License-Identifier: MIT
"""What is measured of each claim on this host. A kind of measurement is some jobs, and what their rows come
to: a few figures."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clumps.modelled_runs import WARM
from clumps.native_runs import FOREVER, Job, Rows, seconds
from parley_runner.counted import counted

LOGGP = f"--samples 20 --trips 100 {WARM}"
STRESS = "--samples 5 --messages 10000"
PROGRAMS = {"SAMPLE": "sample_sort", "EM3D": "em3d"}
WORDS = {
    "SAMPLE": "--samples 1 --keys 131072",  # half of the thesis's
    "EM3D": "--samples 1 --steps 10 --values 1250 --degree 20 --remote 40",  # its mesh
}
# Parallel jobs, and groups of sequential processes; in the order of figures 6.22 to 6.26.
CELLS = {"1P": (1, 0), "2P": (2, 0), "1P+1S": (1, 1), "3P": (3, 0), "1P+2S": (1, 2)}
MIX_LIMIT = 2  # seconds of a job among others: a hundred times what it takes alone
ROUNDS = 3  # of a mix in a batch, where a run that is unlucky ends as well
LOOKING = "looking"  # in place of sleeping
PARAMETERS = ("RTT", "o_s", "o_r", "L", "g", "G")
FEW = (1, 2, 3, 4)  # writers, however many processors there are
MOST_NODES = 256  # of the parallel programs

Figures = dict[str, float]


@dataclass(frozen=True)
class Kind:
    name: str
    jobs: Callable[[str], Sequence[Job]]  # of a claim
    figures: Callable[[list[Rows] | None], Figures]  # infinite ones of what took too long
    rounds: int = 1  # in a batch


def of_loggp(found: list[Rows] | None) -> Figures:
    if found is None:
        return dict.fromkeys(PARAMETERS, math.inf)
    (rows,) = found
    both = rows["o_s + o_r"]
    told = {name: rows[name] for name in ("RTT", "o_s", "g", "G")}
    return told | {"o_r": both - rows["o_s"], "L": rows["RTT"] / 2 - both}


def loggp() -> Kind:
    return Kind("LogGP", lambda claim: [Job("loggp", claim, 2, LOGGP)], of_loggp)


def writers(count: int) -> Kind:
    name = counted(count, "writer")
    words = f"{STRESS} --writers {count}"

    def figures(found: list[Rows] | None) -> Figures:
        return {name: math.inf if found is None else found[0][name]}

    return Kind(name, lambda claim: [Job("many_to_one", claim, count + 1, words)], figures)


def numbers_of_writers(processors: int) -> list[int]:
    """As many as have a processor each beside the receiver's, by doubling beyond a few; and a few in any
    case, which may share."""
    doubled = {1 << exponent for exponent in range(processors.bit_length()) if 1 << exponent < processors}
    return sorted({*FEW, *doubled, *range(1, min(processors, 8)), max(processors - 1, 1)})


def parallel_processes(processors: int) -> int:
    """Of a parallel job: one to a processor, if these are a power of two as the programs want it."""
    return min(1 << (processors.bit_length() - 1), MOST_NODES)


def mix_name(program: str, cell: str, waiting: str = "") -> str:
    return f"{program} {waiting} {cell}" if waiting else f"{program} {cell}"


def mix(program: str, cell: str, processes: int, kilobytes: int, waiting: str = "") -> Kind:
    """Section 5.3.4: nothing is pinned, all begin at once, and the time is by job, groups included."""
    parallel, groups = CELLS[cell]
    how = {"pinned": False, "together": True, "limit": MIX_LIMIT}
    words = f"--kilobytes {kilobytes} --milliseconds {FOREVER}"
    beside = Job("sequential", "lock-free", processes, words, endless=True, **how)

    def jobs(claim: str) -> list[Job]:
        is_sleeping = waiting != LOOKING
        one = Job(PROGRAMS[program], claim, processes, WORDS[program], sleeping=is_sleeping, **how)
        return [one] * parallel + [beside] * groups

    name = mix_name(program, cell, waiting)

    def figures(found: list[Rows] | None) -> Figures:
        return {name: seconds(found, "time") / (parallel + groups)}

    return Kind(name, jobs, figures, 1 if waiting else ROUNDS)


def all_kinds(processors: int, kilobytes: int) -> list[Kind]:
    """`kilobytes`: of a second-level cache."""
    of_mixes = (parallel_processes(processors), kilobytes)
    return [
        loggp(),
        *(writers(count) for count in numbers_of_writers(processors)),
        *(mix(program, cell, *of_mixes) for program in PROGRAMS for cell in CELLS),
        *(mix("SAMPLE", cell, *of_mixes, LOOKING) for cell in CELLS),
    ]
