# SPDX-License-Identifier: MIT
"""What keys.py says of the keys, for people: the list that `make` and `tools/parley help` show, and the table
of docs/running.md."""

import re
import textwrap

from .keys import JOB, KEYS, Key
from .status import Status

WIDTH, NAMES = 110, 17


def values_of(key: Key) -> str:
    """The values that it takes, where the meaning does not name them all; no value: text of any kind."""
    if key.is_number:
        return f"{key.lowest} to {key.highest}"
    named = all(re.search(rf"\b{re.escape(value)}\b", key.meaning) for value in key.choices if value != "0")
    return "" if named else ", ".join(key.choices)


def default_of(key: Key) -> str:
    """Where the meaning does not tell it."""
    return "" if key.default in (None, "") or "(default" in key.meaning else str(key.default)


def lines() -> list[str]:
    """Of each key its name, its meaning, (its values) and [its default]."""
    found = []
    for key in KEYS.values():
        values, default = values_of(key), default_of(key)
        text = key.meaning + f" ({values})" * bool(values) + f" [{default}]" * bool(default)
        wrapped = textwrap.wrap(text, WIDTH - NAMES, break_on_hyphens=False)
        found.append(f"  {key.name.upper():<{NAMES - 3}} {wrapped[0]}")
        found += [" " * NAMES + line for line in wrapped[1:]]
    return found


def statuses(command: str) -> list[str]:
    words = ", ".join(f"{status.value} {status.word}" for status in Status)
    return textwrap.wrap(f"{command} exits with {words}.", WIDTH, break_on_hyphens=False)


def markdown() -> str:
    """A line for each key."""
    rows = ["| key | of | meaning | values | default |", "| --- | --- | --- | --- | --- |"]
    for key in KEYS.values():
        scope = "a job" if key.scope == JOB else "the run"
        cells = (f"`{key.name.upper()}`", scope, key.meaning, values_of(key), default_of(key))
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"
