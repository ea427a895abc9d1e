# SPDX-License-Identifier: MIT
"""The archive that carries configuration, programs and files into the machine: newc cpio, the one boot
module."""

import io
import os
import stat

from .status import BadRequest

LARGEST_FILE = 0xFFFFFFFF


def header(inode: int, mode: int, size: int, name: bytes) -> bytes:
    numbers = (inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, len(name) + 1, 0)
    return b"070701" + b"".join(b"%08X" % number for number in numbers) + name + b"\0"


def pad(out: io.BufferedIOBase) -> None:
    out.write(b"\0" * (-out.tell() % 4))


class Archive:
    """Entries are written in the order in which they are added; close() writes the trailer."""

    def __init__(self, path: str):
        self.out = open(path, "wb")
        self.inode = 0
        self.names: set[str] = set()

    def add(self, name: str, content: bytes, mode: int = stat.S_IFREG | 0o644) -> None:
        if len(content) > LARGEST_FILE:
            raise BadRequest(f"{name} is larger than 4 GiB, which the archive cannot hold.")
        self.inode += 1
        self.names.add(name)
        self.out.write(header(self.inode, mode, len(content), os.fsencode(name)))
        pad(self.out)
        self.out.write(content)
        pad(self.out)

    def add_file(self, name: str, path: str, executable: bool = False) -> None:
        try:
            with open(path, "rb") as source:
                content = source.read()
        except OSError as problem:
            raise BadRequest(f"Cannot read {path}: {problem.strerror}.") from problem
        self.add(name, content, stat.S_IFREG | (0o755 if executable else 0o644))

    def add_folder(self, name: str, folder: str, above: tuple[str, ...] = ()) -> None:
        """The folder's regular files and folders, also behind links, in sorted order so that the same input
        gives the same archive. A link back to a folder `above` has no end, so it is left out."""
        here = os.path.realpath(folder)
        if here in above:
            return
        self.add(name, b"", stat.S_IFDIR | 0o755)
        try:
            entries = sorted(os.listdir(folder))
        except OSError as problem:
            raise BadRequest(f"Cannot read the folder {folder}: {problem.strerror}.") from problem
        for entry in entries:
            path = os.path.join(folder, entry)
            if os.path.isdir(path):
                self.add_folder(f"{name}/{entry}", path, (*above, here))
            elif os.path.isfile(path):
                self.add_file(f"{name}/{entry}", path, os.access(path, os.X_OK))

    def close(self) -> None:
        self.add("TRAILER!!!", b"", 0)
        self.out.write(b"\0" * (-self.out.tell() % 512))
        self.out.close()
