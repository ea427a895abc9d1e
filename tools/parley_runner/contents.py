# SPDX-License-Identifier: MIT
"""Digests of files that runs are made of. Of an executable or a library that is what is loaded, without what
debuggers are told: two clones of a commit have the same, and so have two commits that differ in comments."""

import hashlib
import os
import struct
from collections.abc import Iterator
from typing import BinaryIO

from .executable import ELF_HEADER, LOAD, exactly, program_headers

# Of the header's fields: where the sections are, how many, and which has their names.
OF_SECTIONS = (6, 12, 13)
NOTE = 4  # the kind of a program header


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
    return whole.digest()


def loaded(file: BinaryIO) -> Iterator[bytes]:
    """What of an ELF file is loaded, and where to. struct.error, ValueError or OverflowError: it is none, or
    is cut off."""
    whole = os.fstat(file.fileno()).st_size
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
    yield header
    for segment in loads:
        offset, size = segment[2], segment[5]
        yield struct.pack("<7Q", *segment[1:])
        if offset + size > whole:
            raise ValueError
        file.seek(offset)
        data = bytearray(exactly(file, size))
        # The header is loaded, too, and so are notes, of which one is a digest of the whole file.
        covered = header[offset : offset + size]
        data[: len(covered)] = covered
        for note in segments:
            first, last = max(note[2], offset), min(note[2] + note[5], offset + size)
            if note[0] == NOTE and first < last:
                data[first - offset : last - offset] = bytes(last - first)
        yield bytes(data)
