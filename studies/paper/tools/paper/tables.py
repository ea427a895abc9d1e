# SPDX-License-Identifier: MIT
"""Tables on standard output, columns as wide as their widest cell."""


def table(title: str, heads: list[str], lines: list[list]) -> None:
    cells = [heads, *([str(cell) for cell in line] for line in lines)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(heads))]
    print(f"\n{title}")
    for line in cells:
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(line, widths)))
