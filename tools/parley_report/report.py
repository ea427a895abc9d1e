# SPDX-License-Identifier: MIT
"""The command `report`: records as one page with pictures."""

import datetime
import os
import statistics

from parley_runner import keys
from parley_runner.counted import counted
from parley_runner.screen import Screen
from parley_runner.status import BadRequest, Status

from . import measurements, packages, page, verdicts
from .measurements import Group, Records, Section, System

USAGE = "Say: make report RECORD=out.json [OUT=folder], or tools/parley report FILE... [OUT=folder]"
WORDS = ("RECORD", "OUT", "BASE")
MOST_PICTURES = 60  # of one section: more is a programme for a day, not a page
MOST_DIGITS = 6  # of an average
MOST_SENTENCES = 12  # about single measurements; where there are more the table marks them
CLOCKS = {
    "counted": "instruction-counted: every instruction of every processor takes 1 ns; repeats exactly, says"
    " nothing about parallel speed",
    "modelled": "simulated time of a modelled machine; repeats exactly",
    "free": "free running: ratios within one boot mean something, absolute times do not",
    "native": "Linux's, on this machine: ratios within one run mean something, absolute times do not",
}


def command(words: list[str]) -> int:
    paths, given = parse(words, WORDS)
    if not paths:
        raise BadRequest(f"No record is named. {USAGE}.")
    records = measurements.read(paths)
    folder = given.get("OUT") or default_folder(paths[0])
    page.check_folder(folder)
    packages.need("matplotlib", "scipy", "jinja2")
    made = make(records, given.get("BASE", ""))
    path = page.write(made, folder)
    count = len(made.charts())
    screen = Screen()
    for section in made.sections:
        screen.say(section.title)
        for sentence in section.sentences:
            screen.say(f"  {sentence}")
    for sentence in made.warnings:
        screen.say(sentence)
    screen.say(f"{path} and {counted(count, 'picture')} (SVG) beside it")
    return Status.SUCCESS


def parse(words: list[str], known: tuple[str, ...]) -> tuple[list[str], dict[str, str]]:
    """Records, and the other KEY=VALUE words."""
    files, given = [], {}
    for word in words:
        name, equals, value = word.partition("=")
        if name.upper() in known and equals:
            given[name.upper()] = os.path.expanduser(value) if name.upper() == "OUT" else value
            if name.upper() == "RECORD":
                files.append(value)
        elif equals and not os.path.exists(word) and name.replace("_", "").isalnum():
            raise BadRequest(f"There is no key '{name}' here.{keys.nearest(name, known)} {USAGE}.")
        else:
            files.append(word)
    return measurements.files(files), given


def default_folder(path: str) -> str:
    return path.removesuffix(".json") + "-report"


def make(records: Records, base: str = "") -> page.Page:
    found = measurements.sections(records)
    if base:
        found = [based(section, base) for section in found]
        if not any(section.systems[0].first.design == base for section in found):
            raise BadRequest(f"BASE={base}: no record has measurements of this design.")
    names = ", ".join(dict.fromkeys(boot.record for boot in records.boots))
    programs = ", ".join(dict.fromkeys(section.program for section in found)) or "nothing measured"
    designs = ", ".join(dict.fromkeys(c.design for c in records.columns))
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    made = page.Page(
        title=f"{programs}: {designs}" if len(designs) < 90 else f"{programs}: {count(designs)} designs",
        subtitle=f"Records: {names}. Drawn {now}.",
        warnings=warnings(records),
        boots=records.boots,
    )
    for place, section in enumerate(found):
        made.sections.append(chapter(section, f"part-{place + 1}"))
    return made


def count(designs: str) -> int:
    return designs.count(", ") + 1


def based(section: Section, base: str) -> Section:
    """That design first, for the first is what the others stand beside."""
    section.systems.sort(key=lambda system: system.first.design != base)
    return section


