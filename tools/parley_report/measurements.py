# SPDX-License-Identifier: MIT
"""What records hold, checked and put beside each other.

A record has boots, a boot has jobs, a job has rows. Jobs of the same program, clock and arguments are one
section; within it every combination of design and conditions is a system. Boots of one file that
are alike in all of this are repetitions of each other; the same system of two files is two systems,
since that is what somebody wants to see who names two files.
"""

import hashlib
import os
import shlex
import struct
from dataclasses import dataclass, field

from parley_runner import keys, record, table
from parley_runner.counted import counted
from parley_runner.status import BadRequest
from parley_trace.naming import shown

NUMBERS = ("median", "lower_quartile", "upper_quartile", "minimum", "maximum")
TIMES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
NATIVE = "native"  # the clock of nxrun, on Linux without kernel or emulator
# Units of what is counted rather than measured: not to be judged by spread, under no clock.
EXACT = frozenset("messages bytes digest pivots verdict value count counts".split())
# A cache line crosses and comes back in well under this many ns when both processors run at the same time.
SIMULTANEOUS = 1000


@dataclass(frozen=True)
class Row:
    name: str
    access: str
    unit: str
    bytes: int
    node: int
    samples: int
    median: float
    lower: float
    upper: float
    least: float
    most: float
    unsteady: bool

    @property
    def is_time(self) -> bool:
        return self.unit in TIMES

    @property
    def is_exact(self) -> bool:
        return self.unit in EXACT

    @property
    def is_of_crowd(self) -> bool:
        return table.is_crowd(self.name)


@dataclass
class Column:
    """One job of one boot."""

    record: str  # the file's name
    boot: tuple[str, int]
    job: int
    program: str
    name: str  # of the job
    design: str  # as asked for
    factors: str  # what it came to
    conditions: dict[str, str]
    rows: list[Row] = field(default_factory=list)
    unnumbered: int = 0  # rows whose figures are no numbers
    times: list[dict] = field(default_factory=list)
    status: str = ""
    threads: str = ""

    @property
    def own_name(self) -> str:
        """Of a job that was given one which says more than its program or its design. Under nxrun it is the
        program's path."""
        return "" if self.name == self.design or os.path.basename(self.name) == self.program else self.name

    @property
    def clock(self) -> str:
        return self.conditions["clock"]

    @property
    def is_counted(self) -> bool:
        return self.clock in ("counted", "modelled")

    @property
    def yardstick(self) -> float:
        """Nanoseconds of the boot's own bare ping-pong, or 0."""
        return next((row.median for row in self.rows if row.name == table.YARDSTICK), 0.0)

    @property
    def is_busy(self) -> bool:
        """The host did not run the processors at the same time, so times are those of its scheduler."""
        return self.threads == "multi" and not self.is_counted and self.yardstick > SIMULTANEOUS


@dataclass
class Boots:
    """What a page says of boots besides their measurements; boots that differ in their design only are one
    entry."""

    record: str
    numbers: list[int]
    status: str
    sentence: str
    asked: dict
    designs: list[str]
    clock: str
    host: str
    conditions: str
    given: str = ""  # the command, where the record has it

    def is_like(self, other: "Boots") -> bool:
        both = [
            (e.record, e.status, e.sentence, e.clock, e.host, e.conditions) for e in (self, other)
        ]
        return both[0] == both[1] and without_design(self.asked) == without_design(other.asked)

    @property
    def command(self) -> str:
        """Empty where nobody can tell: nxrun's records do not have its words."""
        if self.clock == NATIVE:
            return ""
        return shown(self.given or command(self.asked, self.designs))

    @property
    def design_words(self) -> str:
        counts = {design: self.designs.count(design) for design in self.designs}
        return ", ".join(
            design + (f" ({times} times)" if times > 1 else "") for design, times in counts.items()
        )


@dataclass
class Records:
    paths: list[str]
    boots: list[Boots] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)


def files(words: list[str]) -> list[str]:
    """The files of words such as `RECORD=a.json b.json`'s value: a name with blanks that exists, or
    several."""
    found: list[str] = []
    for word in words:
        try:
            found += [word] if os.path.exists(word) else shlex.split(word)
        except ValueError:
            raise BadRequest(f"RECORD={word} has a quote that is not closed.") from None
    return [os.path.expanduser(path) for path in dict.fromkeys(found)]


