# SPDX-License-Identifier: MIT
"""The price of virtual calls is a subject of study, so each build has exactly the indirect calls that it
should.

Counts them in the message system's objects and compares with dispatch.json beside this file.
"""

import json
import os
import re
import subprocess

import sources

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dispatch.json")
INDIRECT = re.compile(r"\t(?:call|jmp)q?\s+\*")


def count(path: str, pattern: str) -> tuple[int, int]:
    """The functions of an object whose demangled names match, and the indirect calls in them."""
    done = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "-C", path], capture_output=True, text=True, check=True
    )
    wanted, functions, calls = False, 0, 0
    for line in done.stdout.splitlines():
        if line.endswith(">:"):
            wanted = re.search(pattern, line) is not None
            functions += wanted
        elif wanted and INDIRECT.search(line):
            calls += 1
    return functions, calls


def check(build: str) -> bool:
    report = sources.Report("dispatch")
    with open(EXPECTED, encoding="utf-8") as file:
        gates = json.load(file)["gates"]
    for gate in gates:
        path = os.path.join(sources.ROOT, build, gate["object"])
        if not os.path.exists(path):
            report.wrong(gate["object"], "is not built")
            continue
        functions, calls = count(path, gate["functions"])
        if not functions:  # an expectation of 0 would hold of nothing
            report.wrong(gate["object"], f"has no function {gate['functions']}")
        elif calls != gate["indirect_calls"]:
            report.wrong(
                gate["object"],
                f"{calls} indirect calls in {gate['functions']}, {gate['indirect_calls']} expected",
            )
        report.note(f"{gate['name']}: {calls}")
    return report.finish()
