# SPDX-License-Identifier: MIT
"""What a program file must be before it is worth a boot: a static x86-64 Linux executable."""

import functools
import glob
import os
import struct
from typing import BinaryIO

from . import places
from .status import BadRequest

ELF_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
EXECUTABLE, SHARED_OBJECT, X86_64 = 2, 3, 62
LOAD, INTERPRETER = 1, 3


def program_headers(file: BinaryIO, offset: int, size: int, count: int) -> list[tuple]:
    """struct.error, ValueError or OverflowError where they do not lie in the file."""
    if size != PROGRAM_HEADER.size:
        raise ValueError
    file.seek(offset)
    return list(PROGRAM_HEADER.iter_unpack(exactly(file, count * size)))


def exactly(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise ValueError
    return data


def part_of(file: BinaryIO, offset: int, size: int) -> bytes:
    if offset + size > os.fstat(file.fileno()).st_size:
        raise ValueError
    file.seek(offset)
    return exactly(file, size)


def check(path: str) -> str:
    """'fixed' or 'pie'; a BadRequest with a sentence when the file cannot run."""
    with places.open_regular(path, f"APP={path}") as file:
        try:
            return check_opened(path, file)
        except OSError as problem:
            raise BadRequest(f"APP={path}: {problem.strerror}.") from problem


def check_opened(path: str, file: BinaryIO) -> str:
    data = file.read(ELF_HEADER.size)
    if data[:2] == b"#!":
        raise BadRequest(f"APP={path} is a script; only machine code runs in the kernel.")
    if len(data) < ELF_HEADER.size or data[:4] != b"\x7fELF":
        raise BadRequest(f"APP={path} is not an ELF executable.")
    ident, kind, machine, _, _, offset, _, _, _, entry_size, count, *_ = ELF_HEADER.unpack_from(data)
    if ident[4] != 2 or machine != X86_64:
        raise BadRequest(f"APP={path} is not for x86-64.")
    if kind not in (EXECUTABLE, SHARED_OBJECT):
        raise BadRequest(f"APP={path} is not linked: it is an object file, so link it (build/nxcc does).")
    try:
        headers = program_headers(file, offset, entry_size, count)
    except (struct.error, ValueError, OverflowError, OSError):
        raise BadRequest(f"APP={path} is cut off: its program headers lie beyond its end.") from None
    if any(header[0] == INTERPRETER for header in headers):
        raise BadRequest(
            f"APP={path} is dynamically linked; link it with -static-pie or -static (build/nxcc does)."
        )
    if not any(header[0] == LOAD for header in headers):
        raise BadRequest(f"APP={path} has nothing to load; is it a shared library?")
    return "fixed" if kind == EXECUTABLE else "pie"


def find(name: str, build: str, root: str) -> str:
    """The file for APP=: a path if it has a slash or exists, else a program that the build made."""
    if "/" in name or os.path.isfile(name):
        return name
    path = os.path.join(build, "apps", name, name)
    if os.path.exists(path):
        return path
    raise BadRequest(unknown_app(name, build, root))


HOST_MARK = b"@(#)parley: this program loads others"  # userlib/nx/load.c
GANGS_MARK = b"@(#)parley: this program measures gangs"  # userlib/nx/gangs.c
SEMAPHORES_MARK = b"@(#)parley: this program waits at semaphores"  # userlib/nx/semaphores.c
ONE_PROCESS_MARK = b"@(#)parley: this program runs one process a node"  # apps/support/one_process.h
MARKS = (HOST_MARK, GANGS_MARK, SEMAPHORES_MARK, ONE_PROCESS_MARK)


def has_mark(app: str, mark: bytes) -> bool:
    """One of MARKS, else KeyError. What cannot be read is refused elsewhere."""
    if mark not in MARKS:
        raise KeyError(mark)
    try:
        path = find(app, places.BUILD, places.ROOT)
        now = os.stat(path)
        return mark in marks(path, now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns)
    except (OSError, BadRequest):
        return False


@functools.lru_cache(maxsize=64)
def marks(path: str, *_written: int) -> frozenset[bytes]:
    """Those that a program has. It is read once for all questions and boots of a command, and again when it
    has been written; piece by piece, for it may be large."""
    found: set[bytes] = set()
    before = b""
    with places.open_regular(path, f"APP={path}") as file:
        while piece := file.read(1 << 20):
            found |= {mark for mark in MARKS if mark in before + piece}
            before = piece[-max(map(len, MARKS)) :]
    return frozenset(found)


def loads_others(app: str) -> bool:
    """Whether a program is a host program: it calls load."""
    return has_mark(app, HOST_MARK)


def measures_gangs(app: str) -> bool:
    """Whether a program schedules gangs of its own, which need its processors."""
    return has_mark(app, GANGS_MARK)


def waits_at_semaphores(app: str) -> bool:
    """Whether a program calls P."""
    return has_mark(app, SEMAPHORES_MARK)


def is_one_process(app: str) -> bool:
    """Whether a program was not written for several processes on a node."""
    return has_mark(app, ONE_PROCESS_MARK)


def neighbours(path: str) -> list[str]:
    """The other programs of a host program's folder: what it may load."""
    folder, found = os.path.dirname(path), []
    for name in sorted(os.listdir(folder)):
        other = os.path.join(folder, name)
        if other == path or not os.path.isfile(other):
            continue
        try:
            check(other)
            found.append(other)
        except BadRequest:
            continue
    return found


def unknown_app(name: str, build: str, root: str) -> str:
    import difflib

    known = known_apps(build, root)
    if name in known:
        return f"APP={name} is not built yet; `make all' builds every program."
    near = difflib.get_close_matches(name, known, 1)
    hint = f" Did you mean {near[0]}?" if near else f" There are: {', '.join(known) or 'none built'}."
    return f"APP={name} is neither a program of apps/ or studies/ nor a file.{hint}"


def known_apps(build: str, root: str) -> list[str]:
    """Those that are built, and those that can be."""
    names = set(sources(root))
    folder = os.path.join(build, "apps")
    if os.path.isdir(folder):
        names.update(name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name, name)))
    return sorted(names)


def sources(root: str) -> list[str]:
    """The programs whose sources lie in apps/, or in a study's: a folder is one, in faults each file is."""
    names = set()
    own, studies = (os.path.join(root, *place, "apps", "*", "*") for place in ((), ("studies", "*")))
    for path in glob.glob(own) + glob.glob(studies):
        folder, file = os.path.split(path)
        stem, ending = os.path.splitext(file)
        if os.path.basename(folder) == "faults" and ending == ".c":
            names.add(stem)
        elif os.path.basename(folder) != "faults" and ending in (".c", ".cc", ".f"):
            names.add(os.path.basename(folder))
    return sorted(names)


def to_be_built(name: str, build: str, root: str) -> bool:
    """Whether APP=name is a program that the build can make and has not made yet."""
    built = "/" in name or os.path.isfile(name) or os.path.exists(os.path.join(build, "apps", name, name))
    return not built and name in sources(root)
