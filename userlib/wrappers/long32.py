# SPDX-License-Identifier: MIT
"""-long32: a program's long has 32 bits, as on the machines it was written for; so it shares INTEGER
arguments with Fortran, and files, messages and constants of four bytes fit. Works on preprocessed text: what
the program's own lines call long is int; headers of the system and of NX stay as they are."""

import re

TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\''
    r"|\b(?:(?:unsigned|signed|short|long|int|double)\b\s*)+|\b(?:time|ctime)(?=\s*\(\s*&)"
)
MARKER = re.compile(r'# \d+ "([^"]*)"((?: \d)*)')
FORMAT = re.compile(r"(%[-+ #0-9.*]*)l(?=[diouxX])")
# The C library's time of day goes through an object of eight bytes.
PRELUDE = (
    "__attribute__((unused)) static int nx_time(int *to)"
    " { extern long time(long *); int now = (int)time(0); if (to) *to = now; return now; } "
    "__attribute__((unused)) static char *nx_ctime(int *of)"
    " { extern char *ctime(const long *); long full = *of; return ctime(&full); }\n"
)


def narrowed(match: re.Match) -> str:
    token = match.group()
    if token[0] == '"':
        return FORMAT.sub(r"\1", token)
    if token in ("time", "ctime"):
        return f"nx_{token}"
    words = token.split()
    if token[0] == "'" or words.count("long") != 1:
        return token
    kept = [word for word in words if word != "long"]
    kept += [] if "int" in kept or "double" in kept else ["int"]
    return " ".join(kept) + " " * (len(token) - len(token.rstrip()))


def narrow(text: str, home: str) -> str:
    lines, own = [PRELUDE], True
    for line in text.splitlines(keepends=True):
        marker = MARKER.match(line)
        if marker:
            own = "3" not in marker.group(2).split() and not marker.group(1).startswith(home)
        lines.append(TOKEN.sub(narrowed, line) if own and line[:1] != "#" else line)
    return "".join(lines)
