# SPDX-License-Identifier: MIT
"""Tables as text, columns as wide as their widest cell."""

from collections.abc import Sequence
from dataclasses import dataclass


def table(title: str, head: Sequence[str], rows: Sequence[Sequence]) -> list[str]:
    """Its lines, an empty one first; cells may be of any type."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    lines = ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in cells]
    return ["", title, *lines]


def show(title: str, head: Sequence[str], rows: Sequence[Sequence]) -> None:
    """The same on standard output."""
    print("\n".join(table(title, head, rows)))


@dataclass(frozen=True)
class Table:
    """For a page as well as for a terminal."""

    title: str
    head: Sequence[str]  # no name of a column is empty
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()  # what stands below it

    def lines(self) -> list[str]:
        return [*table(self.title, self.head, self.rows), *(f"  {note}" for note in self.notes)]
