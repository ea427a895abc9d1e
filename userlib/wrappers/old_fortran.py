# SPDX-License-Identifier: MIT
"""Old Fortran, fixed form, as gfortran takes it: what the compilers of the hypercubes accepted and gfortran,
with all its options for old programs, does not. Lines keep their numbers in the compiler's messages.

- a program's own procedure wins over a GNU intrinsic of the same name (SECOND, DTIME, RAND, FLUSH ...)
- ENCODE and DECODE, ACCEPT, FORMATs with expressions in them
- INCLUDE of a header by the path or in the spelling of another machine, and of NX's beside declarations
- CALL IDATE with three arguments, OPEN and CLOSE with NAME, TYPE, RECORDTYPE, DISPOSE and the like
- INTEGERs as conditions, LOGICALs compared by .EQ., and names of VMS's intrinsics (JMAX0)"""

import os
import re

import fortran_headers
import fortran_logic
import fortran_names
import program_files
from fortran_formats import Formats
from fortran_source import Statement, fixed_form, lines_of, statements, units
from fortran_types import Types

# Intrinsics of GNU Fortran that are no part of Fortran 77, under names that programs use for their own.
INTRINSICS = set(
    """abort adjustl adjustr alarm all and any besj0 besj1 besjn besy0 besy1 besyn ceiling chdir chmod
    compl cosd count ctime date dgamma digits dot_product dtime epsilon erf erfc etime exit exponent
    fdate floor flush fnum fraction free fseek fstat ftell gamma getcwd getenv getlog gmtime hostnm
    huge idate ierrno imag irand isatty itime kill lgamma link lnblnk loc long lshift lstat ltime
    malloc matmul maxval mclock mclock8 merge minval nearest new_line norm2 not or pack perror
    popcnt poppar precision product radix ran rand range rank rename repeat reshape rrand rshift
    scale scan secnds second shift short signal sind size sleep spacing spread srand stat sum system
    tand time timef tiny transpose trim ttynam umask unlink unpack verify xor""".split()
)
UNIT = re.compile(
    r"(?:(?:integer|real|logical|complex|character|byte|doubleprecision|doublecomplex)(?:\*(?:\d+|\(\*\)))?)?"
    r"(program|subroutine|function|blockdata)([a-z]\w*)?",
    re.I,
)
# What may stand before an EXTERNAL statement.
LEADING = re.compile(r"implicit|include|use\b|program|subroutine|function|blockdata|parameter", re.I)
DECLARING = re.compile(
    r"(?:integer|real|logical|complex|character|byte|doubleprecision|doublecomplex|dimension|common|data"
    r"|parameter|equivalence|save|pointer|implicit)(?:\*\d+)?",
    re.I,
)
CODING = re.compile(r"^(\s*(?:if\s*\(.*\)\s*)?)(encode|decode)\s*\((.*)$", re.I | re.S)
MOST_CODED = 2**31 - 1  # characters; a statement uses as many as it says, and there are no others
VMS_DATE = re.compile(r"(?:if\(.*\))?callidate\(\w+,\w+,\w+\)$")
# Of OPEN and CLOSE: what has no meaning for files as they are here.
IDLE_KEYWORDS = re.compile(
    r",\s*(?:recordtype|organization|initialsize|extendsize|blocksize|buffercount|maxrec)\s*=\s*[^,()]+", re.I
)
# VMS's names for what is called FILE and STATUS; they follow no quote, since that would begin a value.
OPENING = {
    "FILE=": re.compile(r"(?<=[(,])\s*name\s*=", re.I),
    "STATUS=": re.compile(r"(?<=[(,])\s*type\s*=", re.I),
}
DISPOSING = re.compile(r"\bdisp(?:ose)?\s*=\s*('(?:delete|keep)')", re.I)
ACCEPTING = re.compile(r"^((?:if\(.*\))?)accept(?=(?:\*|\d+),)", re.I)


def own_name(unit: list[Statement]) -> str:
    match = UNIT.match(unit[0].packed)
    return (match.group(2) or "") if match else ""


