# SPDX-License-Identifier: MIT
"""One name, one thing: no two files declare classes, unions or enumerations of one name outside of other
classes, whatever their namespaces. A header that stands in for another has its name and namespace, and is
found first through the include path: the two count as one. What a test declares for itself is compared with
all that is no test, but not with other tests, because nobody reads two of them as one text."""

import collections
import os
import re

import sources

CLASS = re.compile(
    r"^(?:template <[^\n]*>\s*)?(?:class|struct|union|enum(?: class)?) "
    r"(?:alignas\([^)]*\) |\[\[[\w:]+\]\] )*"
    r"(?:[A-Z_]+(?:\(\"[^\"]*\"\))? )?(\w+)(?: final)?\s*(?::[^:;{][^;{]*)?\{",
    re.MULTILINE,
)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
TEST = re.compile(r"(?:_test|_explored)\.[ch]pp$")
# Each is one idea in several places.
EXCEPTIONS = {
    "Inside": "for how long something lasts: a call in a trace, an activity in an account",
    "Processor": "the port's, and what stands in for it where schedulers are explored",
    "SpinWait": "the platform's, and what stands in for it where schedulers are explored",
    "SignalAction": "Linux's own structure, as the kernel reads it and as the native library hands it over",
}
# Classes of the system whose names tests use for classes of their own, too.
EXCEPTIONS_IN_TESTS = {
    "Job": "what of a job the test needs",
    "Machine": "one of the machines over which a job is spread",
}


def classes() -> dict[str, dict[tuple[str, str], str]]:
    """By the class: where it is declared, by the header's own name and the namespace."""
    found = collections.defaultdict(dict)
    for name in sources.files(".hpp", ".cpp"):
        text = sources.text(name)
        for declared in CLASS.finditer(text):
            namespaces = NAMESPACE.findall(text, 0, declared.start())
            file = os.path.basename(name) if name.endswith(".hpp") else name
            found[declared[1]].setdefault((file, namespaces[-1] if namespaces else ""), name)
    return found


def check() -> bool:
    report = sources.Report("names of classes")
    found = classes()
    for declared, places in sorted(found.items()):
        names = list(places.values())
        if declared in EXCEPTIONS_IN_TESTS:
            names = [name for name in names if not TEST.search(name)]
        if declared in EXCEPTIONS or all(TEST.search(name) for name in names) or len(names) < 2:
            continue
        first, *others = sorted(set(names), key=lambda name: (TEST.search(name) is not None, name))
        where = f", and so does {', '.join(others)}" if others else " in several namespaces"
        report.wrong(first, f"declares {declared}{where}; rename one of them")
    report.note(f"{len(found)} classes; {len(EXCEPTIONS) + len(EXCEPTIONS_IN_TESTS)} name of several")
    return report.finish()
