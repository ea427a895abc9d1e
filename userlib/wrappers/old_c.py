# SPDX-License-Identifier: MIT
"""Old C, as gcc takes it. Lines keep their numbers in the compiler's messages.

- a static function may be used before its definition: it gets a declaration at the top
- what the program declares or defines under the name of a call is the program's, not nx.h's
- its declarations of library functions, without arguments and often of another type, do not count
- extern int errno"""

import os
import re

TYPE = r"(?:(?:unsigned|signed|short|long|int|char|float|double|void)\b[ \t\n*]*)*"
# A definition in the old manner: names only between the parentheses.
DEFINITION = re.compile(
    rf"^static[ \t\n]+({TYPE})(\w+)[ \t]*\(([\w \t\n,]*)\)\s*(?:\w[\w \t\n*,\[\]]*;\s*)*\{{", re.M
)
# A declaration of functions, in a file or in a function.
DECLARATION = re.compile(
    r"^[ \t]*(?:extern[ \t]+)?(?:unsigned|long|int|void|double|float|char)\b"
    r"(?:[\w \t\n*,\[\]]*\([\w \t\n*,\[\]]*\))+[\w \t\n*,\[\]]*;",
    re.M,
)
# Functions whose real declarations allow no declaration in the old manner beside them.
LIBRARY = "printf fprintf sprintf scanf fscanf sscanf malloc calloc realloc free memcpy memmove memset memchr"
LIBRARY_DECLARED = re.compile(
    rf"\b({'|'.join((LIBRARY + ' strlen exit abort fopen perror fread fwrite').split())})"
    r"(?=[ \t]*\([ \t]*\))"
)
ERRNO = re.compile(r"^[ \t]*extern[ \t]+int\b[\w \t,]*\berrno\b", re.M)
NO_FUNCTIONS = {"if", "while", "for", "switch", "return", "sizeof"}


def declarations(text: str) -> list[str]:
    found = []
    for match in DEFINITION.finditer(text):
        kind, name = " ".join(match.group(1).split()) or "int", match.group(2)
        before = text[: match.start()]
        used = re.search(rf"\b{name}[ \t]*\(", before)
        declared = re.search(rf"^static\b[^;{{}}=]*\b{name}[ \t]*\(", before, re.M)
        if used and not declared and name not in NO_FUNCTIONS:
            found.append(f"static {kind} {name}();")
    return found


def calls(headers: list[str]) -> set[str]:
    """The names that nx.h declares."""
    for folder in headers:
        path = os.path.join(folder, "nx.h")
        if os.path.exists(path):
            with open(path, encoding="latin-1") as file:
                text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
            return set(re.findall(r"^[\w ][\w \n*]*?\b(\w+)\(", text, re.M))
    return set()


def own_names(text: str, names: set[str]) -> list[str]:
    """Those that the text declares (extern int mynode(), numnodes();) or defines itself."""
    found = set()
    for match in DECLARATION.finditer(text):
        found |= set(re.findall(r"(\w+)[ \t]*\(", match.group())) & names
    for match in re.finditer(
        rf"^{TYPE}(\w+)[ \t]*\([\w \t\n,*]*\)\s*(?:\w[\w \t\n*,\[\]]*;\s*)*\{{", text, re.M
    ):
        found |= {match.group(1)} & names
    return sorted(found)


def translate(path: str, headers: list[str]) -> str | None:
    with open(path, encoding="latin-1", newline="") as file:
        text = file.read()
    old, text = text, DECLARATION.sub(lambda one: LIBRARY_DECLARED.sub(r"nx_old_\1", one.group()), text)
    bare = re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment.group()), text, flags=re.S)
    first = ["#include <errno.h>"] if ERRNO.search(bare) else []
    if re.search(r"#[ \t]*include[ \t]*[<\"](nx|cube|mesh)\.h[>\"]", bare):
        own = own_names(bare, calls(headers))
        first += [f"#define {name} nx_h_{name}" for name in own] + (["#include <nx.h>"] if own else [])
        first += [f"#undef {name}" for name in own]
    first += declarations(bare)
    return "\n".join(first) + f'\n# 1 "{path}"\n{text}' if first or text != old else None
