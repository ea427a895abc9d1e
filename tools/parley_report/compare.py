# SPDX-License-Identifier: MIT
"""The command `compare-runs`: what changed from one record to another, beyond the noise."""

import json
import os
from dataclasses import dataclass, field

from parley_runner import keys
from parley_runner.counted import counted
from parley_runner.screen import Screen
from parley_runner.status import BadRequest
from parley_runner.table import grid, is_crowd, number, scale

from . import measurements, packages, verdicts
from .measurements import Column

FORMAT = "parley-comparison-1"
USAGE = (
    "Say: make compare-runs A=before.json B=after.json, or tools/parley compare-runs A.json B.json [--json]"
)
SAME, CHANGED = 0, 1
Key = tuple


@dataclass
class Change:
    """One measurement that both records have."""

    system: str
    key: tuple
    verdict: verdicts.Verdict
    is_time: bool

    @property
    def word(self) -> str:
        return verdicts.words(self.verdict, self.is_time)


@dataclass
class Comparison:
    names: tuple[str, str]
    changes: list[Change] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # changes that are no figures: ends, and what is missing
    notes: list[str] = field(default_factory=list)  # what a reader must know, and no change

    @property
    def differing(self) -> list[Change]:
        return [change for change in self.changes if change.verdict.differs]

    @property
    def changed(self) -> bool:
        return bool(self.differing or self.others)


def command(words: list[str]) -> int:
    """0: the same; 1: something changed. BadRequest: these cannot be compared."""
    as_json = "--json" in words or "JSON=1" in words
    paths = paths_of([word for word in words if word not in ("--json", "JSON=1", "JSON=0", "JSON=")])
    sides = measurements.read_each(paths)
    made = compare(sides[0].columns, sides[1].columns, names_of(paths))
    if as_json:
        print(json.dumps(as_data(made, paths), indent=2))
    else:
        Screen().say(as_text(made))
    return CHANGED if made.changed else SAME


def paths_of(words: list[str]) -> list[str]:
    sides: dict[str, str] = {}
    plain = []
    for word in words:
        name, equals, value = word.partition("=")
        if name.upper() in ("A", "B") and equals:
            sides[name.upper()] = value
        elif word.startswith("-") or (equals and not os.path.exists(word)):
            raise BadRequest(
                f"'{word}' is no record.{keys.nearest(name, ('A', 'B', 'JSON', '--json'))} {USAGE}."
            )
        else:
            plain.append(word)
    paths = [sides[name] for name in ("A", "B") if name in sides] + plain
    if len(paths) != 2:
        raise BadRequest(f"Two records are compared, not {len(paths)}. {USAGE}.")
    return [os.path.expanduser(path) for path in paths]


def names_of(paths: list[str]) -> tuple[str, str]:
    first, second = measurements.distinct_names(paths)
    return (first, second) if first != second else ("A", "B")


def compare(before: list[Column], after: list[Column], names: tuple[str, str]) -> Comparison:
    made = Comparison(names)
    systems = [by_system(side) for side in (before, after)]
    common = [key for key in systems[0] if key in systems[1]]
    pairs = [(key, key) for key in common]
    if not common:
        pairs = [the_only_ones(systems, names)]
        made.notes.append(
            f"{title(pairs[0][0])} in {names[0]} is set beside {title(pairs[0][1])} in {names[1]}."
        )
    for side, other, name in ((0, 1, names[1]), (1, 0, names[0])):
        paired = {pair[side] for pair in pairs}
        left = [title(key) for key in systems[side] if key not in paired]
        if left:
            made.notes.append(f"Not in {name}, so not compared: {'; '.join(left)}.")
    measured, asked = [], []
    for first, second in pairs:
        columns = systems[0][first], systems[1][second]
        made.notes += notes_of(title(second), *columns)
        made.others += ends_of(title(second), *columns, names)
        rows = [rows_by_key(side) for side in columns]
        for key in dict.fromkeys([*rows[0], *rows[1]]):
            if key not in rows[0] or key not in rows[1]:
                gone = names[0] if key not in rows[0] else names[1]
                made.others.append(f"{title(second)}: {row_title(key)} is not in {gone}")
                continue
            measured.append((title(second), key))
            asked.append((rows[0][key], rows[1][key]))
    if not asked and not made.others:
        raise BadRequest(f"{names[0]} and {names[1]} hold no measurement that could be compared.")
    if any(not column.is_counted for pair in asked for column, _ in pair[0]):
        packages.need("scipy")
    for (system, key), pair, verdict in zip(measured, asked, verdicts.judge(asked)):
        made.changes.append(Change(system, key, verdict, pair[0][0][1].is_time))
    made.notes += noise_notes(made, asked)
    return made


