# SPDX-License-Identifier: MIT
"""Standard input, output and errors of a command that was started without some of them, as daemons start
some: what it opens next would take their places, and be written to."""

import os
import sys

NAMES = ("stdin", "stdout", "stderr")


def open_missing() -> None:
    """They are as if they had been sent to nowhere."""
    for number, name in enumerate(NAMES):
        if getattr(sys, name) is not None:
            continue
        mode = "w" if number else "r"
        try:
            os.fstat(number)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            os.set_inheritable(number, True)
        setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
