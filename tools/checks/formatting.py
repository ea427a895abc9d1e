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


HAS_C_HEADERS = re.compile(r"(?:userlib|(?:studies/[^/]+/)?apps)/")


def is_c(name: str) -> bool:
    return name.endswith(".c") or (name.endswith(".h") and HAS_C_HEADERS.match(name) is not None)


def arguments(name: str) -> list[str]:
    return [TOOL, f"--style={C_STYLE}" if is_c(name) else "--style=file", os.path.join(sources.ROOT, name)]


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


def check() -> bool:
    report = sources.Report("formatting")
    names = sources.files(*sources.CPP)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, line in zip(names, pool.map(differs, names)):
            if line:
                report.wrong(f"{name}:{line}", "is not formatted (`make format` does it)")
    report.note(f"{len(names)} files")
    return report.finish()


def apply() -> None:
    for name in sources.files(*sources.CPP):
        if differs(name):
            subprocess.run([*arguments(name), "-i"], check=True)
            print(name)
