# SPDX-License-Identifier: MIT
"""What a boot is made of, as records name it: the version of the sources, and what was built of them."""

import functools
import hashlib
import os

from . import contents, executable, guest, machine_file, model, places

DIGITS = 12
version = functools.cache(places.version)  # once for all boots of a command


@functools.lru_cache(maxsize=64)
def content(path: str, *_written) -> bytes:
    """Of one file. A kernel is read once for all boots of a command, and again when it has been written."""
    return contents.digest(path)


def digest(paths) -> str:
    """Of the contents of those files that are there, in the order of their names."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        if os.path.exists(path):
            now = os.stat(path)
            whole.update(content(path, now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns))
    return whole.hexdigest()


def system(request) -> set[str]:
    """The kernel and the library."""
    return {guest.kernel(request), guest.library(request)}


def programs(request) -> set[str]:
    return {executable.find(job.app, places.BUILD, places.ROOT) for job in request.jobs}


def machine(request) -> set[str]:
    """The machine model and the file of its machine, where the run is on one."""
    return {model.PLUGIN, machine_file.find(request.values["machine"])} if model.wanted(request) else set()


def of(request) -> dict[str, str]:
    """For the record."""
    return {
        "version": version(),
        "system": digest(system(request))[:DIGITS],
        "programs": digest(programs(request))[:DIGITS],
    }
