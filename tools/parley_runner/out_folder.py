# SPDX-License-Identifier: MIT
"""OUT=folder: receives the files that programs made or changed, whole or not at all, and never outside the
folder."""

import contextlib
import os
import tempfile

from . import places
from .frames import Frame
from .status import BadRequest


def safe_path(folder: str, name: str) -> str:
    """Where a file of this name goes; ValueError when that would leave the folder."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise ValueError(f"the name {name!r} leaves the output folder")
    path = os.path.join(folder, *parts)
    root = os.path.realpath(folder)
    if os.path.commonpath([root, os.path.realpath(os.path.dirname(path))]) != root:
        raise ValueError(f"the name {name!r} leads through a link out of the output folder")
    return path


class OutFolder:
    """Pieces gather in hidden temporary files; a file takes its name when its last piece has come. Machines
    that are booted together may call from a thread each: of files of one name the last to be whole stays."""

    def __init__(self, folder: str):
        self.folder = folder
        self.open: dict[tuple[int, int, str], tuple] = {}  # of machine, job, name
        self.refused: set[tuple[int, int, str]] = set()  # files whose later pieces nobody waits for
        self.written: list[str] = []
        self.problems: list[str] = []  # of what came
        self.unwritten: list[str] = []  # of this machine
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as problem:
            raise BadRequest(f"OUT={folder} cannot be made: {problem.strerror}.") from problem
        places.check_room(folder, f"OUT={folder}")

    def take(self, frame: Frame, subfolder: str = "", machine: int = 0) -> None:
        job, name, size, offset, piece = frame.file()
        key = (machine, job, name)
        try:
            self.add(key, os.path.join(self.folder, subfolder), name, size, offset, piece)
        except ValueError as problem:
            self.discard(key)
            self.problems.append(f"{name!r} was not written to {self.folder}: {problem}")
        except OSError as problem:
            self.discard(key)
            self.refused.add(key)
            self.unwritten.append(f"{name!r} could not be written to {self.folder}: {problem.strerror}")

    def add(self, key: tuple, folder: str, name: str, size: int, offset: int, piece: bytes) -> None:
        if offset == 0:
            self.refused.discard(key)
            os.makedirs(folder, exist_ok=True)
            path = safe_path(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.discard(key)
            handle, temporary = tempfile.mkstemp(prefix=".parley-", dir=os.path.dirname(path))
            self.open[key] = (os.fdopen(handle, "wb"), temporary, path)
        if key in self.refused:
            return
        if key not in self.open:
            raise ValueError("its first piece is missing")
        file, temporary, path = self.open[key]
        if file.tell() > offset or offset + len(piece) > size:
            raise ValueError("its pieces do not fit together")
        file.seek(offset)  # what is left out stays a hole
        file.write(piece)
        if file.tell() == size:
            file.truncate()
            file.close()
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
            del self.open[key]
            self.written.append(path)

    def discard(self, key: tuple) -> None:
        if key in self.open:
            file, temporary, _ = self.open.pop(key)
            with contextlib.suppress(OSError):  # what is not written yet may find no room once more
                file.close()
            os.unlink(temporary)

    def finish(self) -> None:
        for key in list(self.open):
            self.problems.append(f"{key[-1]!r} did not arrive completely, so it was not written")
            self.discard(key)
