# SPDX-License-Identifier: MIT
"""What a document says, asked of runs: each answer is read from them and can be no. What is known not to hold
is listed in the study's page, as `* **sentence**: reason` in one of its sections; so is nothing else. A
reason that begins with "At times: " is of what holds in some builds, for it depends on where words lie or
which events meet. A study may ask each reason of the runs, too: then none stands by itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

AT_TIMES = "At times: "
SECTION = "What does not hold on the modelled machine"
ITEM = re.compile(r"^\* \*\*(.+?)\*\*:\s(.+?)(?=^\* |^$|\Z)", re.M | re.S)


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


def in_spite_of(reason: str | None) -> bool:
    """Whether a sentence with this reason, or with none, may not hold any more."""
    return reason is not None and not reason.startswith(AT_TIMES)


# What the reason of a sentence comes to, asked of the runs.
Borne = Mapping[str, Verdict]


def lines(verdict: Verdict, reasons: Mapping[str, str], measured: str = "",
          borne: Borne | None = None) -> list[str]:  # fmt: skip
    """As it is told; `measured` is what was found that explains a verdict that does not hold."""
    reason = reasons.get(verdict.sentence)
    if verdict.holds:
        word = "HOLDS, though it is listed" if in_spite_of(reason) else "holds"
    else:
        word = "DOES NOT HOLD" if reason is None else "does not hold"
    said = counted(word, verdict, not verdict.holds)
    if measured and len(said) > 1:
        said.append(f"    measured: {measured}")
    if reason is None:
        return said
    said.append(f"    known: {reason}")
    if borne is not None and not verdict.holds:
        said += ["    " + line for line in asked_of(verdict.sentence, borne)]
    return said


def counted(word: str, verdict: Verdict, with_cells: bool = True) -> list[str]:
    wrong = {name: found for name, (so, found) in verdict.cells.items() if not so}
    cells = len(verdict.cells)
    said = [f"{word}: {verdict.sentence} ({cells - len(wrong)} of {cells})"]
    return said + [f"    {name}: {found}" for name, found in wrong.items() if with_cells]


def asked_of(sentence: str, borne: Borne) -> list[str]:
    """Whether the runs bear the reason out, with what was found."""
    found = borne.get(sentence)
    if found is None:
        return ["NOT BORNE OUT: nothing is asked of the runs for it"]
    if not found.holds:
        return counted("NOT BORNE OUT", found)
    said = counted("borne out", found)
    return said + [f"    {name}: {what}" for name, (_, what) in found.cells.items()]


def judge(groups: Sequence[tuple[Sequence[Verdict], str]], reasons: Mapping[str, str],
          borne: Borne | None = None) -> int:  # fmt: skip
    """Tells all verdicts, each group's with what was measured that explains it. 1: one does not hold without
    a reason, holds in spite of one that is not of some builds alone, or a reason is of none; with `borne`, or
    one does not hold whose reason's is not so, or is not there."""
    for group, measured in groups:
        for verdict in group:
            print("\n".join(lines(verdict, reasons, measured, borne)))
    verdicts = [verdict for group, _ in groups for verdict in group]
    strangers = set(reasons) - {verdict.sentence for verdict in verdicts}
    for sentence in sorted(strangers):
        print(f"listed, though nothing is asked so: {sentence}")

    def is_as_listed(verdict: Verdict) -> bool:
        reason = reasons.get(verdict.sentence)
        if verdict.holds:
            return not in_spite_of(reason)
        found = None if borne is None else borne.get(verdict.sentence)
        return reason is not None and (borne is None or (found is not None and found.holds))

    return 0 if all(map(is_as_listed, verdicts)) and not strangers else 1
