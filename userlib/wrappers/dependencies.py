# SPDX-License-Identifier: MIT
"""Dependencies that the compiler has written for make (-MD, -MMD) of sources that were translated:
dependencies.py FOLDER HEADERS FILE... names the program's own files in each FILE, where the compiler has seen
copies in FOLDER. HEADERS: the folders of headers, with colons between them. FOLDER/origins has a line for
each source, "number path"; FOLDER/number has its translation, and beside it those of its headers. Of a source
whose text was preprocessed before (-long32) FOLDER/number/wide.d says what it includes."""

import os
import re
import sys


def origins(folder: str) -> dict[str, str]:
    with open(os.path.join(folder, "origins"), encoding="utf-8", errors="surrogateescape") as file:
        return dict(line.rstrip("\n").split(" ", 1) for line in file)


def original(source: str, name: str, folders: list[str]) -> str:
    """Of the file that lies as `name` beside the translation of `source`."""
    if name == os.path.basename(source):
        return source
    candidates = [os.path.join(place, name) for place in (os.path.dirname(source), *folders)]
    return next((path for path in candidates if os.path.exists(path)), name)


def included(path: str) -> str:
    """What make would read behind the colon."""
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read().split(":", 1)[1].split("\n\n")[0].rstrip("\n")


def main() -> int:
    folder, folders = sys.argv[1], sys.argv[2].split(":")
    sources = origins(folder)
    for path in sys.argv[3:]:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        for number in dict.fromkeys(re.findall(rf"{re.escape(folder)}/(\d+)/", text)):
            wide = included(os.path.join(folder, number, "wide.d"))
            if wide:
                target = text.split(":", 1)[0]
                text = f"{text.rstrip()}\n{target}:{wide}\n"
        text = re.sub(
            rf"{re.escape(folder)}/(\d+)/((?:\\.|[^\s:\\])+)",
            lambda found: original(sources[found[1]], found[2], folders).replace(" ", "\\ "),
            text,
        )
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
