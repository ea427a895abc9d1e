# SPDX-License-Identifier: MIT
"""Measurements as tables: rows are sizes, columns are jobs and designs side by side, and the clock stands
underneath."""

import re
import textwrap
import zlib
from dataclasses import dataclass, field

from . import keys, model
from .counted import counted

YARDSTICK = "bare ping-pong"
BUSY_NS = 20_000  # a cache line crosses in well under a microsecond when both processors really run
UNSTEADY = " ~"
DIGEST = "digest"  # the unit of rows that only serve to be compared
# A row that is named for the number of those who take part: `barrier, 8`.
PARTIES = re.compile(r"(.*), (\d+)")
# Yardsticks of one emulator on one host that differ by more than this were not taken under one load.
COMPARABLE = 2.0
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


@dataclass
class Column:
    """What one job of one boot measured."""

    name: str
    record: dict
    rows: dict[tuple, dict] = field(default_factory=dict)  # (name, access, unit, bytes, node) -> row
    yardstick: float = 0.0

    def row(self, group: tuple, size: int, node: int) -> dict | None:
        return self.rows.get((*group, size, node))


def is_crowd(name: str) -> bool:
    """More than two take part at once, so a ping-pong of two is no unit for it."""
    parties = PARTIES.fullmatch(name)
    return parties is not None and int(parties[2]) > 2


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
    quartiles = [row[key] for key in ("lower_quartile", "median", "upper_quartile")]
    if None in quartiles:
        return "no number"
    lower, median, upper = (value * factor for value in quartiles)
    if narrow:
        percent = 50 * (upper - lower) / median if median else 0
        return number(median) + (f" ±{percent:.0f}%" if percent >= 0.5 else "")
    low, middle, high = map(number, (lower, median, upper))
    return middle if low == high else f"{middle} ({low}..{high})"


def line(row: dict) -> str:
    """One measurement, as it comes."""
    size = f", {row['bytes']} bytes" if row["bytes"] else ""
    return f"  {row['name']}{size}: {spread(row, False)} {scale(row['unit'])[1]}"


def columns(records: list[dict]) -> list[Column]:
    """The asked-for design heads a column, and what it came to stands in the record; jobs of one boot are
    told apart by their names."""
    found = []
    for record in records:
        first = len(found)
        jobs = record["asked"].get("jobs", [])
        by_number = {}
        for position, job in enumerate(record["jobs"]):
            design = jobs[position]["design"] if position < len(jobs) else "?"
            name = f"{job.get('name')} {design}" if len(record["jobs"]) > 1 else design
            found.append(by_number.setdefault(job.get("job", position), Column(name, record)))
        for row in record["rows"]:
            column = by_number.get(row["job"])
            if column is not None:
                key = tuple(row[part] for part in ("name", "access", "unit", "bytes", "node"))
                column.rows.setdefault(key, row)
                if row["name"] == YARDSTICK and not column.yardstick:
                    column.yardstick = row["median"] or 0.0
        shorten(found[first:], record)
    return found


def shorten(found: list[Column], record: dict) -> None:
    """Where all jobs of a boot have one design, their names alone tell them apart."""
    jobs = record["asked"].get("jobs", [])
    if len(found) > 1 and len({job["design"] for job in jobs}) == 1:
        for column, job in zip(found, record["jobs"]):
            column.name = str(job.get("name"))


def groups(columns_: list[Column]) -> dict[tuple, list]:
    """(name, access, unit) -> its (bytes, node), in order of appearance"""
    found: dict[tuple, dict] = {}
    for column in columns_:
        for name, access, unit, size, node in column.rows:
            found.setdefault((name, access, unit), {})[size, node] = None
    return {group: list(sizes) for group, sizes in found.items()}


def cell(column: Column, group: tuple, size: int, node: int, narrow: bool, ratios: bool) -> str:
    row = column.row(group, size, node)
    if row is None:
        return "-"
    divided = row["name"] != YARDSTICK and not is_crowd(row["name"])
    compared = ratios and column.yardstick and divided and row["median"] is not None
    ratio = f"  x{number(row['median'] / column.yardstick)}" if compared else ""
    return spread(row, narrow) + (UNSTEADY if row.get("unsteady") else "") + ratio