def by_system(columns: list[Column]) -> dict[Key, list[Column]]:
    """The conditions under which figures are of the same thing; another kernel is what may be asked about."""
    found: dict[Key, list[Column]] = {}
    for column in columns:
        conditions = {name: value for name, value in column.conditions.items() if name != "kernel"}
        key = (column.program, column.design, column.own_name, *conditions.values())
        found.setdefault(key, []).append(column)
    return found


def the_only_ones(systems: list[dict], names: tuple[str, str]) -> tuple[Key, Key]:
    """Records without a common system are compared when each has one, of the same program and clock."""
    keys_ = [list(side) for side in systems]
    if [len(side) for side in keys_] == [1, 1]:
        first, second = (side[0] for side in keys_)
        columns = systems[0][first][0], systems[1][second][0]
        if columns[0].clock != columns[1].clock:
            raise BadRequest(
                f"{names[0]} was measured with CLOCK={columns[0].clock}, {names[1]} with CLOCK="
                f"{columns[1].clock}: times under different clocks cannot be compared."
            )
        if columns[0].program == columns[1].program:
            return first, second
    clocks = [{columns[0].clock for columns in side.values()} for side in systems]
    if all(clocks) and not clocks[0] & clocks[1]:
        raise BadRequest(
            f"{names[0]} was measured with CLOCK={', '.join(sorted(clocks[0]))}, {names[1]} with CLOCK="
            f"{', '.join(sorted(clocks[1]))}: times under different clocks cannot be compared."
        )
    raise BadRequest(
        f"{names[0]} and {names[1]} have nothing in common: no design ran the same program under the same "
        "conditions in both."
    )


def title(key: Key) -> str:
    program, design, name, clock, nodes, processors, args, *_ = key
    words = [f"{program} {args}".strip(), design, *([f"job {name}"] if name else [])]
    words.append(counted(nodes, "node"))
    return ", ".join([*words, *([f"{processors} processors"] if processors != nodes else [])])


def row_title(key: tuple) -> str:
    name, access, _, size, node = key
    words = [name] + ([f"access {access}"] if access not in ("", "none") else [])
    return ", ".join(words + ([f"{size} bytes"] if size else []) + ([f"node {node}"] if node else []))


def rows_by_key(columns: list[Column]) -> dict[tuple, verdicts.Found]:
    found: dict[tuple, verdicts.Found] = {}
    for column in columns:
        for row in column.rows:
            found.setdefault(measurements.key_of(row), []).append((column, row))
    return found


def notes_of(name: str, before: list[Column], after: list[Column]) -> list[str]:
    kernels = [{column.conditions["kernel"] for column in side} for side in (before, after)]
    notes = []
    if kernels[0] != kernels[1]:
        notes.append(f"{name}: other kernels, {', '.join(kernels[0])} and {', '.join(kernels[1])}.")
    if {column.threads for column in before} != {column.threads for column in after}:
        notes.append(f"{name}: the emulator had one host thread in one record, several in the other.")
    return notes


def ends_of(name: str, before: list[Column], after: list[Column], names: tuple[str, str]) -> list[str]:
    ends = [", ".join(sorted({column.status for column in side})) for side in (before, after)]
    if ends[0] == ends[1]:
        return []
    return [f"{name}: ended with {ends[0]} in {names[0]}, with {ends[1]} in {names[1]}"]


