# SPDX-License-Identifier: MIT
"""What the operating system takes of a program's time: the breakdown of figure 3 and the activities of table
2, of the program's time steps alone. `Q=1' tells of a run from its start to its end, which is mostly to load
it and to end it, so two runs are made that differ in nothing but how many time steps they take: what the
longer one has more is theirs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cedar.modelled_runs import PROGRAMS
from cedar.modelled_statements import LAST, grows
from parley_runner import processor_time
from parley_runner.processor_time import Cluster
from parley_study.statements import Verdict

PROCESSORS = (1, 8, 32)  # that are asked of: one, a cluster, all
SPIN = 1.0  # percent that the document has spinning for the kernel's locks stay under, everywhere
MAIN = 90.0  # percent of the system's time that its five dearest activities exceed
# The rows of table 2, and what the kernel's accounts call them; its locks lie in the memory for all, and its
# calls are of all clusters.
ACTIVITIES = {
    "cross-processor interrupts": ("cross_interrupt",),
    "context switches": ("switching",),
    "concurrent page faults": ("shared_fault",),
    "sequential page faults": ("fault",),
    "cluster critical sections": (),
    "global critical sections": ("critical",),
    "cluster system calls": (),
    "global system calls": ("call",),
    "asynchronous traps": ("exception",),
}
DEAREST = ("cross_interrupt", "switching", "shared_fault", "fault", "critical")


def percent(part: float, whole: float) -> float:
    """In thousandths, for the same can take a few ns less in the longer run."""
    return round(100 * part / whole, 3) + 0.0


@dataclass(frozen=True)
class SystemTime:
    """Of one run, or of what it has more than another; the main cluster first."""

    clusters: Sequence[Cluster]

    @property
    def main(self) -> Cluster:
        return self.clusters[0]

    def share(self, what: str) -> float:
        """Percent of the main cluster's time: `user`, `system`, `interrupt` or `spin`."""
        return percent(getattr(self.main, what), self.main.elapsed * self.main.processors)

    @property
    def overhead(self) -> float:
        return self.share("system") + self.share("interrupt") + self.share("spin")

    def spent(self, *activities: str) -> float:
        """Percent of all processors' time."""
        whole = sum(one.elapsed * one.processors for one in self.clusters)
        return percent(sum(one.ns[name] for one in self.clusters for name in activities), whole)

    def each(self, activity: str) -> float | None:
        """Ns that one of them takes; none: there was none."""
        times = sum(one.times[activity] for one in self.clusters)
        return sum(one.ns[activity] for one in self.clusters) / times if times else None

    def __sub__(self, other: "SystemTime") -> "SystemTime":
        return SystemTime(
            [
                Cluster(
                    long.number,
                    long.processors,
                    long.elapsed - short.elapsed,
                    {name: ns - short.ns[name] for name, ns in long.ns.items()},
                    {name: times - short.times[name] for name, times in long.times.items()},
                )
                for long, short in zip(self.clusters, other.clusters, strict=True)
            ]
        )


def of_accounts(accounts: Sequence[Mapping]) -> SystemTime:
    """From a record's `accounts` of its one job. What no processor has been in has an entry of 0."""
    job = accounts[0]["job"]
    return SystemTime(processor_time.clusters(accounts, job))


Steps = Mapping[str, Mapping[int, SystemTime]]  # of each program, by processors


def statements(steps: Steps, whole: Steps, tabled: Sequence[str]) -> list[Verdict]:
    """steps: of the time steps alone; whole: of a run from its start to its end; tabled: the programs of
    table 2."""
    cells = [(f"{name} on {n}", steps[name][n]) for name in PROGRAMS for n in PROCESSORS]

    def falls(run: SystemTime) -> tuple[bool, str]:
        shares = [round(run.share(what), 2) for what in ("system", "interrupt", "spin")]
        return shares == sorted(shares, reverse=True), ", ".join(f"{share:.2f}" for share in shares)

    def dearest(run: SystemTime) -> tuple[bool, str]:
        whole = run.spent(*(activity for names in ACTIVITIES.values() for activity in names))
        part = 100 * run.spent(*DEAREST) / whole if whole else 0.0
        return part > MAIN, f"{part:.1f} %"

    def together(run: SystemTime) -> tuple[bool, str]:
        shared, alone = run.each("shared_fault"), run.each("fault")
        if shared is None or alone is None:
            return False, "there is none of both"
        return shared > alone, f"{shared / 1000:.1f} us beside {alone / 1000:.1f}"

    return [
        Verdict(
            "the operating system takes a larger part of the time steps, the more processors there are",
            {name: grows([steps[name][n].overhead for n in PROCESSORS]) for name in PROGRAMS},
        ),
        Verdict(
            "of that, system time is the largest part, and interrupts are the next",
            {at: falls(run) for at, run in cells},
        ),
        Verdict(
            f"spinning for the kernel's locks stays under {SPIN:g} % of the time steps",
            {at: (run.share("spin") < SPIN, f"{run.share('spin'):.2f} %") for at, run in cells},
        ),
        Verdict(
            "cross-processor interrupts, context switches, page faults and critical sections are over"
            f" {MAIN:g} % of what table 2 lists",
            {f"{name} on {LAST}": dearest(steps[name][LAST]) for name in tabled},
        ),
        Verdict(
            "a concurrent page fault takes longer than a sequential one",
            {f"{name} on {LAST}": together(whole[name][LAST]) for name in PROGRAMS},
        ),
    ]
