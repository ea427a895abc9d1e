# SPDX-License-Identifier: MIT
"""Every key that a request may hold, once: its scope, what values it takes, its default and what it means.

The command line (KEY=VALUE), the configuration file, what make passes on (tools/tools.mk), completion, help
and the table of docs/running.md (key_help.py) all come from this list, to which studies add theirs.
"""

import difflib
import re
from typing import Any

from . import back_end, limits, multiprocessors, studies, wire
from .key import JOB, RUN, Key
from .status import BadRequest

# What studies add: keys, and what follows from them (additions.py).
ADDED = tuple(module.ADDED for module in studies.modules("runner_keys"))
PLANTS = (
    "none",
    "panic-after-success",
    "fake-result",
    "truncated-record",
    "hang",
    "hang-at-exit",
    "triple-fault",
    "no-result",
    "wrong-transition",
)
KEYS = {
    key.name: key
    for key in (
        Key(
            "design",
            JOB,
            "exp6",
            "a preset, then ,factor=class ...; several, or all, are booted one after the other",
        ),
        Key("app", JOB, "ring", "a name under apps/, or the path of a static executable", path=True),
        Key("nodes", JOB, 2, "how many nodes the job has", lowest=1, highest=limits.NODES),
        Key("pids", JOB, 1, "processes on each node", lowest=1, highest=limits.PIDS),
        Key(
            "hosted",
            JOB,
            "auto",
            "1: the program is a host program, alone at first, which loads the nodes; auto: if it calls load",
            ("auto", "0", "1"),
        ),
        Key("args", JOB, "", "the program's arguments; double quotes keep blanks, a backslash any character"),
        Key(
            "semaphore",
            JOB,
            "kernel",
            "what P and V are: spin, kernel, policy-0, policy-1:300ms (`make designs' lists them)",
        ),
        Key(
            "loops",
            JOB,
            None,
            "leaves of its parallel loops: distribution=guided:4,barrier=tree,wait=sleeping (docs/loops.md)",
        ),
        Key("tag", JOB, "0", "1: each line of output carries its node's number", ("0", "1")),
        Key(
            "budget",
            JOB,
            None,
            "bytes of message memory (default: a quarter of the job's memory)",
            lowest=65536,
            highest=1 << 40,
        ),
        Key(
            "job_memory",
            JOB,
            None,
            "MiB that the job may hold (default: all that there is; with JOBS=together an equal part of it)",
            lowest=4,
            highest=16384,
        ),
        Key(
            "schedule",
            JOB,
            "auto",
            "gang: one processor each, never preempted; timeshared; auto: a gang when there are processors"
            " enough",
            ("auto", "gang", "timeshared"),
        ),
        Key("name", JOB, None, "the job's name in record and table (default: the program's)"),
        Key(
            "processors",
            RUN,
            None,
            "emulated processors (default: as many as nodes)",
            lowest=1,
            highest=limits.PROCESSORS,
        ),
        Key(
            "gang",
            RUN,
            "design",
            "how gangs share processors: one queue, one for each processor, or slots of time (default: as the"
            " design says)",
            ("design", "shared", "private", "slots"),
        ),
        Key(
            "jobs",
            RUN,
            "sequential",
            "several jobs one after the other, or together",
            ("sequential", "together"),
        ),
        Key(
            "boots",
            RUN,
            1,
            "how many machines are booted, a kernel each, and joined by the emulator's network: nodes are"
            " spread over them",
            lowest=1,
            highest=wire.MOST_MACHINES,
        ),
        Key(
            "wire",
            RUN,
            None,
            "what becomes of a hundred frames between booted machines, LOST:REPEATED:OVERTAKEN, and :SEED of"
            " the chance (default: nothing)",
        ),
        Key(
            "multiprocessors",
            RUN,
            1,
            "into how many of as many processors each the machine is divided; simulated network interfaces"
            " join them (docs/multiprocessors.md)",
            lowest=1,
            highest=multiprocessors.MOST,
        ),
        Key(
            "interface",
            RUN,
            None,
            "how many network interfaces each multiprocessor has, and what each takes, instead of what the"
            " machine's file says: number=2,look=2us,queue=4, and pools, latency, message and rate"
            " (docs/multiprocessors.md)",
        ),
        Key("checks", RUN, "full", "how proxy calls check their arguments", ("full", "reduced")),
        Key(
            "clock",
            RUN,
            "free",
            "free running; counted: every instruction is 1 ns; modelled: simulated time of a MACHINE"
            " (docs/machine-model.md)",
            ("free", "counted", "modelled"),
        ),
        Key(
            "machine",
            RUN,
            None,
            "the machine of CLOCK=modelled: a name under tools/machines/, or the path of a .toml file",
        ),
        Key(
            "lookahead",
            RUN,
            None,
            "ns by which a modelled processor may run ahead of the others (default: the machine's); 0: none",
            lowest=0,
            highest=500,
        ),
        Key(
            "back_end",
            RUN,
            None,
            "how the model runs the emulator's processors: fast; public: by the emulator's plugin interface"
            " alone, for programs that spin; fast-without-ticks: fast, with a kernel that works as under"
            " public (default: fast where the emulator allows it, else public)",
            back_end.NAMES,
        ),
        Key("dispatch", RUN, "virtual", "calls inside the message system", ("virtual", "static")),
        Key("memory", RUN, 512, "MiB of memory", lowest=64, highest=16384),
        Key("limit", JOB, 120, "seconds of guest time after which a job is ended", lowest=1, highest=86400),
        Key("threads", RUN, "auto", "host threads of the emulator", ("auto", "single", "multi")),
        Key(
            "boot",
            RUN,
            "direct",
            "boot the ELF file directly, or an ISO image through GRUB",
            ("direct", "iso"),
        ),
        Key(
            "console",
            RUN,
            "auto",
            "the machine's console: shown for a single boot, else only on failure",
            ("auto", "show", "hide"),
        ),
        Key(
            "quiet",
            RUN,
            "0",
            "1: only what programs print, and what goes wrong: no table, nothing of the machine's own",
            ("0", "1"),
        ),
        Key(
            "remeasure",
            RUN,
            1,
            "how often a boot is repeated whose measurements a busy host spoiled",
            lowest=0,
            highest=9,
        ),
        Key("record", RUN, None, "JSON file for what was in force and every measurement", path=True),
        Key("files", RUN, None, "folder: the programs' working directory", path=True),
        Key("out", RUN, None, "folder that receives the files that programs made or changed", path=True),
        Key("input", RUN, None, "file: standard input of node 0 and of the host", path=True),
        Key(
            "trace",
            RUN,
            None,
            "file: every message, wait and switch; .json for Perfetto, .svg a picture, .trace for later,"
            " which tools/parley trace draws and tells (docs/observing.md)",
            path=True,
        ),
        Key(
            "trace_records",
            RUN,
            16384,
            "how many records of a trace are kept of each processor",
            lowest=16,
            highest=1 << 22,
        ),
        Key(
            "trace_interval",
            RUN,
            None,
            "CLOCK=modelled with TRACE: cache misses and waiting for the bus are told for each so many ns, us"
            " or ms of simulated time, or twice, four times ... as many in a long run (default: 10us)",
        ),
        Key(
            "window",
            RUN,
            None,
            "FROM..TO: the part that a picture shows, in microseconds from the first message",
        ),
        Key(
            "q",
            RUN,
            "0",
            "1: tell what each cluster's processors did: user, system, interrupts, waits for kernel locks",
            ("0", "1"),
        ),
        Key("profile", RUN, "0", "1: print where each node's time went", ("0", "1")),
        Key(
            "unreceived",
            RUN,
            "0",
            "1: say at the end which messages nobody received, which irecvs nobody waited for, and which ids"
            " were used after their requests had ended; the record says it in any case",
            ("0", "1"),
        ),
        Key(
            "checked",
            RUN,
            "0",
            "1: a kernel and a library that look at what must hold and end where it does not; no figures",
            ("0", "1"),
        ),
        Key(
            "config",
            RUN,
            None,
            "TOML file with all of this, and several jobs if you like (configs/)",
            path=True,
        ),
        Key("plant", RUN, "none", "a planted lie that the runner must find out, for its tests", PLANTS),
        *(key for added in ADDED for key in added.keys),
    )
}


