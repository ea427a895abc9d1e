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


def count(path: str, pattern: str) -> int:
    """Indirect calls in the functions of an object whose demangled names match."""
    done = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "-C", path], capture_output=True, text=True, check=True
    )
    wanted, calls = False, 0
    for line in done.stdout.splitlines():
        if line.endswith(">:"):
            wanted = re.search(pattern, line) is not None
        elif wanted and INDIRECT.search(line):
            calls += 1
    return calls


def check(build: str) -> bool:
    report = sources.Report("dispatch")
    with open(EXPECTED, encoding="utf-8") as file:
        gates = json.load(file)["gates"]
    for gate in gates:
        path = os.path.join(sources.ROOT, build, gate["object"])
        if not os.path.exists(path):
            report.wrong(gate["object"], "is not built")
            continue
        calls = count(path, gate["functions"])
        if calls != gate["indirect_calls"]:
            report.wrong(
                gate["object"],
                f"{calls} indirect calls in {gate['functions']}, {gate['indirect_calls']} expected",
            )
        report.note(f"{gate['name']}: {calls}")
    return report.finish()