def read(paths: list[str]) -> Records:
    """BadRequest, one sentence, when anything is no whole record."""
    result = Records([])
    for path, name in zip(paths, distinct_names(paths)):
        add_file(result, path, name)
    return result


def read_each(paths: list[str]) -> list[Records]:
    """The same, of each file by itself. Boots of two have two names, unless both are the same file."""
    results = []
    names = distinct_names(paths)
    if len(set(names)) < len(names):  # x and x.json
        names = paths
    of_file: dict[str, str] = {}
    for path, name in zip(paths, names):
        results.append(Records([]))
        add_file(results[-1], path, of_file.setdefault(os.path.realpath(path), name))
    return results


def add_file(result: Records, path: str, name: str) -> None:
    if not os.path.exists(path):
        raise BadRequest(f"There is no record {path}; `make run RECORD={path}' writes one.")
    result.paths.append(path)
    add_all(result, path, name, record.read(path))


def of_runs(name: str, runs: list[dict]) -> Records:
    """Of boots that are no file, by the name of where they come from."""
    result = Records([])
    add_all(result, name, name, runs)
    return result


def add_all(result: Records, path: str, name: str, runs: list[dict]) -> None:
    for number, run in enumerate(runs):
        add(result, path, name, number, run)


def distinct_names(paths: list[str]) -> list[str]:
    """Base names without .json, with their folders when these alone tell them apart."""
    names = [os.path.basename(path).removesuffix(".json") for path in paths]
    if len(set(names)) < len(names):
        names = [path.removesuffix(".json") for path in paths]
    return [shown(name) for name in names]


class Broken(Exception):
    """Part of a run is not what the schema says; the message is half a sentence."""


def expect(holds, what: str) -> None:
    if not holds:
        raise Broken(what)


def add(result: Records, path: str, name: str, number: int, run: dict) -> None:
    try:
        boot = boots_of(name, number, run)
        same = next((other for other in result.boots if other.is_like(boot)), None)
        if same is None:
            result.boots.append(boot)
        else:
            same.numbers += boot.numbers
            same.designs += boot.designs
        result.columns += columns_of(name, number, run)
    except Broken as problem:
        where = f"run {number + 1}: " if number else ""
        raise BadRequest(f"{path} is not a whole record: {where}{problem}.") from None


def dictionaries(value, what: str) -> list[dict]:
    expect(isinstance(value, list) and all(isinstance(entry, dict) for entry in value), f"{what} is no list")
    return value


def boots_of(name: str, number: int, run: dict) -> Boots:
    host, asked = run["host"], run["asked"]
    expect(isinstance(host, dict), "host is no table")
    expect(isinstance(asked, dict), "asked is no table")
    jobs = dictionaries(asked.get("jobs"), "asked.jobs")
    cores = f"{host.get('cores', '?')} host cores"
    threads = "a host thread a processor" if host.get("threads") == "multi" else "one host thread"
    is_native = run["clock"] == NATIVE
    parts = [counted(run.get("processors"), "processor"), f"{run['dispatch']} dispatch"]
    parts += [] if is_native else [f"checks {run['checks']}", f"kernel {run.get('kernel') or 'unknown'}"]
    return Boots(
        record=name,
        numbers=[number + 1],
        status=shown(run["status"]),
        sentence=shown((str(run["sentence"] or "").splitlines() or [""])[0]),
        asked=asked,
        designs=[" + ".join(dict.fromkeys(shown(job.get("design")) for job in jobs))],
        clock=shown(run["clock"] or "none"),
        host=shown(", ".join(["Linux", cores] if is_native else [str(host.get("emulator")), cores, threads])),
        conditions=shown(", ".join(parts)),
        given=str(run.get("command") or ""),
    )


def without_design(asked: dict) -> dict:
    jobs = [{key: value for key, value in job.items() if key != "design"} for job in asked["jobs"]]
    return {**asked, "jobs": jobs}


def command(asked: dict, designs: list[str]) -> str:
    """The words that ask for the same, without what is not said because it is the default."""
    jobs = asked["jobs"]
    words = []
    if asked.get("config"):
        words.append(f"CONFIG={shlex.quote(str(asked['config']))}")
    elif len(jobs) == 1:
        words += word_list({"design": " ".join(designs)}, ())
        own_name = ("name",) if jobs[0].get("name") == base_name(jobs[0]) else ()
        words += word_list(jobs[0], ("design", *own_name))
    elif jobs:
        words.append(f"(a file of {len(jobs)} jobs)")
    alike = len(jobs) == 1 and jobs[0].get("nodes") == asked.get("processors")
    words += word_list(asked, ("jobs", "config", "record", *(["processors"] if alike else [])))
    return " ".join(["make run", *words])


