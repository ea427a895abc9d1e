# SPDX-License-Identifier: MIT
"""clang-19's thread-safety analysis over the sources of the kernel, of the message library and of nxrun,
and over their tests; any finding is an error. For tests another header stands for Catch2's, whose conditions
the analysis does not follow (testing/analysed/)."""

import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import sources

COMMON = ("--target=x86_64-linux-gnu", "-std=c++23")
ANALYSIS = ("-Wthread-safety", "-Werror=thread-safety")
# Without -mgeneral-regs-only: clang would reject a long double in a header of the C++ library.
FREESTANDING = ("-ffreestanding", "-fno-exceptions", "-fno-rtti", "-mcmodel=kernel")
# Without access control, which some tests go past; what GCC alone warns of is nothing for this.
HOSTED = ("-Wno-everything", "-fno-access-control")
MOST_LINES_SHOWN = 8
# Without the library's static composition, which the build compiles as it stands, too.
FOLDERS = re.compile(
    r"(base|jobs|kernel|(studies/[^/]+/)?measuring|messaging|sched|arch/x86_64"
    r"|userlib/library(?!/composition))/"
)
TESTS = re.compile(r"_(test|explored)\.cpp$")
# What runs on this machine beside: the tests' tools, and nxrun with its tests. Leaves that only tests compose
# see lists of leaves that only their build makes.
ON_LINUX = re.compile(r"(testing/(?!own_leaves/|catch_main)|native/(network|nxrun)/).*\.cpp$")
# Where each finds headers before others.
OWN_HEADERS = {
    "kernel/trace/": "kernel/trace/on",
    "kernel/accounting/": "kernel/accounting/on",
    "userlib/library/traced/": "userlib/library/traced",
}
LIBRARY = ("userlib/library", "base/unchecked")
KERNEL = ("kernel/platform", "arch/x86_64", "base/checked")
# Over Linux's threads, or over the explorer's fibers.
EXPLORED = re.compile(r"_explored\.cpp$|testing/(explored|exploring)/|testing/explorer\.cpp$")
OF_HOST = ("base/checked", "arch/linux")
# Headers that the compiler reads once for all sources of the kernel and of the library, for all others that
# run on Linux, and for all tests: that halves the time of the check. What a source itself names
# tools/checks/standard_headers.py sees.
FIRST_IN_KERNEL = ("base/standard_headers.hpp",)
# These define what the standard library declares otherwise.
WITHOUT_FIRST = ("kernel/abi.cpp", "userlib/library/runtime.cpp")
FIRST_ON_LINUX = ("base/hosted_headers.hpp",)
FIRST_IN_TESTS = (*FIRST_ON_LINUX, "testing/analysed/testing/catch.hpp")


def is_hosted(name: str) -> bool:
    return bool(TESTS.search(name) or ON_LINUX.match(name))


def folders(name: str, build: str) -> tuple[str, ...]:
    """The include path of a source, in its order."""
    first = [folder for part, folder in OWN_HEADERS.items() if name.startswith(part)]
    if EXPLORED.search(name):
        own = ("testing/explored", "testing/analysed", *first, ".", *OF_HOST)
    elif is_hosted(name):
        library = ("native/library",) if name.startswith("native/") else ()
        own = ("testing/analysed", *first, ".", *library, "arch/hosted", *OF_HOST)
    else:
        own = (*first, ".", *(LIBRARY if name.startswith("userlib/") else KERNEL))
    return (*own, f"{build}/generated")


def first_headers(name: str) -> tuple[str, ...]:
    if name in WITHOUT_FIRST:
        return ()
    if not is_hosted(name):
        return FIRST_IN_KERNEL
    return FIRST_IN_TESTS if TESTS.search(name) else FIRST_ON_LINUX


def compiler(*flags: str) -> subprocess.CompletedProcess:
    return subprocess.run(("clang-19", *COMMON, *flags), capture_output=True, text=True, check=False)


def read_first(headers: tuple[str, ...], folder: str) -> str:
    """The file in `folder` with what the compiler made of `headers`; nothing, if they are wrong: then each
    source reads them, and says so."""
    if not headers:
        return ""
    path = os.path.join(folder, "-".join(headers).replace("/", "."))
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f'#include "{os.path.join(sources.ROOT, header)}"\n' for header in headers)
    flags = (*(FREESTANDING if headers == FIRST_IN_KERNEL else HOSTED), *ANALYSIS)
    done = compiler(*flags, f"-I{sources.ROOT}", "-x", "c++-header", path, "-o", f"{path}.pch")
    return "" if done.returncode else f"{path}.pch"


def analyse(name: str, build: str, first: str) -> str:
    """What is wrong in the source. `first`: what read_first() has answered."""
    includes = [f"-I{os.path.join(sources.ROOT, folder)}" for folder in folders(name, build)]
    flags = (*(HOSTED if is_hosted(name) else FREESTANDING), *ANALYSIS)
    read = ("-include-pch", first) if first else ()
    done = compiler("-fsyntax-only", *flags, *includes, *read, os.path.join(sources.ROOT, name))
    return done.stderr if done.returncode else ""


def check(build: str) -> bool:
    report = sources.Report("thread-safety analysis")
    names = [
        name
        for name in sources.files(".cpp")
        if (FOLDERS.match(name) or ON_LINUX.match(name)) and not name.startswith("userlib/testing/")
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool,
    ):
        read = {headers: read_first(headers, folder) for headers in {first_headers(name) for name in names}}
        analysed = pool.map(lambda name: analyse(name, build, read[first_headers(name)]), names)
        for name, errors in zip(names, analysed):
            if errors:
                report.wrong(name, "\n    ".join(errors.strip().split("\n")[:MOST_LINES_SHOWN]))
    tests = sum(1 for name in names if TESTS.search(name))
    report.note(f"{len(names)} sources, {tests} of them tests")
    return report.finish()
