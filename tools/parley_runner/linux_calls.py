# SPDX-License-Identifier: MIT
"""Names for the numbers of Linux calls that a program made and the kernel does not have, for people. They
come from the C library's header, which is there wherever programs are compiled."""

import re

HEADERS = ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h")


def names() -> dict[str, str]:
    for path in HEADERS:
        try:
            with open(path, encoding="ascii") as file:
                lines = re.findall(r"^#define __NR_(\w+) (\d+)$", file.read(), re.MULTILINE)
                return {number: name for name, number in lines}
        except OSError:
            continue
    return {}


def missed(jobs: list[dict]) -> str:
    """A sentence about what the jobs asked for in vain, or nothing."""
    numbers = dict.fromkeys(number for job in jobs for number in job.get("unknown_calls", "").split())
    if not numbers:
        return ""
    known = names()
    words = ", ".join(known.get(number, f"number {number}") for number in numbers)
    return f"It also made Linux calls that do not exist here and got ENOSYS: {words}."
