# SPDX-License-Identifier: MIT
"""A source names what it uses of the standard library, itself or by the project's headers that it includes.

The build, and the thread-safety analysis, read the headers of base/hosted_headers.hpp before any source of
a program for Linux, and those of base/standard_headers.hpp before any of the kernel, so no compiler finds a
header that is missing there.
"""

import os
import re

import sources

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
NOT_CODE = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
FIRST = "base/hosted_headers.hpp"
# What is looked for of each header that is read first. Names that many headers bring are left out.
USES = {
    "algorithm": r"(stable_|partial_)?sort|(find|count|remove|copy)_if|(any|all|none)_of|"
    r"(min|max)(_element)?|(lower|upper)_bound|rotate|unique|"
    r"ranges::(sort|find|find_if|any_of|all_of|none_of|count_if|equal|fill)",
    "array": r"array",
    "atomic": r"atomic(_ref|_thread_fence|_signal_fence)?|memory_order(_\w+)?",
    "bit": r"bit_(cast|width|ceil|floor)|popcount|has_single_bit|count[lr]_(zero|one)",
    "chrono": r"chrono",
    "cstddef": r"byte|nullptr_t|size_t|ptrdiff_t|max_align_t",
    "cstdint": r"u?int(8|16|32|64|ptr|max)_t",
    "cstring": r"mem(cpy|cmp|set|move|chr)|str(len|cmp|ncmp|chr|rchr|str|error|signal)",
    "deque": r"deque",
    "expected": r"(un)?expected",
    "fstream": r"[io]?fstream",
    "functional": r"function|greater|less|hash",
    "map": r"(multi)?map",
    "memory": r"(unique|shared|weak)_ptr|make_(unique|shared)|(construct|destroy)_at",
    "new": r"nothrow|bad_alloc|launder|align_val_t",
    "optional": r"optional|nullopt",
    "set": r"(multi)?set",
    "span": r"span|as_(writable_)?bytes",
    "string": r"string|to_string|stoul?l?|getline",
    "string_view": r"string_view",
    "type_traits": r"(is|remove|add|make|enable|underlying)_\w+_[vt]|conditional_t|decay_t|invoke_result_t",
    "utility": r"move|forward|exchange|pair|swap|unreachable|to_underlying",
    "vector": r"vector",
}
FOLDERS = re.compile(
    r"(arch|base|jobs|kernel|measuring|messaging|native|sched|studies|testing|tools|userlib)/"
)
# Of what the project's own headers bring: by way of Catch2, nearly everything; which a test names first.
ELSEWHERE = "testing/catch.hpp"


def included(name: str, known: dict[str, tuple[set[str], list[str]]]) -> set[str]:
    """The standard headers that the file names, and the project's headers that it includes."""
    found, seen, left = set(), set(), [name]
    while left:
        file = left.pop()
        if file in seen or file not in known:
            continue
        seen.add(file)
        standard, own = known[file]
        found |= standard
        left += own
    return found | (set(USES) if ELSEWHERE in seen else set())


def read(name: str) -> tuple[set[str], list[str]]:
    standard, own = set(), []
    for kind, path in INCLUDE.findall(sources.text(name)):
        if kind == "<":
            standard.add(path)
        else:
            beside = os.path.join(os.path.dirname(name), path)
            own += [path, beside]
    return standard, own


def check() -> bool:
    report = sources.Report("standard headers")
    files = sources.files(".cpp", ".hpp")
    known = {name: read(name) for name in files}
    first = included(FIRST, known)
    for header in sorted(set(USES) ^ first):
        report.wrong(FIRST, f"<{header}> is in {'this list' if header in first else 'USES'} alone")
    looked_at = [name for name in files if FOLDERS.match(name)]
    for name in looked_at:
        code = NOT_CODE.sub("", sources.text(name))
        missing = set(USES) - included(name, known)
        for header in sorted(missing):
            use = re.search(rf"\bstd::({USES[header]})\b", code)
            if use:
                report.wrong(name, f"uses {use[0]} and nobody includes <{header}>")
    report.note(f"{len(looked_at)} sources")
    return report.finish()
