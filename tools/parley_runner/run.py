# SPDX-License-Identifier: MIT
"""The command `run`: every asked-for design, one boot after the other, then one table and one record."""

from . import boot, designs, guest, linux_calls, places, record, request, table, tracing
from .screen import GREEN, Screen
from .status import BadRequest, Status, said_in


def rows() -> list[str]:
    return designs.rows(places.BUILD)


def check_outputs(values: dict) -> None:
    if values["record"]:
        places.check_writable_folder(values["record"], "RECORD")


def run(words: list[str]) -> int:
    asked = request.make(words)
    boots = asked.boots(rows)
    for one in boots:
        guest.check(one)
    with said_in(asked.where, "record"):
        check_outputs(asked.values)
    tracing.check(asked)
    screen = Screen()
    console = asked.values["console"]
    show = console == "show" or (console == "auto" and len(boots) == 1)
    records = []
    unwritten: list[str] = []
    for one in boots:
        records.append(run_one(one, screen, show, len(boots) > 1, unwritten))
        if records[-1]["exit_status"] == Status.INTERRUPTED:
            break
    conclude(asked, records, screen)
    for sentence in unwritten:
        screen.complain(f"parley: {sentence}")
    failed = next((entry["exit_status"] for entry in records if entry["exit_status"]), 0)
    return failed or (Status.BAD_REQUEST if unwritten else Status.SUCCESS)


def run_one(one: request.Request, screen: Screen, show: bool, several: bool, unwritten: list[str]) -> dict:
    """`unwritten` gathers sentences about files that do not stop the run: the table and the record are still
    to come."""
    label = " + ".join(dict.fromkeys(job.design for job in one.jobs))
    machine = boot.Boot(one, screen, show, label, label.replace("/", "_") if several else "")
    result = machine.run()
    screen.clear()
    if result["exit_status"] != Status.SUCCESS:
        screen.complain(f"{label}: {result['status']}: {first_line(result['sentence'])}")
    missed = linux_calls.missed(result["jobs"]) if result["exit_status"] == Status.FAILED else ""
    if missed:  # C libraries try calls and do without: only a failure makes them worth a word
        screen.complain(f"{label}: {missed}")
    try:
        tracing.finish(one, machine.seen, result, screen, label if several else "")
    except BadRequest as problem:
        unwritten.append(str(problem))
    return result


def first_line(sentence: str) -> str:
    """A panic's text goes on with its backtrace, which the console has shown already."""
    return next((line for line in sentence.splitlines() if line.strip()), "")


def conclude(asked: request.Request, records: list[dict], screen: Screen) -> None:
    text = table.render(records, screen.width)
    if text:
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
