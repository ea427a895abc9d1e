# SPDX-License-Identifier: MIT
"""One name, one thing: no two headers declare classes of one name outside of other classes, wherever their
namespaces are. A header that stands in for another has its name and namespace, and is found first through the
include path."""

import collections
import os
import re

import sources

CLASS = re.compile(
    r"^(?:template <[^\n]*>\s*)?(?:class|struct|union|enum class) (?:alignas\([^)]*\) |\[\[\w+\]\] )*"
    r"(?:[A-Z_]+(?:\(\"[^\"]*\"\))? )?(\w+)(?: final)?\s*(?::[^:;{][^;{]*)?\{",
    re.MULTILINE,
)
# Each is one idea in several places.
EXCEPTIONS = {
    "Inside": "for how long something lasts: a call in a trace, an activity in an account",
}


NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)


def classes() -> dict[str, dict[tuple[str, str], str]]:
    """By the class: where it is declared, by the header's own name and the namespace."""
    found = collections.defaultdict(dict)
    for name in sources.files(".hpp"):
        if name.startswith("testing/") or name.endswith("_test.hpp"):
            continue
        text = sources.text(name)
        for declared in CLASS.finditer(text):
            namespaces = NAMESPACE.findall(text, 0, declared.start())
            place = (os.path.basename(name), namespaces[-1] if namespaces else "")
            found[declared[1]].setdefault(place, name)
    return found


def check() -> bool:
    report = sources.Report("names of classes")
    found = classes()
    for declared, places in sorted(found.items()):
        if declared not in EXCEPTIONS and len(places) > 1:
            first, *others = sorted(places.values())
            report.wrong(first, f"declares {declared}, and so does {', '.join(others)}; rename one of them")
    report.note(f"{len(found)} classes in headers; {len(EXCEPTIONS)} name of several")
    return report.finish()
