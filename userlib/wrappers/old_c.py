# SPDX-License-Identifier: MIT
"""Old C, as gcc takes it, with the headers of its own that it includes. Lines keep their numbers in the
compiler's messages.

- a static function may be used before its definition: it gets a declaration at the top
- what is defined static may be declared extern before, also by a header
- what the program declares or defines under the name of a call is the program's, not nx.h's
- its declarations of library functions, without arguments and often of another type, do not count
- extern int errno, also as long
- TRUE, FALSE and NAMELEN (of a cube), which the headers of the time defined, where the program does not
- a comment of no length between two names pastes them in a macro, and a string that is the name of a macro's
  parameter is what the parameter stands for"""

import os
import re

import old_cxx

TYPE = r"(?:(?:unsigned|signed|short|long|int|char|float|double|void|struct[ \t]+\w+)\b[ \t\n*]*)*"
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
# Functions whose real declarations allow no declaration in the old manner beside them. Without any they are
# known to the compiler, or their value is an int or nothing.
LIBRARY = """printf fprintf sprintf scanf fscanf sscanf malloc calloc realloc free memcpy memmove memset
    memchr strlen strspn strcspn exit abort fopen perror fread fwrite qsort srand srand48 rewind setbuf
    clearerr bcopy bzero swab read write sleep usleep""".split()
LIBRARY_DECLARED = re.compile(rf"\b({'|'.join(LIBRARY)})(?=[ \t]*\([ \t]*\))")
ERRNO = re.compile(r"^[ \t]*extern[ \t]+(?:int|long)\b[^;{}()]*\berrno\b[^;{}]*;", re.M)
# A declaration of anything that is defined elsewhere.
EXTERN = re.compile(r"^[ \t]*extern\b[^;{}\"#]*;", re.M)
STATIC = re.compile(r"^static\b([^;{}=()]*?)\b(\w+)[ \t]*(?=[\[(;=,])", re.M)
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)
NX_INCLUDED = re.compile(r"#[ \t]*include[ \t]*[<\"](nx|cube|mesh)\.h[>\"]")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)\n]*)\))?(?:[^\n\\]|\\.|\\\n)*", re.M)
CONSTANTS = {"TRUE": 1, "FALSE": 0, "NAMELEN": 16}
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


def bare(text: str) -> str:
    """The text with blanks for its comments, at the same places."""
    return re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment.group()), text, flags=re.S)


def read(path: str) -> str:
    with open(path, encoding="latin-1", newline="") as file:
        return file.read()


def own_headers(path: str, folders: list[str]) -> dict[str, str]:
    """The program's own headers that a file includes, also through each other: where they are, by their
    names."""
    found, waiting = {}, [path]
    while waiting:
        for name in INCLUDED.findall(bare(read(waiting.pop()))):
            places = (os.path.join(folder, name) for folder in [os.path.dirname(path) or ".", *folders])
            place = next((place for place in places if os.path.isfile(place)), None)
            if place and name not in found and not NX_INCLUDED.search(f'#include "{name}"'):
                found[name] = place
                waiting.append(place)
    return found


def defined_static(text: str) -> set[str]:
    """The file's own variables and functions that no other file sees."""
    silent = old_cxx.blanked(text)
    return {
        match.group(2)
        for match in STATIC.finditer(silent)
        if silent.count("{", 0, match.start()) == silent.count("}", 0, match.start())
    }


def pasted(text: str) -> str:
    """Macros as the preprocessor of the time read them."""

    def of_today(macro: re.Match) -> str:
        body = re.sub(r"(?<=\w)/\*\*/(?=\w)", "##", macro.group())
        for parameter in re.findall(r"\w+", macro.group(1) or ""):
            body = re.sub(rf'(?<![\\"])"{parameter}"(?!")', f"#{parameter}", body)
        return body

    return MACRO.sub(of_today, text)


def without(names: set[str], declaration: str, behind: str = "") -> str:
    """The declaration, in which these names, with this behind them, are others that nobody uses."""
    any_name = "|".join(sorted(names))
    return re.sub(rf"\b({any_name})\b{behind}", r"nx_old_\1", declaration) if names else declaration


def modern(text: str, statics: set[str]) -> str:
    """The file's text, without the declarations that today's libraries, or its own statics, contradict."""

    def function(declaration: re.Match) -> str:
        # A member of a struct, void (*name)(), is no function.
        return without(statics, LIBRARY_DECLARED.sub(r"nx_old_\1", declaration.group()), r"(?=[ \t]*\()")

    text = DECLARATION.sub(function, pasted(text))
    text = ERRNO.sub(lambda one: without({"errno"}, one.group()), text)
    return EXTERN.sub(lambda one: without(statics, one.group()), text)


def defines(text: str, name: str) -> bool:
    return bool(re.search(rf"#[ \t]*define[ \t]+{name}\b|\benum\b[^;{{}}]*\{{[^}}]*\b{name}\b", text))


def first_lines(text: str, whole: str, headers: list[str]) -> list[str]:
    """What is to stand before the file's text; `whole`: with its headers."""
    lines = ["#include <errno.h>"] if ERRNO.search(whole) else []
    if NX_INCLUDED.search(whole):
        own = own_names(whole, calls(headers))
        lines += [f"#define {name} nx_h_{name}" for name in own] + (["#include <nx.h>"] if own else [])
        lines += [f"#undef {name}" for name in own]
        for name, value in CONSTANTS.items():
            if re.search(rf"\b{name}\b", whole) and not defines(whole, name):
                lines.append(f"#define {name} {value}")
    return lines + declarations(text)


def translate(path: str, headers: list[str]) -> tuple[str | None, dict[str, str]]:
    """The file's text, None where it stays, and the changed ones of its own headers, by their names."""
    text, places = read(path), own_headers(path, headers)
    olds = {name: read(place) for name, place in places.items()}
    statics = defined_static(text)
    first = first_lines(bare(text), "\n".join(map(bare, [*olds.values(), text])), headers)
    beside = {
        name: f'# 1 "{places[name]}"\n{modern(old, statics)}'
        for name, old in olds.items()
        if modern(old, statics) != old and not (os.path.isabs(name) or ".." in name)
    }
    if first or beside or modern(text, statics) != text:
        return "\n".join(first) + f'\n# 1 "{path}"\n{modern(text, statics)}', beside
    return None, {}
