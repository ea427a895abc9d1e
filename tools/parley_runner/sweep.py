# SPDX-License-Identifier: MIT
"""The command `sweep`: a TOML file of designs x programs x nodes x sizes x machines, boot after boot. Every
finished boot's record is kept, so after an interruption the same command goes on where it was. With DASK=
others make the boots."""

import collections
import contextlib
import itertools
import json
import os
import re
import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from . import dask_engine, designs, guest, keys, made, places, record, request, run
from .counted import counted
from .screen import Screen
from .status import BadRequest, Status

USAGE = "Say: make sweep FILE=sweep.toml [OUT=folder] [DASK=local]"
LARGEST_FILE = 1 << 20
MOST_BOOTS = 10_000
ALL = "all.json"  # the records of all boots, when these have ended
WORDS = ("FILE", "OUT", "DASK")
ONE = "--record="  # what a worker is told: the record that it is to make, of the boots of the sweep
# What a file may say besides the keys of a run and of a job.
OWN = ("designs", "factors", "programs", "program", "nodes", "sizes", "machines", "repeat", "out")
BASE = "base"  # beside the factors: the preset whose classes stand where a factor is not named
REFUSED = "refused"  # a job of a design that does not go with its program
OF_A_PROGRAM = ("app", "args", "nodes", "sizes", "designs")
# The sweep decides about these itself.
TAKEN = ("design", "app", "nodes", "args", "name", "record", "config", "trace", "window", "out", "console")
# How programs of apps/ take their sizes.
SIZES = {"ring": "--sizes {sizes}", "fft": "--points {sizes}"}


@dataclass
class Boot:
    app: str
    design: str
    nodes: int
    args: str
    size: int | None  # where every size is a boot of its own
    round: int
    common: list[str]
    name: str = ""  # of the record's file
    machine: str = ""  # nothing: as `common` says
    asked: request.Request = None
    refusal: str = ""  # it is one of a cross product, and its classes do not go together: why

    def make(self) -> None:
        """BadRequest when the runner would refuse it."""
        words = [f"design={self.design}", f"app={self.app}", f"nodes={self.nodes}", f"args={self.args}"]
        words += [f"machine={self.machine}"] if self.machine else []
        found = request.make([*words, *self.common, "console=hide"]).boots(run.rows)
        if len(found) != 1:
            raise BadRequest(f"'{self.design}' is not one design; in `designs' each has its own quotes.")
        (self.asked,) = found

    @property
    def label(self) -> str:
        size = f", size {self.size}" if self.size is not None else ""
        machine = f", {os.path.basename(self.machine)}" if self.machine else ""
        return f"{os.path.basename(self.app)} {self.design}, {counted(self.nodes, 'node')}{size}{machine}"


@dataclass
class Sweep:
    path: str
    out: str
    rounds: int
    is_product: bool = False  # of factors' classes: a refusal is a result
    named_again: int = 0  # boots that the file names more than once, which are made once
    boots: list[Boot] = field(default_factory=list)
    build: made.Build = field(default_factory=made.Build)

    @property
    def wanted(self) -> list[Boot]:
        return [boot for boot in self.boots if not boot.refusal]

    def refused(self, found: dict) -> bool:
        """Whether the kernel has refused what is one of a cross product."""
        return self.is_product and any(job["status"] == REFUSED for job in found["jobs"])

    def is_result(self, found: dict | None) -> bool:
        """Whether that record needs no other boot."""
        return found is not None and (found["status"] == Status.SUCCESS.word or self.refused(found))


def command(words: list[str]) -> int:
    """0: every boot succeeded; 1: some did not; 130: interrupted."""
    wanted = [word.removeprefix(ONE) for word in words if word.startswith(ONE)]
    given = parse([word for word in words if word != "--needs" and not word.startswith(ONE)])
    sweep = read(given["FILE"], given.get("OUT", ""))
    if "--needs" in words:
        print("\n".join(needed(boot.asked for boot in sweep.boots)))
        return Status.SUCCESS
    if wanted:
        return make_record(sweep, wanted[0])
    check(sweep)
    return measure(sweep, given.get("DASK", ""))