def base_name(job: dict) -> str:
    return os.path.basename(str(job.get("app")))


def word_list(values: dict, without) -> list[str]:
    known = {name: value for name, value in values.items() if name in keys.KEYS and name not in without}
    return [
        f"{name.upper()}={shlex.quote(str(value))}"
        for name, value in known.items()
        if value is not None and value != keys.KEYS[name].default
    ]


def columns_of(name: str, number: int, run: dict) -> list[Column]:
    jobs = dictionaries(run["jobs"], "jobs")
    rows = [row for row in enumerate(dictionaries(run["rows"], "rows"), start=1)]
    times = dictionaries(run.get("times") or [], "times")
    asked = run["asked"]["jobs"]
    result = []
    for place, job in enumerate(jobs):
        own = job.get("job", place)
        wish = asked[place] if place < len(asked) else {}
        column = Column(
            record=name,
            boot=(name, number),
            job=place,
            program=shown(os.path.basename(str(job.get("app") or "program"))),
            name=shown(job.get("name") or ""),
            design=shown(wish.get("design") or job.get("row") or job.get("design") or "no design"),
            factors=shown(job.get("design") or ""),
            conditions=conditions(run, job, wish),
            status=shown(job.get("status") or run["status"]),
            threads=str(run["host"].get("threads")),
        )
        for line, row in rows:
            if row.get("job", 0) == own:
                add_row(column, line, row)
        column.times = [checked_time(entry) for entry in times if entry.get("job") == own]
        result.append(column)
    return result


def conditions(run: dict, job: dict, wish: dict) -> dict[str, str]:
    """What besides the design decides whether two measurements are of the same thing."""
    return {
        "clock": shown(run["clock"] or "none"),
        "nodes": shown(job.get("nodes")),
        "processors": shown(run.get("processors")),
        "args": shown(wish.get("args") or ""),
        "checks": shown(run["checks"]),
        "dispatch": shown(run["dispatch"]),
        "schedule": shown(wish.get("schedule") or "auto"),
        "gang": shown(run["asked"].get("gang") or "design"),
        "kernel": shown(run.get("kernel") or ""),
    }


def add_row(column: Column, line: int, row: dict) -> None:
    what = f"row {line}"
    for key in ("name", "unit", "access"):
        expect(isinstance(row.get(key, ""), str), f"{what}: its {key} is no text")
    for key in ("bytes", "node", "samples"):
        expect(is_whole(row.get(key, 0)), f"{what}: its {key} is no whole number")
    expect("name" in row and "median" in row, f"{what} lacks its name or its median")
    values = [row.get(key) for key in NUMBERS]
    numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values if v is not None)
    expect(numbers, f"{what}: a figure is no number")
    if not all(value is not None and abs(value) < 1e300 for value in values):  # a NaN is not below either
        column.unnumbered += 1
        return
    figures = [float(value) for value in values]
    column.rows.append(
        Row(
            shown(row["name"]),
            shown(row.get("access", "")),
            shown(row.get("unit", "")),
            row.get("bytes", 0),
            row.get("node", 0),
            row.get("samples", 1),
            *figures,
            bool(row.get("unsteady")),
        )
    )


