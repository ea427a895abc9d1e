# SPDX-License-Identifier: MIT
"""What a run found: rates for each rule, and the mutants that live, by class."""

import os

from .ledger import DIED, EQUIVALENT, LEMMA, NOT_BUILT, NOT_REACHED, SAME_CODE, SURVIVED, Entry
from .rules import SEQUENTIAL_NAMES, Mutant

Results = list[tuple[Mutant, Entry]]
COLUMNS = (DIED, SURVIVED, NOT_REACHED, NOT_BUILT, LEMMA, SAME_CODE)
PROOFS = (LEMMA, SAME_CODE)


def counts(results: Results) -> dict[str, dict[str, int]]:
    rows: dict[str, dict[str, int]] = {}
    for mutant, entry in results:
        row = rows.setdefault(mutant.rule, dict.fromkeys(COLUMNS, 0))
        row[entry.by if entry.verdict == EQUIVALENT else entry.verdict] += 1
    return rows


def rate(row: dict[str, int]) -> str:
    """Of those that are not proved equivalent, how many died; what could not be built has not."""
    of = sum(row[column] for column in COLUMNS if column not in PROOFS)
    return f"{100 * row[DIED] / of:.1f} %" if of else "-"


def table(results: Results) -> str:
    """Concurrency faults and their rate; below a line what leaves out other work, which is no part of it."""
    rows = dict(sorted(counts(results).items()))
    sequential = {name: rows.pop(name) for name in SEQUENTIAL_NAMES if name in rows}
    rows["all"] = {column: sum(row[column] for row in rows.values()) for column in COLUMNS}
    heads = ("rule", *COLUMNS, "rate")
    lines = [
        [name, *(str(row[column]) for column in COLUMNS), rate(row)]
        for name, row in (*rows.items(), *sequential.items())
    ]
    widths = [max(len(line[at]) for line in (heads, *lines)) for at in range(len(heads))]
    text = [
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in (heads, *lines)
    ]
    if sequential:
        text.insert(len(rows) + 1, "-" * len(text[0]))
    return "\n".join(text)


def living(results: Results) -> list[tuple[Mutant, Entry]]:
    return [(mutant, entry) for mutant, entry in results if entry.verdict in (SURVIVED, NOT_REACHED)]


def of_the_same_code(results: Results) -> str:
    """What no processor of this kind can show, though another's might: neither do the explorer's plays."""
    names = sorted(f"- {mutant.name}" for mutant, entry in results if entry.by == SAME_CODE)
    return "\n".join(("\n## Orders that are proved by the same code alone\n", *names)) if names else ""


def concurrent(results: Results) -> Results:
    return [(mutant, entry) for mutant, entry in results if mutant.rule not in SEQUENTIAL_NAMES]


def by_class(results: Results) -> str:
    classes: dict[str, list[str]] = {}
    for mutant, entry in living(results):
        owner = mutant.function.owner or os.path.basename(mutant.function.file)
        classes.setdefault(f"{owner} ({mutant.function.file})", []).append(
            f"- {entry.verdict}: {mutant.name}"
        )
    return "\n".join(
        f"\n## {owner}: {len(names)}\n\n" + "\n".join(sorted(names))
        for owner, names in sorted(classes.items())
    )
