# SPDX-License-Identifier: MIT
"""How a command ends whose output nobody reads any more: as other programs do, by SIGPIPE and without a
word."""

import os
import signal
import sys


def of(main) -> int:
    """The exit status of a command, whose `main` answers it. What it has printed is written out here, where a
    closed pipe can still be told from an error."""
    try:
        try:
            return main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        end_by_pipe()


def end_by_pipe() -> None:
    """Ends this process as a write to a closed pipe ends a program that does not look at it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())  # for what is still buffered
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGPIPE])
    os.kill(os.getpid(), signal.SIGPIPE)
