# SPDX-License-Identifier: MIT
"""The words of `make bench-loops` and `make count-loops`: NAME=number, with the name of what make or the
environment would say."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
sys.path.append(os.path.join(ROOT, "tools"))

from parley_runner import ending  # noqa: E402
from parley_runner.status import BadRequest, Status  # noqa: E402

MOST_THREADS = 1024  # of a team (userlib/loops/barrier/barrier.hpp)
# A name, what holds where nobody says it, and the most.
THREADS = ("OMP_NUM_THREADS", 2, MOST_THREADS)
ROUNDS = ("ROUNDS", 5, 100_000)


def read(words: list[str], taken: tuple[tuple[str, int, int], ...]) -> list[int]:
    """The values, in the order of the names. BadRequest, one sentence, for anything else."""
    said = {name: os.environ[name] for name, _, _ in taken if os.environ.get(name)}
    names = [name for name, _, _ in taken]
    for word in words:
        name, equals, value = word.partition("=")
        if name not in names or not equals:
            known = " and ".join(f"{name}=" for name in names)
            raise BadRequest(f"'{word}' is no word here; there are {known}.")
        said[name] = value
    return [whole(name, said.get(name, str(usual)), most) for name, usual, most in taken]


def whole(name: str, text: str, most: int) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= 9
    if not is_number or not 1 <= int(text) <= most:
        raise BadRequest(f"{name} takes a whole number from 1 to {most}, not '{text}'.")
    return int(text)


def run(command: str, main) -> None:
    """Ends this process with what main() answers, or with a sentence."""
    try:
        sys.exit(ending.of(main))
    except BadRequest as problem:
        print(f"{command}: {problem}", file=sys.stderr)
        sys.exit(Status.BAD_REQUEST)