def noise_notes(made: Comparison, asked: list) -> list[str]:
    """What somebody should do who wants to be told more."""
    untold = [change for change in made.changes if change.verdict.kind == verdicts.UNTOLD]
    notes = []
    tested = [c for c in made.changes if c.is_time and not c.verdict.divided and c.verdict.p is not None]
    crowds = [change for change in tested if is_crowd(change.key[0])]
    absolute = [change for change in tested if change not in crowds]
    if crowds:
        notes.append(
            f"{counted(len(crowds), 'time')} of more than two parties compared as measured: a ping-pong"
            " of two is no unit for them."
        )
    if absolute:
        notes.append(
            f"{counted(len(absolute), 'time')} compared as measured, for want of a bare ping-pong in the"
            " same boots: another host, or another place of the processors on it, counts as a change there."
        )
    for why in dict.fromkeys(change.verdict.why for change in untold):
        count = sum(change.verdict.why == why for change in untold)
        notes.append(f"{counted(count, 'measurement')} not judged: {why}.")
    others = sum(
        change.verdict.kind == verdicts.SAME and change.verdict.why == verdicts.OTHER_SAMPLES
        for change in made.changes
    )
    if others:
        notes.append(
            f"{counted(others, 'measurement')} with equal medians whose other samples (quartiles, least "
            "or most) differ: the same, for single samples are no verdict."
        )
    free = [tuple(map(verdicts.steady, pair)) for pair in asked if not pair[0][0][0].is_counted]
    few = [pair for pair in free if 0 < min(map(len, pair)) < verdicts.BOOTS]
    if few:
        spread = verdicts.boot_spread([side for pair in asked for side in pair])
        clocks = {column.clock for pair in few for column, _ in pair[0]}
        more = 'boots tell more: DESIGN="exp6 exp6 exp6 exp6 exp6"'
        if clocks == {measurements.NATIVE}:
            more = "runs of nxrun tell more"
        notes.append(
            f"Fewer than {verdicts.BOOTS} boots a side: boots of the same thing are taken to lie "
            f"{spread:.0%} apart (one standard deviation), so less than {2 * 1.41 * spread:.0%} cannot be "
            f"told with one boot each. More {more}."
        )
    return notes


def as_text(made: Comparison) -> str:
    lines = [f"A: {made.names[0]}  B: {made.names[1]}"] if made.names != ("A", "B") else []
    system = None
    body: list[list[str]] = []
    head = ["", "A", "B", "B / A", "95 %", ""]
    for change in made.differing:
        if change.system != system:
            lines += grid([head, *body]) if body else []
            system, body = change.system, []
            lines += ["", system]
        body.append(line_of(change))
    lines += grid([head, *body]) if body else []
    if made.others:
        lines += ["", *made.others]
    lines += ["", *made.notes, conclusion(made)]
    return "\n".join(lines)


def line_of(change: Change) -> list[str]:
    unit = change.key[2]
    verdict = change.verdict
    factor, word = (1.0, "ping-pongs") if verdict.divided else scale(unit)
    name = f"{row_title(change.key)}, {word}"
    if unit == "digest":
        digests = [measurements.digest({figure}) for figure in verdict.figures]
        return [name, *digests, "-", "exact", change.word]
    exact = verdict.why.startswith("exact")
    interval = "exact" if exact else "-" if verdict.low is None else f"{verdict.low:.2f}..{verdict.high:.2f}"
    ratio = "-" if verdict.ratio is None else ratio_of(verdict)
    return [name, *figures_of([figure * factor for figure in verdict.figures]), ratio, interval, change.word]


def figures_of(figures: list[float]) -> list[str]:
    """As tables show them, or in as many digits as tell them apart."""
    told = [number(figure) for figure in figures]
    if told[0] != told[1]:
        return told
    digits = verdicts.digits_apart(*figures, 4)
    return [f"{figure:.{digits}g}" for figure in figures]


def ratio_of(verdict: verdicts.Verdict) -> str:
    """Three digits after the point, or as many as tell a ratio from 1."""
    usual = f"{verdict.ratio:.3f}"
    return usual if usual != "1.000" else verdicts.ratio_words(verdict, 4)


def conclusion(made: Comparison) -> str:
    words = [change.word for change in made.differing]
    counts = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
    same = sum(change.verdict.kind == verdicts.SAME for change in made.changes)
    untold = len(made.changes) - same - len(words)
    ends = [counts] if counts else []
    ends += [counted(len(made.others), "other change")] if made.others else []
    judged = f"{same} of {len(made.changes)} measurements the same" + (
        f", {untold} not judged" if untold else ""
    )
    return (
        f"Changed: {', '.join(ends)}; {judged}." if made.changed else f"No change beyond the noise: {judged}."
    )


def as_data(made: Comparison, paths: list[str]) -> dict:
    rows = []
    for change in made.changes:
        name, access, unit, size, node = change.key
        verdict = change.verdict
        rows.append(
            {
                "system": change.system,
                "name": name,
                "access": access,
                "unit": unit,
                "bytes": size,
                "node": node,
                "in_ping_pongs": verdict.divided,
                "a": verdict.figures[0],
                "b": verdict.figures[1],
                "ratio": verdict.ratio,
                "low": verdict.low,
                "high": verdict.high,
                "p": verdict.p,
                "verdict": change.word,
                "how": verdict.why,
            }
        )
    return {
        "format": FORMAT,
        "a": paths[0],
        "b": paths[1],
        "changed": made.changed,
        "rows": rows,
        "other_changes": made.others,
        "notes": made.notes,
    }
