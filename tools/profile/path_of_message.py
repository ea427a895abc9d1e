#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make path: the files whose code one message runs through, from csend's first instruction to crecv's
last, inlined functions included, in the order in which they come. DESIGN= and BYTES= say which."""

import bisect
import functools
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field

FOLDER = os.path.dirname(os.path.realpath(__file__))
TOOLS = os.path.dirname(FOLDER)
sys.path[1:1] = [TOOLS, os.path.join(TOOLS, "benchmark")]

import boots  # noqa: E402
import execution  # noqa: E402
from parley_runner import debug, designs, ending, places, request  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402

DEFAULTS = {"DESIGN": "exp6", "BYTES": "0 100", "DISPATCH": "virtual"}
MESSAGES, LONGEST = 16, 65536  # as in one_message.c
RETURNED = "returned"  # where the program goes on after a call
# What only starts and ends a run. It is most of a boot's instructions, and none of a message's.
OF_OTHERS = re.compile(
    r"^boot|^ap_|multiboot|acpi|calibrate|nanoseconds|for_each_leaf|free_subtables|PageTable::|FramePool::"
    r"|FrameOwner::|Window::|SharedRegion::|Domain::|ResultsChannel::|TextWriter::|^memset"
)
STEP = re.compile(r"^(\d+)\. ")
LINK = re.compile(r"\]\(([^)#]+)\)")
EXECUTED = re.compile(rb"^Trace (\d+): 0x[0-9a-f]+ \[[0-9a-f]+/([0-9a-f]+)/")
# What every function is written in, and no step of a message's way: the processor's own part, and the types.
ARCH, TYPES = ("arch/",), ("base/", "interface/", "kernel/platform/", "/usr/")


@dataclass
class File:
    name: str
    instructions: int = 0
    functions: list[str] = field(default_factory=list)


@dataclass
class Path:
    """Of one message: its files in the order of their first instruction."""

    bytes: int
    instructions: int
    files: list[File]

    def on_the_way(self) -> list[File]:
        """Those that a reader of the path has to open."""
        return [file for file in self.files if not file.name.startswith(ARCH + TYPES)]


class Image:
    """An executable, and those of its functions whose instructions are logged."""

    offsets = [0]  # from its own addresses to where it lies, of each copy

    def __init__(self, path: str, is_watched=lambda function: True):
        self.path, self.functions = path, execution.functions(path)
        self.watched = [function for function in self.functions if is_watched(function.name)]

    def ranges(self) -> list[execution.Function]:
        """Of all its copies. Neighbours together: the emulator goes through all at every instruction."""
        return [
            execution.Function(one.start + offset, one.size, "")
            for one in self.merged()
            for offset in self.offsets
        ]

    def merged(self) -> list[execution.Function]:
        found: list[execution.Function] = []
        for function in self.watched:
            if found and found[-1].start + found[-1].size == function.start:
                found[-1] = execution.Function(found[-1].start, found[-1].size + function.size, "")
            else:
                found.append(function)
        return found

    def holds(self, address: int) -> bool:
        at = bisect.bisect_right(self.watched, address, key=lambda function: function.start) - 1
        return at >= 0 and address < self.watched[at].start + self.watched[at].size

    def own_address(self, logged: int) -> int:
        """What lies at its own addresses, of whichever copy; others' stay as they are."""
        return next((logged - at for at in self.offsets if self.holds(logged - at)), logged)

    def start_of(self, name: str) -> int:
        return next(function.start for function in self.functions if function.name == name)


def libnx_names() -> set[str]:
    library = os.path.join(places.BUILD, "lib", "libnx.a")
    text = subprocess.run(["nm", "-A", library], capture_output=True, text=True, check=True).stdout
    return {words[-1] for line in text.splitlines() if (words := line.split())[-2] in "tTwW"}


def paths(design: str, lengths: list[int], dispatch: str = "virtual") -> list[Path]:
    """One for each length, from one boot: the messages of the middle length, for a pool is refilled
    once in several of them. Raises boots.Failed."""
    with tempfile.TemporaryDirectory(prefix="parley-path-") as folder:
        libnx = libnx_names() | {RETURNED}
        program = Image(boots.program(folder, os.path.join(FOLDER, "one_message.c")), libnx.__contains__)
        kernel = Image(places.kernel(dispatch), lambda name: not OF_OTHERS.search(name))
        words = {"DESIGN": design, "APP": program.path, "NODES": 2, "PROCESSORS": 2, "CLOCK": "counted"}
        words |= {"DISPATCH": dispatch, "ARGS": " ".join(map(str, lengths))}
        one = request.make([f"{name}={value}" for name, value in words.items()]).boots(lambda: [])[0]
        program.offsets = debug.offsets(one, program.path)
        images = [program, kernel, Image(places.library(dispatch))]
        log = os.path.join(folder, "log")
        with execution.watching_emulator(folder, [r for image in images for r in image.ranges()], log):
            boots.run(**words)
        sends, receives = calls(log, program)
        result = []
        for index, length in enumerate(lengths):
            first = 1 + index * MESSAGES  # one message agrees on the word
            chosen = middle(sends[first : first + MESSAGES]) + middle(receives[first : first + MESSAGES])
            result.append(Path(length, len(chosen), files(images, chosen)))
        return result