def is_whole(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63


def checked_time(entry: dict) -> dict:
    for key in ("endpoint", "life", "inside", "waiting"):
        expect(is_whole(entry.get(key)) and entry[key] >= 0, f"times: {key} is no count")
    return entry


def digest(values: set[float]) -> str:
    """Eight letters that are equal when the results are; the number itself says nothing to anybody."""
    packed = b"".join(struct.pack("<d", value) for value in sorted(values))
    return hashlib.sha256(packed).hexdigest()[:8]


@dataclass
class System:
    """A design under its conditions, with the boots (jobs) that measured it."""

    columns: list[Column]
    label: str = ""

    @property
    def first(self) -> Column:
        return self.columns[0]

    def rows(self, key: tuple) -> list[tuple[Column, Row]]:
        """key: as of Measurement.key"""
        return [(column, row) for column in self.columns for row in column.rows if key_of(row) == key]


def key_of(row: Row) -> tuple:
    return (row.name, row.access, row.unit, row.bytes, row.node)


@dataclass
class Group:
    """Rows that make one curve a system: x -> the key of the row there."""

    name: str
    access: str
    unit: str
    at: dict[int, tuple]
    x: str  # what x is

    @property
    def title(self) -> str:
        return self.name + (f", access {self.access}" if self.access not in ("", "none") else "")


@dataclass
class Section:
    program: str
    clock: str
    args: str
    systems: list[System]

    @property
    def is_counted(self) -> bool:
        return self.clock in ("counted", "modelled")

    def keys(self) -> list[tuple]:
        """Of every measurement, in order of appearance."""
        every = [key_of(row) for system in self.systems for column in system.columns for row in column.rows]
        return list(dict.fromkeys(every))

    def nodes_reported(self) -> bool:
        return len({key[4] for key in self.keys()}) > 1

    def name_of(self, key: tuple) -> str:
        name, access, _, size, node = key
        words = [name] + ([f"access {access}"] if access not in ("", "none") else [])
        words += ([f"{size} {x_of(self.program)[0]}"] if size else []) + (
            [f"node {node}"] if self.nodes_reported() else []
        )
        return ", ".join(words)

    def groups(self) -> list[Group]:
        """Curves: what was measured at two sizes (or by two numbers of parties) at least."""
        found: dict[tuple, Group] = {}
        for key in self.keys():
            name, access, unit, size, node = key
            parties = table.PARTIES.fullmatch(name)
            by_number = parties is not None and size == 0
            title = parties[1] if by_number else name
            if self.nodes_reported() and len(self.reporters(name, access, unit)) > 1:
                title += f", node {node}"
            what = "parties" if by_number else x_of(self.program)[1]
            group = found.setdefault((title, access, unit, by_number), Group(title, access, unit, {}, what))
            group.at[int(parties[2]) if by_number else size] = key
        return [group for group in found.values() if len(group.at) > 1]

    def reporters(self, name: str, access: str, unit: str) -> set[int]:
        return {key[4] for key in self.keys() if key[:3] == (name, access, unit)}

    def singles(self) -> list[tuple]:
        """Keys that are in no curve."""
        drawn = {key for group in self.groups() for key in group.at.values()}
        return [key for key in self.keys() if key not in drawn]


# What `bytes` of a program's rows are: (in a name, on an axis)
XS = {"gang": ("members", "members of the gang"), "fft": ("bytes", "bytes of data (16 a point)")}


def x_of(program: str) -> tuple[str, str]:
    return XS.get(program, ("bytes", "bytes"))


def sections(records: Records) -> list[Section]:
    found: dict[tuple, dict[tuple, System]] = {}
    for column in records.columns:
        if not column.rows and not column.times:
            continue
        systems = found.setdefault((column.program, column.clock, column.conditions["args"]), {})
        system = (column.record, column.design, column.own_name, *column.conditions.values())
        systems.setdefault(system, System([])).columns.append(column)
    result = []
    for (program, clock, args), systems in found.items():
        section = Section(program, clock, args, list(systems.values()))
        name_systems(section.systems)
        result.append(section)
    return result


def name_systems(systems: list[System]) -> None:
    """By the design, and by whatever else tells them apart."""
    for system in systems:
        system.label = system.first.design
    varying = [
        name
        for name in ("nodes", "processors", "checks", "dispatch", "schedule", "gang", "kernel")
        if len({system.first.conditions[name] for system in systems}) > 1
    ]
    if "nodes" in varying and "processors" in varying:
        alike = all(s.first.conditions["nodes"] == s.first.conditions["processors"] for s in systems)
        varying = [name for name in varying if name != "processors" or not alike]
    for system in systems:
        words = [f"job {system.first.own_name}"] if system.first.own_name else []
        words += [said(name, system.first.conditions[name]) for name in varying]
        system.label = ", ".join([system.label, *words])
    if len({system.first.record for system in systems}) > 1:
        for system in systems:
            system.label = f"{system.label} ({system.first.record})"


def said(name: str, value: str) -> str:
    plain = {"dispatch": f"{value} dispatch"}
    if name in ("nodes", "processors"):
        return counted(value, name.removesuffix("s"))
    return plain.get(name, f"{name} {value}")