def nearest(word: str, known) -> str:
    """' Did you mean x?' or nothing."""
    near = difflib.get_close_matches(word.lower(), list(known), 1)
    return f" Did you mean {near[0]}?" if near else ""


def find(name: str) -> Key:
    key = KEYS.get(name.lower())
    if key is None:
        hint = nearest(name, KEYS) or f" Known keys: {', '.join(KEYS)}."
        raise BadRequest(f"There is no key '{name}'.{hint}")
    return key


def words_of(arguments: list[str]) -> list[str]:
    """--key value and --key=value become KEY=value."""
    words, rest = [], iter(arguments)
    for word in rest:
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if not equals:
                find(name)
                value = next(rest, None)
                if value is None:
                    raise BadRequest(f"{word} needs a value.")
            word = f"{name}={value}"
        words.append(word)
    return words


def number(key: Key, value: Any) -> int:
    if isinstance(value, bool) or not re.fullmatch("[+-]?[0-9]{1,40}", str(value).strip()):
        raise BadRequest(f"{key.name} takes a whole number, not '{value}'.")
    result = int(value)
    if not key.lowest <= result <= key.highest:
        raise BadRequest(f"{key.name} lies between {key.lowest} and {key.highest}, not at {result}.")
    return result


def check_words(text: str) -> None:
    """The rule by which the kernel splits arguments: double quotes, and a backslash takes the next
    character."""
    quoted = escaped = False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
    if quoted or escaped:
        raise BadRequest(
            "args has a double quote that is not closed." if quoted else "args ends in a backslash."
        )


def parse(key: Key, value: Any) -> Any:
    """The value that a key takes, or a BadRequest that says what it would take."""
    if key.name == "design" and isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " ".join(value)
    if key.is_number:
        return number(key, value)
    if isinstance(value, bool):
        value = str(int(value))
    if isinstance(value, int) and key.choices:
        value = str(value)
    if not isinstance(value, str):
        raise BadRequest(f"{key.name} takes text, not {value!r}.")
    if key.choices and value not in key.choices:
        hint = nearest(value, key.choices)
        raise BadRequest(f"{key.name} is one of {', '.join(key.choices)}, not '{value}'.{hint}")
    if "\n" in value or "\0" in value:
        raise BadRequest(f"{key.name} takes one line of text.")
    if key.name == "args":
        check_words(value)
    for added in ADDED:
        added.parse(key, value)
    if key.name == "app" and not value:
        raise BadRequest("app is empty; say a name under apps/, or the path of a static executable.")
    return value
