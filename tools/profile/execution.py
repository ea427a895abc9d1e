# SPDX-License-Identifier: MIT
"""Which instructions of the kernel one csend and one crecv execute: the emulator, instruction-counted,
logs every instruction in the functions on a message's way."""

import bisect
import os
import re
import stat
import subprocess
import tempfile
from dataclasses import dataclass

import boots
from parley_runner import places

ON_THE_WAY = re.compile(r"system_call_entry$|proxy_call<|parley::messaging::")
ENTRY = "system_call_entry"
EXECUTED = re.compile(rb"^Trace \d+: 0x[0-9a-f]+ \[[0-9a-f]+/([0-9a-f]+)/")
INDIRECT = re.compile(r"^(call|jmp) +\*")


@dataclass
class Function:
    start: int
    size: int
    name: str


@dataclass
class Call:
    """One proxy call from its first instruction in the kernel to its last."""

    addresses: list[int]

    def executes(self, function: Function) -> bool:
        return any(function.start <= address < function.start + function.size for address in self.addresses)


def functions(kernel: str) -> list[Function]:
    """The assembly's functions have no size of their own: they reach to the next symbol."""
    text = subprocess.run(["nm", "-nC", kernel], capture_output=True, text=True, check=True).stdout
    found = []
    for line in text.splitlines():
        match = re.match(r"^([0-9a-f]+) [tTwW] (.+)$", line)
        if match:
            found.append(Function(int(match[1], 16), 0, match[2]))
    for this, following in zip(found, found[1:]):
        this.size = following.start - this.start
    return [function for function in found if function.size > 0]


def function_at(kernel: list[Function], address: int) -> Function:
    return kernel[bisect.bisect_right(kernel, address, key=lambda function: function.start) - 1]


def calls(program: str, design: str) -> tuple[dict, list[Call], list[Function]]:
    """The run's record, its proxy calls in order, and the kernel's functions."""
    kernel = functions(places.kernel("virtual"))
    watched = [function for function in kernel if ON_THE_WAY.search(function.name)]
    with tempfile.TemporaryDirectory(prefix="parley-profile-") as folder:
        log = os.path.join(folder, "log")
        with watching_emulator(folder, watched, log):
            record = boots.run(DESIGN=design, APP=program, NODES=1, PROCESSORS=1, CLOCK="counted").record
        return record, split(log, kernel), kernel


class watching_emulator:
    """While it is entered, the runner starts the emulator with a log of the watched functions."""

    def __init__(self, folder: str, watched: list[Function], log: str):
        self.path, self.before = os.path.join(folder, "emulator"), places.EMULATOR
        ranges = ",".join(f"{function.start:#x}+{function.size:#x}" for function in watched)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(
                "#!/bin/sh\n"
                f'exec "{self.before}" "$@" -singlestep -d exec,nochain -D "{log}" -dfilter "{ranges}"\n'
            )
        os.chmod(self.path, os.stat(self.path).st_mode | stat.S_IXUSR)

    def __enter__(self):
        places.EMULATOR = self.path

    def __exit__(self, *_):
        places.EMULATOR = self.before


def split(log: str, kernel: list[Function]) -> list[Call]:
    entry = next(function.start for function in kernel if function.name == ENTRY)
    found: list[Call] = []
    with open(log, "rb") as file:
        for line in file:
            match = EXECUTED.match(line)
            if match:
                address = int(match[1], 16)
                if address == entry:
                    found.append(Call([]))
                if found:
                    found[-1].addresses.append(address)
    return found


def typical(calls_: list[Call], kernel: list[Function], name: str) -> Call:
    """Of one message call by proxy, whichever way its proxy is checked, the one of the middle length: a pool
    is refilled once in several messages."""
    handler = re.compile(rf"proxy_call<.*parley_calls::{name}\b")
    methods = [function for function in kernel if handler.search(function.name)]
    found = [call for call in calls_ if any(call.executes(method) for method in methods)]
    return sorted(found, key=lambda call: len(call.addresses))[len(found) // 2]


def sources(kernel: str, addresses: set[int]) -> dict[int, str]:
    """The source file of each instruction, inlined functions taken where they were written."""
    ordered = sorted(addresses)
    done = subprocess.run(
        ["addr2line", "-e", kernel],
        input="\n".join(f"{a:#x}" for a in ordered),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(ordered, (line.rsplit(":", 1)[0] for line in done.stdout.splitlines())))


def instructions(kernel: str, watched: list[Function]) -> dict[int, str]:
    """What stands at each address of some functions."""
    found = {}
    for function in watched:
        stop = function.start + function.size
        done = subprocess.run(
            [
                "objdump",
                "-d",
                "--no-show-raw-insn",
                f"--start-address={function.start:#x}",
                f"--stop-address={stop:#x}",
                kernel,
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        for line in done.stdout.splitlines():
            match = re.match(r"^ *([0-9a-f]+):\t(.+)$", line)
            if match:
                found[int(match[1], 16)] = match[2].strip()
    return found


def is_indirect(instruction: str) -> bool:
    return INDIRECT.match(instruction) is not None