def middle(found: list[list[int]]) -> list[int]:
    return sorted(found, key=len)[len(found) // 2]


def calls(log: str, program: Image) -> tuple[list[list[int]], list[list[int]]]:
    """The instructions of each csend and of each crecv or crecvp, until the program goes on."""
    sends: list[list[int]] = []
    receives: list[list[int]] = []
    begins = {program.start_of("csend"): sends}
    begins |= {program.start_of(name): receives for name in ("crecv", "crecvp")}
    returned = program.start_of(RETURNED)
    inside: dict[int, list[int] | None] = {}
    own_address = functools.cache(program.own_address)  # of a million instructions at some thousand places
    for processor, logged in executed(log):
        address = own_address(logged)
        if address == returned:
            inside[processor] = None
        elif inside.get(processor) is None and address in begins:
            inside[processor] = []
            begins[address].append(inside[processor])
        if inside.get(processor) is not None:
            inside[processor].append(address)
    return sends, receives


def executed(log: str) -> Iterator[tuple[int, int]]:
    """processor and address of each instruction"""
    with open(log, "rb") as file:
        for line in file:
            match = EXECUTED.match(line)
            if match:
                yield int(match[1]), int(match[2], 16)


def files(images: list[Image], addresses: list[int]) -> list[File]:
    places_of: dict[int, list[tuple[str, str]]] = {}
    for image in images:
        places_of |= frames(image.path, {address for address in addresses if image.holds(address)})
    found: dict[str, File] = {}
    for address in addresses:
        chain = places_of[address]
        for function, name in reversed(chain):  # the outermost comes first to a reader
            file = found.setdefault(name, File(name))
            if function not in file.functions:
                file.functions.append(function)
        found[chain[0][1]].instructions += 1
    return list(found.values())


def frames(image: str, addresses: set[int]) -> dict[int, list[tuple[str, str]]]:
    """Of each address the functions that it is in and their files, from the inlined to what was called."""
    if not addresses:
        return {}
    done = subprocess.run(
        ["addr2line", "-a", "-i", "-f", "-C", "-e", image],
        input="\n".join(f"{address:#x}" for address in sorted(addresses)),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[int, list[tuple[str, str]]] = {}
    lines = iter(done.stdout.splitlines())
    for line in lines:
        if line.startswith("0x"):
            chain = found.setdefault(int(line, 16), [])
        else:
            chain.append((short(line), file_of(next(lines))))
    return found


def short(function: str) -> str:
    """Class and name, without namespaces, template arguments and parameters."""
    text = function.split("(")[0] if not function.startswith("operator()") else function
    while "<" in text and ">" in text and "operator" not in text:
        without = re.sub(r"<[^<>]*>", "", text)
        if without == text:
            break
        text = without
    return "::".join(text.split(" ")[-1].split("::")[-2:])


def file_of(place: str) -> str:
    """Under the project's folder, also where a cache of objects has kept another's; else as it stands."""
    parts = os.path.normpath(place.rsplit(":", 1)[0]).split(os.sep)
    for first in range(len(parts)):
        name = os.path.join(*parts[first:])
        if parts[first] and os.path.isfile(os.path.join(places.ROOT, name)):
            return name
    return os.sep.join(parts)


def steps() -> dict[str, list[int]]:
    """file -> the numbers of the README's steps that name it"""
    named: dict[str, list[int]] = {}
    with open(os.path.join(places.ROOT, "README.md"), encoding="utf-8") as file:
        section = file.read().split("## The path of one message\n")[1].split("\n## ")[0]
    number = 0
    for line in section.splitlines():
        number = int(match[1]) if (match := STEP.match(line)) else number
        for name in LINK.findall(line):
            if number and number not in named.setdefault(name, []):
                named[name].append(number)
    return named


def show(path: Path, design: str, dispatch: str) -> None:
    way, named = path.on_the_way(), steps()
    print(
        f"\nA message of {path.bytes} bytes under {design}, {dispatch} dispatch: "
        f"{path.instructions} instructions "
        f"in {len(way)} files"
    )
    width = max(len(file.name) for file in way)
    print(f"step  instructions  {'file':{width}}  functions")
    for file in way:
        at = ",".join(map(str, named.get(file.name, []))) or "-"
        print(f"{at:>4}  {file.instructions:12}  {file.name:{width}}  {', '.join(file.functions)}")
    for title, start in (("the processor's part", ARCH), ("types", TYPES)):
        rest = [file for file in path.files if file.name.startswith(start)]
        print(f"{title}: " + (", ".join(f"{file.name} ({file.instructions})" for file in rest) or "none"))


def asked(words: list[str]) -> dict[str, str]:
    values = dict(DEFAULTS)
    for word in words:
        name, _, value = word.partition("=")
        if name not in DEFAULTS:
            raise BadRequest(f"make path takes {', '.join(DEFAULTS)}, not {name}.")
        values[name] = value.strip() or values[name]
    if values["DISPATCH"] not in ("virtual", "static"):
        raise BadRequest(f"DISPATCH={values['DISPATCH']}: say virtual or static.")
    return values


def lengths_of(text: str) -> list[int]:
    words = text.split()
    if not all(word.isdecimal() and int(word) <= LONGEST for word in words):
        raise BadRequest(f"BYTES={text}: say lengths from 0 to {LONGEST}, separated by blanks.")
    return [int(word) for word in words]


def main() -> int:
    try:
        values = asked(sys.argv[1:])
        lengths = lengths_of(values["BYTES"])
        if len(values["DESIGN"].split()) != 1 or values["DESIGN"] == "all":
            raise BadRequest(f"DESIGN={values['DESIGN']}: make path follows one design at a time.")
        designs.resolve(places.BUILD, values["DESIGN"], 2, 2)
        for path in paths(values["DESIGN"], lengths, values["DISPATCH"]):
            show(path, values["DESIGN"], values["DISPATCH"])
    except BadRequest as problem:
        print(f"parley: {problem}", file=sys.stderr)
        return 2
    except boots.Failed as problem:
        print(f"parley: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(ending.of(main))
