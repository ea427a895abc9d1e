# SPDX-License-Identifier: MIT
"""What a record asked for, as a request for the same boot."""

from . import guest, keys, machine_file, made
from .counted import counted
from .key import JOB, RUN
from .request import Job, Request
from .status import BadRequest

# Where a run's files went is no part of what was measured, nor is the file that asked for it.
OUTPUTS = ("record", "out", "window", "config")
ORDER = "order"  # under which a record has the key `jobs`, for its jobs have that name there


def request_of(path: str, run: dict) -> Request:
    """BadRequest, one sentence, where this version cannot ask for the same. `trace` stays as it was, since it
    says which kernel was booted: the caller says where the new one goes."""
    asked = run["asked"]
    tables = [asked, *asked["jobs"]]
    if not asked["jobs"]:
        raise BadRequest(f"{path} asks for no job, so there is nothing to run again.")
    if not all(isinstance(table, dict) for table in tables):
        raise BadRequest(f"{path} is not a whole record: a job that it asked for is no table.")
    for name in (name for table in tables for name in table):
        if name not in keys.KEYS and name != ORDER:
            raise BadRequest(
                f"{path} asks for '{name}', which this version does not know: run it with the version that "
                f"wrote it{version_words(run)}."
            )
    if len(asked["jobs"]) > 1 and ORDER not in asked:
        raise BadRequest(
            f"{path} is of an older version, whose records do not say whether several jobs ran together: "
            "measure it again with this one."
        )
    said = {**asked, "jobs": asked.get(ORDER)}
    values = values_of(path, said, RUN) | dict.fromkeys(OUTPUTS) | {"console": "hide"}
    return Request(values, [job_of(path, job) for job in asked["jobs"]])


def version_words(run: dict) -> str:
    version = made.of_record(run).get("version")
    return f", {version}" if version else ""


def values_of(path: str, said: dict, scope: str) -> dict:
    return {key.name: value_of(path, key, said) for key in keys.KEYS.values() if key.scope == scope}


def value_of(path: str, key: keys.Key, said: dict):
    value = said.get(key.name)
    if value is None:
        return key.default
    try:
        return keys.parse(key, value)
    except BadRequest as problem:
        raise BadRequest(f"{path} cannot be run again: {problem}") from None


def job_of(path: str, said: dict) -> Job:
    values = values_of(path, said, JOB)
    own = {key.name for added in keys.ADDED for key in added.keys if key.scope == JOB}
    fields = {name: values[name] for name in Job.__dataclass_fields__ if name not in ("added", "where")}
    return Job(added={name: values[name] for name in sorted(own)}, **fields)


def check_machine(path: str, run: dict, asked: Request) -> None:
    """BadRequest where figures of here could not be those of the record: the modelled machine's file says
    something else now, or the host would run the processors in another way."""
    if asked.values["clock"] == "modelled":
        check_modelled(path, run, asked)
    elif asked.values["clock"] == "free" and (threads := run["host"].get("threads")) != guest.threads(asked):
        here, many = guest.host_cores(), {"multi": "a host thread each", "single": "one host thread for all"}
        raise BadRequest(
            f"{path} was measured on another machine, where its processors had {many.get(threads, threads)}; "
            f"this one has {counted(here, 'core')}, so they would have "
            f"{many[guest.threads(asked)]}: times of the two cannot be compared."
        )


def check_modelled(path: str, run: dict, asked: Request) -> None:
    before = run.get("model")
    if not isinstance(before, dict) or not isinstance(before.get("parameters"), dict):
        raise BadRequest(f"{path} is not a whole record: it does not say what its modelled machine was.")
    now = machine_file.read(asked.values["machine"])
    if before.get("machine_digest") == now.digest:
        return
    names = [
        name
        for name in dict.fromkeys([*before["parameters"], *now.parameters])
        if before["parameters"].get(name) != now.parameters.get(name)
    ]
    raise BadRequest(
        f"{path} is of another machine: MACHINE={asked.values['machine']} has other values now of "
        f"{', '.join(names[:3])}{' ...' if len(names) > 3 else ''}: take the file as it was"
        f"{version_words(run)}, or measure again."
    )


def notes(path: str, run: dict, asked: Request) -> list[str]:
    """What is no hindrance, and may be why figures differ."""
    before = made.of_record(run)
    if not before:
        return [f"{path} is of {made.OLDER}."]
    found = []
    if before.get("version") != made.version():
        found.append(
            f"{path} is of another version, {before.get('version')}, and this is {made.version()}: what "
            "differs may be the versions' difference."
        )
    if others := made.others(run, made.parts_now(asked)):
        found.append(f"{path} was measured with {' and with '.join(others)}.")
    return found
