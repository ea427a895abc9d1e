# SPDX-License-Identifier: MIT
"""Old C, as gcc takes it, with the headers of its own that it includes. Lines keep their numbers in the
compiler's messages.

- a static function may be used before its definition: it gets a declaration at the top
- what is defined static may be declared extern before, also by a header
- what the program declares or defines under the name of a call is the program's, not nx.h's
- its declarations of library functions, without arguments and often of another type, do not count
- extern int errno, also as long
- TRUE, FALSE and NAMELEN (of a cube), which the headers of the time defined, in files that include one of
  NX's or call it without any, where the program does not define them
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
# A declaration whose parameters a macro writes, or leaves out: int mynode ANSI_ARGS((void));
PROTOTYPE = re.compile(r"\b(\w+)[ \t]+\w+[ \t]*\([ \t]*\([^;{}]*\)[ \t]*\)[ \t]*;")
# Functions whose real declarations allow no declaration in the old manner beside them. Without any they are
# known to the compiler, or their value is an int or nothing.
LIBRARY = """printf fprintf sprintf scanf fscanf sscanf malloc calloc realloc free memcpy memmove memset
    memchr strlen strspn strcspn exit abort fopen perror fread fwrite qsort srand srand48 rewind setbuf
    clearerr bcopy bzero swab read write sleep usleep""".split()
LIBRARY_DECLARED = re.compile(rf"\b({'|'.join(LIBRARY)})(?=[ \t]*\([ \t]*\))")
ERRNO = re.compile(r"^[ \t]*extern[ \t]+(?:int|long)\b[^;{}()]*\berrno\b[^;{}]*;", re.M)
# A declaration of anything that is defined elsewhere.
EXTERN = re.compile(r"^[ \t]*extern\b[^;{}\"#]*;", re.M)
# A file's own variables and functions, up to the parenthesis or what else ends a declarator's name.
STATIC = re.compile(r"^static\b([^;{}=()\[,]*)(?=[\[(;=,])", re.M)
DOUBLED = re.compile(r"\(\s*\(")
TYPE_WORDS = set(
    """auto char const double enum float int long register short signed struct union unsigned void
    volatile""".split()
)
FUNCTION_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(", re.M)
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)
INCLUDED_ELSEWHERE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.M)
NX_INCLUDED = re.compile(r"#[ \t]*include[ \t]*[<\"](nx|cube|mesh)\.h[>\"]")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)\n]*)\))?(?:[^\n\\]|\\.|\\\n)*", re.M)
CONSTANTS = {"TRUE": 1, "FALSE": 0, "NAMELEN": 16}
CALL = re.compile(r"\b(\w+)[ \t]*\(")
NO_FUNCTIONS = {"if", "while", "for", "switch", "return", "sizeof"}


def declarations(text: str) -> list[str]:
    found = []
    for match in DEFINITION.finditer(text):
        kind, name = " ".join(match.group(1).split()) or "int", match.group(2)
        before = text[: match.start()]
        used = re.search(rf"\b{name}[ \t]*\(", before)
        declared = re.search(rf"^static\b[^;{{}}=]*\b{name}[ \t]*(?:\w+[ \t]*)?\(", before, re.M)
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
    found = {match.group(1) for match in PROTOTYPE.finditer(text)} & names
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


def own_headers(path: str, folders: list[str]) -> tuple[dict[str, str], list[str]]:
    """The program's own headers that a file includes, also through each other: where those lie that it names
    in quotes, by their names, and those that lie in its folders of headers."""
    found, elsewhere, waiting = {}, [], [path]
    while waiting:
        text = bare(read(waiting.pop()))
        for name in INCLUDED.findall(text):
            places = (os.path.join(folder, name) for folder in [os.path.dirname(path) or ".", *folders])
            place = next((place for place in places if os.path.isfile(place)), None)
            if place and name not in found and not NX_INCLUDED.search(f'#include "{name}"'):
                found[name] = place
                waiting.append(place)
        for name in INCLUDED_ELSEWHERE.findall(text):
            places = (os.path.join(folder, name) for folder in folders[1:])  # the first is NX's
            place = next((place for place in places if os.path.isfile(place)), None)
            if place and place not in elsewhere:
                elsewhere.append(place)
                waiting.append(place)
    return found, elsewhere


def declared_name(words: list[str], is_doubled: bool, macros: set[str]) -> str | None:
    """What these words before a parenthesis, a bracket or an end declare. A macro may write the parameters,
    as in `static void f ANSI_ARGS((void))`: it is known by its second parenthesis or by its definition.
    None: the name is not among them, as in `static int (*f)()`."""
    last = words.pop() if words else ""
    before = words[-1] if words and words[-1] not in TYPE_WORDS else None
    if is_doubled or (last in macros and (before or not words)):
        return before
    return last if last not in TYPE_WORDS else None


def defined_static(text: str, macros: set[str]) -> set[str]:
    """The file's own variables and functions that no other file sees; `macros`: those with parameters."""
    silent, found = old_cxx.blanked(text), set()
    for match in STATIC.finditer(silent):
        if silent.count("{", 0, match.start()) == silent.count("}", 0, match.start()):
            is_doubled = bool(DOUBLED.match(silent, match.end()))
            found.add(declared_name(re.findall(r"\w+", match.group(1)), is_doubled, macros))
    return found - {None, ""}


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
    names = calls(headers)
    if NX_INCLUDED.search(whole):
        own = own_names(whole, names)
        lines += [f"#define {name} nx_h_{name}" for name in own] + (["#include <nx.h>"] if own else [])
        lines += [f"#undef {name}" for name in own]
    if NX_INCLUDED.search(whole) or names & set(CALL.findall(text)):
        for name, value in CONSTANTS.items():
            if re.search(rf"\b{name}\b", whole) and not defines(whole, name):
                lines += [f"#ifndef {name}", f"#define {name} {value}", "#endif"]
    return lines + declarations(text)


def translate(path: str, headers: list[str]) -> tuple[str | None, dict[str, str]]:
    """The file's text, None where it stays, and the changed ones of its own headers, by their names."""
    text, (places, elsewhere) = read(path), own_headers(path, headers)
    olds = {name: read(place) for name, place in places.items()}
    others = [ERRNO.sub("", read(place)) for place in elsewhere]
    whole = "\n".join(map(bare, [*olds.values(), *others, text]))
    statics = defined_static(text, set(FUNCTION_MACRO.findall(whole)))
    first = first_lines(bare(text), whole, headers)
    beside = {
        name: f'# 1 "{places[name]}"\n{modern(old, statics)}'
        for name, old in olds.items()
        if modern(old, statics) != old and not (os.path.isabs(name) or ".." in name)
    }
    if first or beside or modern(text, statics) != text:
        return "\n".join(first) + f'\n# 1 "{path}"\n{modern(text, statics)}', beside
    return None, {}
