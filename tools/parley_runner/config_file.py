# SPDX-License-Identifier: MIT
"""A configuration file: TOML, run keys and job keys at the top level, further jobs as [[job]] tables.

Job keys at the top level hold for every job. Everything wrong is refused with the file's name and the line.
Relative paths are taken from the folder of the file.
"""

import os
import re
import tomllib
from dataclasses import dataclass, field

from . import keys, limits, places
from .status import BadRequest, said_in


LARGEST = 1 << 20  # bytes


@dataclass
class Table:
    """The values of the top level or of a job, and for each of them `file, line 3: `."""

    values: dict = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)


def read(path: str) -> tuple[Table, list[Table]]:
    """the top level, and a table a job"""
    try:
        text = places.read_bounded(path, f"CONFIG={path}", LARGEST).decode("utf-8")
    except UnicodeDecodeError:
        raise BadRequest(f"CONFIG={path} is not UTF-8 text.") from None
    try:
        data = tomllib.loads(text)
    except ValueError as problem:  # a number of thousands of digits is no TOMLDecodeError
        raise BadRequest(broken(path, str(problem))) from problem
    except RecursionError:
        raise BadRequest(f"{path}: lists and tables lie too deep inside one another.") from None
    jobs = data.pop("job", [])
    if not isinstance(jobs, list) or not all(isinstance(job, dict) for job in jobs):
        raise BadRequest(f"{path}, line {line_of(text, 'job', -1)}: jobs are written as [[job]] tables.")
    if len(jobs) > limits.JOBS:
        raise BadRequest(
            f"{path}, line {line_of(text, 'job', limits.JOBS - 1)}: a boot runs at most {limits.JOBS} jobs, "
            f"and these are {len(jobs)}."
        )
    top = checked(path, text, data, -1, keys.KEYS)
    job_keys = {name: key for name, key in keys.KEYS.items() if key.scope == keys.JOB}
    return top, [checked(path, text, job, index, job_keys) for index, job in enumerate(jobs)]


def broken(path: str, problem: str) -> str:
    """The parser's complaint, with the place in front as everywhere."""
    place = re.search(r" \(at (line \d+, column \d+)\)$", problem)
    if place is None:
        return f"{path}: {problem}."
    complaint = problem[: place.start()].replace("Cannot overwrite a value", "This key is set already")
    return f"{path}, {place.group(1)}: {complaint}."


def checked(path: str, text: str, table: dict, job: int, allowed: dict) -> Table:
    result = Table()
    for name, value in table.items():
        result.where[name] = f"{path}, line {line_of(text, name, job)}: "
        with said_in(result.where, name):
            key = allowed_key(name, value, allowed)
            result.values[name] = in_folder(path, key, keys.parse(key, value))
    return result


def allowed_key(name: str, value, allowed: dict) -> keys.Key:
    if name == "config":
        raise BadRequest("'config' belongs to the command line; a file cannot name another one.")
    if name in allowed:
        return allowed[name]
    if isinstance(value, dict):
        raise BadRequest(f"There is no table [{name}]; keys stand at the top or in [[job]] tables.")
    if name in keys.KEYS:
        raise BadRequest(f"'{name}' belongs to the whole run, so it stands above the first [[job]].")
    raise BadRequest(f"There is no key '{name}'.{keys.nearest(name, allowed)}")


def in_folder(path: str, key: keys.Key, value):
    """A relative path is meant from the file's own folder; a program's plain name stays a name."""
    if not key.path or not isinstance(value, str) or (key.name == "app" and "/" not in value):
        return value
    return os.path.join(os.path.dirname(path), os.path.expanduser(value))


def line_of(text: str, name: str, job: int) -> int:
    """The line that sets `name` at the top level (job -1) or in the job with this index; the parser keeps no
    lines."""
    here = -1
    assignment = re.compile(rf"""\s*(?:\[+\s*)?["']?{re.escape(name)}["']?\s*[=.\]]""")
    for line, content in enumerate(text.splitlines(), start=1):
        if here == job and assignment.match(content):
            return line
        if re.match(r"\s*\[\[\s*job\s*\]\]", content):
            here += 1
    return 1
