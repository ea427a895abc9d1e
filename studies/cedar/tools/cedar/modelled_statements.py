# SPDX-License-Identifier: MIT
"""What the document on Cedar says of parallel loops, asked of the five programs on the modelled machine. Each
answer is read from runs. What the machine's parameters or the programs' inputs decide by themselves, as how
much time a program takes, is not asked."""

from collections.abc import Mapping
from dataclasses import dataclass

from cedar.modelled_runs import CLUSTERS, PROGRAMS
from parley_study.statements import Verdict
from parley_trace import loop_formulas as formulas

LAST = 32
# Percent: what the document has the two ways to hand out iterations stay under, and reach.
SOME, MUCH = 1.0, 10.0
INSTRUMENTS = 2.0  # percent of the completion time
EXCEPTED = "FLO52"  # whose contention falls from 8 processors on in the document's table 4


@dataclass(frozen=True)
class Told:
    """One run, as numbers of the document; times in ns."""

    run: Mapping

    @property
    def completion(self) -> float:
        return self.run["completion_ns"]

    @property
    def concurrency(self) -> float:
        return self.run["average_concurrency"]

    @property
    def loop_concurrency(self) -> list[float]:
        """Of each cluster; one processor is one."""
        return [cluster["loop_concurrency"] for cluster in self.run["clusters"]]

    @property
    def spread(self) -> float:
        return self.run["clusters"][0]["spread_ns"]

    @property
    def alone(self) -> float:
        return self.run["clusters"][0]["alone_ns"]

    @property
    def loops(self) -> float:
        return self.spread + self.alone

    def leads(self) -> list[Mapping]:
        """The first thread of each cluster, the main one first."""
        found = [thread for thread in self.run["threads"] if thread["inner"] == 0]
        return sorted(found, key=lambda thread: thread["outer"])

    def spent(self, *names: str, cluster: int = 0) -> float:
        """Of a cluster's first thread."""
        lead = self.leads()[cluster]
        spent = {**lead["parts"], "work_wait": lead["ns"]["work_wait"], "serial": lead["ns"]["serial"]}
        return sum(spent.get(name, 0.0) for name in names)

    def share(self, *names: str, cluster: int = 0) -> float:
        """Percent of the completion time that a cluster's first thread spends on these."""
        return 100 * self.spent(*names, cluster=cluster) / self.completion

    def of_loops(self, share: float) -> float:
        """A percentage of the completion time as one of what is not serial code of it."""
        return share * self.completion / (self.completion - self.spent("serial"))

    def xdoall(self, cluster: int = 0) -> float:
        names = ("xdoall/set_up", "xdoall_within/set_up", "xdoall_within/pick_up")
        return self.share(*names, cluster=cluster)

    def sdoall(self, cluster: int = 0) -> float:
        return self.share("sdoall/set_up", "sdoall/pick_up", cluster=cluster)

    def barrier(self) -> float:
        return self.share("sdoall/barrier", "xdoall/barrier")

    def waiting(self, cluster: int) -> float:
        return self.share("work_wait", "sdoall/barrier", "xdoall/barrier", cluster=cluster)

    def overhead(self, cluster: int = 0) -> float:
        """Parallelization overhead: of a helper with its wait for work."""
        waits = self.waiting(cluster) if cluster else self.barrier()
        return self.xdoall(cluster) + self.sdoall(cluster) + waits

    def ideal(self, one: "Told") -> float:
        return formulas.ideal_time(one.alone, one.spread, self.loop_concurrency)

    def contention(self, one: "Told") -> float:
        return formulas.contention(self.loops, self.ideal(one), self.completion)


def grows(values: list[float]) -> tuple[bool, str]:
    so = all(before < after for before, after in zip(values, values[1:]))
    return so, ", ".join(f"{value:.2f}" for value in values)