def warnings(records: Records) -> list[str]:
    result = []
    failed = [boot for boot in records.boots if boot.status != "success"]
    if failed:
        which = "; ".join(f"{b.record}, {b.design_words}: {b.status}" for b in failed[:8])
        more = f"; and {len(failed) - 8} more" if len(failed) > 8 else ""
        result.append(f"Not every boot succeeded: {which}{more}.")
    busy = [column for column in records.columns if column.is_busy]
    marked = sum(row.unsteady for column in records.columns for row in column.rows)
    if marked:
        result.append(f"{counted(marked, 'measurement')} marked unsteady: the host was busy then.")
    if busy:
        result.append(
            f"The host was busy in {counted(len(busy), 'boot')}: even the bare ping-pong took "
            f"{max(column.yardstick for column in busy) / 1000:.0f} µs there, so its times mean little."
        )
    unnumbered = sum(column.unnumbered for column in records.columns)
    if unnumbered:
        result.append(f"{counted(unnumbered, 'row')} left out: their figures are no finite numbers.")
    boots = {column.boot for column in records.columns}
    empty = boots - {column.boot for column in records.columns if column.rows or column.times}
    if empty:
        result.append(f"{counted(len(empty), 'boot')} reported no measurements.")
    return result


def foot_of(section: Section) -> str:
    """Under every picture, so that it can stand alone."""
    names = ", ".join(dict.fromkeys(system.first.record for system in section.systems))
    first = section.systems[0].first
    facts = [f"record {names}", f"{section.program}" + (f" {section.args}" if section.args else "")]
    for name in ("nodes", "processors"):
        every = list(dict.fromkeys(system.first.conditions[name] for system in section.systems))
        facts.append(f"{' / '.join(every)} {name if every != ['1'] else name.rstrip('s')}")
    facts.append(f"clock {section.clock}")
    threads = "a host thread a processor" if first.threads == "multi" else "one host thread"
    facts.append("Linux" if section.clock == "native" else f"QEMU, {threads}")
    text = " · ".join(facts)
    return text if len(text) < 150 else text[:147] + "..."


def chapter(section: Section, anchor: str) -> page.Chapter:
    from . import drawing

    foot = foot_of(section)
    about = f"Clock: {CLOCKS.get(section.clock, section.clock)}."
    words = f"{section.program}" + (f" {section.args}" if section.args else "")
    result = page.Chapter(f"{words}, clock {section.clock}", about, anchor)
    groups, singles = section.groups(), section.singles()
    judged = judge(section)
    result.sentences = summary(section, judged) + sameness(section)
    pictures = 0
    counts = page.Part("Counts")
    for group in groups:
        numbers = table_of(section, sorted(group.at.items()), group, judged)
        if group.unit in measurements.EXACT:
            numbers.title = f"{group.title}: the numbers"
            counts.tables.append(numbers)
            continue
        part = page.Part(group.title, tables=[numbers])
        if pictures < MOST_PICTURES:
            part.charts.append(drawing.curves(section, group, foot))
            aside = besides(section, group, judged)
            if aside:
                part.charts.append(drawing.beside(section, group, aside, foot))
            pictures += len(part.charts)
        result.parts.append(part)
    result.parts += single_parts(section, singles, judged, foot, MOST_PICTURES - pictures)
    exact = [key for key in singles if key[2] in measurements.EXACT]
    if exact:
        counts.tables.insert(0, table_of(section, [(None, key) for key in exact], None, judged))
        counts.tables[0].open = len(exact) <= 20
    result.parts += [counts] if counts.tables else []
    chart = drawing.shares(section, foot)
    if chart is not None:
        part = page.Part("Where the time went", [chart])
        part.tables.append(times_table(section))
        result.parts.append(part)
    left = sum(not part.charts for part in result.parts if part.tables and part.title != "Counts")
    if pictures >= MOST_PICTURES and left:
        result.sentences.append(f"{left} tables have no picture: a part has at most {MOST_PICTURES} of them.")
    return result


Judged = dict[tuple[int, tuple], verdicts.Verdict]  # (place of the system, key) -> beside the first system


def judge(section: Section) -> Judged:
    asked, pairs = [], []
    for key in section.keys():
        first = section.systems[0].rows(key)
        for place, system in enumerate(section.systems[1:], start=1):
            rows = system.rows(key)
            if first and rows:
                asked.append((place, key))
                pairs.append((first, rows))
    return dict(zip(asked, verdicts.judge(pairs)))


