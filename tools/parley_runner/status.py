# SPDX-License-Identifier: MIT
"""How a run can end. The numbers are the command's exit status and part of its documented interface."""

import contextlib
import enum


class Status(enum.IntEnum):
    SUCCESS = 0
    FAILED = 1  # the kernel came to its end, but a program or job failed
    BAD_REQUEST = 2  # nothing was started: the request itself is wrong
    PANIC = 3
    TRIPLE_FAULT = 4  # the machine reset itself
    HANG = 5  # no heartbeat for many times what the boot took, or a job that cannot be ended
    TIME_OUT = 6  # a job's limit
    NO_RESULT = 7  # the machine ended politely without saying that it did its work
    DAMAGED = 8  # frames of the results channel are broken, missing or contradict each other
    EMULATOR = 9  # the emulator could not start or broke down itself
    INTERRUPTED = 130

    @property
    def word(self) -> str:
        return self.name.lower().replace("_", "-")


class BadRequest(Exception):
    """The request cannot be met; the message is one sentence for the user."""


@contextlib.contextmanager
def said_in(where: dict[str, str], key: str):
    """A refusal of this key's value begins with the file and line that set it, if a file did."""
    try:
        yield
    except BadRequest as problem:
        raise BadRequest(f"{where.get(key, '')}{problem}") from problem


def sentence_of(problem: BadRequest | OSError) -> str:
    if isinstance(problem, BadRequest):
        return str(problem)
    return (f"{problem.filename}: " if problem.filename else "") + f"{problem.strerror}."