def declares(statement: Statement, name: str) -> bool:
    """Whether the name is an array or a variable that is assigned here, or is EXTERNAL already."""
    packed = statement.packed
    typed = DECLARING.match(packed)
    if typed and "function" not in packed[:30]:
        return bool(re.search(rf"(?:^|[,/]){name}\(", packed[typed.end() :]))
    if packed.startswith("external"):
        return bool(re.search(rf"(?:^|,){name}(?:,|$)", packed[len("external") :]))
    return bool(re.match(rf"(?:if\(.*\))?{name}(?:\([^=]*\))?=[^=]", packed))


def own_procedures(unit: list[Statement], names: set[str]) -> list[str]:
    wanted = ["idate"] if any(VMS_DATE.match(one.packed) for one in unit) else []
    for name in sorted(names - {own_name(unit), *wanted}):
        uses = re.compile(rf"(?<![\w'])(?:call)?{name}\(|call{name}$")
        executable = [one for one in unit if not DECLARING.match(one.packed)]
        if any(declares(one, name) for one in unit[1:]):
            continue
        if any(uses.search(one.packed) for one in executable[0 if not own_name(unit) else 1 :]):
            wanted.append(name)
    return wanted


def place_for_declarations(unit: list[Statement]) -> int:
    """The line before which declarations may be put."""
    for statement in unit:
        if not (LEADING.match(statement.packed) or UNIT.match(statement.packed)):
            return statement.first
    return unit[-1].first


def split_arguments(text: str) -> tuple[list[str], str]:
    """The arguments up to the closing parenthesis, and what follows it."""
    depth, start, parts, quote = 0, 0, [], ""
    for at, letter in enumerate(text):
        if quote or letter in "'\"":
            quote = "" if letter == quote else quote or letter
        elif letter == "(":
            depth += 1
        elif letter in ",)" and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
            if letter == ")":
                return parts, text[at + 1 :]
        elif letter == ")":
            depth -= 1
    return parts, ""


def coded(statement: Statement, number: int) -> tuple[list[str], list[str]] | None:
    """ENCODE and DECODE as WRITE and READ of characters that lie where the buffer lies: declarations and
    lines. They stay one statement, in whose condition the place is set, for a DO may end with it."""
    match = CODING.match(statement.body)
    if not match:
        return None
    arguments, rest = split_arguments(match.group(3))
    if len(arguments) < 3:
        return None
    verb = "WRITE" if match.group(2).lower() == "encode" else "READ"
    place, text = f"NXPLACE{number}", f"NXTEXT{number}"
    # A variable may say how many characters there are, which no declaration of them lets it do.
    declarations = [f"      CHARACTER*({MOST_CODED}) {text}\n", f"      POINTER ({place}, {text})\n"]
    asked = match.group(1).strip()[len("if") :]
    condition = f"{asked}.AND." * bool(asked) + f"NXCODE({place},LOC({arguments[2]}))"
    others = "".join("," + argument for argument in arguments[3:])
    call = f"IF({condition}){verb}({text}(1:{arguments[0]}),{arguments[1]}{others}){rest.strip()}"
    return declarations, fixed_form(statement.label, call)


def declared_names(statement: Statement) -> set[str]:
    """The names in a type statement or an EXTERNAL statement; none in others."""
    match = re.match(r"(?:integer|real|logical|doubleprecision|external)(?:\*\d+)?(.*)", statement.packed)
    return set(re.findall(r"\w+", match.group(1))) if match and "function" not in statement.packed else set()


