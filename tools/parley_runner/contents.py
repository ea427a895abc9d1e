# SPDX-License-Identifier: MIT
"""Digests of files that runs are made of. Of an executable or a library that is what is loaded, and where the
model finds the copy routine, without what debuggers are told: two clones of a commit have the same, and so
have two commits that differ in comments."""

import functools
import hashlib
import os
import struct
from collections.abc import Iterator
from typing import BinaryIO

from . import places, symbols
from .executable import ELF_HEADER, LOAD, exactly, part_of, program_headers

# Of the header's fields: where the sections are, how many, and which has their names.
OF_SECTIONS = (6, 12, 13)
NOTE = 4  # the kind of a program header
NOTE_HEADER = struct.Struct("<III")
BUILD_ID = (b"GNU\0", 3)  # a note's name and kind; it is a digest of the whole file


def digest(path: str) -> bytes:
    """Of one file's contents. Raises OSError."""
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        try:
            parts = list(loaded(file))
        except (struct.error, ValueError, OverflowError):
            file.seek(0)
            return hashlib.file_digest(file, "sha256").digest()
    for part in parts:
        whole.update(part)
    whole.update(repr(symbols.find(path, *symbols.COPIES)).encode())
    return whole.digest()


def digest_once(path: str) -> bytes:
    """The same, of a file that is read once for all boots of a command, and again when it was written."""
    return kept_digest(path, *written(os.stat(path)))


def data_digest(path: str, what: str) -> bytes:
    """Of all that a file holds: of what programs read. `what` begins the sentence of a BadRequest."""
    with places.open_regular(path, what) as file:
        known = written(os.fstat(file.fileno()))
    return kept_data_digest(path, what, *known)


def written(now: os.stat_result) -> tuple[int, int, int, int]:
    """Other numbers when somebody has written the file."""
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


@functools.cache
def kept_digest(path: str, *_written: int) -> bytes:
    return digest(path)


@functools.cache
def kept_data_digest(path: str, what: str, *_written: int) -> bytes:
    with places.open_regular(path, what) as file:
        return hashlib.file_digest(file, "sha256").digest()


def loaded(file: BinaryIO) -> Iterator[bytes]:
    """What of an ELF file is loaded, and where to. struct.error, ValueError or OverflowError: it is none, or
    is cut off."""
    fields = list(ELF_HEADER.unpack(exactly(file, ELF_HEADER.size)))
    if fields[0][:5] != b"\x7fELF\x02":
        raise ValueError
    segments = program_headers(file, fields[5], *fields[9:11])
    for field in OF_SECTIONS:
        fields[field] = 0
    header = ELF_HEADER.pack(*fields)
    loads = [one for one in segments if one[0] == LOAD]
    if not loads:
        raise ValueError
    build_ids = [span for one in segments if one[0] == NOTE for span in build_ids_in(file, one[2], one[5])]
    yield header
    for segment in loads:
        offset, size = segment[2], segment[5]
        yield struct.pack("<7Q", *segment[1:])
        data = bytearray(part_of(file, offset, size))
        covered = header[offset : offset + size]  # the first segment may begin with it
        data[: len(covered)] = covered
        for first, last in build_ids:
            if offset <= first < last <= offset + size:
                data[first - offset : last - offset] = bytes(last - first)
        yield bytes(data)


def build_ids_in(file: BinaryIO, offset: int, size: int) -> Iterator[tuple[int, int]]:
    """Where in the file the descriptions of those notes begin and end."""
    notes, at = part_of(file, offset, size), 0
    while at + NOTE_HEADER.size <= size:
        name_size, length, kind = NOTE_HEADER.unpack_from(notes, at)
        name = at + NOTE_HEADER.size
        begin = name + -(-name_size // 4) * 4
        if (notes[name : name + name_size], kind) == BUILD_ID:
            yield offset + begin, offset + begin + length
        at = begin + -(-length // 4) * 4