def parse(words: list[str]) -> dict[str, str]:
    given = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals and "FILE" not in given:
            name, value = "FILE", word
        if name.upper() not in WORDS:
            raise BadRequest(f"There is no key '{name}' here.{keys.nearest(name, WORDS)} {USAGE}.")
        given[name.upper()] = os.path.expanduser(value)
    if not given.get("FILE"):
        raise BadRequest(f"No file is named. {USAGE}.")
    return given


def read(path: str, out: str) -> Sweep:
    """BadRequest, one sentence, about anything that is wrong in the file."""
    try:
        data = tomllib.loads(places.read_bounded(path, f"FILE={path}", LARGEST_FILE).decode("utf-8"))
    except UnicodeDecodeError:
        raise BadRequest(f"FILE={path} is not UTF-8 text.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise BadRequest(f"{path}: {problem or 'it is nested without end'}.") from None
    try:
        return sweep_of(path, out, data)
    except BadRequest as problem:
        raise BadRequest(f"{path}: {problem}") from None


def sweep_of(path: str, out: str, data: dict) -> Sweep:
    for name in data:
        if name not in OWN and (name not in keys.KEYS or name in TAKEN):
            raise BadRequest(f"there is no key '{name}' here.{hint(name)}")
    common = [f"{name}={text_of(name, value)}" for name, value in data.items() if name not in OWN]
    rounds = whole("repeat", data.get("repeat", 1), 1, 1000)
    folder = os.path.dirname(path)
    own = data.get("out", os.path.basename(path).removesuffix(".toml") + "-records")
    if not isinstance(own, str) or not own:
        raise BadRequest(f"out is a folder's name, not {own!r}.")
    sweep = Sweep(path, out or os.path.join(folder, own), rounds, "factors" in data)
    if sweep.is_product:
        data = {**data, "designs": product_of(data)}
    machines = machines_of(data)
    programs = [program_of(entry, data, folder) for entry in programs_of(data)]
    for number in range(1, rounds + 1):  # by turns, so that what befalls the host befalls all
        for program, machine in itertools.product(programs, machines):
            sweep.boots += [Boot(*one, number, common, machine=machine) for one in program]
    if len(sweep.boots) > MOST_BOOTS:
        raise BadRequest(f"these are {len(sweep.boots)} boots; a sweep has at most {MOST_BOOTS}.")
    once = {
        (one.app, one.design, one.nodes, one.args, one.size, one.machine, one.round): one
        for one in sweep.boots
    }
    sweep.named_again = len(sweep.boots) - len(once)
    sweep.boots = list(once.values())
    name_records(sweep)
    for boot in sweep.boots:
        boot.make()
    return sweep


def product_of(data: dict) -> list[str]:
    """The designs of the cross product of classes that the table names."""
    table = data["factors"]
    if "designs" in data or any("designs" in entry for entry in programs_of(data)):
        raise BadRequest("designs are a list, or the cross product of [factors], not both.")
    if not isinstance(table, dict) or set(table) <= {BASE}:
        raise BadRequest(
            'factors are written as a table: [factors], then lines as port = ["circular", "lanes"].'
        )
    base = table.get(BASE, "exp6")
    if not isinstance(base, str) or not base:
        raise BadRequest(f"{BASE} takes the name of a design, not {base!r}.")
    known: dict[str, list[str]] = {}
    for one in designs.classes(places.BUILD):
        known.setdefault(one["factor"], []).append(one["name"])
    axes = []
    for factor, value in table.items():
        if factor == BASE:
            continue
        if factor not in known:
            raise BadRequest(f"there is no factor '{factor}'.{keys.nearest(factor, [*known, BASE])}")
        given = listed(factor, value, str)
        names = [name for word in given for name in (known[factor] if word == "all" else [word])]
        for name in names:
            if (plain := name.partition(":")[0]) not in known[factor]:
                raise BadRequest(f"{factor} has no class '{plain}'.{keys.nearest(plain, known[factor])}")
        axes.append([f"{factor}={name}" for name in names])
    return [",".join([base, *picked]) for picked in itertools.product(*axes)]


def machines_of(data: dict) -> list[str]:
    if "machines" not in data:
        return [""]
    if "machine" in data:
        raise BadRequest("machines are a list, or machine is one, not both.")
    return listed("machines", data["machines"], str)


def hint(name: str) -> str:
    meant = {"design": "designs", "app": "programs", "args": "args of a [[program]]"}
    if name in meant:
        return f" Did you mean {meant[name]}?"
    return keys.nearest(name, [*OWN, *(key for key in keys.KEYS if key not in TAKEN)])


def text_of(name: str, value) -> str:
    keys.parse(keys.KEYS[name], value)
    return str(int(value)) if isinstance(value, bool) else str(value)


def whole(name: str, value, lowest: int, highest: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise BadRequest(f"{name} takes whole numbers from {lowest} to {highest}, not {value!r}.")
    return value


def listed(name: str, value, kind: type) -> list:
    """A list with something in it, or a single value as one."""
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(entry, kind) and entry != "" for entry in values):
        raise BadRequest(
            f"{name} takes a list of {'names' if kind is str else 'whole numbers'}, not {value!r}."
        )
    return values


def programs_of(data: dict) -> list[dict]:
    if "programs" in data and "program" in data:
        raise BadRequest("programs are a list, or [[program]] tables, not both.")
    if "program" in data:
        tables = data["program"]
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise BadRequest("programs are written as [[program]] tables.")
        for table in tables:
            for name in table:
                if name not in OF_A_PROGRAM:
                    near = keys.nearest(name, OF_A_PROGRAM)
                    raise BadRequest(f"there is no key '{name}' in a [[program]].{near}")
            if not isinstance(table.get("app"), str) or not table["app"]:
                raise BadRequest("a [[program]] needs its app.")
        return tables
    return [{"app": name} for name in listed("programs", data.get("programs", ["ring"]), str)]


def program_of(entry: dict, data: dict, folder: str) -> list[tuple]:
    """(app, design, nodes, args, size) of each boot of one round"""
    app = os.path.expanduser(entry["app"])
    app = os.path.join(folder, app) if "/" in app else app
    names = listed("designs", entry.get("designs", data.get("designs", ["exp6"])), str)
    nodes = listed("nodes", entry.get("nodes", data.get("nodes", [2])), int)
    nodes = [whole("nodes", count, 1, keys.KEYS["nodes"].highest) for count in nodes]
    sizes = entry.get("sizes", data.get("sizes"))
    args = entry.get("args", SIZES.get(os.path.basename(app), "") if sizes is not None else "")
    if not isinstance(args, str):
        raise BadRequest(f"args takes text, not {args!r}.")
    if sizes is None:
        if "{size" in args:
            raise BadRequest(f"the args of {app} name sizes, and no sizes are given.")
        argued = [(args, None)]
    else:
        sizes = [whole("sizes", size, 0, 1 << 40) for size in listed("sizes", sizes, int)]
        argued = with_sizes(app, args, sizes)
    every = [name for name in names for name in (run.rows() if name == "all" else [name])]
    return [
        (app, design, count, text, size)
        for count, (text, size), design in itertools.product(nodes, argued, every)
    ]


def with_sizes(app: str, args: str, sizes: list[int]) -> list[tuple[str, int | None]]:
    if "{sizes}" in args:
        return [(args.replace("{sizes}", ",".join(map(str, sizes))), None)]
    if "{size}" in args:
        return [(args.replace("{size}", str(size)), size) for size in sizes]
    raise BadRequest(
        f"{app} is not known to take sizes: say in its args where they go, as in "
        'args = "--sizes {sizes}", or {size} for a boot each.'
    )


def name_records(sweep: Sweep) -> None:
    taken: set[str] = {ALL}
    for boot in sweep.boots:
        words = [os.path.basename(boot.app), boot.design, f"{boot.nodes}-nodes"]
        words += [f"size-{boot.size}"] if boot.size is not None else []
        words += [os.path.basename(boot.machine)] if boot.machine else []
        words += [f"round-{boot.round}"] if sweep.rounds > 1 else []
        stem = re.sub(r"[^A-Za-z0-9._+=,-]", "_", "-".join(words))[:200]
        boot.name, number = f"{stem}.json", 1
        while boot.name in taken:
            number += 1
            boot.name = f"{stem}-{number}.json"
        taken.add(boot.name)


def needed(asked: Iterable[request.Request]) -> list[str]:
    """Words for `make run-files`, a line for each kind of system and program."""
    lines = {}
    for one in asked:
        kind = [f"{name.upper()}={one.values[name]}" for name in ("dispatch", "checked", "q", "clock")]
        kind += ["PROFILE=1"] * guest.traced(one)
        for job in one.jobs:
            app = [f"APP={job.app}"] if re.fullmatch("[A-Za-z0-9_.-]+", job.app) else []
            lines[" ".join([*app, *kind])] = None
    return list(lines)


def check(sweep: Sweep) -> None:
    """Everything that can be refused before the first boot. Of a cross product, what does not go together is
    left out."""
    refusals: dict[tuple, BadRequest | None] = {}
    for boot in sweep.boots:
        which = (boot.app, boot.design, boot.nodes, boot.machine)
        if which not in refusals:
            refusals[which] = refusal_of(boot) if sweep.is_product else None
            try:
                if refusals[which] is None:
                    guest.check(boot.asked)
            except BadRequest as problem:
                raise BadRequest(f"{sweep.path}: {boot.label}: {problem}") from None
        boot.refusal = str(refusals[which] or "")
    if not sweep.wanted:
        raise BadRequest(f"{sweep.path}: no design of the cross product runs: {refusals[which]}")
    if os.path.exists(sweep.out) and not os.path.isdir(sweep.out):
        raise BadRequest(f"OUT={sweep.out} is a file, not a folder.")
    try:
        os.makedirs(sweep.out, exist_ok=True)
    except OSError as problem:
        raise BadRequest(f"OUT={sweep.out} cannot be made: {problem.strerror}.") from None
    places.check_room(sweep.out, f"OUT={sweep.out}")


def refusal_of(boot: Boot) -> BadRequest | None:
    """Why its classes do not go together, if they do not."""
    try:
        for job in boot.asked.jobs:
            guest.check_choices(job, boot.asked)
    except BadRequest as problem:
        return problem
    return None


def kept(sweep: Sweep, boot: Boot) -> dict | None:
    """The record of a boot that has succeeded already, asked for with the same words. BadRequest where it is
    made of something else than the boot would be."""
    path = os.path.join(sweep.out, boot.name)
    if not os.path.exists(path):
        return None
    try:
        (found,) = record.read(path)
    except (BadRequest, ValueError):
        return None
    same = found["asked"] == json.loads(record.text(record.asked(boot.asked)))
    if not same or not sweep.is_result(found):
        return None
    if others := made.others(found, sweep.build.parts(boot.asked)):
        raise BadRequest(
            f"{sweep.out} holds records of {' and of '.join(others)}, as {boot.name}: say another OUT=, or "
            "remove that folder to measure everything again."
        )
    return found


def check_build(sweep: Sweep, boot: Boot, found: dict) -> None:
    """BadRequest where a boot of now is made of something else than those before it, or, handed over, than it
    would be here."""
    if others := made.others(found, sweep.build.parts(boot.asked)):
        raise BadRequest(
            f"{boot.label} was booted with {' and with '.join(others)} than this command began with: "
            "build nothing and write no file of it while it goes on, and let all workers have the same; what "
            f"was measured before is kept in {sweep.out}."
        )


def measure(sweep: Sweep, engine: str = "") -> int:
    """`engine`: where Dask is, or nothing: this process makes the boots."""
    side_by_side = dask_engine.most_side_by_side({boot.asked.values["clock"] for boot in sweep.boots})
    client = dask_engine.open_client(engine, side_by_side) if engine else None
    try:
        screen = Screen()
        say_what_is_not_booted(sweep, screen)
        done = {boot.name: found for boot in sweep.wanted if (found := kept(sweep, boot))}
        if done:
            screen.say(f"{len(done)} of {len(sweep.wanted)} boots are measured already: {sweep.out}")
        left = [boot for boot in sweep.wanted if boot.name not in done]
        if left:
            remove(os.path.join(sweep.out, ALL))  # it would tell of a sweep that was another
        booted = handed_over(client, sweep, left, screen) if client else booted_here(sweep, left, screen)
        with contextlib.closing(booted):  # as long as there is a client
            return follow(sweep, done, booted, screen)
    finally:
        if client:
            client.close()


def say_what_is_not_booted(sweep: Sweep, screen: Screen) -> None:
    if sweep.named_again:
        screen.say(f"{sweep.named_again} boots are named again, and made once; `repeat' repeats boots.")
    reasons = collections.Counter(boot.refusal for boot in sweep.boots if boot.refusal)
    if not reasons:
        return
    screen.say(
        f"{reasons.total()} of {len(sweep.boots)} are designs whose classes do not go together, and left out."
    )
    for reason, count in reasons.most_common():
        screen.say(f"    {count}: {reason.rstrip('.')}.")


def remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


# A boot, its record, or none where there is none, and the seconds that it took.
Booted = tuple[Boot, dict | None, float]


def booted_here(sweep: Sweep, left: list[Boot], screen: Screen) -> Iterator[Booted]:
    for boot in left:
        started = time.monotonic()
        found = boot_now(sweep, boot, screen)
        yield boot, found, time.monotonic() - started


def boot_now(sweep: Sweep, boot: Boot, screen: Screen) -> dict:
    """Its record, which is kept unless it was interrupted."""
    found = run.run_one(boot.asked, screen, False, True, [], [])
    if found["exit_status"] != Status.INTERRUPTED:
        sweep.build.begin(boot.asked, found)
        check_build(sweep, boot, found)
        write(sweep, boot.name, [found])
    return found


def handed_over(client, sweep: Sweep, left: list[Boot], screen: Screen) -> Iterator[Booted]:
    boots = {boot.name: boot for boot in left}
    for boot in left:  # what is there afterwards is of this time
        remove(os.path.join(sweep.out, boot.name))
    with contextlib.closing(dask_engine.each(client, sweep.path, sweep.out, list(boots))) as ended:
        for name, problem, took in ended:
            found = None if problem else recorded(os.path.join(sweep.out, name))
            if found is not None:
                try:
                    check_build(sweep, boots[name], found)
                except BadRequest:
                    remove_others(sweep, left)
                    raise
            else:
                problem = problem or f"its record is not in {sweep.out}: do the workers see that folder?"
                screen.complain(f"{boots[name].label}: {problem}")
            yield boots[name], found, took


def remove_others(sweep: Sweep, left: list[Boot]) -> None:
    """Records that workers have made of something else: no sweep would go on with them."""
    for boot in left:
        path = os.path.join(sweep.out, boot.name)
        found = recorded(path)
        if found is not None and made.others(found, sweep.build.parts(boot.asked)):
            remove(path)


def recorded(path: str) -> dict | None:
    try:
        (found,) = record.read(path)
    except (BadRequest, OSError, ValueError):
        return None
    return found


def follow(sweep: Sweep, done: dict[str, dict], booted: Iterator[Booted], screen: Screen) -> int:
    """Says what has been booted, and what is left."""
    before, count = len(done), len(sweep.wanted)
    places_of = {boot.name: place for place, boot in enumerate(sweep.wanted, start=1)}
    left = {boot.name: boot for boot in sweep.wanted if boot.name not in done}
    seconds: dict[tuple, list[float]] = {}
    failed: list[str] = []
    try:
        for boot, found, took in booted:
            if found and found["exit_status"] == Status.INTERRUPTED:
                raise KeyboardInterrupt
            del left[boot.name]
            if sweep.is_result(found):
                done[boot.name] = found
            else:
                failed.append(boot.label)
            seconds.setdefault((boot.app, boot.nodes), []).append(took)
            ending = f"; about {words_of(time_left(list(left.values()), seconds))} left" if left else ""
            round_words = f", round {boot.round}" if sweep.rounds > 1 else ""
            word = "no record" if found is None else REFUSED if sweep.refused(found) else found["status"]
            screen.say(
                f"[{places_of[boot.name]}/{count}] {boot.label}{round_words}: {word}, {took:.1f} s{ending}"
            )
    except KeyboardInterrupt:
        screen.complain(
            f"Interrupted: {len(done)} of {count} boots are kept in {sweep.out}; the same command goes on."
        )
        return Status.INTERRUPTED
    return conclude(sweep, done, failed, before, screen)


def make_record(sweep: Sweep, name: str) -> int:
    """What a worker does: 0 or 1 where there is a record, of a success or not."""
    boots = [boot for boot in sweep.boots if boot.name == name]
    if not boots:
        raise BadRequest(f"{sweep.path} has no boot whose record is {name}: the worker has another file.")
    found = kept(sweep, boots[0]) or boot_now(sweep, boots[0], Screen())
    return Status.SUCCESS if found["exit_status"] == Status.SUCCESS else Status.FAILED


def write(sweep: Sweep, name: str, found: list[dict]) -> None:
    """BadRequest, one sentence, where there is no room for it."""
    try:
        record.write(os.path.join(sweep.out, name), found)
    except BadRequest as problem:
        raise BadRequest(
            f"{str(problem).rstrip('.')}; what was measured before is kept, and with room there the same "
            "command goes on."
        ) from None


def time_left(left: list[Boot], seconds: dict[tuple, list[float]]) -> float:
    """By boots of the same program and nodes so far, or of all."""
    every = [took for some in seconds.values() for took in some]
    return sum(mean(seconds.get((boot.app, boot.nodes)) or every) for boot in left)


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def words_of(seconds: float) -> str:
    whole_seconds = round(seconds)
    hours, minutes = whole_seconds // 3600, whole_seconds // 60 % 60
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {whole_seconds % 60:02} s" if minutes else f"{whole_seconds} s"


def conclude(sweep: Sweep, done: dict[str, dict], failed: list[str], before: int, screen: Screen) -> int:
    path = os.path.join(sweep.out, ALL)
    if done:
        write(sweep, ALL, [done[boot.name] for boot in sweep.wanted if boot.name in done])
    refused = sum(sweep.refused(found) for found in done.values())
    words = f"{len(done)} of {len(sweep.wanted)} boots {'ended' if refused else 'succeeded'}"
    words += f", {before} of them before" if before else ""
    words += f": {path}" if done else "."
    screen.say(f"{words}. The kernel refused {refused}." if refused else words)
    if failed:
        more = f" and {len(failed) - 5} more" if len(failed) > 5 else ""
        screen.complain(
            f"Failed: {'; '.join(failed[:5])}{more}. Their records are in {sweep.out}; the same command "
            "tries them again."
        )
    elif done:
        screen.say(f"A page with pictures: make report RECORD={path}")
    return Status.FAILED if failed else Status.SUCCESS
