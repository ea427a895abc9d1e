# SPDX-License-Identifier: MIT
"""What is to be told of programs/jumping.c, in booted kernels and under nxrun."""

REFUSED = ("computes", "waits", "collects", "below")
HARMLESS = ("returns", "ends")
WENT_ON = "went on after 1\n"
SENTENCE = (
    "parley: node 0, pid 0: a handler of hrecv has not returned: it has jumped out (longjmp), and the call"
    " that it interrupted stays half done. Let it set a variable and return\n"
)
