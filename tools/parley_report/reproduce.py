# SPDX-License-Identifier: MIT
"""The command `reproduce`: boots again what a record asked for, and says whether the same is found. What is
exact is compared exactly (counts, and all figures of a clock that repeats); times of the free clock by their
spread, as the command compare-runs does."""

import os
import shutil
import tempfile
from dataclasses import replace

from parley_runner import again, emulator, guest, keys, places, record, run, sweep
from parley_runner.request import Request
from parley_runner.screen import Screen
from parley_runner.status import BadRequest, Status

from . import compare, measurements, verdicts

USAGE = "Say: make reproduce RECORD=old.json [OUT=new.json]"
WORDS = ("RECORD", "OUT")
NEW = "the new run"
MOST_TOLD = 5  # differences of one boot that are told one by one


def command(words: list[str]) -> int:
    """0: the same was found; 1: something differs; 130: interrupted. BadRequest: it cannot be run again."""
    needs = "--needs" in words
    path, out = parse([word for word in words if word != "--needs"])
    before = read(path)
    asked = [again.request_of(path, one) for one in before]
    for one, request in zip(before, asked):
        guest.check_words(request)
        again.check_machine(path, one, request)
    if out:
        places.check_writable_folder(out, "OUT")
    if needs:
        print("\n".join(sweep.needed(asked)))
        return Status.SUCCESS
    for request in asked:
        guest.check(request)
    return reproduce(path, before, asked, out)


def parse(words: list[str]) -> tuple[str, str]:
    given = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name.upper() not in WORDS or not equals:
            if (equals and not os.path.exists(word)) or word.startswith("-") or "RECORD" in given:
                raise BadRequest(f"'{word}' is no word here.{keys.nearest(name, WORDS)} {USAGE}.")
            name, value = "RECORD", word
        given[name.upper()] = os.path.expanduser(value)
    if not given.get("RECORD"):
        raise BadRequest(f"No record is named. {USAGE}.")
    return given["RECORD"], given.get("OUT", "")


def read(path: str) -> list[dict]:
    measurements.read([path])  # refuses what compare-runs would
    runs = record.read(path)
    for one in runs:
        if one["status"] == Status.INTERRUPTED.word:
            raise BadRequest(f"{path} is of a run that was interrupted, so there is nothing to find again.")
        if one["clock"] == measurements.NATIVE:
            raise BadRequest(
                f"{path} is of nxrun, which boots nothing: give its command again with another --record, and "
                "compare the two with compare-runs."
            )
    return runs


def reproduce(path: str, before: list[dict], asked: list[Request], out: str) -> int:
    screen = Screen()
    for note in dict.fromkeys(note for pair in zip(before, asked) for note in again.notes(path, *pair)):
        screen.say(note)
    for note in dict.fromkeys(note for pair in zip(before, asked) for note in host_notes(path, *pair)):
        screen.say(note)
    after = []
    for request in asked:
        after.append(boot(request, screen))
        if after[-1]["exit_status"] == Status.INTERRUPTED:
            screen.complain(f"Interrupted: {len(after) - 1} of {len(asked)} boots were run again.")
            return Status.INTERRUPTED
    if out:
        record.write(out, after)
    made = judge(path, before, after)
    screen.say(compare.as_text(made).lstrip("\n"))
    screen.say("Not reproduced." if made.changed else "Reproduced.")
    return Status.FAILED if made.changed else Status.SUCCESS


def boot(asked: Request, screen: Screen) -> dict:
    """What a traced kernel writes down is asked for and thrown away."""
    scratch = tempfile.mkdtemp(prefix="parley-")
    try:
        if asked.values["trace"]:
            values = asked.values | {"trace": os.path.join(scratch, "again.trace")}
            asked, screen = replace(asked, values=values), Screen(out=open(os.devnull, "w", encoding="utf-8"))
        return run.run_one(asked, screen, False, True, [], [])
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def host_notes(path: str, one: dict, asked: Request) -> list[str]:
    here = emulator.of_record(asked)
    was = {what: one["host"].get(what) for what in here}
    was["firmware"] = was["firmware"] or emulator.OWN_FIRMWARE  # records up to schema 5 do not say
    names = {"emulator": "in another emulator", "firmware": "with other firmware"}
    return [
        f"{path} was measured {names[what]}, {was[what]}, and here is {here[what]}."
        for what in here
        if was[what] != here[what]
    ]


def judge(path: str, before: list[dict], after: list[dict]) -> compare.Comparison:
    names = (measurements.distinct_names([path])[0], NEW)
    alike = [pair for pair in zip(before, after) if pair[0]["status"] == pair[1]["status"]]
    sides = [measurements.of_runs(name, runs).columns for name, runs in zip(names, zip(*alike))]
    made = compare.Comparison(names)
    if any(column.rows for side in sides for column in side):
        made = compare.compare(*sides, names)
    elif alike:
        made.notes.append("The programs report no measurement: how they end is compared.")
    for number, (one, other) in enumerate(zip(before, after), start=1):
        where = f"boot {number}: " if len(before) > 1 else ""
        made.others += [where + difference for difference in differences(one, other)]
    made.others += [
        f"{change.system}: {compare.row_title(change.key)}: single samples differ"
        for change in made.changes
        if change.verdict.why == verdicts.OTHER_SAMPLES and not change.verdict.differs
    ]
    return made


def differences(one: dict, other: dict) -> list[str]:
    """Of two boots, beside what programs report: how they end, and what the model has counted."""
    found = []
    if one["status"] != other["status"]:
        found.append(f"it ended with {one['status']}, and now with {other['status']}")
    else:
        found += unlike(ends(one), ends(other))
    if one["clock"] == other["clock"] == "modelled":
        before, now = counted(one), counted(other)
        found += [f"the model's {words}" for words in unlike(before, of_old(before, now))]
    return [*found[:MOST_TOLD], *([f"and {len(found) - MOST_TOLD} more"] if len(found) > MOST_TOLD else [])]


def ends(one: dict) -> dict[str, object]:
    """How each job ended; and each process, where a clock that repeats says also which of them ended by
    itself before its job did."""
    found = {f"the end of job {job.get('job')}": job.get("status") for job in tables(one, "jobs")}
    if one["clock"] in ("counted", "modelled"):
        for process in tables(one, "processes"):
            who = ", ".join(f"{word} {process[word]}" for word in ("job", "node", "pid") if word in process)
            how = f"{process.get('status')} {process.get('reason') or ''}".strip()
            found[f"the end of the process of {who}"] = how
    return found


def tables(one: dict, name: str) -> list[dict]:
    """What a record may lack, as nobody else reads it."""
    found = one.get(name)
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def counted(one: dict) -> dict[str, object]:
    """What the model counted, by processor and name."""
    processors = one["model"].get("processors") or []
    return {
        f"{name} of processor {entry.get('processor')}": value
        for entry in processors
        for name, value in entry.items()
    }


def of_old(before: dict[str, object], now: dict[str, object]) -> dict[str, object]:
    """Without what the model did not count then."""
    names = {name.partition(" of ")[0] for name in before}
    return {name: value for name, value in now.items() if name.partition(" of ")[0] in names}


def unlike(first: dict, second: dict) -> list[str]:
    return [
        f"{name}: {first.get(name)} and {second.get(name)}"
        for name in dict.fromkeys([*first, *second])
        if first.get(name) != second.get(name)
    ]