def besides(section: Section, group: Group, judged: Judged) -> list:
    from . import drawing

    result = []
    for place, system in enumerate(section.systems[1:], start=1):
        at = {x: judged[place, key] for x, key in sorted(group.at.items()) if (place, key) in judged}
        if any(verdict.ratio for verdict in at.values()):
            result.append(drawing.Beside(system.label, place, at))
    return result


def summary(section: Section, judged: Judged) -> list[str]:
    """For each system and each curve of times one sentence."""
    result = []
    reference = section.systems[0].label
    for group in section.groups():
        if group.unit in measurements.EXACT:
            continue
        for place, system in enumerate(section.systems[1:], start=1):
            found = [judged[place, key] for key in group.at.values() if (place, key) in judged]
            if found:
                result.append(f"{group.title}: {sentence(system.label, reference, found, group)}")
    singles = [key for key in section.singles() if key[2] not in measurements.EXACT]
    told = [
        (place, key) for key in singles for place in range(len(section.systems)) if (place, key) in judged
    ]
    for place, key in told if len(told) <= MOST_SENTENCES else []:
        verdict = judged[place, key]
        if verdict.differs:
            word = verdicts.words(verdict, key[2] in measurements.TIMES)
            ratio = f", x{verdicts.ratio_words(verdict, 3)}" if verdict.ratio is not None else ""
            result.append(
                f"{section.name_of(key)}: {section.systems[place].label} is {word} than {reference}{ratio}."
            )
    return result


def sentence(label: str, reference: str, found: list[verdicts.Verdict], group: Group) -> str:
    is_time = group.unit in measurements.TIMES
    of = f"of {len(found)} sizes" if group.x != "parties" else f"of {len(found)} numbers of parties"
    tally: dict[str, int] = {}
    for verdict in found:
        word = verdicts.words(verdict, is_time)
        tally[word] = tally.get(word, 0) + 1
    ratios = [v.ratio for v in found if v.ratio is not None and v.ratio > 0]
    mean = f", on average x{average(ratios, any(one.differs for one in found))}" if ratios else ""
    if set(tally) == {verdicts.SAME}:
        return f"{label} cannot be told from {reference} at any {of}{mean}."
    if set(tally) == {verdicts.UNTOLD}:
        return f"{label} beside {reference} cannot be judged: {found[0].why}."
    spoken = {"same": "the same", "untold": "not to be told"}
    parts = [f"{spoken.get(word, word)} at {number}" for word, number in tally.items()]
    return f"{label} is {', '.join(parts)} {of} than {reference}{mean}." if len(tally) == 1 else (
        f"{label} beside {reference} is {', '.join(parts)} {of}{mean}."
    )  # fmt: skip


def average(ratios: list[float], differs: bool) -> str:
    """Where something differs it is not shown as 1, unless that is what it comes to."""
    mean = statistics.geometric_mean(ratios)
    short = f"{mean:.2f}"
    digits = verdicts.digits_apart(mean, 1.0, 3)
    return f"{mean:.{digits}g}" if differs and short == "1.00" and digits <= MOST_DIGITS else short


def sameness(section: Section) -> list[str]:
    """What is counted rather than measured must not depend on the design."""
    exact = [key for key in section.keys() if key[2] in measurements.EXACT]
    if not exact or len(section.systems) < 2:
        return []
    nodes = {system.first.conditions["nodes"] for system in section.systems}
    if len(nodes) > 1:
        return []
    differ = [
        section.name_of(key)
        for key in exact
        if len({row.median for system in section.systems for _, row in system.rows(key)}) > 1
    ]
    names = ", ".join(dict.fromkeys(key[0] for key in exact))
    if not differ:
        return [f"What is counted ({names}) is the same under every design."]
    return [f"What is counted differs between designs: {', '.join(differ[:8])}."]


