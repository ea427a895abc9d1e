# SPDX-License-Identifier: MIT
"""How a benchmark ends: what each part found, and what a busy host makes of it."""

import os
import resource
import time
from dataclasses import dataclass

# Of the processors' time, taken by others while the benchmark ran: more than that and the host was busy.
BUSY = 0.10


@dataclass
class Finding:
    """Of one part."""

    part: str
    good: bool | None  # None: it is told, and what it says of this host is nobody's verdict
    sentence: str
    free: bool = False  # measured under the free clock, which a busy host spoils


class Host:
    """Watches how much of the processors others take, from its making on."""

    def __init__(self, stat: str = "/proc/stat"):
        self.stat = stat
        self.began, self.own, self.all = time.monotonic(), own_seconds(), busy_seconds(stat)

    def taken_by_others(self) -> float | None:
        """Part of the processors' time since then; None: this host does not tell."""
        now, elapsed = busy_seconds(self.stat), time.monotonic() - self.began
        if now is None or self.all is None or elapsed <= 0:
            return None
        others = (now - self.all) - (own_seconds() - self.own)
        return max(0.0, others / (elapsed * (os.cpu_count() or 1)))


def own_seconds() -> float:
    """Of this process and of those it has waited for: emulators and compilers."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def busy_seconds(stat: str) -> float | None:
    """Of all processors together, since the host began: everything but idling, what was stolen too."""
    try:
        with open(stat, encoding="ascii") as file:
            words = file.readline().split()
        user, nice, system, _, _, irq, softirq, steal = map(int, words[1:9])
    except (OSError, ValueError):
        return None
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def lines(findings: list[Finding], others: float | None) -> list[str]:
    width = max(len(finding.part) for finding in findings)
    said = ["Verdict", *(f"  {finding.part:<{width}}  {finding.sentence}" for finding in findings)]
    free = [finding.part for finding in findings if finding.free]
    exact = [finding.part for finding in findings if not finding.free]
    if others is not None and others > BUSY:
        said.append(f"  The host was busy: others took {others:.0%} of its processors while this ran.")
        if free:
            said.append(
                f"  What was measured free running ({', '.join(free)}) says little then: measure it again on "
                "a quiet host."
            )
        if exact:
            said.append(f"  Counts and what follows from them ({', '.join(exact)}) are as on a quiet host.")
    elif others is not None:
        said.append(f"  The host was quiet: others took {others:.0%} of its processors.")
    return [*said, last_line(findings)]


def last_line(findings: list[Finding]) -> str:
    """Names what has been judged, and what has not."""
    bad = [finding.part for finding in findings if finding.good is False]
    judged = [finding.part for finding in findings if finding.good]
    told = [finding.part for finding in findings if finding.good is None]
    if bad:
        return f"Not good: {', '.join(bad)}, see above."
    if not judged:
        return f"Told, not judged: {', '.join(told)}."
    rest = f" Told, not judged: {', '.join(told)}." if told else ""
    return f"Nothing failed: {', '.join(judged)}.{rest}"


def status(findings: list[Finding]) -> int:
    return 1 if any(finding.good is False for finding in findings) else 0
