# SPDX-License-Identifier: MIT
"""What a boot is made of, as records name it: the version of the sources, and what was built of them."""

import functools
import hashlib
import os

from . import executable, guest, places

DIGITS = 12
version = functools.cache(places.version)  # once for all boots of a command


def digest(paths) -> str:
    """Of the contents of those files that are there, in the order of their names."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        if os.path.exists(path):
            with open(path, "rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()


def system(request) -> set[str]:
    """The kernel and the library."""
    return {guest.kernel(request), guest.library(request)}


def programs(request) -> set[str]:
    return {executable.find(job.app, places.BUILD, places.ROOT) for job in request.jobs}


def of(request) -> dict[str, str]:
    """For the record."""
    return {
        "version": version(),
        "system": digest(system(request))[:DIGITS],
        "programs": digest(programs(request))[:DIGITS],
    }
