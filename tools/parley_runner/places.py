# SPDX-License-Identifier: MIT
"""Where things are, and writing files so that a reader never sees half of one."""

import os
import tempfile

from .status import BadRequest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("PARLEY_BUILD") or os.path.join(ROOT, "build")
EMULATOR = os.environ.get("PARLEY_EMULATOR") or "qemu-system-x86_64"


def kernel(dispatch: str, traced: bool = False) -> str:
    """dispatch: virtual or static; a traced kernel writes down what it sees"""
    folders = ["traced"] * traced + ["static"] * (dispatch == "static")
    return os.path.join(BUILD, *folders, "kernel.elf")


def check_writable_folder(path: str, what: str) -> None:
    """Before a long run rather than after it."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise BadRequest(f"{what}={path}: there is no folder {folder}.")
    if not os.access(folder, os.W_OK):
        raise BadRequest(f"{what}={path}: the folder {folder} cannot be written.")
    if os.path.isdir(path):
        raise BadRequest(f"{what}={path} is a folder, not a file.")


def write_atomically(path: str, content: bytes) -> None:
    """All of it, or nothing and the old file stays; an OSError becomes a sentence."""
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=".parley-", dir=os.path.dirname(os.path.abspath(path)))
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~current_umask())
        os.replace(temporary, path)
    except OSError as problem:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise BadRequest(f"Cannot write {path}: {problem.strerror}; nothing was written.") from problem


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
