# SPDX-License-Identifier: MIT
"""Several jobs at once on the modelled machine's 8 processors (section 5.3.4): two parallel jobs or three, or
one beside groups of sequential processes, in one boot, by whose clock they begin together. Who waits looks
about as long as a sleep takes and then sleeps, and nothing is pinned. A time is from the beginning to a
parallel job's end, by job, groups included."""

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clumps.dedicated import BESIDE, NODES, WAITING
from clumps.document import Printed
from clumps.modelled_runs import ended, stands_for
from clumps.modelled_statements import SLEEPING, below, within
from clumps.native_kinds import CELLS
from parley_study.kept_runs import KeptRuns
from parley_study.statements import Verdict
from parley_study.tables import table

MESH, SORT, HOT_SPOT, SCHEDULED = "EM3D", "SAMPLE", "CON/comm", "3-D FFT"
IN_TURN = "ticket-claim"  # of the locks that serve in the order of arrival
CLAIMS = (BESIDE, IN_TURN, SLEEPING)
PACKETS = 1024  # of a queue: seldom full (docs/clumps.md), and sooner made than the thesis's 4096
BLOCKS = 16  # of a queue, as the thesis's has, and the port by itself
REST, START = 400, 800  # ms: until all jobs are made, and have found each other, as they have at some 500
# Each takes one to two slices alone.
PROGRAMS = {MESH: "em3d", SORT: "sample_sort", HOT_SPOT: "con", SCHEDULED: "fft_3d"}
WORDS = {
    MESH: "--samples 1 --steps 4 --values 60 --degree 10 --remote 40",
    SORT: "--samples 1 --keys 2048",
    HOT_SPOT: "--samples 1 --dimensions 3 --edges 25 --side 12",
    SCHEDULED: "--samples 1 --side 32",
}
# A boot takes the emulator half a minute and more, so others than EM3D are beside one job or group alone; and
# SAMPLE and CON are beside no group, for under each claim they take longer than that computes.
ONE_AND_TWO = ("1P", "2P")
MIXES = {MESH: tuple(CELLS), SORT: ONE_AND_TWO, HOT_SPOT: ONE_AND_TWO, SCHEDULED: (*ONE_AND_TWO, "1P+1S")}
KILOBYTES = 512  # of a second-level cache
LIMIT = 2  # seconds from a job's first instruction on, of which a half and more is left when it begins
COMPUTING = {"1P+1S": 100, "1P+2S": 160}

# Times lock-free's time: printed are 1.25 to 2.45 for EM3D, and for SAMPLE that it took too long to run.
COLLAPSE = {MESH: 1.2, SORT: 10.0}
SAME = 0.06  # printed are 5 % and less between claims
LEVEL = 0.25  # what a job among parallel ones may take more than alone; printed are 11 and 6 %

BEGUN = r"(\S+): from ([0-9.]+) to ([0-9.]+) us of the machine's clock"


@dataclass(frozen=True)
class Mix:
    program: str
    cell: str
    claim: str
    packets: int = PACKETS
    waiting: str = WAITING
    pauses: int | None = None  # of a sender whose packet is not free; none: as many as the port has by itself
    blocks: int = BLOCKS
    more: str = ""  # words of the program

    @property
    def app(self) -> str:
        return PROGRAMS[self.program]

    @property
    def arguments(self) -> str:
        return " ".join([WORDS[self.program], *([self.more] if self.more else [])])

    @property
    def name(self) -> str:
        queue = f"{self.claim} {self.packets}"
        name = f"{self.cell} {self.app} {queue} {self.arguments} {REST} {START} {self.computing}"
        name += f" {self.waiting}" * (self.waiting != WAITING)
        name += "" if self.pauses is None else f" after {self.pauses}"
        name += f" of {self.blocks} blocks" * (self.blocks != BLOCKS)
        return re.sub(r"[^A-Za-z0-9_]+", "-", name)

    @property
    def design(self) -> str:
        queue = f"{self.claim}:{self.packets}"
        if self.pauses is not None:
            queue += f":{self.blocks}:{self.pauses}"
        elif self.blocks != BLOCKS:
            queue += f":{self.blocks}"
        return f"native,port={queue},synchronization={self.waiting}"

    @property
    def computing(self) -> int:
        """How long a group does at least, in ms."""
        return COMPUTING.get(self.cell, 0)

    @property
    def jobs(self) -> int:
        return sum(CELLS[self.cell])

    def config(self) -> str:
        parallel, groups = CELLS[self.cell]
        beside = f"--kilobytes {KILOBYTES} --milliseconds {self.computing} --start {START}"
        each = [(self.app, f"{self.arguments} --rest {REST} --start {START}")] * parallel
        each += [("sequential", beside)] * groups
        lines = ['jobs = "together"', 'schedule = "timeshared"']
        for number, (app, words) in enumerate(each):
            lines += ["[[job]]", f'app = "{app}"', f'name = "{app}-{number}"', f"nodes = {NODES}"]
            lines += [f'args = "{words}"']
        return "\n".join(lines) + "\n"

    def words(self, config: str, record: str) -> list[str]:
        return [
            *("run", f"CONFIG={config}", f"PROCESSORS={NODES}", f"LIMIT={LIMIT}"),
            f"DESIGN={self.design}",
            *("CLOCK=modelled", "MACHINE=enterprise", "QUIET=1", "REMEASURE=0", f"RECORD={record}"),
        ]


