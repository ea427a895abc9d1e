# SPDX-License-Identifier: MIT
"""How commands end before they have done everything. Somebody asks for it, from a terminal or by a signal:
the first of these raises KeyboardInterrupt, and who looks for that says what is kept. Or nobody reads the
output any more: then as other programs do, by SIGPIPE and without a word."""

import contextlib
import glob
import os
import signal
import sys

from . import standard_files

REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def of(main) -> int:
    """The exit status of a command, whose `main` answers it. What it has printed is written out here, where a
    closed pipe can still be told from an error."""
    standard_files.open_missing()
    on_request()
    try:
        try:
            return main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        end_by_pipe()


def on_request() -> None:
    """From now on the first request to end raises KeyboardInterrupt. Those after it do nothing, for one often
    comes twice: make hands on what the terminal has sent to all. Raised while the first is unwound it would
    leave locks as nobody expects them, and what is ended half done. A request that this process was started
    to ignore, as in the background or under nohup, stays ignored."""
    for number in REQUESTS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, requested)


def requested(*_) -> None:
    for number in REQUESTS:
        if signal.getsignal(number) == requested:
            signal.signal(number, requested_again)
    raise KeyboardInterrupt


def requested_again(*_) -> None:
    """Not SIG_IGN, which a process that is started to clean up would inherit."""


def give_up(pool) -> None:
    """Of a request to end: nothing more of the pool of threads begins, and what they have started is asked to
    end, too. A terminal asks all of it, but who sends a signal may ask this process alone."""
    pool.shutdown(wait=False, cancel_futures=True)
    ask_children()


def ask_children() -> None:
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            with open(path, "rb") as file:
                number, _, rest = file.read().partition(b" ")
            if int(rest.rpartition(b")")[2].split()[1]) == os.getpid():
                os.kill(int(number), signal.SIGTERM)


def end_by_pipe() -> None:
    """Ends this process as a write to a closed pipe ends a program that does not look at it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())  # for what is still buffered
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGPIPE])
    os.kill(os.getpid(), signal.SIGPIPE)
