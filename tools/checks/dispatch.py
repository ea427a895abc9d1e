# SPDX-License-Identifier: MIT
"""The price of virtual calls is a subject of study, so each build has exactly the indirect calls that it
should.

Counts them in the message system's objects and compares with dispatch.json beside this file: `indirect_calls`
of all functions whose names match; or `most_of_each`, of those in which the pattern's group `each` is the
same, as a class is: then a new class needs no other number.
"""

import json
import os
import re
import subprocess

import sources

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "dispatch.json")
INDIRECT = re.compile(r"\t(?:call|jmp)q?\s+\*")


def count(path: str, pattern: str) -> dict[str, int]:
    """The indirect calls in those functions of an object whose demangled names match, by what the pattern's
    group `each` is in them, if it has one."""
    done = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "-C", path], capture_output=True, text=True, check=True
    )
    calls: dict[str, int] = {}
    name = None
    for line in done.stdout.splitlines():
        if line.endswith(">:"):
            found = re.search(pattern, line)
            name = found.groupdict().get("each", "") if found else None
            if name is not None:
                calls.setdefault(name, 0)
        elif name is not None and INDIRECT.search(line):
            calls[name] += 1
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
        functions = gate["functions"]
        calls = count(path, functions)
        most, total = max(calls.values(), default=0), sum(calls.values())
        if not calls:  # an expectation of 0 would hold of nothing
            report.wrong(gate["object"], f"has no function {functions}")
        elif "most_of_each" in gate:
            if most > gate["most_of_each"]:
                name = max(calls, key=calls.__getitem__)
                text = f"{most} indirect calls in {name}, at most {gate['most_of_each']} expected"
                report.wrong(gate["object"], text)
        elif total != gate["indirect_calls"]:
            text = f"{total} indirect calls in {functions}, {gate['indirect_calls']} expected"
            report.wrong(gate["object"], text)
        report.note(f"{gate['name']}: {most if 'most_of_each' in gate else total}")
    return report.finish()
