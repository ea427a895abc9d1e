# SPDX-License-Identifier: MIT
"""FORMATs with expressions in them, FORMAT (<N>F8.3): where one is used, its text goes to a variable."""

import re

from fortran_source import Statement, fixed_form, silent

EXPRESSION = re.compile(r"<([^<>']+)>")
USE = re.compile(
    r"(?P<before>\s*(?:if\s*\(.*\)\s*)?)"
    r"(?P<verb>(?:write|read)\s*\([^(),]+,\s*(?:fmt\s*=\s*)?|(?:print|read|type|accept))"
    r"(?P<label>\d+)(?P<after>\s*(?:[,)].*)?)$",
    re.I | re.S,
)


def is_variable(statement: Statement) -> bool:
    return statement.packed.startswith("format(") and bool(EXPRESSION.search(silent(statement.body)))


def quoted(text: str, mark: str) -> str:
    return mark + text.replace(mark, 2 * mark) + mark


def writing(name: str, body: str) -> str:
    """The statement that makes the text of this FORMAT."""
    text, parts, expressions, start = body[body.index("(") :].rstrip(), [], [], 0
    for match in EXPRESSION.finditer(silent(text)):
        parts, start = [*parts, text[start : match.start()]], match.end()
        expressions.append(f"({match[1]})")
    template = ",I0,".join(quoted(part, '"') for part in [*parts, text[start:]])
    pieces = [template[at : at + 24] for at in range(0, len(template), 24)]
    constant = "//".join(quoted(piece, "'") for piece in pieces)
    return f"WRITE({name},'('//{constant}//')') {','.join(expressions)}"


class Formats:
    """Those of one program unit; `first` numbers their variables."""

    def __init__(self, unit: list[Statement], first: int):
        found = [one for one in unit if is_variable(one)]
        self.bodies = {one.label: one.body for one in found}
        self.names = {one.label: f"NXFORM{first + at}" for at, one in enumerate(found)}
        self.loops = {match[1] for one in unit if (match := re.match(r"do(\d+)", one.packed))}
        self.declarations = [f"      CHARACTER*1000 {name}\n" for name in self.names.values()]

    def translate(self, statement: Statement) -> list[str] | None:
        """The lines in the place of a FORMAT, or of a statement that uses one; None: it stays."""
        if statement.label in self.bodies:
            return fixed_form(statement.label, "CONTINUE")
        use = USE.match(statement.body)
        if not use or use["label"] not in self.names:
            return None
        name, before = self.names[use["label"]], use["before"].strip()
        text = writing(name, self.bodies[use["label"]])
        verb = use["verb"] if "(" in use["verb"] else use["verb"] + " "
        io = verb + name + use["after"]
        if before:
            lines = fixed_form(statement.label, f"{before} THEN")
            return lines + fixed_form("", text) + fixed_form("", io) + fixed_form("", "ENDIF")
        ends_loop = statement.label in self.loops
        first, second = ("", statement.label) if ends_loop else (statement.label, "")
        return fixed_form(first, text) + fixed_form(second, io)
