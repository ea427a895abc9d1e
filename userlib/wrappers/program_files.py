# SPDX-License-Identifier: MIT
"""Which of the sources in a folder are the program's: those that the makefile compiles, not those that lie
beside them, as another machine's port does.

A command that compiles and links by itself names them all. Otherwise the make that runs the compiler is asked
what it would do, with its own goals, if they had changed. Without either, any source may be the program's."""

import itertools
import os
import re
import subprocess

# By the wrapper: the files of a command that needs no others, one a line; and the process that called it.
NAMED, CALLER = "PARLEY_PROGRAM_FILES", "PARLEY_CALLER"
ASKED = "PARLEY_MAKE_IS_ASKED"  # nobody asks again in what a make that is asked runs all the same
SHELLS = ("sh", "dash", "bash", "ash", "ksh")
SECONDS = 60


def of_the_program(source: str, others: list[str]) -> list[str]:
    """Those of the others, files in the source's folder, that belong to the same program."""
    if not others:
        return []
    named = os.environ.get(NAMED)
    if named:
        stems = {stem(name) for name in named.splitlines()}
        return [name for name in others if stem(name) in stems]
    told = asked([source, *others])
    # What tells nothing of the source that is being compiled knows nothing of the others either.
    if told is None or os.path.basename(source) not in told:
        return others
    return [name for name in others if os.path.basename(name) in told or has_object(name)]


def stem(name: str) -> str:
    return os.path.splitext(os.path.basename(name))[0]


def has_object(source: str) -> bool:
    """Whether an earlier make has compiled it, for other goals."""
    return any(os.path.exists(os.path.join(at, stem(source) + ".o")) for at in (".", os.path.dirname(source)))


def asked(sources: list[str]) -> set[str] | None:
    """The words of what make would run if these files had changed; None: no make can be asked."""
    make = None if ASKED in os.environ else make_above()
    words = make and goals(make)
    if not words:
        return None
    changed = []
    for path in sources:
        changed += [f"--what-if={path}", f"--what-if={os.path.basename(path)}"]
    try:
        folder = os.readlink(f"/proc/{make}/cwd")
        with open(f"/proc/{make}/environ", encoding="utf-8", errors="surrogateescape") as file:
            environment = dict(one.split("=", 1) for one in file.read().split("\0") if "=" in one)
        done = subprocess.run(
            [os.readlink(f"/proc/{make}/exe"), "--dry-run", *changed, *words],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            check=False,
            cwd=folder,
            env={**environment, ASKED: "1"},
            timeout=SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {os.path.basename(word) for word in re.split(r"[\s;&|()'\"`=]+", done.stdout)}


def make_above() -> int | None:
    """The make that runs the compiler as a line of a recipe: between them are shells with -c, at most."""
    try:
        process = int(os.environ.get(CALLER, 0))
        while process > 1:
            words = arguments(process)
            name = os.path.basename(words[0]).lstrip("-")
            if name in ("make", "gmake"):
                return process
            options = itertools.takewhile(lambda word: word.startswith("-"), words[1:])
            if name not in SHELLS or not any(re.match(r"-\w*c$", word) for word in options):
                return None
            with open(f"/proc/{process}/stat", encoding="latin-1") as file:
                process = int(file.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        pass
    return None


def arguments(process: int) -> list[str]:
    with open(f"/proc/{process}/cmdline", encoding="utf-8", errors="surrogateescape") as file:
        return file.read().split("\0")[:-1]


def goals(make: int) -> list[str] | None:
    """What make was called with, without the folders into which it has gone; None: it reads a makefile that
    cannot be read again. Never empty."""
    words, kept = iter(arguments(make)[1:]), []
    for word in words:
        if word in ("-C", "--directory"):
            next(words, None)
        elif word in ("-f-", "--file=-", "--makefile=-"):
            return None
        elif not word.startswith(("-C", "--directory=")):
            kept.append(word)
            if word in ("-f", "--file", "--makefile"):
                kept.append(next(words, "-"))
                if kept[-1] == "-":
                    return None
    return ["--no-print-directory", *kept]
