# SPDX-License-Identifier: MIT
"""clang-19's thread-safety analysis over the sources of the kernel and of the message library; any finding is
an error. The build reads the headers of base/standard_headers.hpp before any source, and this does not: so a
source that names too few headers is found here."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import sources

# Without -mgeneral-regs-only: clang would reject a long double in a header of the C++ library.
FLAGS = (
    "--target=x86_64-linux-gnu",
    "-std=c++23",
    "-fsyntax-only",
    "-ffreestanding",
    "-fno-exceptions",
    "-fno-rtti",
    "-mcmodel=kernel",
    "-Wthread-safety",
    "-Werror=thread-safety",
)
MOST_LINES_SHOWN = 8
# Without the library's static composition, which the build compiles as it stands, too.
FOLDERS = re.compile(
    r"(base|jobs|kernel|(studies/[^/]+/)?measuring|messaging|sched|arch/x86_64"
    r"|userlib/library(?!/composition))/"
)
# Where each finds headers before others.
OWN_HEADERS = {
    "kernel/trace/": "kernel/trace/on",
    "kernel/accounting/": "kernel/accounting/on",
    "userlib/library/traced/": "userlib/library/traced",
}
LIBRARY = ("userlib/library", "base/unchecked")
KERNEL = ("kernel/platform", "arch/x86_64", "base/checked")


def analyse(name: str, build: str) -> str:
    first = [folder for part, folder in OWN_HEADERS.items() if name.startswith(part)]
    own = LIBRARY if name.startswith("userlib/") else KERNEL
    folders = (*first, ".", *own, f"{build}/generated")
    includes = [f"-I{os.path.join(sources.ROOT, folder)}" for folder in folders]
    line = ["clang-19", *FLAGS, *includes, os.path.join(sources.ROOT, name)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def check(build: str) -> bool:
    report = sources.Report("thread-safety analysis")
    names = [
        name
        for name in sources.files(".cpp")
        if FOLDERS.match(name) and not name.endswith(("_test.cpp", "_explored.cpp"))
    ]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, errors in zip(names, pool.map(lambda name: analyse(name, build), names)):
            if errors:
                report.wrong(name, "\n    ".join(errors.strip().split("\n")[:MOST_LINES_SHOWN]))
    report.note(f"{len(names)} sources")
    return report.finish()
