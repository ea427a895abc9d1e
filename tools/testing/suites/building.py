# SPDX-License-Identifier: MIT
"""Builds what the chosen tests need, once, and shows how far it is. What cannot be built is named, and only
the tests that need it fail."""

import os
import re
import subprocess
import tempfile

from .catalogue import ROOT
from .progress import Progress

OUTPUT = re.compile(r"\s-o (\S+)")
FAILED = re.compile(r"^make(?:\[\d+\])?: Target '([^']+)' not remade because of errors\.\n?", re.M)


def make_line() -> list[str]:
    return [os.environ.get("MAKE", "make"), "--no-print-directory"]


def outputs(targets: list[str]) -> list[str]:
    """The files that make would write; none when everything is there."""
    done = subprocess.run(
        [*make_line(), "--dry-run", *targets], capture_output=True, text=True, check=False, cwd=ROOT
    )
    return [found[1] for line in done.stdout.splitlines() if (found := OUTPUT.search(line))]


def build(targets: list[str], progress: Progress) -> tuple[set[str], str]:
    """The targets that could not be built, and what the compilers said."""
    count = len(outputs(targets))
    if count:
        progress.say(f"Building {count} files.")
    return make(targets, count, progress, ["--keep-going"])


def make(targets: list[str], count: int, progress: Progress, options: list[str]) -> tuple[set[str], str]:
    """Shows how many of `count` files are there."""
    done = 0
    line = [*make_line(), *options, "--output-sync=target", *targets]
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        # Descriptors stay open, for make's own job server.
        with subprocess.Popen(
            line,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            errors="replace",
            cwd=ROOT,
            env={**os.environ, "LC_ALL": "C"},
            close_fds=False,
        ) as process:
            for text in process.stdout:
                output = OUTPUT.search(text)
                if output:
                    done += 1
                    progress.show(f"building {min(done, count)} of {count}: {output[1]}")
        progress.clear()
        said.seek(0)
        words = said.read()
    failed = set(FAILED.findall(words)) & set(targets)
    if process.returncode != 0 and not failed:
        failed = set(targets)
    return failed, FAILED.sub("", words)
