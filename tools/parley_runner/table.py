# SPDX-License-Identifier: MIT
"""Measurements as tables: rows are sizes, columns are designs side by side, and the clock stands
underneath."""

YARDSTICK = "bare ping-pong"
BUSY_NS = 20_000  # a cache line crosses in well under a microsecond when both processors really run
CLOCK_NOTES = {
    "free": (
        "Clock: emulated processors, free running on {threads}. Ratios within a run mean something; absolute"
        " times do not."
    ),
    "counted": (
        "Clock: emulated, instruction-counted: every instruction of every processor takes 1 ns, on one host "
        "thread. Repeatable; says nothing about parallel speed."
    ),
}


def number(value: float) -> str:
    """Four digits are more than any of these clocks deserves."""
    if value == 0 or value >= 1000:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 100 else f"{value:.2f}" if value >= 1 else f"{value:.3g}"


def scale(unit: str) -> tuple[float, str]:
    return (1e-3, "us") if unit == "ns" else (1.0, unit)


def spread(row: dict, narrow: bool) -> str:
    """The median with its quartiles, or in a wide table with half their distance in percent."""
    factor, _ = scale(row["unit"])
    if narrow:
        half = (row["upper_quartile"] - row["lower_quartile"]) / 2
        percent = 100 * half / row["median"] if row["median"] else 0
        return number(row["median"] * factor) + (f" ±{percent:.0f}%" if percent >= 0.5 else "")
    low, middle, high = (number(row[key] * factor) for key in ("lower_quartile", "median", "upper_quartile"))
    return middle if low == high else f"{middle} ({low}..{high})"


def short_design(record: dict, job: int) -> str:
    """The asked-for string heads a column; what it came to stands in the record."""
    jobs = record["asked"]["jobs"]
    return jobs[job]["design"] if job < len(jobs) else "?"


def columns(records: list[dict]) -> list[tuple[str, dict, int]]:
    result = []
    for record in records:
        for position, job in enumerate(record["jobs"]):
            result.append((short_design(record, position), record, job.get("job", position)))
    return result


def rows_of(record: dict, job: int) -> list[dict]:
    return [row for row in record["rows"] if row["job"] == job]


def groups(columns_: list) -> dict:
    """(name, access, unit) -> sizes, in order of appearance"""
    found: dict[tuple, list] = {}
    for _, record, job in columns_:
        for row in rows_of(record, job):
            sizes = found.setdefault((row["name"], row["access"], row["unit"]), [])
            if (row["bytes"], row["node"]) not in sizes:
                sizes.append((row["bytes"], row["node"]))
    return found


def yardstick(rows: list[dict]) -> float:
    return next((row["median"] for row in rows if row["name"] == YARDSTICK), 0.0)


def cell(record: dict, job: int, group: tuple, size: int, node: int, narrow: bool) -> str:
    rows = rows_of(record, job)
    for row in rows:
        if (row["name"], row["access"], row["unit"]) == group and (row["bytes"], row["node"]) == (size, node):
            base = yardstick(rows)
            ratio = f"  x{number(row['median'] / base)}" if base and row["name"] != YARDSTICK else ""
            return spread(row, narrow) + ratio
    return "-"


def grid(lines: list[list[str]]) -> list[str]:
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return ["  ".join(text.rjust(width) for text, width in zip(line, widths)).rstrip() for line in lines]


def tables(records: list[dict]) -> list[str]:
    shown = columns(records)
    lines: list[str] = []
    single: list[list[str]] = []
    found = groups(shown)
    narrow = len(shown) > 2
    ratio = any(yardstick(rows_of(record, job)) for _, record, job in shown)
    for group, sizes in found.items():
        cells = [[cell(record, job, group, *size, narrow) for _, record, job in shown] for size in sizes]
        if len({size for size, _ in sizes}) == 1 and sizes[0][0] == 0:
            single += [[label(group, node, sizes), *line] for (_, node), line in zip(sizes, cells)]
            continue
        several = len({node for _, node in sizes}) > 1
        names = [str(size) + (f" node {node}" if several else "") for size, node in sizes]
        lines += ["", title(group, ratio, narrow)]
        lines += grid([["bytes", *[name for name, _, _ in shown]]] + [[n, *c] for n, c in zip(names, cells)])
    if single:
        lines += ["", *grid([["", *[name for name, _, _ in shown]]] + single)]
    return lines


def title(group: tuple, ratio: bool, narrow: bool) -> str:
    name, access, unit = group
    spread_words = "median ± half the quartiles' distance" if narrow else "median (quartiles)"
    how = f", access {access}" if access else ""
    return f"{name}{how}, in {scale(unit)[1]}: {spread_words}" + (
        f"  x = times the {YARDSTICK} of the same boot" if ratio else ""
    )


def label(group: tuple, node: int, sizes: list) -> str:
    return f"{group[0]}, {scale(group[2])[1]}" + (f", node {node}" if len(sizes) > 1 else "")


def heading(records: list[dict]) -> str:
    first = records[0]
    job = first["jobs"][0] if first["jobs"] else {}
    names = dict.fromkeys(job.get("name") or job.get("app") for record in records for job in record["jobs"])
    count = lambda number, word: f"{number} {word}{'' if number == 1 else 's'}"
    return (
        f"{' + '.join(map(str, names))}: {count(job.get('nodes'), 'node')}, "
        f"{count(first['processors'], 'processor')}, checks {first['checks']}, {first['dispatch']} dispatch"
        + (", checked" if first.get("asked", {}).get("checked") == "1" else "")
    )


def render(records: list[dict]) -> str:
    """Everything that the finished boots among the records measured, or nothing."""
    records = [record for record in records if record["rows"]]
    if not records:
        return ""
    clock, threads = records[0]["clock"], records[0]["host"]["threads"]
    note = CLOCK_NOTES.get(clock or "", f"Clock: {clock}.")
    threads_text = "several host threads" if threads == "multi" else "one host thread"
    lines = [*tables(records), "", note.format(threads=threads_text), *busy_note(records)]
    return "\n".join([heading(records), *lines])


def busy_note(records: list[dict]) -> list[str]:
    slowest = max(yardstick(record["rows"]) for record in records)
    if records[0]["host"]["threads"] != "multi" or slowest < BUSY_NS:
        return []
    return [
        f"The host was busy: even the {YARDSTICK} took {number(slowest / 1000)} us, so these times mean"
        " little."
    ]
