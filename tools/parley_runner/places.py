# SPDX-License-Identifier: MIT
"""Where things are; reading files that users name, and writing so that a reader never sees half of one."""

import os
import stat
import subprocess
import tempfile
from typing import BinaryIO

from .status import BadRequest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("PARLEY_BUILD") or os.path.join(ROOT, "build")
EMULATOR = os.environ.get("PARLEY_EMULATOR") or "qemu-system-x86_64"


def version() -> str:
    """The commit, as git tells it; or PARLEY_VERSION, which `make test` sets for its hundreds of
    commands, because git looks at every file. Takes no lock in the repository, which would stay there if
    git were killed."""
    told = os.environ.get("PARLEY_VERSION")
    if told:
        return told
    try:
        commit = git("describe", "--always", "--tags")
        changed = git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):
        return "of an unknown commit"
    return f"{commit}-dirty" if changed else commit


def git(*words: str) -> str:
    """Raises OSError or subprocess.SubprocessError."""
    line = ["git", "-C", ROOT, "--no-optional-locks", *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=10, check=True).stdout.strip()


def kernel(dispatch: str, kind: str = "", measuring: bool = False) -> str:
    """dispatch: virtual or static; kind: traced, which writes down what it sees, checked, which looks at what
    must hold, or neither; measuring: the one of that kind that also measures gangs"""
    return os.path.join(build_folder(dispatch, kind), *["measuring"] * measuring, "kernel.elf")


def library(dispatch: str, kind: str = "") -> str:
    """The user-level message library, of the same kinds."""
    return os.path.join(build_folder(dispatch, kind), "lib", "messages.elf")


def build_folder(dispatch: str, kind: str) -> str:
    return os.path.join(BUILD, kind, *["static"] * (dispatch == "static"))


KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
LARGEST_FILE = (4 << 30) - 1  # that the archive can hold


def open_regular(path: str, what: str, largest: int = LARGEST_FILE) -> BinaryIO:
    """Opens a regular file of at most `largest` bytes: neither a pipe, which may block for ever, nor a
    device, which may never end. `what` begins the sentence of a BadRequest."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as problem:
        raise BadRequest(f"{what}: {problem.strerror}.") from problem
    file = os.fdopen(handle, "rb") if stat.S_ISREG(os.fstat(handle).st_mode) else None
    if file is None:
        kind = KINDS.get(stat.S_IFMT(os.fstat(handle).st_mode), "something else")
        os.close(handle)
        raise BadRequest(f"{what} is {kind}; it must be a regular file.")
    size = os.fstat(handle).st_size
    if size > largest:
        file.close()
        raise BadRequest(f"{what} has {size} bytes, more than the {largest} that are read.")
    return file


def read_regular(path: str, what: str, largest: int) -> bytes:
    """The whole of a file that open_regular() opens, also if it grows meanwhile."""
    with open_regular(path, what, largest) as file:
        try:
            content = file.read(largest + 1)
        except OSError as problem:
            raise BadRequest(f"{what}: {problem.strerror}.") from problem
    if content is None or len(content) > largest:
        raise BadRequest(f"{what} has more than the {largest} bytes that are read.")
    return content


def read_bounded(path: str, what: str, largest: int) -> bytes:
    """What a user hands over to be read at once, which may be a pipe that a command writes. One that nobody
    has opened to write is refused, and no device is read for ever."""
    try:
        # An opening that waits would wait for who writes, perhaps for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            os.set_blocking(handle, True)
            content = file.read(largest + 1)
            is_pipe = stat.S_ISFIFO(os.fstat(handle).st_mode)
    except OSError as problem:
        raise BadRequest(f"{what}: {problem.strerror}.") from problem
    if is_pipe and not content:
        raise BadRequest(f"{what} is a pipe that nobody writes: start who writes it first, or name a file.")
    if len(content) > largest:
        raise BadRequest(f"{what} has more than the {largest} bytes that are read.")
    return content


def check_writable_folder(path: str, what: str) -> None:
    """Before a long run rather than after it."""
    if is_device(path):
        return
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise BadRequest(f"{what}={path}: there is no folder {folder}.")
    if os.path.isdir(path):
        raise BadRequest(f"{what}={path} is a folder, not a file.")
    check_room(folder, f"{what}={path}")


def check_room(folder: str, what: str) -> None:
    """Only trying tells: of a read-only disk, or of the superuser, the rights say nothing."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as problem:
        raise BadRequest(f"{what}: the folder {folder} cannot be written: {problem.strerror}.") from problem


def is_device(path: str) -> bool:
    """A pipe, a terminal, /dev/null: written as it stands, for nothing may take its place."""
    return os.path.abspath(path).startswith("/dev/") or (
        os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    )


def write_atomically(path: str, content: bytes) -> None:
    """All of it, or nothing and the old file stays; an OSError becomes a sentence. A link stays a link."""
    temporary = None
    try:
        if is_device(path):
            with open(path, "ab") as file:
                file.write(content)
            return
        target = os.path.realpath(path)
        handle, temporary = tempfile.mkstemp(prefix=".parley-", dir=os.path.dirname(target))
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~current_umask())
        os.replace(temporary, target)
    except OSError as problem:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise BadRequest(f"Cannot write {path}: {problem.strerror}; nothing was written.") from problem


def make_folder(path: str) -> None:
    """With those above it; an OSError becomes a sentence."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as problem:
        raise BadRequest(f"Cannot make the folder {path}: {problem.strerror}.") from problem


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
