#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The manual: nxrun(1), nxtrace(1), nxcc(1), nx(7) and a page for each call in section 3nx, in which no other
package has pages. What a call means is said in docs/nx2-calls.md alone, how it is declared in the headers,
what options do in the programs' own help; this puts them together.

manual.py BIN OUT: BIN has nxrun, nxtrace and nxcc, ../lib from there libnx.a; man1, man3 and man7 are made
in OUT.
"""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PAGE = os.path.join(ROOT, "docs", "nx2-calls.md")
HEADERS = ("nx.h", "nx_files.h", "nx_paragon.h", "nx_raw.h", "nx_semaphores.h")
OF_ITS_OWN = ("nx_raw.h", "nx_semaphores.h")  # not included by nx.h
WIDTH = 72


class Unreadable(Exception):
    """A source that says something this cannot make a page of; the sentence says where."""


def text_of(*path: str) -> str:
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def version() -> str:
    return re.search(r'version = "([\d.]+)"', text_of("native", "nxrun", "version.hpp"))[1]


def date() -> str:
    """When the calls' page last changed."""
    done = subprocess.run(
        ["git", "log", "-1", "--format=%cs", "--", PAGE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or os.environ.get("PARLEY_DATE", "undated")


# ---- roff ----

CHARACTERS = {"\\": "\\e", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}


def escaped(text: str, code: bool) -> str:
    out = "".join(CHARACTERS.get(c, c) if code or c == "\\" else c for c in text)
    out = out.replace("-", "\\-") if code else re.sub(r"(?<![\w-])-(?=\d)", r"\\-", out)
    return "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in out)


def inline(text: str) -> str:
    """Markdown within a paragraph: code, emphasis, links."""
    out = []
    for part in re.split(r"(`[^`]+`)", re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)):
        if part.startswith("`"):
            out.append(f"\\fB{escaped(part[1:-1], True)}\\fP")
            continue
        plain = escaped(part, False)
        plain = re.sub(r"\*\*(.+?)\*\*", r"\\fB\1\\fP", plain)
        out.append(re.sub(r"(?<![\w*])\*(\w[^*]*)\*(?![\w*])", r"\\fI\1\\fP", plain))
    return "".join(out)


def safe(line: str) -> str:
    """A line of text that no formatter takes for a request."""
    return "\\&" + line if line[:1] in (".", "'") else line


def filled(text: str) -> list[str]:
    """A paragraph's lines; each sentence begins one, as manual pages are written."""
    lines = []
    for sentence in re.split(r"(?<=[.?!])\s+(?=[A-Z\\])", inline(" ".join(text.split()))):
        lines += textwrap.wrap(sentence, 100, break_long_words=False, break_on_hyphens=False)
    return [safe(line) for line in lines]


def sentence(text: str) -> str:
    """A cell of a table as a sentence."""
    text = text.strip()
    if not text:
        return ""
    return (text if text[0] == "`" else text[0].upper() + text[1:]) + ("" if text[-1] in ".:!?" else ".")


def plain(text: str) -> str:
    return escaped(re.sub(r"`|\*\*", "", text), False)


def heading(name: str, section: str) -> list[str]:
    return [
        '.\\" SPDX-License-Identifier: MIT',
        f'.TH {name.upper()} {section} "{date()}" "Parley {version()}" "NX/2 on Linux"',
    ]


def see_also(pages: list[tuple[str, str]]) -> list[str]:
    lines = [f".BR {escaped(name, True)} ({section})," for name, section in pages]
    return [".SH SEE ALSO", *lines[:-1], lines[-1].rstrip(",")]


# ---- the calls' page ----


@dataclass
class Row:
    names: list[str]
    signatures: list[str]
    meaning: str
    differs: str = ""
    fortran: str = ""
    before: list[str] = field(default_factory=list)  # the paragraphs over its table
    neighbours: list[str] = field(default_factory=list)


@dataclass
class Section:
    title: str
    texts: list[str] = field(default_factory=list)
    bullets: list[str] = field(default_factory=list)
    tables: list[tuple[list[str], list[list[str]]]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def block_kinds(text: str):
    """The blocks of a section: (kind, text)."""
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.startswith("|"):
            yield "table", block
        elif re.match(r"[*-] ", block):
            yield from (("bullet", one) for one in re.split(r"\n(?=[*-] )", block))
        else:
            yield "text", block


def row_of(header: list[str], line: list[str], before: list[str]) -> Row:
    signatures = re.findall(r"`([^`]+\))`", line[0])
    by_head = dict(zip(header, line))
    row = Row([one.split("(")[0] for one in signatures], signatures, by_head["meaning"], before=before)
    row.differs, row.fortran = by_head.get("what differs", ""), by_head.get("in Fortran", "")
    if not row.names or not row.meaning:
        raise Unreadable(f"docs/nx2-calls.md: no call, or no meaning, in the row '{line[0]}'.")
    return row


def section_of(title: str, text: str) -> Section:
    section, before, over = Section(title), [], True
    for kind, block in block_kinds(text):
        if kind == "text":
            before = before if over else []
            over = True
            before.append(block)
            section.texts.append(block)
        elif kind == "bullet":
            section.bullets.append(block[2:])
        else:
            header, _, *lines = [cells(line) for line in block.splitlines()]
            section.tables.append((header, lines))
            if header[0] == "call":
                rows = [row_of(header, line, list(before)) for line in lines]
                for row in rows:
                    row.neighbours = [other.names[0] for other in rows if other is not row]
                section.rows += rows
            over = False
    return section


def sections() -> list[Section]:
    _, *parts = re.split(r"^## (.+)\n", text_of("docs", "nx2-calls.md"), flags=re.M)
    return [section_of(*pair) for pair in zip(parts[::2], parts[1::2])]


# ---- declarations ----


def prototypes() -> dict[str, tuple[str, str]]:
    """By name: the header, and the declaration on one line."""
    found = {}
    for header in HEADERS:
        text = re.sub(r"/\*.*?\*/", "", text_of("userlib", "include", header), flags=re.S)
        text = re.sub(r"^#(\\\n|.)*$", "", text, flags=re.M)
        for one in re.findall(r"^((?:const |unsigned |struct )*\w+[ *]+\w+\((?:[^;{}])*\));", text, re.M):
            name = re.search(r"(\w+)\(", one)[1]
            if not one.startswith(("typedef", "return")):
                found[name] = (header, " ".join(one.split()))
    return found


def fortran_calls(library: str) -> dict[str, str]:
    """By name: the type that it has in fnx.h, or nothing: a subroutine."""
    names = subprocess.run(
        ["nm", "-g", "--defined-only", library], capture_output=True, text=True, check=True
    ).stdout
    defined, types = set(re.findall(r" [TW] ([a-z]\w*)_$", names, re.M)), {}
    for kind, names in re.findall(
        r"^ +(integer\*8|integer|real\*8) (.+)$", text_of("userlib/include/fnx.h"), re.M
    ):
        types.update({name.strip(): kind.upper() for name in names.split(",")})
    return {name: types.get(name, "") for name in defined}


def parameters(text: str) -> list[str]:
    """What stands between the commas that no parenthesis encloses."""
    out, depth = [""], 0
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            out.append("")
        else:
            out[-1] += c
    return [one.strip() for one in out]


def declaration(text: str) -> list[str]:
    """A prototype's lines, names of parameters in italics."""
    head, rest = text.split("(", 1)
    lines, indent = [], " " * 8
    line, shown = escaped(head, True) + "(", len(head) + 1
    words = parameters(rest[:-1])
    for at, one in enumerate(words):
        end = "," if at < len(words) - 1 else ");"
        name = re.search(r"\(\*(\w+)\)", one) or re.search(r"(\w+)(\[\d*\])?$", one)
        marked = escaped(one, True)
        if one != "void" and name:
            start = name.start(1)
            marked = escaped(one[:start], True) + f"\\fI{name[1]}\\fB" + escaped(one[name.end(1) :], True)
        if at and shown + len(one) + 2 > WIDTH:
            lines.append(line.rstrip())
            line, shown = indent, len(indent)
        line, shown = line + marked + end + " ", shown + len(one) + 2
    return [f"\\fB{one}\\fP" for one in [*lines, line.rstrip()]]


def fortran_line(signature: str, kind: str) -> str:
    text = f"{kind} FUNCTION " if kind else "CALL "
    name, rest = signature.split("(", 1)
    return f"\\fB{text}{escaped(name, True)}(\\fI{escaped(rest[:-1], True)}\\fB)\\fP"


class Declarations:
    def __init__(self, library: str):
        self.c, self.fortran = prototypes(), fortran_calls(library)

    def header(self, row: Row) -> str:
        return next((self.c[name][0] for name in row.names if name in self.c), "")

    def in_c(self, row: Row) -> list[str]:
        names = [n for n in row.names if n in self.c] + [f"_{n}" for n in row.names if f"_{n}" in self.c]
        return [line for name in names for line in declaration(self.c[name][1])]

    def in_fortran(self, row: Row) -> list[str]:
        own = re.findall(r"`(\w+\([^`]*\))`", row.fortran)
        shown = {one.split("(")[0]: one for one in [*row.signatures, *own]}
        if row.fortran == "not there":
            return []
        return [
            fortran_line(
                shown[name], "" if name in {one.split("(")[0] for one in own} else self.fortran[name]
            )
            for name in dict.fromkeys([*row.names, *shown])
            if name in self.fortran
        ]

    def has_twin(self, row: Row) -> bool:
        return any(f"_{name}" in self.c for name in row.names)


# ---- pages ----

TWIN = """After an error the plain call prints one sentence and ends the program with status 1.
The call with an underscore before its name returns \\-1 and sets
.IR errno ;
.BR nx (7)
lists the errors."""


def synopsis(row: Row, known: Declarations) -> list[str]:
    lines, in_c, in_fortran = [".SH SYNOPSIS", ".nf"], known.in_c(row), known.in_fortran(row)
    header = known.header(row)
    if header:
        lines += [f"\\fB#include <{header if header in OF_ITS_OWN else 'nx.h'}>\\fP", ""]
    lines += in_c
    if in_fortran:
        lines += ([""] if in_c else []) + ["Fortran:", *in_fortran]
    if not in_c and not in_fortran:
        lines += [f"\\fB{escaped(one, True)}\\fP" for one in row.signatures]
    return [*lines, ".fi"]


# The page's bullets for all calls that tell what a message's arguments are, and whose call it is.
OF_MESSAGES = ("Types", "Nodes")
MESSAGE = re.compile(r"\btypesel\b|\btype, (buffer|block)\b")


def call_page(row: Row, known: Declarations, for_all: dict[str, str]) -> list[str]:
    lines = [*heading(row.names[0], "3nx"), ".SH NAME"]
    names = ", ".join(escaped(name, True) for name in row.names)
    lines += [safe(f"{names} \\- {plain(row.meaning.split('. ')[0])}"), *synopsis(row, known)]
    lines += [".SH DESCRIPTION", *filled(sentence(row.meaning))]
    for text in row.before:
        lines += [".PP", *filled(re.sub(r":$", ".", text))]
    if any(MESSAGE.search(one) for one in row.signatures):
        texts = [filled(for_all[title]) for title in OF_MESSAGES]
        lines += [".SH ARGUMENTS", *texts[0], *(line for text in texts[1:] for line in (".PP", *text))]
    if row.differs:
        lines += [".SH DESIGNS", *filled(sentence(row.differs)), ".PP", *filled(for_all["Designs"])]
    if row.fortran and not re.fullmatch(r"`[^`]+`", row.fortran):
        lines += [".SH FORTRAN", *filled(sentence(row.fortran))]
    if known.has_twin(row):
        lines += [".SH ERRORS", *TWIN.splitlines()]
    others = [(name, "3nx") for name in row.neighbours]
    return lines + see_also([("nxcc", "1"), ("nxrun", "1"), *others, ("nx", "7")])


def rest_rows(found: list[Section], known: Declarations) -> list[Row]:
    """Calls that the page names in a paragraph only, one row for each paragraph."""
    listed = {name for section in found for row in section.rows for name in row.names}
    rows = []
    for text in (text for section in found for text in section.texts):
        names = [n for n in re.findall(r"`(\w+)`", text) if n in known.c and n not in listed]
        listed.update(names)
        if names:
            meaning = re.sub(r"^`[\w.]+` has ", "", " ".join(text.split()).split(":")[0])
            rows.append(Row(names, [known.c[name][1] for name in names], meaning, before=[text]))
    return rows


def overview(found: list[Section], others: list[Row]) -> list[str]:
    lines = [*heading("nx", "7"), ".SH NAME", "nx \\- NX/2: messages between the processes of a job"]
    lines += text_of("native", "packaging", "nx.7.in").split("\n")[1:]
    for section in found:
        lines += [f".SH {section.title.upper()}"]
        for text in section.texts[: 1 if section.rows else None]:
            lines += [".PP", *filled(text)]
        for bullet in section.bullets:
            lines += [".PP", *filled(bullet)]
        for header, rows in section.tables:
            lines += [".PP"] if header[0] == "call" else []
            for row in rows:
                lines += [".TP", inline(row[0]), *filled(sentence(row[1]))]
    calls = sorted(row.names[0] for section in found for row in section.rows)
    pages = [("nxcc", "1"), ("nxrun", "1"), *((n, "3nx") for n in calls), (others[0].names[0], "3nx")]
    # A title's own request must not be followed by one of a paragraph.
    out = [line for at, line in enumerate(lines) if not (line == ".PP" and lines[at - 1].startswith(".SH"))]
    return [
        line for at, line in enumerate(out) if not (line == ".PP" and out[at + 1 : at + 2] == [".TP"])
    ] + see_also(pages)


# ---- programs ----


def help_of(program: str) -> list[str]:
    done = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    return done.stdout.rstrip().split("\n")


OPTION = re.compile(r"^ {2,8}(-\S.*?)(?: {2,}(\S.*))?$")


def option_lines(lines: list[str]) -> list[str]:
    """The options of a help text as a list."""
    out = []
    for line in lines:
        match = OPTION.match(line)
        if match:
            out += [".TP", f"\\fB{escaped(match[1], True)}\\fP", *([match[2]] if match[2] else [""])]
        elif out and line.startswith(" "):
            out[-1] = f"{out[-1]} {line.strip()}".strip()
    if not out:
        raise Unreadable("nxrun --help and nxcc --help list no options: lines of two blanks and a hyphen.")
    done = []
    for line in out:
        done += (
            [line] if line.startswith((".TP", "\\fB")) else filled(sentence(line)) or ["Prints it, and ends."]
        )
    return done


def program_page(name: str, program: str) -> list[str]:
    """name.1.in, with the options and the closing words of the program's help."""
    lines = help_of(program)
    options = [line for line in lines if line.startswith("  ")]
    blank = max((at for at, line in enumerate(lines) if not line), default=len(lines))
    replacements = {"@OPTIONS@": option_lines(options), "@CLOSING@": filled(" ".join(lines[blank + 1 :]))}
    out = heading(name, "1")
    for line in text_of("native", "packaging", f"{name}.1.in").rstrip("\n").split("\n")[1:]:
        out += replacements.get(line, [line])
    return out


def path_of(folder: str, name: str) -> str:
    path = os.path.join(folder, f"man{name.rsplit('.', 1)[1][0]}", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def write(folder: str, name: str, lines: list[str]) -> None:
    with open(path_of(folder, name), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def write_all(binaries: str, folder: str) -> None:
    found, known = sections(), Declarations(os.path.join(binaries, "..", "lib", "libnx.a"))
    others = rest_rows(found, known)
    rows = [row for section in found for row in section.rows] + others
    bullets = [bullet for section in found for bullet in section.bullets]
    for_all = {match[1]: bullet for bullet in bullets if (match := re.match(r"\*\*(\w+)", bullet))}
    for row in rows:
        write(folder, f"{row.names[0]}.3nx", call_page(row, known, for_all))
        twins = [f"_{name}" for name in row.names if f"_{name}" in known.c]
        for name in [*row.names[1:], *twins]:
            os.symlink(f"{row.names[0]}.3nx", path_of(folder, f"{name}.3nx"))
    missing = known.c.keys() - {n for row in rows for name in row.names for n in (name, f"_{name}")}
    if missing:
        raise Unreadable(f"docs/nx2-calls.md does not have {', '.join(sorted(missing))}.")
    write(folder, "nx.7", overview(found, others))
    write(folder, "nxrun.1", program_page("nxrun", os.path.join(binaries, "nxrun")))
    write(folder, "nxtrace.1", program_page("nxtrace", os.path.join(binaries, "nxtrace")))
    write(folder, "nxcc.1", program_page("nxcc", os.path.join(binaries, "nxcc")))
    for name in ("nxc++", "nxf77", "cedarf77"):
        os.symlink("nxcc.1", path_of(folder, f"{name}.1"))


def main() -> int:
    binaries, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    try:
        write_all(binaries, folder)
    except Unreadable as problem:
        print(f"The manual cannot be made: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
