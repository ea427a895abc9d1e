# SPDX-License-Identifier: MIT
"""Small rules: columns, licence lines, contracts, words that must not stay. Sizes are told and not judged: a
file holds one idea, whole."""

import re
import statistics

import functions
import sources

MOST_COLUMNS = 110
LARGEST_SHOWN = 5
ENDINGS = (*sources.CODE, ".py", ".sh", ".mk", ".ld", ".f", ".toml")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|root|mnt|srv)/\w")
THIS = "tools/checks/style.py"
# What is compiled against the emulator's plugin interface has the licence of that interface.
PLUGIN, PLUGIN_LICENSE = "tools/machine_model/plugin/", "GPL-2.0-or-later"


def license_line(name: str, lines: list[str], report: sources.Report) -> None:
    head = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
    license_ = PLUGIN_LICENSE if name.startswith(PLUGIN) else "MIT"
    if not head or f"SPDX-License-Identifier: {license_}" not in head[0]:
        report.wrong(name, "does not start with the SPDX line")


def contract(name: str, lines: list[str], report: sources.Report) -> None:
    if name.endswith((".hpp", ".h")) and (
        len(lines) < 2 or not lines[1].lstrip().startswith(("//", "/*", "*", "!", "C"))
    ):
        report.wrong(name, "has no contract comment after the SPDX line")


def lines_of(name: str, lines: list[str], report: sources.Report) -> None:
    for number, line in enumerate(lines, start=1):
        if len(line) > MOST_COLUMNS:
            report.wrong(f"{name}:{number}", f"has {len(line)} columns")
        if line != line.rstrip():
            report.wrong(f"{name}:{number}", "ends in blanks")
        if "\t" in line and not name.endswith((".mk", "Makefile", ".S", ".f", ".ld")):
            report.wrong(f"{name}:{number}", "has a tab")
        if name != THIS and (UNFINISHED.search(line) or MACHINE_PATH.search(line)):
            report.wrong(f"{name}:{number}", "has a word that must not stay")


def check() -> bool:
    report = sources.Report("style")
    for name in [*sources.files(*ENDINGS), "Makefile"]:
        lines = sources.text(name).split("\n")
        license_line(name, lines, report)
        contract(name, lines, report)
        lines_of(name, lines, report)
    return report.finish()


def largest(kind: str, measured: list[tuple[int, str]]) -> None:
    shown = ", ".join(f"{name} {count}" for count, name in sorted(measured, reverse=True)[:LARGEST_SHOWN])
    middle = f", median {statistics.median(count for count, _ in measured):.0f}" if measured else ""
    print(f"  {kind}: {len(measured)}{middle}; most: {shown}")


def sizes() -> None:
    """A summary for people: the longest files and functions, classes with most methods and data members."""
    lines, lengths, methods, members = [], [], [], []
    for name in sources.files(*sources.CPP, ".py"):
        text, python = sources.text(name), name.endswith(".py")
        lines.append((text.count("\n"), name))
        found = functions.of_python(text) if python else functions.of_cpp(text)
        lengths += [(length, f"{function} ({name})") for function, _, length in found]
        for kind, have, hold in (
            functions.classes_of_python(text) if python else functions.classes_of_cpp(text)
        ):
            methods.append((have, f"{kind} ({name})"))
            members.append((hold, f"{kind} ({name})"))
    assembly = sum(sources.text(name).count("\n") for name in sources.files(".S"))
    print(f"sizes (told, not judged; {assembly} lines of assembly)")
    largest("lines of files", lines)
    largest("lines of functions", lengths)
    largest("methods of classes", methods)
    largest("data members of classes", members)