def grid(lines: list[list[str]], width: int = 0) -> list[str]:
    """Right-aligned columns. What is wider than `width` (0: any) goes on underneath, under the same first
    column."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    result: list[str] = []
    first = 1
    while first < len(widths) or not result:
        last, used = first + 1, sum(widths[:1]) + 2 + sum(widths[first : first + 1])
        while last < len(widths) and (width == 0 or used + 2 + widths[last] <= width):
            used += 2 + widths[last]
            last += 1
        shown = [0, *range(first, min(last, len(widths)))]
        result += [""] * bool(result)
        result += ["  ".join(line[i].rjust(widths[i]) for i in shown).rstrip() for line in lines]
        first = last
    return result


def tables(shown: list[Column], ratios: bool, width: int) -> list[str]:
    lines: list[str] = []
    single: list[list[str]] = []
    narrow = len(shown) > 2
    names = [column.name for column in shown]
    for group, sizes in groups(shown).items():
        if group[2] == DIGEST:
            single.append([f"{group[0]}, {DIGEST}", *[digest(column, group, sizes) for column in shown]])
            continue
        cells = [[cell(column, group, *size, narrow, ratios) for column in shown] for size in sizes]
        if len({size for size, _ in sizes}) == 1 and sizes[0][0] == 0:
            single += [[label(group, node, sizes), *line] for (_, node), line in zip(sizes, cells)]
            continue
        several = len({node for _, node in sizes}) > 1
        sizes_names = [str(size) + (f" node {node}" if several else "") for size, node in sizes]
        lines += ["", *wrapped(title(group, ratios, narrow), width)]
        lines += grid([["bytes", *names]] + [[n, *c] for n, c in zip(sizes_names, cells)], width)
    if single:
        lines += ["", *grid([["", *names], *single], width)]
    return lines


def digest(column: Column, group: tuple, sizes: list) -> str:
    """One short word for all sizes, the same for the same results."""
    rows = [(size, column.row(group, *size)) for size in sizes]
    text = repr([(size, row["median"]) for size, row in rows if row is not None])
    return f"{zlib.crc32(text.encode()):08x}" if any(row for _, row in rows) else "-"


def title(group: tuple, ratios: bool, narrow: bool) -> str:
    name, access, unit = group
    spread_words = "median ± half the quartiles' distance" if narrow else "median (quartiles)"
    how = f", access {access}" if access else ""
    return f"{name}{how}, in {scale(unit)[1]}: {spread_words}" + (
        f"  x = times the {YARDSTICK} of the same boot" if ratios else ""
    )


def label(group: tuple, node: int, sizes: list) -> str:
    return f"{group[0]}, {scale(group[2])[1]}" + (f", node {node}" if len(sizes) > 1 else "")


def heading(records: list[dict]) -> str:
    first = records[0]
    job = first["jobs"][0] if first["jobs"] else {}
    names = dict.fromkeys(job.get("name") or job.get("app") for record in records for job in record["jobs"])
    return (
        f"{' + '.join(map(str, names))}: {counted(job.get('nodes'), 'node')}, "
        f"{counted(first['processors'], 'processor')}, checks {first['checks']}, {first['dispatch']} dispatch"
        + (", checked" if first.get("asked", {}).get("checked") == "1" else "")
    )


def render(records: list[dict], width: int = 0) -> str:
    """Everything that the finished boots among the records measured, or nothing. `width`: of the terminal; 0:
    lines may have any length."""
    records = [record for record in records if record["rows"]]
    if not records:
        return ""
    shown = columns(records)
    yardsticks = [column.yardstick for column in shown if column.yardstick]
    agree = agreeing(yardsticks) or records[0]["clock"] != "free"
    clock, threads = records[0]["clock"], records[0]["host"].get("threads")
    note = CLOCK_NOTES.get(clock or "", f"Clock: {clock}.")
    if clock == "modelled":
        note = model.note(records[0])
    threads_text = "several host threads" if threads == "multi" else "one host thread"
    notes = [note.format(threads=threads_text), number_note(records), unsteady_note(records)]
    for added in keys.ADDED:
        notes += added.notes(records)
    notes += [busy_note(records), "" if agree else disagreement(yardsticks)]
    said = [line for sentence in filter(None, notes) for line in wrapped(sentence, width)]
    found = tables(shown, bool(yardsticks) and agree, width)
    return "\n".join([*wrapped(heading(records), width), *found, "", *said])


def wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False) if width else [text]


def agreeing(yardsticks: list[float]) -> bool:
    return not yardsticks or max(yardsticks) <= COMPARABLE * min(yardsticks)


def disagreement(yardsticks: list[float]) -> str:
    return (
        f"The {YARDSTICK} took {number(min(yardsticks) / 1000)} us under one design and "
        f"{number(max(yardsticks) / 1000)} us under another, so multiples of it say nothing here and "
        "are left out; run the designs again on an idle host, or with CLOCK=counted."
    )


def number_note(records: list[dict]) -> str:
    count = sum(row["median"] is None for record in records for row in record["rows"])
    if count == 0:
        return ""
    what = counted(count, "measurement has", "measurements have")
    return f"{what} no number: the program reported NaN or infinity, and the record says null."


def unsteady_note(records: list[dict]) -> str:
    spoiled = [record for record in records if any(row.get("unsteady") for row in record["rows"])]
    if not spoiled:
        return ""
    part = max(record["host"].get("kept_from_running") or 0.0 for record in spoiled)
    again = max(record["host"].get("boots") or 1 for record in spoiled)
    times = f", also when they were measured again ({again} boots)" if again > 1 else ""
    return (
        f"{UNSTEADY.strip()} unsteady: the host was busy and kept the machine from running (up to {part:.0%} "
        f"of the time){times}."
    )


def slowest_yardstick(record: dict) -> float:
    """In nanoseconds; 0: the boot has none."""
    return max((row["median"] or 0.0 for row in record["rows"] if row["name"] == YARDSTICK), default=0.0)


def busy(record: dict) -> bool:
    """Whether even the bare ping-pong says that the processors did not run together."""
    return record["host"].get("threads") == "multi" and slowest_yardstick(record) >= BUSY_NS


def busy_note(records: list[dict]) -> str:
    slowest = max(map(slowest_yardstick, records))
    if not any(map(busy, records)):
        return ""
    return (
        f"The host was busy: even the {YARDSTICK} took {number(slowest / 1000)} us, so these times mean"
        " little."
    )
