# SPDX-License-Identifier: MIT
"""What a document says, asked of runs: each answer is read from them and can be no. What is known not to hold
is listed in the study's page, as `* **sentence**: reason` in one of its sections; so is nothing else."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SECTION = "What does not hold on the modelled machine"
ITEM = re.compile(r"^\* \*\*(.+?)\*\*: (.+?)(?=^\* |^$|\Z)", re.M | re.S)


@dataclass(frozen=True)
class Verdict:
    """About each of some cells: whether it is so, and what was found. Without cells it does not hold."""

    sentence: str
    cells: Mapping[str, tuple[bool, str]]

    @property
    def holds(self) -> bool:
        return bool(self.cells) and all(so for so, _ in self.cells.values())


def listed(path: str, section: str = SECTION) -> dict[str, str]:
    """What is known not to hold, and why: the items of a page's section."""
    with open(path, encoding="utf-8") as file:
        text = file.read().partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return {" ".join(sentence.split()): " ".join(reason.split()) for sentence, reason in ITEM.findall(text)}


def lines(verdict: Verdict, reasons: Mapping[str, str], measured: str = "") -> list[str]:
    """As it is told; `measured` is what was found that explains a verdict that does not hold."""
    reason = reasons.get(verdict.sentence)
    wrong = {name: found for name, (so, found) in verdict.cells.items() if not so}
    if verdict.holds:
        word = "holds" if reason is None else "HOLDS, though it is listed"
    else:
        word = "DOES NOT HOLD" if reason is None else "does not hold"
    said = [f"{word}: {verdict.sentence} ({len(verdict.cells) - len(wrong)} of {len(verdict.cells)})"]
    said += [f"    {name}: {found}" for name, found in wrong.items()]
    if wrong and measured:
        said.append(f"    measured: {measured}")
    return said + ([f"    known: {reason}"] if reason is not None else [])


def judge(groups: Sequence[tuple[Sequence[Verdict], str]], reasons: Mapping[str, str]) -> int:
    """Tells all verdicts, each group's with what was measured that explains it. 1: one does not hold without
    a reason, holds in spite of one, or a reason is of none."""
    for group, measured in groups:
        for verdict in group:
            print("\n".join(lines(verdict, reasons, measured)))
    verdicts = [verdict for group, _ in groups for verdict in group]
    strangers = set(reasons) - {verdict.sentence for verdict in verdicts}
    for sentence in sorted(strangers):
        print(f"listed, though nothing is asked so: {sentence}")
    as_listed = all(verdict.holds == (verdict.sentence not in reasons) for verdict in verdicts)
    return 0 if as_listed and not strangers else 1
