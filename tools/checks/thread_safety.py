# SPDX-License-Identifier: MIT
"""clang-19's thread-safety analysis over the kernel's sources; any finding is an error."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import sources

FLAGS = (
    "-std=c++23",
    "-fsyntax-only",
    "-ffreestanding",
    "-fno-exceptions",
    "-fno-rtti",
    "-mno-red-zone",
    "-mcmodel=kernel",
    "-mgeneral-regs-only",
    "-fno-threadsafe-statics",
    "-Werror=thread-safety",
    "-Wthread-safety-beta",
    "-Wno-everything",
    "-Wthread-safety",
)
FOLDERS = ("kernel/", "messaging/", "sched/", "arch/x86_64/")


def analyse(name: str, build: str) -> str:
    includes = [
        "-I",
        sources.ROOT,
        "-I",
        os.path.join(sources.ROOT, "kernel", "platform"),
        "-I",
        os.path.join(sources.ROOT, build, "generated"),
    ]
    flags = [flag for flag in FLAGS if flag != "-Wno-everything"]
    done = subprocess.run(
        ["clang-19", "--target=x86_64-linux-gnu", "-w", *flags, *includes, os.path.join(sources.ROOT, name)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr if done.returncode else ""


def check(build: str) -> bool:
    report = sources.Report("thread-safety analysis")
    names = [
        name for name in sources.files(".cpp") if name.startswith(FOLDERS) and not name.endswith("_test.cpp")
    ]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, errors in zip(names, pool.map(lambda name: analyse(name, build), names)):
            if errors:
                report.wrong(name, errors.strip().replace("\n", "\n    "))
    report.note(f"{len(names)} sources")
    return report.finish()