def single_parts(section: Section, singles: list, judged: Judged, foot: str, room: int) -> list[page.Part]:
    from . import drawing

    result, units = [], {}
    for key in singles:
        units.setdefault(key[2], []).append(key)
    for unit, every in units.items():
        if unit in measurements.EXACT:
            continue
        part = page.Part(f"Single measurements, {drawing.unit_of(unit, [])[1] if unit else 'without a unit'}")
        if unit in measurements.TIMES:
            part.title = "Single measurements of time"
        pieces = range(0, len(every), drawing.DOTS)
        for start in pieces:
            if room > 0:
                said = f" ({start // drawing.DOTS + 1} of {len(pieces)})" if len(pieces) > 1 else ""
                keys_here = every[start : start + drawing.DOTS]
                part.charts.append(drawing.dots(section, unit, keys_here, said, foot))
                room -= 1
        part.tables.append(table_of(section, [(None, key) for key in every], None, judged))
        result.append(part)
    return result


def table_of(section: Section, lines: list, group: Group | None, judged: Judged) -> page.Table:
    from . import drawing

    head = [group.x if group else "", *[system.label for system in section.systems]]
    body = []
    for x, key in lines:
        rows = [row for system in section.systems for _, row in system.rows(key)]
        factor, unit = drawing.unit_of(key[2], [row.median for row in rows])
        name = f"{x:,}".replace(",", " ") if group else section.name_of(key)
        cells = [page.Cell(name if unit in ("", "digest", key[0]) else f"{name}, {unit}")]
        of_system = {place: judged.get((place, key)) for place in range(len(section.systems))}
        digits = digits_of(section, key, factor, of_system)
        for place, system in enumerate(section.systems):
            cells.append(cell_of(system, key, factor, of_system[place], digits))
        body.append(cells)
    title = "The numbers: median (quartiles)" + (", x: times the first column" if judged else "")
    return page.Table(title, head, body)


def digits_of(section: Section, key: tuple, factor: float, judged: dict) -> int:
    """So many that the medians of what is said to differ from the first system do so."""
    from . import drawing

    digits = 4
    medians = {}
    for place, system in enumerate(section.systems):
        if found := system.rows(key):
            medians[place] = drawing.point(0, found, lambda column, row: factor).middle
    for place, verdict in judged.items():
        if verdict is not None and verdict.differs:
            digits = max(digits, verdicts.digits_apart(medians[0], medians[place], digits))
    return digits


def cell_of(
    system: System, key: tuple, factor: float, verdict: verdicts.Verdict | None, digits: int
) -> page.Cell:
    from . import drawing

    found = system.rows(key)
    if not found:
        return page.Cell("-")
    if key[2] == "digest":
        values = {row.median for _, row in found}
        return page.Cell(measurements.digest(values), verdict.kind if verdict and verdict.differs else "")
    p = drawing.point(0, found, lambda column, row: factor)
    text = drawing.number(p.middle, digits)
    low, high = (drawing.number(value, digits) for value in (p.low, p.high))
    if low != high:
        text += f" ({low}..{high})"
    kind = "unsteady" if p.unsteady else ""
    if p.unsteady:
        text += " unsteady"
    if verdict is not None:
        word = verdicts.words(verdict, key[2] in measurements.TIMES)
        if verdict.ratio is not None and key[2] not in measurements.EXACT:
            text += f" x{verdicts.ratio_words(verdict, 3)}"
        if verdict.differs:
            text += f" {word}"
            kind = kind or word
        elif verdict.kind == verdicts.UNTOLD and not p.unsteady:
            text += " untold"
    return page.Cell(text, kind)


def times_table(section: Section) -> page.Table:
    from . import drawing

    head = ["process", "life, ms", "working", "waiting", "outside", "calls"]
    lines = []
    for system in section.systems:
        for column in system.columns:
            for entry in column.times:
                life, hertz = max(entry["life"], 1), entry.get("clock_hertz") or 0
                inside = min(entry["inside"], life)
                waiting = min(entry["waiting"], inside)
                milliseconds = f"{1000 * life / hertz:.3f}" if isinstance(hertz, int) and hertz > 0 else "-"
                texts = [f"{system.label}: {drawing.process(column, entry['endpoint'])}", milliseconds]
                texts += [f"{100 * part / life:.1f} %" for part in (inside - waiting, waiting, life - inside)]
                lines.append([page.Cell(text) for text in [*texts, str(entry.get("calls", "-"))]])
    return page.Table("The numbers", head, lines)
