# SPDX-License-Identifier: MIT
"""Where the symbols of an ELF file that this project has built lie."""

import functools
import os
import struct

from . import executable

SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
TABLE = 2  # a section's kind
# The one copy routine of kernel and library (arch/x86_64/copy.S), of which a machine's model is told.
COPIES = ("parley_copy", "parley_copy_end")


def find(path: str, *names: str) -> tuple[int, ...] | None:
    """Their addresses; None where the file cannot be read, or one is not there."""
    try:
        now = os.stat(path)
        table = read(path, now.st_ino, now.st_size, now.st_mtime_ns)
    except (OSError, struct.error, ValueError, OverflowError, IndexError):
        return None
    return tuple(table[name] for name in names) if all(name in table for name in names) else None


@functools.lru_cache(maxsize=8)
def read(path: str, *_written: int) -> dict[str, int]:
    """Once for all boots of a command, and again when the file has been written. Most of it is for debuggers,
    and not read."""
    found = {}
    with open(path, "rb") as file:
        header = executable.ELF_HEADER.unpack(executable.exactly(file, executable.ELF_HEADER.size))
        offset, size, count = header[6], header[11], header[12]
        if header[0][:4] != b"\x7fELF" or size != SECTION.size:
            raise ValueError
        sections = list(SECTION.iter_unpack(executable.part_of(file, offset, size * count)))
        for _, kind, _, _, start, length, link, *_ in sections:
            if kind == TABLE:
                names = executable.part_of(file, *sections[link][4:6])
                table = executable.part_of(file, start, length)
                for name, _, _, _, value, _ in SYMBOL.iter_unpack(table):
                    found[names[name : names.index(b"\0", name)].decode("ascii", "replace")] = value
    return found
