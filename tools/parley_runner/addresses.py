# SPDX-License-Identifier: MIT
"""Addresses of a program's instructions, as the kernel reports them, become function, file and line."""

import functools
import os
import re
import shutil
import subprocess

from . import executable, guest, places
from .request import Job, Request
from .status import BadRequest

# Where the kernel loads a program with a domain to itself, and copies in a shared one
# (kernel/job/domain_slots.hpp).
LOW_SLOT, DOMAIN_SLOTS_START, DOMAIN_SLOT_BYTES = 0x1000_0000, 0x4000_0000_0000, 0x2_0000_0000
# The user-level message library: interface/start_info.h.
LIBRARY_START, LIBRARY_END = 0x3000_0000_0000, 0x3100_0000_0000
REPORTED = re.compile(r"in its instruction at (0x[0-9a-f]+)")


def offset_of(address: int, path: str) -> int:
    """Where an instruction lies in the program's own file."""
    if executable.check(path) == "fixed":
        return address
    if address < DOMAIN_SLOTS_START:
        return address - LOW_SLOT
    return (address - DOMAIN_SLOTS_START) % DOMAIN_SLOT_BYTES


@functools.cache
def look_up(path: str, address: int) -> str:
    """'main, bad.c:12', as much as the file knows; nothing where it knows nothing."""
    tool = shutil.which("addr2line")
    if tool is None or address < 0:
        return ""
    try:
        done = subprocess.run(
            [tool, "-f", "-C", "-e", path, hex(address)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    function, _, place = done.stdout.strip().partition("\n")
    if done.returncode != 0 or function in ("", "??"):
        return ""
    file, _, line = place.split(" ")[0].rpartition(":")
    known = file not in ("", "??") and line.isdecimal()
    return f"{function}, {os.path.basename(file)}:{line}" if known else function


def programs_of(job: Job) -> list[str]:
    """The job's program, and those that it may have loaded."""
    path = os.path.abspath(executable.find(job.app, places.BUILD, places.ROOT))
    return [path, *(executable.neighbours(path) if job.has_host else [])]


def named(text: str, request: Request, position: int) -> str:
    """The text of a report about the job at this position, its addresses with what lies there."""
    return REPORTED.sub(lambda found: replaced(found, request, position), text)


def replaced(found: re.Match, request: Request, position: int) -> str:
    address = int(found[1], 16)
    try:
        if LIBRARY_START <= address < LIBRARY_END:
            what = look_up(guest.library(request), address)
            return f"in {what}, of the message library (at {found[1]})" if what else found[0]
        paths = programs_of(request.jobs[position]) if position < len(request.jobs) else []
        answers = {look_up(path, offset_of(address, path)) for path in paths} - {""}
    except (BadRequest, OSError):
        return found[0]
    # Of several programs that it may have been, only one may know the address.
    return f"in {answers.pop()} (at {found[1]})" if len(answers) == 1 else found[0]
