# SPDX-License-Identifier: MIT
"""Several jobs at once on the modelled machine's 8 processors (section 5.3.4): two parallel jobs or three, or
one beside groups of sequential processes, in one boot, by whose clock they begin together. Who waits looks
about as long as a sleep takes and then sleeps, and nothing is pinned. A time is from the beginning to a
parallel job's end, by job, groups included."""

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clumps.dedicated import BESIDE, NODES, WAITING
from clumps.document import Printed
from clumps.modelled_runs import ended, stands_for
from clumps.modelled_statements import SLEEPING, below
from clumps.native_kinds import CELLS
from parley_study.kept_runs import KeptRuns
from parley_study.statements import Verdict
from parley_study.tables import table

PROGRAM, CALLED = "em3d", "EM3D"
IN_TURN = "ticket-claim"  # of the locks that serve in the order of arrival
CLAIMS = (BESIDE, IN_TURN, SLEEPING)
PACKETS = 1024  # of a queue: more than may be under way to a node, and sooner made than the thesis's 4096
REST, START = 400, 800  # ms: until all jobs are made, and have found each other, as they have at some 500
WORDS = "--samples 1 --steps 4 --values 60 --degree 10 --remote 40"
KILOBYTES = 512  # of a second-level cache
LIMIT = 1  # seconds from a job's first instruction on, of which a fifth and more is left when it begins
COMPUTING = {"1P+1S": 100, "1P+2S": 160}

COLLAPSE = 1.2  # times lock-free's time: printed are 1.25 to 2.45 for EM3D
LEVEL = 0.25  # what a job among parallel ones may take more than alone; printed are 11 and 6 %

BEGUN = r"(\S+): from ([0-9.]+) to ([0-9.]+) us of the machine's clock"


@dataclass(frozen=True)
class Mix:
    cell: str
    claim: str

    @property
    def name(self) -> str:
        said = f"{self.cell} {PROGRAM} {self.claim} {PACKETS} {WORDS} {REST} {START} {self.computing}"
        return re.sub(r"[^A-Za-z0-9_]+", "-", said)

    @property
    def computing(self) -> int:
        """How long a group does at least, in ms: some four times what EM3D takes beside it by job."""
        return COMPUTING.get(self.cell, 0)

    @property
    def jobs(self) -> int:
        return sum(CELLS[self.cell])

    def config(self) -> str:
        parallel, groups = CELLS[self.cell]
        beside = f"--kilobytes {KILOBYTES} --milliseconds {self.computing} --start {START}"
        each = [(PROGRAM, f"{WORDS} --rest {REST} --start {START}")] * parallel
        each += [("sequential", beside)] * groups
        lines = ['jobs = "together"', 'schedule = "timeshared"']
        for number, (app, words) in enumerate(each):
            lines += ["[[job]]", f'app = "{app}"', f'name = "{app}-{number}"', f"nodes = {NODES}"]
            lines += [f'args = "{words}"']
        return "\n".join(lines) + "\n"

    def words(self, config: str, record: str) -> list[str]:
        return [
            *("run", f"CONFIG={config}", f"PROCESSORS={NODES}", f"LIMIT={LIMIT}"),
            f"DESIGN=native,port={self.claim}:{PACKETS},synchronization={WAITING}",
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
    parallel = [(begin, end) for name, begin, end in found if name == PROGRAM]
    if done.status != 0 or len(found) != mix.jobs or done.said.count("all messages right") != len(parallel):
        raise done.failed(mix.name)
    last = max(end for _, end in parallel)
    return {
        "took": [end - begin for begin, end in parallel],
        "processors": done.processors,
        "at_least": any(end < last for name, _, end in found if name != PROGRAM),
    }


def told(mix: Mix, kept: KeptRuns) -> Together:
    found = kept.made(mix.name, stands_for((PROGRAM, "sequential"), "virtual"), lambda: boot(mix))
    at_least = found.get("at_least", False)
    return Together(tuple(found["took"]), mix.jobs, found["processors"], at_least)


def all_mixes() -> list[Mix]:
    return [Mix(cell, claim) for cell in CELLS for claim in CLAIMS]


Found = Mapping[tuple[str, str], Together]  # by mix and claim


def printed_of(cell: str, printed: Printed) -> Mapping[str, float]:
    return printed.dedicated[CALLED] if cell == "1P" else printed.multiprogrammed[CALLED][cell]


def said(value: float, at_least: bool = False) -> str:
    return ">" * at_least + f"{value:.2f}"


def beside(found: Found, cell: str, claim: str) -> float:
    """How many times lock-free's time."""
    return found[cell, claim].each / found[cell, BESIDE].each


def lines(found: Found, printed: Printed) -> list[str]:
    rows = []
    for claim in CLAIMS:
        of_claim = [found[cell, claim] for cell in CELLS]
        rows.append([claim, "ms", *(said(one.each / 1e3, one.at_least) for one in of_claim)])
        ratios = []
        for cell in CELLS:
            theirs = printed_of(cell, printed)
            ours = said(beside(found, cell, claim), found[cell, claim].at_least)
            ratios.append(f"{ours} ({theirs[claim] / theirs[BESIDE]:.2f})" if claim in theirs else ours)
        rows.append(["", f"beside {BESIDE}", *ratios])
    title = (
        f"{CALLED} beside other jobs, by job and group (printed: figures 6.22 to 6.26); >: longer than the "
        "groups beside it"
    )
    return table(title, ["", "", *CELLS], rows)


def statements(found: Found) -> list[Verdict]:
    several = [cell for cell in CELLS if cell != "1P"]
    alone = found["1P", BESIDE].each
    sleeping = [beside(found, cell, SLEEPING) for cell in ("1P", "2P", "3P")]
    return [
        Verdict(
            f"beside other jobs {CALLED} is faster under the lock-free claim than under locks",
            {
                f"{cell}, {lock}": below(found[cell, BESIDE].each, found[cell, lock].each)
                for cell in several
                for lock in CLAIMS
                if lock != BESIDE
            },
        ),
        Verdict(
            f"beside other jobs {CALLED} takes {100 * (COLLAPSE - 1):g} % and more longer under a lock that "
            "serves in the order of arrival",
            {
                cell: (
                    beside(found, cell, IN_TURN) >= COLLAPSE,
                    f"{said(beside(found, cell, IN_TURN), found[cell, IN_TURN].at_least)} times",
                )
                for cell in several
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
                    abs(found[cell, BESIDE].each - alone) <= LEVEL * alone,
                    f"{found[cell, BESIDE].each:.0f} us, alone {alone:.0f}",
                )
                for cell in ("2P", "3P")
            },
        ),
    ]


def explained(found: Found) -> list[str]:
    """How long processors did not sleep in whole boots. Of one mix all that differs is the claim."""

    def awake(cell: str, claim: str) -> str:
        each = found[cell, claim].processors
        return f"{sum(one['clock'] - one['asleep'] for one in each) / 1e9:.0f}"

    rows = [[claim, *(awake(cell, claim) for cell in CELLS)] for claim in CLAIMS]
    title = "ms in which processors did not sleep, of all together, making included"
    return table(title, ["", *CELLS], rows)
