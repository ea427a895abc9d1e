# SPDX-License-Identifier: MIT
"""clang-format-19 decides the layout of C and C++: `check` compares, `apply` rewrites."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import sources

TOOL = "clang-format-19"
# C is written with the star at the name, C++ with the star at the type.
C_STYLE = (
    "{BasedOnStyle: InheritParentConfig, PointerAlignment: Right, AllowShortFunctionsOnASingleLine: Empty}"
)


BATCH = 40  # files that one process looks at: to start one for each takes longer than the look
HAS_C_HEADERS = re.compile(r"(?:userlib|(?:studies/[^/]+/)?apps)/")


def is_c(name: str) -> bool:
    return name.endswith(".c") or (name.endswith(".h") and HAS_C_HEADERS.match(name) is not None)


def arguments(*names: str) -> list[str]:
    """Of one language."""
    style = f"--style={C_STYLE}" if is_c(names[0]) else "--style=file"
    return [TOOL, style, *(os.path.join(sources.ROOT, name) for name in names)]


def differs(name: str) -> int:
    """The first line that clang-format would change, or 0."""
    done = subprocess.run(arguments(name), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return 1
    ours, theirs = sources.text(name).split("\n"), done.stdout.split("\n")
    if ours == theirs:
        return 0
    pairs = enumerate(zip(ours, theirs), start=1)
    return next((line for line, (a, b) in pairs if a != b), min(len(ours), len(theirs)))


def batches(names: list[str]) -> list[list[str]]:
    kinds = ([name for name in names if is_c(name) == c] for c in (False, True))
    return [kind[at : at + BATCH] for kind in kinds for at in range(0, len(kind), BATCH)]


def changes_in(names: list[str]) -> dict[str, int]:
    """The first line that would change, of each file of the batch in which one would."""
    line = [*arguments(*names), "--dry-run", "--Werror"]
    if subprocess.run(line, capture_output=True, check=False).returncode == 0:
        return {}
    return {name: line for name in names if (line := differs(name))}


def changes(names: list[str]) -> dict[str, int]:
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = [*pool.map(changes_in, batches(names))]
    return dict(sorted(item for some in found for item in some.items()))


def check() -> bool:
    report = sources.Report("formatting")
    names = sources.files(*sources.CPP)
    for name, line in changes(names).items():
        report.wrong(f"{name}:{line}", "is not formatted (`make format` does it)")
    report.note(f"{len(names)} files")
    return report.finish()


def apply() -> None:
    for name in changes(sources.files(*sources.CPP)):
        subprocess.run([*arguments(name), "-i"], check=True)
        print(name)
