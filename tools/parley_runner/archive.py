# SPDX-License-Identifier: MIT
"""The archive that carries configuration, programs and files into the machine: newc cpio, the one boot
module."""

import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from . import places
from .status import BadRequest

LARGEST_FILE = places.LARGEST_FILE
LONGEST_PATH = 255  # bytes, in the folder of files: File::max_path of kernel/program/file_store.hpp
MOST_FILES = 100_000  # the kernel keeps a record of each for every job
ENDLESS = 4 << 20  # bytes of what says that it is empty and is not, as files of /proc are


def header(inode: int, mode: int, size: int, name: bytes) -> bytes:
    numbers = (inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, len(name) + 1, 0)
    return b"070701" + b"".join(b"%08X" % number for number in numbers) + name + b"\0"


def pad(out: io.BufferedIOBase) -> None:
    out.write(b"\0" * (-out.tell() % 4))


@dataclass(frozen=True)
class Entry:
    """Of a folder that the machine gets."""

    place: str  # in the folder, which itself has an empty one
    path: str
    is_folder: bool

    @property
    def is_executable(self) -> bool:
        return os.access(self.path, os.X_OK)


def entries(folder: str) -> Iterator[Entry]:
    """The folder, its regular files and folders, also behind links, in sorted order so that the same input
    gives the same archive. BadRequest where programs could not name one, or these are too many."""
    for count, entry in enumerate(below(folder, "", ())):
        length = len(os.fsencode(entry.place))
        if length > LONGEST_PATH:
            raise BadRequest(
                f"FILES holds a path of {length} bytes, and programs can name {LONGEST_PATH}: "
                f"{entry.place[:60]}..."
            )
        if count >= MOST_FILES:
            raise BadRequest(f"FILES holds more than {MOST_FILES} files; take a smaller folder.")
        yield entry


def below(folder: str, place: str, above: tuple[str, ...]) -> Iterator[Entry]:
    """A link back to a folder `above` has no end, so it is left out. `place`: the folder's in the outermost
    one."""
    here = os.path.realpath(folder)
    if here in above:
        return
    yield Entry(place, folder, True)
    try:
        names = sorted(os.listdir(folder))
    except OSError as problem:
        raise BadRequest(f"Cannot read the folder {folder}: {problem.strerror}.") from problem
    for name in names:
        path, inner = os.path.join(folder, name), os.path.join(place, name)
        if os.path.isdir(path):
            yield from below(path, inner, (*above, here))
        elif os.path.isfile(path):
            yield Entry(inner, path, False)


class Archive:
    """Entries are written in the order in which they are added; close() writes the trailer."""

    def __init__(self, path: str, room: int):
        """`room`: bytes that the machine can take. What comes after that is counted and not written."""
        self.out = open(path, "wb")
        self.room = room
        self.bytes = 0
        self.entries = 0

    def begin(self, name: str, size: int, mode: int) -> bool:
        """Whether there is room for the content."""
        self.entries += 1
        path = os.fsencode(name)
        self.bytes += 116 + len(path) + size
        if self.bytes > self.room:
            return False
        self.out.write(header(self.entries, mode, size, path))
        pad(self.out)
        return True

    def add(self, name: str, content: bytes, mode: int = stat.S_IFREG | 0o644) -> None:
        if self.begin(name, len(content), mode):
            self.out.write(content)
            pad(self.out)

    def add_file(self, name: str, path: str, executable: bool = False, what: str = "") -> None:
        """`what` names the file in a refusal."""
        what = what or f"The file {path}"
        mode = stat.S_IFREG | (0o755 if executable else 0o644)
        with places.open_regular(path, what) as source:
            size = os.fstat(source.fileno()).st_size
            if size == 0:
                self.add(name, places.read_regular(path, what, ENDLESS), mode)
            elif self.begin(name, size, mode):
                copy(source, self.out, size, what)
                pad(self.out)

    def add_folder(self, name: str, folder: str) -> None:
        for entry in entries(folder):
            place = os.path.join(name, entry.place).rstrip("/")
            if entry.is_folder:
                self.add(place, b"", stat.S_IFDIR | 0o755)
            else:
                self.add_file(place, entry.path, entry.is_executable)

    def close(self) -> int:
        """The size that everything needs, written or not."""
        self.add("TRAILER!!!", b"", 0)
        self.out.write(b"\0" * (-self.out.tell() % 512))
        self.out.close()
        return self.bytes


def copy(source: io.BufferedIOBase, out: io.BufferedIOBase, size: int, what: str) -> None:
    """Exactly `size` bytes, as the header has promised."""
    before = out.tell()
    while (left := size - (out.tell() - before)) > 0:
        try:
            piece = source.read(min(left, 1 << 20))
        except OSError as problem:
            raise BadRequest(f"{what}: {problem.strerror}.") from problem
        if not piece:
            raise BadRequest(f"{what} became shorter while it was read.")
        out.write(piece)
