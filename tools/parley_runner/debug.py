# SPDX-License-Identifier: MIT
"""make debug: the machine stopped before its first instruction, and gdb with the symbols of kernel and
program."""

import os
import shutil
import signal
import subprocess
import tempfile

from . import designs, emulator, executable, guest, keys, places, request
from .addresses import LOW_SLOT, DOMAIN_SLOT_BYTES, DOMAIN_SLOTS_START
from .status import BadRequest


def offsets(one: request.Request, path: str) -> list[int]:
    """Where a program's image lies: at its own addresses, or at one place for every process of a domain."""
    if executable.check(path) == "fixed":
        return [0]
    light = any(
        "light" in designs.resolve(places.BUILD, job.design, job.nodes, one.processors).values()
        for job in one.jobs
    )
    if not light:
        return [LOW_SLOT]
    copies = max(job.nodes * job.pids for job in one.jobs)
    return [DOMAIN_SLOTS_START + copy * DOMAIN_SLOT_BYTES for copy in range(copies)]


def symbol_arguments(one: request.Request) -> list[str]:
    """gdb's words for every program of the run and, if present, the user-level message library."""
    words = []
    for path in guest.program_names(one):
        for offset in offsets(one, path):
            words += ["-ex", f'add-symbol-file "{path}" -o {offset:#x}']
    library = guest.library(one)
    if os.path.exists(library):
        words += ["-ex", f'add-symbol-file "{library}"']
    return words


def gdb_command(one: request.Request, socket: str, results: str, extra: list[str]) -> list[str]:
    """`results`: where the machine's results come, by which gdb's script knows how it has ended."""
    return [
        "gdb",
        "-q",
        "-ex",
        "set confirm off",
        "-ex",
        "set pagination off",
        "-ex",
        "set architecture i386:x86-64",
        *symbol_arguments(one),
        "-ex",
        f"source {os.path.join(places.ROOT, 'tools', 'gdb', 'parley.py')}",
        "-ex",
        f"python tell_the_end_by({results!r})",
        "-ex",
        f"target remote {socket}",
        *extra,
        guest.kernel(one),
    ]


def command(arguments: list[str]) -> int:
    words, extra = arguments, []
    if "--" in arguments:
        split = arguments.index("--")
        words, extra = arguments[:split], arguments[split + 1 :]
    one = request.make(keys.words_of(words)).boots(lambda: designs.presets(places.BUILD))[0]
    guest.check(one)
    if shutil.which("gdb") is None:
        raise BadRequest("gdb is missing; `make debug' installs it.")
    with tempfile.TemporaryDirectory(prefix="parley-") as scratch:
        return debug(one, scratch, extra)


def debug(one: request.Request, scratch: str, extra: list[str]) -> int:
    archive, socket = os.path.join(scratch, "archive.cpio"), os.path.join(scratch, "gdb")
    guest.make_archive(one, archive)
    console, results = (f"file,path={scratch}/{name}" for name in ("console", "results"))
    line = emulator.command(one, archive, console, results, scratch)
    line += ["-S", "-gdb", f"unix:path={socket},server=on,wait=off"]
    machine = subprocess.Popen(emulator.dies_with_us() + line, stdin=subprocess.DEVNULL, process_group=0)
    try:
        wait_for(socket, machine)
        print(
            f"Stopped before the first instruction. The console is in {scratch}/console; `continue' runs.",
            flush=True,
        )
        return attended(gdb_command(one, socket, f"{scratch}/results", extra))
    finally:
        if machine.poll() is None:
            machine.kill()
        machine.wait()


def attended(command: list[str]) -> int:
    """A program that the user talks to: Ctrl-C is for it alone, gdb stops the machine with it."""
    process = subprocess.Popen(command)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def wait_for(socket: str, machine: subprocess.Popen) -> None:
    import time

    for _ in range(200):
        if os.path.exists(socket):
            return
        if machine.poll() is not None:
            raise BadRequest(f"The emulator ended with status {machine.returncode} before gdb could attach.")
        time.sleep(0.02)
    raise BadRequest("The emulator did not open its socket for gdb.")