@dataclass(frozen=True)
class Together:
    """What the parallel jobs of a mix took, in us."""

    took: tuple[float, ...]
    by: int  # jobs and groups
    processors: Sequence[Mapping[str, float]] = ()  # what the model counted of each
    at_least: bool = False  # a group had computed before: it would have taken longer beside it

    @property
    def each(self) -> float:
        return sum(self.took) / len(self.took) / self.by


def boot(mix: Mix) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "jobs.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(mix.config())
        done = ended(lambda record: mix.words(config, record))
    found = [(name, float(begin), float(end)) for name, begin, end in re.findall(BEGUN, done.said)]
    parallel = [(begin, end) for name, begin, end in found if name == mix.app]
    if done.status != 0 or len(found) != mix.jobs or done.said.count("all messages right") != len(parallel):
        raise done.failed(mix.name)
    last = max(end for _, end in parallel)
    return {
        "took": [end - begin for begin, end in parallel],
        "processors": done.processors,
        "at_least": any(end < last for name, _, end in found if name != mix.app),
    }


def told(mix: Mix, kept: KeptRuns) -> Together:
    found = kept.made(mix.name, stands_for((mix.app, "sequential"), "virtual"), lambda: boot(mix))
    at_least = found.get("at_least", False)
    return Together(tuple(found["took"]), mix.jobs, found["processors"], at_least)


def all_mixes() -> list[Mix]:
    return [
        Mix(program, cell, claim) for program, cells in MIXES.items() for cell in cells for claim in CLAIMS
    ]


Found = Mapping[Mix, Together]


def printed_of(program: str, cell: str, printed: Printed) -> Mapping[str, float]:
    return printed.dedicated[program] if cell == "1P" else printed.multiprogrammed[program][cell]


def said(value: float, at_least: bool = False) -> str:
    return ">" * at_least + f"{value:.2f}"


def beside(found: Found, mix: Mix) -> float:
    """How many times lock-free's time."""
    return found[mix].each / found[replace(mix, claim=BESIDE)].each


def is_known(found: Found, mix: Mix) -> bool:
    """Whether lock-free's time, to which its own is compared, is no least one."""
    return not found[replace(mix, claim=BESIDE)].at_least


def is_exact(found: Found, mix: Mix) -> bool:
    return is_known(found, mix) and not found[mix].at_least


def told_beside(found: Found, mix: Mix) -> str:
    return said(beside(found, mix), found[mix].at_least) if is_known(found, mix) else "unknown"