def of_programs(told: Mapping[str, Mapping[int, Told]]) -> list[Verdict]:
    """told: of each program, by processors."""
    many = [processors for processors in CLUSTERS if processors > 1]
    several = [processors for processors, clusters in CLUSTERS.items() if clusters > 1]
    cells = [(f"{name} on {n}", told[name][1], told[name][n]) for name in PROGRAMS for n in many]
    spread = [(f"{name} on {n}", told[name][n]) for name in PROGRAMS for n in several]
    helpers = [
        (f"{where}, helper {cluster}", run, cluster)
        for where, run in spread
        for cluster in range(1, len(run.leads()))
    ]

    def beside(small: float, large: float) -> tuple[bool, str]:
        return small < large, f"{small:.2f} beside {large:.2f}"

    return [
        Verdict(
            "every speed-up is below the average concurrency",
            {at: beside(one.completion / run.completion, run.concurrency) for at, one, run in cells},
        ),
        Verdict(
            "the main task's parallelization overhead grows with the clusters",
            {name: grows([told[name][n].overhead() for n in (8, *several)]) for name in PROGRAMS},
        ),
        Verdict(
            "handing out XDOALLs and waiting at finish barriers are most of the main task's overhead",
            {at: beside(run.sdoall(), run.xdoall() + run.barrier()) for at, run in spread},
        ),
        Verdict(
            "handing out XDOALLs and waiting are most of the helpers' overhead",
            {
                at: beside(run.sdoall(cluster), run.xdoall(cluster) + run.waiting(cluster))
                for at, run, cluster in helpers
            },
        ),
        Verdict(
            "helpers' overhead, with their wait for work, is above the main task's",
            {at: beside(run.overhead(), run.overhead(cluster)) for at, run, cluster in helpers},
        ),
        Verdict(
            f"but for {EXCEPTED}, contention grows with the clusters",
            {
                name: grows([told[name][n].contention(told[name][1]) for n in (8, *several)])
                for name in PROGRAMS
                if name != EXCEPTED
            },
        ),
    ]


Sweep = Mapping[int, tuple[Told, Told]]  # by the length of iterations, hierarchical and flat


def flat_reaches(sweep: Sweep) -> int | None:
    """The greatest length at which to hand out flat takes MUCH of the loops' time; none: it does nowhere."""
    return max((n for n, (_, flat) in sweep.items() if flat.of_loops(flat.xdoall()) >= MUCH), default=None)


def nested_stays(sweep: Sweep) -> int | None:
    """The least length from which on to hand out between clusters stays under SOME of the loops' time."""
    found = None
    for length in sorted(sweep, reverse=True):
        nested = sweep[length][0]
        if nested.of_loops(nested.sdoall()) >= SOME:
            break
        found = length
    return found


def of_grain(sweep: Sweep) -> list[Verdict]:
    """On all processors, in percent of the time of loops."""
    lengths = sorted(sweep, reverse=True)
    flat = [run.of_loops(run.xdoall()) for run in (sweep[length][1] for length in lengths)]
    reached, stays = flat_reaches(sweep), nested_stays(sweep)

    def under(length: int) -> tuple[bool, str]:
        run = sweep[length][0]
        share = run.of_loops(run.sdoall())
        return share < SOME, f"{share:.2f} %"

    where = [length for length in lengths if reached is not None and length <= reached]
    return [
        Verdict(
            "handing out iterations flat takes more of the loops' time, the smaller they are",
            {f"lengths of {', '.join(map(str, lengths))} %": grows(flat)},
        ),
        Verdict(
            f"and comes to {MUCH:g} % of it",
            {"all lengths": (reached is not None, f"at most {max(flat):.2f} %")},
        ),
        Verdict(
            f"between clusters it stays under {SOME:g} % of it for large iterations",
            {"all lengths": (stays is not None, f"{under(lengths[0])[1]} with the largest")},
        ),
        Verdict(
            f"and does where flat comes to {MUCH:g} %",
            {f"a length of {length} %": under(length) for length in where},
        ),
    ]


@dataclass(frozen=True)
class Watched:
    """One run under the event monitor, beside the same without; times in ns, as the program measures them."""

    told: Told
    unwatched: int

    @property
    def cost(self) -> float:
        """Percent that the monitor adds to the completion time."""
        return 100 * (self.told.run["took_ns"] - self.unwatched) / self.unwatched

    @property
    def left(self) -> float:
        """Percent that the time which the analysis tells, its own cost taken out, is above the unwatched."""
        return 100 * (self.told.completion - self.unwatched) / self.unwatched


def of_instruments(watched: Mapping[str, Watched]) -> list[Verdict]:
    return [
        Verdict(
            f"to be watched takes at most {INSTRUMENTS:g} % of the time",
            {at: (run.cost <= INSTRUMENTS, f"{run.cost:.2f} %") for at, run in watched.items()},
        ),
        Verdict(
            f"times that the analysis tells are within {INSTRUMENTS:g} % of those of unwatched runs",
            {at: (abs(run.left) <= INSTRUMENTS, f"{run.left:+.2f} %") for at, run in watched.items()},
        ),
    ]


def of_repeated(one: Told, two: Told) -> Verdict:
    cell = one.run == two.run, f"{one.completion:.0f} and {two.completion:.0f} ns"
    return Verdict("two runs of one program are the same, to the nanosecond", {"FLO52 on 16": cell})
