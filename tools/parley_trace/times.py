# SPDX-License-Identifier: MIT
"""Where each node's time went (PROFILE=1), from what a traced kernel counted."""

from .naming import Names


def table(entries: list[dict], names: Names) -> list[str]:
    """entries: the fields of the run's TIME frames, in cycles."""
    head = ["", "life, ms", "in the system", "of it working", "of it waiting", "outside", "calls"]
    lines = [head]
    for entry in entries:
        life = max(entry["life"], 1)
        inside, waiting = entry["inside"], min(entry["waiting"], entry["inside"])
        if entry["calls"] == 0 and entry["life"] == 0:
            continue
        lines.append(
            [
                names.process(entry["job"] + 1, entry["endpoint"]),
                f"{1000 * life / max(entry['clock_hertz'], 1):.3f}",
                percent(inside, life),
                percent(inside - waiting, life),
                percent(waiting, life),
                percent(life - inside, life),
                str(entry["calls"]),
            ]
        )
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    text = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    return [
        "Where each node's time went, in percent of its life (watched: the numbers include the watching)",
        *text,
    ]


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"