def lines_of(program: str, found: Found, printed: Printed) -> list[str]:
    rows = []
    for claim in CLAIMS:
        of_claim = [Mix(program, cell, claim) for cell in MIXES[program]]
        each = (said(found[mix].each / 1e3, found[mix].at_least) for mix in of_claim)
        rows.append([claim, "ms", *each])
        ratios = []
        for mix in of_claim:
            theirs, ours = printed_of(program, mix.cell, printed), told_beside(found, mix)
            ratios.append(f"{ours} ({theirs[claim] / theirs[BESIDE]:.2f})" if claim in theirs else ours)
        rows.append(["", f"beside {BESIDE}", *ratios])
    title = (
        f"{program} beside other jobs, by job and group (printed: figures 6.22 and 6.24 to 6.26); >: "
        "longer than the groups beside it"
    )
    return table(title, ["", "", *MIXES[program]], rows)


def lines(found: Found, printed: Printed) -> list[str]:
    return [line for program in PROGRAMS for line in lines_of(program, found, printed)]


def several(program: str) -> list[str]:
    """Mixes of more than one job."""
    return [cell for cell in MIXES[program] if cell != "1P"]


def faster(found: Found, program: str) -> Verdict:
    """A time that is a least one is longer than what is less, and no other is."""
    cells = {}
    for cell in several(program):
        first = Mix(program, cell, BESIDE)
        for lock in CLAIMS:
            if lock != BESIDE:
                less, text = below(found[first].each, found[Mix(program, cell, lock)].each)
                cells[f"{cell}, {lock}"] = less and is_known(found, first), text
    return Verdict(
        f"beside other jobs {program} is faster under the lock-free claim than under locks", cells
    )


def collapsing(found: Found, program: str) -> Verdict:
    least = COLLAPSE[program]
    words = f"{least:g} times as long" if least >= 2 else f"{100 * (least - 1):g} % and more longer"
    in_turn = [Mix(program, cell, IN_TURN) for cell in several(program)]
    return Verdict(
        f"beside other jobs {program} takes {words} under a lock that serves in the order of arrival",
        {
            mix.cell: (
                is_known(found, mix) and beside(found, mix) >= least,
                f"{told_beside(found, mix)} times",
            )
            for mix in in_turn
        },
    )


def statements(found: Found) -> list[Verdict]:
    alone = found[Mix(MESH, "1P", BESIDE)].each
    sleeping = [beside(found, Mix(MESH, cell, SLEEPING)) for cell in ("1P", "2P", "3P")]
    scheduled = [Mix(SCHEDULED, cell, claim) for cell in several(SCHEDULED) for claim in CLAIMS]
    return [
        *(faster(found, program) for program in (MESH, SORT, HOT_SPOT)),
        *(collapsing(found, program) for program in COLLAPSE),
        Verdict(
            f"beside other jobs {SCHEDULED} takes the same under every claim, within {100 * SAME:g} %",
            {
                f"{mix.cell}, {mix.claim}": (
                    is_exact(found, mix) and within(beside(found, mix), 1, SAME),
                    f"{told_beside(found, mix)} times",
                )
                for mix in scheduled
                if mix.claim != BESIDE
            },
        ),
        Verdict(
            "beside lock-free's the lock whose waiters sleep gains with each further parallel job",
            {
                f"{more} parallel jobs": (
                    after < before,
                    f"{said(before)}, then {said(after)} times",
                )
                for more, before, after in ((2, *sleeping[:2]), (3, *sleeping[1:]))
            },
        ),
        Verdict(
            f"under lock-free parallel jobs take by job what one takes alone, within {100 * LEVEL:g} %",
            {
                cell: (
                    abs(found[Mix(MESH, cell, BESIDE)].each - alone) <= LEVEL * alone,
                    f"{found[Mix(MESH, cell, BESIDE)].each:.0f} us, alone {alone:.0f}",
                )
                for cell in ("2P", "3P")
            },
        ),
    ]


def explained(found: Found) -> list[str]:
    """How long processors did not sleep in whole boots. Of one mix all that differs is the claim."""

    def awake(mix: Mix) -> str:
        each = found[mix].processors
        return f"{sum(one['clock'] - one['asleep'] for one in each) / 1e9:.0f}"

    rows = [
        [program, claim, *(awake(Mix(program, cell, claim)) for cell in cells)]
        + [""] * (len(CELLS) - len(cells))
        for program, cells in MIXES.items()
        for claim in CLAIMS
    ]
    title = "ms in which processors did not sleep, of all together, making included"
    return table(title, ["", "", *CELLS], rows)