class Translation:
    def __init__(self, path: str, headers: list[str], width: int):
        self.path, self.headers, self.width = path, headers, width
        self.lines = lines_of(path, width)
        # Newer Fortran says things of its names that fortran_types does not read, and the preprocessor too.
        self.modern = any(re.search(r"::|^ *(?:use|contains)\b|^#", line, re.I) for line in self.lines)
        self.before: dict[int, list[str]] = {}  # lines to put before a line
        self.instead: dict[int, tuple[int, list[str]]] = {}  # first line: last line and its replacement

    def run(self, names: set[str]) -> str | None:
        """The translated text; None where there is nothing to translate."""
        number, formats_before = 0, 1
        for unit in units(statements(self.lines)):
            place = place_for_declarations(unit)
            types = Types(unit, [os.path.dirname(self.path) or ".", *self.headers], self.width)
            formats = Formats(unit, formats_before)
            formats_before += len(formats.names)
            if formats.names:
                self.before.setdefault(place, []).extend(formats.declarations)
            vms = fortran_names.used_in(unit)
            own = names | {name for name in vms if any(declares(one, name) for one in unit)}
            for name in own_procedures(unit, names):
                self.before.setdefault(place, []).append(f"      EXTERNAL {name.upper()}\n")
            undeclared = ["      LOGICAL NXCODE\n"]
            for statement in unit:
                lines = formats.translate(statement)
                if lines:
                    self.instead[statement.first] = (statement.last, lines)
                    continue
                result = coded(statement, number + 1)
                if result:
                    number += 1
                    self.before.setdefault(place, []).extend(undeclared + result[0])
                    undeclared = []
                    self.instead[statement.first] = (statement.last, result[1])
                else:
                    self.rewrite_line(statement, unit)
                    self.rewrite_body(statement, types, own)
        return self.text() if self.before or self.instead else None

    def rewrite_line(self, statement: Statement, unit: list[Statement]):
        line = self.lines[statement.first]
        if statement.packed.startswith("include"):
            folder = os.path.dirname(self.path) or "."
            declared = {name for one in unit for name in declared_names(one)}
            lines = fortran_headers.include(line, folder, self.headers, declared)
        elif re.match(r"(?:if\(.*\))?(?:open|close)\(", statement.packed):
            body = DISPOSING.sub(r"STATUS=\1", IDLE_KEYWORDS.sub("", statement.body))
            for today, then in OPENING.items() if "open(" in statement.packed else ():
                body = then.sub(today, body)
            if body != statement.body:
                self.instead[statement.first] = (statement.last, fixed_form(statement.label, body.strip()))
            return
        else:
            return
        if lines != [line]:
            self.instead[statement.first] = (statement.first, lines)

    def rewrite_body(self, statement: Statement, types: Types, own: set[str]):
        if statement.first in self.instead:
            return
        body = ACCEPTING.sub(r"\1READ ", fortran_names.translate(statement.body, own))
        if not self.modern:
            body = fortran_logic.translate(body, types)
        if body != statement.body:
            self.instead[statement.first] = (statement.last, fixed_form(statement.label, body.strip()))

    def text(self) -> str:
        out, number = [f'# 1 "{self.path}"\n'], 0
        while number < len(self.lines):
            added = self.before.get(number, [])
            last, lines = self.instead.get(number, (number, [self.lines[number]]))
            out += added + ([f'# {number + 1} "{self.path}"\n'] if added else []) + lines
            if last != number or len(lines) != 1:
                out.append(f'# {last + 2} "{self.path}"\n')
            number = last + 1
        return "".join(out)


def is_fixed_form(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in (".f", ".for", ".ftn", ".fpp")


def names_around(path: str) -> set[str]:
    """The intrinsics in a file whose names the program defines, in Fortran or as C functions, in it or in
    another source of its folder."""
    with open(path, encoding="latin-1") as source:
        used = (INTRINSICS | fortran_names.LOWER) & set(re.findall(r"\w+", source.read().lower()))
    if not used:
        return set()
    names = "(" + "|".join(sorted(used)) + ")"
    fortran = re.compile(rf"^[^cC*!\n][^\n'!=]*?\b(?:function|subroutine|entry)[ \t]+{names}\b", re.I | re.M)
    c_function = re.compile(rf"^[\w \t*]*?\b{names}_[ \t]*\(", re.I | re.M)
    folder, found = os.path.dirname(path) or ".", {}
    for file in os.listdir(folder):
        full = os.path.join(folder, file)
        pattern = fortran if is_fixed_form(file) else c_function if file.endswith(".c") else None
        if pattern and os.path.isfile(full):
            with open(full, encoding="latin-1") as source:
                defined = {name.lower() for name in pattern.findall(source.read())}
            if defined:
                found[full] = defined
    own = found.pop(os.path.join(folder, os.path.basename(path)), set())
    others = program_files.of_the_program(path, sorted(found))
    return own.union(*(found[name] for name in others))


def translate(path: str, headers: list[str], width: int) -> str | None:
    return Translation(path, headers, width).run(names_around(path)) if is_fixed_form(path) else None
