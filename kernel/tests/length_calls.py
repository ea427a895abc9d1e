# SPDX-License-Identifier: MIT
"""Programs, made from the headers that users include, which give each call that takes a length or a count one
that no call can have: below 32 bits it looks like a good one."""

import os
import re
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
INCLUDE = os.path.join(ROOT, "userlib", "include")
SENTENCE = "the length is negative or too large"
TOO_LONG = (0x80000000, 0x100000000, 0x100000005)
LENGTHS = {"length", "maximum", "bytes", "y_bytes", "n", "count"}
LISTS = {"lengths"}  # of lengths
# Calls whose count is another matter, and why.
OTHERS = {
    "nx_report": "its bytes are a label, and too many samples find no memory",
    "nx_alloc": "it returns a null pointer where there is no room",
    "nx_alloc_aligned": "as nx_alloc",
    "nx_nfork": "its count is settled when the job is started",
    "nx_load": "only a host program may call it: load_program()",
    "nx_loadve": "as nx_load",
    "restrictvol": "a hint to disks that are not here",
    "_restrictvol": "the same",
}
DECLARATION = re.compile(r"^(?:void|long) \*?(\w+)\(((?:[^();]|\([^()]*\))*)\);", re.M)

HEAD = """#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long area[64], list[64];
static void hear() { }
static long combine(char *x, char *work) { (void)x, (void)work; return 0; }
"""


@dataclass(frozen=True)
class Call:
    name: str
    parameter: str
    arguments: tuple[str, ...]  # `value` stands for the length

    @property
    def text(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


def parameters(text: str) -> list[str]:
    """Separated by commas that are in no parentheses."""
    return [" ".join(part.split()) for part in re.split(r",(?![^(]*\))", text)]


def name_of(parameter: str) -> str:
    found = re.search(r"\(\*(\w+)\)", parameter) or re.search(r"(\w+)(?:\[\w*\])?$", parameter)
    return found[1] if found else ""


def is_length(parameter: str) -> bool:
    return name_of(parameter) in LENGTHS and re.fullmatch(r"long \w+", parameter) is not None


def usual(parameter: str) -> str:
    if "(*" in parameter:
        return "combine"
    if "handler_function" in parameter:
        return "(void *)hear"
    if name_of(parameter) in LISTS:
        return "list"
    if "*" in parameter or "[" in parameter:
        return "(void *)area"
    return "1" if name_of(parameter) in ("type", "typesel", "count") else "0"


def calls_of(name: str, given: list[str]) -> list[Call]:
    made = []
    for place, parameter in enumerate(given):
        if is_length(parameter):
            words = [usual(each) for each in given]
            words[place] = "value"
            made.append(Call(name, name_of(parameter), tuple(words)))
        elif name_of(parameter) in LISTS:
            made.append(Call(name, name_of(parameter), tuple(usual(each) for each in given)))
    return made


def header(name: str) -> str:
    with open(os.path.join(INCLUDE, name), encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)


def narrow() -> list[Call]:
    """The calls that take arrays of int where others take arrays of long (nx_narrow.h)."""
    reductions = re.findall(r" X\((\w+)\)", header("nx_narrow_calls.h"))
    made = [Call(name, "n", ("(int *)area", "value", "(int *)area")) for name in reductions]
    made += [
        Call("gsendx", "length", ("1", "area", "value", "(int *)area", "1")),
        Call("gsendx", "count", ("1", "area", "0", "(int *)area", "value")),
        Call("gcol", "bytes", ("area", "value", "area", "8", "(int *)area")),
        Call("gcol", "y_bytes", ("area", "8", "area", "value", "(int *)area")),
        Call("crecvx", "maximum", ("1", "area", "value", "0", "0", "(int *)area")),
        Call("irecvx", "maximum", ("1", "area", "value", "0", "0", "(int *)area")),
    ]
    return made + [Call(f"_{call.name}", call.parameter, call.arguments) for call in made]


def calls() -> list[Call]:
    found = []
    for text in (header("nx.h"), header("nx_files.h"), header("nx_paragon.h")):
        for name, given in DECLARATION.findall(text):
            if name not in OTHERS:
                found += calls_of(name, parameters(given))
    return found + narrow()


def returning() -> list[Call]:
    return [call for call in calls() if call.name.startswith("_")]


def ending() -> list[Call]:
    return [call for call in calls() if not call.name.startswith("_")]


def returning_program() -> str:
    """Makes all calls that return, and says which are not refused."""
    lines = [
        f"    value = {value:#x}L; list[0] = value; errno = 0; answer = {call.text};\n"
        f'    if (answer != -1 || errno != EQLEN) wrong("{call.name}", "{call.parameter}", answer);'
        for call in returning()
        for value in TOO_LONG
    ]
    return (
        HEAD
        + """static long wrongs;
static void wrong(const char *call, const char *parameter, long answer)
{
    printf("%s does not refuse its %s: %ld, errno %d\\n", call, parameter, answer, errno);
    wrongs++;
}
int main(void)
{
    long value, answer;
"""
        + "\n".join(lines)
        + f"""
    printf("{len(returning())} calls, %ld wrong\\n", wrongs);
    return wrongs != 0;
}}
"""
    )


def ending_program() -> str:
    """Makes the call of the number that is its argument."""
    cases = [f"    case {number}: {call.text}; break;" for number, call in enumerate(ending())]
    return (
        HEAD
        + f"""int main(int argc, char **argv)
{{
    long value = {TOO_LONG[-1]:#x}L;
    list[0] = value;
    switch (argc > 1 ? atoi(argv[1]) : -1) {{
"""
        + "\n".join(cases)
        + """
    }
    puts("it went on");
    return 0;
}
"""
    )


def load_program() -> str:
    """A host program, which loads that many."""
    return (
        HEAD
        + f"""int main(void)
{{
    long value = {TOO_LONG[-1]:#x}L;
    errno = 0;
    if (nx_load(area, value, 0, area, "node") != -1 || errno != EQLEN)
        return 1;
    errno = 0;
    return nx_loadve(area, value, 0, area, "node", 0, 0) != -1 || errno != EQLEN;
}}
"""
    )
