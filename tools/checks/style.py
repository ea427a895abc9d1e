# SPDX-License-Identifier: MIT
"""Sizes and small rules: files, functions, columns, licence lines, contracts, words that must not stay."""

import re
import statistics

import functions
import sources

MOST_LINES, MOST_FUNCTION_LINES, MOST_COLUMNS, MOST_MAKEFILE_LINES = 300, 40, 110, 200
ENDINGS = (*sources.CODE, ".py", ".sh", ".mk", ".ld", ".f", ".toml")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|root|mnt|srv)/\w")
THIS = "tools/checks/style.py"


def license_line(name: str, lines: list[str], report: sources.Report) -> None:
    head = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
    if not head or "SPDX-License-Identifier: MIT" not in head[0]:
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


def function_lengths(name: str, text: str, report: sources.Report) -> list[int]:
    found = functions.of_python(text) if name.endswith(".py") else functions.of_cpp(text)
    for function, line, length in found:
        if length > MOST_FUNCTION_LINES:
            report.wrong(f"{name}:{line}", f"{function} has {length} lines")
    return [length for _, _, length in found]


def check() -> bool:
    report = sources.Report("style")
    sizes, lengths = [], []
    for name in [*sources.files(*ENDINGS), "Makefile"]:
        text = sources.text(name)
        lines = text.split("\n")
        license_line(name, lines, report)
        contract(name, lines, report)
        lines_of(name, lines, report)
        limit = MOST_MAKEFILE_LINES if name == "Makefile" else MOST_LINES
        if len(lines) - 1 > limit:
            report.wrong(name, f"has {len(lines) - 1} lines")
        if name.endswith(sources.CPP) or name.endswith(".py"):
            sizes.append(len(lines) - 1)
            lengths += function_lengths(name, text, report)
    report.note(
        f"{len(sizes)} files, median {statistics.median(sizes):.0f} lines; "
        f"{len(lengths)} functions, median {statistics.median(lengths):.0f} lines"
    )
    assembly = sum(sources.text(name).count("\n") for name in sources.files(".S"))
    report.note(f"{assembly} lines of assembly")
    return report.finish()
