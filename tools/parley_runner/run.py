# SPDX-License-Identifier: MIT
"""The command `run`: every asked-for design, one boot after the other, then one table and one record."""

import os

from . import (
    back_end,
    boot,
    designs,
    guest,
    linux_calls,
    model,
    places,
    processor_time,
    record,
    request,
    steadiness,
    table,
    unreceived,
)
from .screen import GREEN, Screen
from .status import BadRequest, Status, said_in, sentence_of


def rows() -> list[str]:
    return designs.presets(places.BUILD)


def check_outputs(asked: request.Request) -> None:
    with said_in(asked.where, "record"):
        if asked.values["record"]:
            places.check_writable_folder(asked.values["record"], "RECORD")
    if shows_what_went_on(asked):
        from . import tracing

        tracing.check(asked)


def shows_what_went_on(asked: request.Request) -> bool:
    """The modules for traces take a fifth of a command's start, so these runs alone import them."""
    return guest.traced(asked) or bool(asked.values["window"])


def check(words: list[str]) -> request.Request:
    """What can be refused before anything is built; designs and modelled machines only once the tools that
    know them are there."""
    asked = request.make(words)
    guest.check_words(asked)
    check_outputs(asked)
    if os.path.exists(os.path.join(places.BUILD, "designs")):
        for one in asked.boots(rows):
            for job in one.jobs:
                guest.check_choices(job, one)
    with said_in(asked.where, "machine"):
        model.check_machine(asked)
    return asked


def run(words: list[str]) -> int:
    asked = request.make(words)
    boots = asked.boots(rows)
    for one in boots:
        guest.check(one)
    check_outputs(asked)
    screen = Screen(quiet=asked.values["quiet"] == "1")
    show = asked.values["console"] != "hide"
    records: list[dict] = []
    unwritten: list[str] = []
    notes: list[str] = []
    stopped = None
    try:
        for one in boots:
            records.append(run_one(one, screen, show, len(boots) > 1, unwritten, notes))
            if records[-1]["exit_status"] == Status.INTERRUPTED:
                break
        compare(boots, records, screen)
    except (BadRequest, OSError, KeyboardInterrupt) as problem:
        if not records or isinstance(problem, BrokenPipeError):
            raise
        stopped = problem  # the boots that have ended are told before it is
    conclude(asked, records, screen)
    if asked.values["unreceived"] == "1":
        screen.say(unreceived.told(records))
    for note in filter(None, notes):
        screen.say(note)
    for sentence in unwritten:
        screen.complain(f"parley: {sentence}")
    if stopped:
        raise stopped
    failed = next((entry["exit_status"] for entry in records if entry["exit_status"]), 0)
    return failed or (Status.BAD_REQUEST if unwritten else Status.SUCCESS)


def label_of(one: request.Request) -> str:
    return " + ".join(dict.fromkeys(job.design for job in one.jobs))


def subfolder(label: str, several: bool) -> str:
    """Of OUT, for one of several boots."""
    return label.replace("/", "_") if several else ""


def run_one(
    one: request.Request,
    screen: Screen,
    show: bool,
    several: bool,
    unwritten: list[str],
    notes: list[str],
) -> dict:
    """`unwritten` gathers sentences about files that do not stop the run: the table and the record are still
    to come; `notes` what is to be said at the very end."""
    label = label_of(one)
    machine = boot.Boot(one, screen, show, label, subfolder(label, several))
    result = machine.run()
    if back_end.may_be_public(one, machine.seen.returncode):
        machine, result = run_public(machine, result)
        one = machine.request
    tell(result, label, screen)
    while may_repeat(one, result) and steadiness.unsteady(result):
        part = result["host"]["kept_from_running"]
        reason = f"the host kept the machine from running ({part:.0%})"
        count = result["host"]["boots"]
        result = repeat(one, result, screen, several, reason)
        if result["host"]["boots"] == count:
            break
    tell_time(result, screen)
    if shows_what_went_on(one):
        from . import tracing

        try:
            notes.append(tracing.finish(one, machine.seen, result, screen, label if several else ""))
        except BadRequest as problem:
            unwritten.append(str(problem))
    return result


