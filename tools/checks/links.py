# SPDX-License-Identifier: MIT
"""Each link of a page leads to a file or a folder of the tree, and to a heading that is there."""

import os
import re
import string

import sources

LINK = re.compile(r"(?<!!)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *#*$", re.M)
FENCED = re.compile(r"^```.*?^```", re.M | re.S)
NO_PART = "".join(set(string.punctuation) - set("-_"))


def anchors(page: str) -> set[str]:
    """As the page's headings are linked to: in small letters, hyphens for spaces, without other signs."""
    names: dict[str, int] = {}
    found = set()
    for heading in HEADING.findall(FENCED.sub("", page)):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = shown.lower().translate(str.maketrans("", "", NO_PART)).replace(" ", "-")
        again = names.get(name, 0)
        names[name] = again + 1
        found.add(f"{name}-{again}" if again else name)
    return found


def folders(name: str) -> list[str]:
    """Those that a file lies in, the tree itself as '.'."""
    parts = name.split("/")[:-1]
    return [".", *("/".join(parts[:deep]) for deep in range(1, len(parts) + 1))]


def check() -> bool:
    report = sources.Report("links of pages")
    pages = sources.files(".md")
    files = sources.files()
    there = set(files) | {parent for name in files for parent in folders(name)}
    count = 0
    for name in pages:
        for link in LINK.findall(sources.text(name)):
            path, _, heading = link.partition("#")
            if "://" in path:
                continue
            count += 1
            target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if target not in there:
                report.wrong(name, f"links to {link}, and there is no {target}")
            elif heading and heading not in anchors(sources.text(target)):
                report.wrong(name, f"links to {link}, and {target} has no such heading")
    report.note(f"{count} in {len(pages)} pages")
    return report.finish()
