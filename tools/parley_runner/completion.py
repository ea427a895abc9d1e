# SPDX-License-Identifier: MIT
"""Completion for a shell: `tools/parley completion bash` prints what the shell needs, and the shell then asks
`tools/parley complete WORD...` for the ways in which the last word may go on."""

import json
import os

from . import designs, executable, keys, machine_file, places
from .status import BadRequest

# The word is taken from the line itself, for bash breaks words at `=' and `:'; what it has broken off is left
# out of the answers.
BASH = """\
_parley_complete() {
    local line=${COMP_LINE:0:COMP_POINT} word before words
    word=${line##*[[:space:]]}
    before=${word%"${word##*[=:]}"}
    read -ra words <<<"${line#*[[:space:]]}"
    [ -n "$word" ] || words+=("")
    mapfile -t COMPREPLY < <("$1" complete "${words[@]}" 2>/dev/null)
    if [ "${#COMPREPLY[@]}" = 1 ]; then
        case ${COMPREPLY[0]} in *= | */) compopt -o nospace ;; esac
    fi
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
complete -F _parley_complete parley tools/parley ./tools/parley
"""
WITH_KEYS = ("run", "loops", "debug", "iso")


def script(shell: str) -> str:
    if shell != "bash":
        raise BadRequest(f"There is completion for bash, not for '{shell}': say completion bash.")
    return BASH


def answers(commands: tuple[str, ...], words: list[str]) -> list[str]:
    """The words by which the last one may be replaced; the one before it may be the command."""
    word = words[-1] if words else ""
    if len(words) < 2:
        return starting(word, commands)
    command = words[0]
    if command in ("report", "compare-runs", "reproduce", "sweep", "record"):
        return paths(word) + (["show"] if command == "record" and "show".startswith(word) else [])
    if command not in WITH_KEYS:
        return []
    name, equals, value = word.partition("=")
    key = keys.KEYS.get(name.lower())
    if not equals:
        return starting(word, [f"{each.upper()}=" for each in keys.KEYS])
    return [f"{name}={each}" for each in values(key, value)] if key else []


def starting(word: str, known) -> list[str]:
    """Keys may be begun in small letters."""
    return sorted(each for each in known if each.startswith((word, word.upper() if "=" in each else word)))


def values(key: keys.Key, value: str) -> list[str]:
    if key.name == "app":
        return starting(value, executable.known_apps(places.BUILD, places.ROOT)) + paths(value, "/" in value)
    if key.name == "design":
        return of_design(value)
    if key.name == "machine":
        return starting(value, machine_file.known()) + paths(value, "/" in value)
    return paths(value) if key.path else starting(value, key.choices)


def of_design(value: str) -> list[str]:
    """A preset; after a comma a factor, and after its equals sign a class."""
    try:
        listing = json.loads(designs.call(places.BUILD, "list", "--json"))
    except BadRequest:  # not built yet
        return []
    before, comma, word = value.rpartition(",")
    if not comma:
        return starting(value, [*(one["name"] for one in listing["presets"]), "all"])
    classes = [f"{each['factor']}={each['name']}" for each in listing["classes"]]
    return [f"{before},{each}" for each in sorted(classes) if each.startswith(word)]


def paths(value: str, wanted: bool = True) -> list[str]:
    folder, name = os.path.split(value)
    try:
        entries = sorted(os.listdir(os.path.expanduser(folder) or ".")) if wanted else []
    except OSError:
        return []
    found = [os.path.join(folder, each) for each in entries if each.startswith(name)]
    return [each + "/" if os.path.isdir(each) else each for each in found]