def run_public(machine: boot.Boot, result: dict) -> tuple[boot.Boot, dict]:
    """The boot by the model's public back end, after `machine` has ended with `result` for want of the fast
    one's functions; these two again where the public one cannot run it, and then the result says why."""
    one = back_end.with_public(machine.request)
    try:
        guest.check(one)
    except BadRequest as problem:
        return machine, {**result, "sentence": back_end.neither(str(problem))}
    machine.screen.complain(f"{machine.label}: {back_end.TAKEN}")
    other = boot.Boot(one, machine.screen, machine.show_console, machine.label, machine.out_subfolder)
    return other, other.run()


def tell(result: dict, label: str, screen: Screen) -> None:
    screen.clear()
    if result["exit_status"] != Status.SUCCESS:
        screen.complain(f"{label}: {result['status']}: {first_line(result['sentence'])}")
    missed = linux_calls.missed(result["jobs"]) if result["exit_status"] == Status.FAILED else ""
    if missed:  # C libraries try calls and do without: only a failure makes them worth a word
        screen.complain(f"{label}: {missed}")


# A boot that took longer than this many seconds of the host's is not repeated on our own account.
LONGEST_REPEATED = 120


def may_repeat(one: request.Request, result: dict) -> bool:
    """Whether a boot's measurements may be taken once more: its figures are meant, and it is not too long."""
    watched = guest.kind(one) != ""
    return (
        result["exit_status"] == Status.SUCCESS
        and not watched
        and result["host"]["seconds"] <= LONGEST_REPEATED
        and result["host"]["boots"] <= one.values["remeasure"]
    )


def repeat(one: request.Request, before: dict, screen: Screen, several: bool, reason: str) -> dict:
    """The steadier one of a boot and its repetition, whose files take the place of the first one's. What
    fails in the repetition has failed; where that cannot begin, there is the first one."""
    label, count = label_of(one), before["host"]["boots"]
    if one.values["quiet"] != "1":
        screen.say(f"{label}: {reason}, so it is measured again.")
    try:
        result = boot.Boot(one, screen, False, label, subfolder(label, several)).run()
    except BrokenPipeError:
        raise
    except (BadRequest, OSError) as problem:
        screen.complain(f"{label}: it could not be measured again: {sentence_of(problem)}")
        return before
    tell(result, label, screen)
    worse = steadiness.unsteady(result) > steadiness.unsteady(before)
    kept = before if result["exit_status"] == Status.SUCCESS and worse else result
    kept["host"]["boots"] = count + 1
    return kept


def compare(boots: list[request.Request], records: list[dict], screen: Screen) -> None:
    """Boots whose yardstick is far above the others' were not taken under the same load: once more."""
    sticks = [table.slowest_yardstick(entry) for entry in records]
    known = [stick for stick in sticks if stick]
    if len(records) < 2 or table.agreeing(known) or records[0]["clock"] != "free":
        return
    for position, stick in enumerate(sticks):
        apart = stick and not table.agreeing([stick, min(known)])
        if apart and may_repeat(boots[position], records[position]):
            times = table.number(stick / min(known))
            reason = f"its {table.YARDSTICK} took {times} times as long as another's"
            records[position] = repeat(boots[position], records[position], screen, True, reason)


def first_line(sentence: str) -> str:
    """A panic's text goes on with its backtrace, which the console has shown already."""
    return next((line for line in sentence.splitlines() if line.strip()), "")


def tell_time(result: dict, screen: Screen) -> None:
    """Q=1."""
    for job in result["jobs"]:
        if told := processor_time.table(result["accounts"], job["job"], job["name"]):
            screen.say("\n".join(["", *told]))
        if told := processor_time.lock_table(result["lock_waits"], job["job"]):
            screen.say("\n".join(["", *told]))


def conclude(asked: request.Request, records: list[dict], screen: Screen) -> None:
    text = table.render(records, screen.width)
    if asked.values["quiet"] == "1":
        pass
    elif text:
        screen.say("")
        screen.say(text)
    elif all(entry["exit_status"] == Status.SUCCESS for entry in records):
        screen.say("Finished; the program reported no measurements.", GREEN)
    if asked.values["record"]:
        record.write(asked.values["record"], records)


def show(words: list[str]) -> int:
    """record show FILE..."""
    if len(words) < 2 or words[0] != "show":
        raise BadRequest("Say: record show FILE...")
    records = [entry for path in words[1:] for entry in record.read(path)]
    screen = Screen()
    for entry in records:
        screen.say(f"{entry['design'] or 'no design'}: {entry['status']}. {entry['sentence']}")
    screen.say("\n" + table.render(records, screen.width))
    return Status.SUCCESS
