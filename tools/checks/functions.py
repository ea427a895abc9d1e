# SPDX-License-Identifier: MIT
"""Finds functions and their lengths: by the syntax tree in Python, by matching braces in C and C++."""

import ast
import re

TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^\s*#(?:\\\n|[^\n])*'
    r"|[{};]|\n|[^{};\n\"'/#]+|.",
    re.S | re.M,
)
CONTAINER = re.compile(r'\b(namespace|class|struct|union|enum|concept)\b|extern\s*"C"\s*$|extern\s+$')
NAME = re.compile(r"([~\w:]+|operator\s*\S+)\s*\(")


def of_python(text: str) -> list[tuple[str, int, int]]:
    """(name, first line, lines)"""
    return [
        (node.name, node.lineno, node.end_lineno - node.lineno + 1)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def is_function(head: str, outer: list) -> bool:
    in_function = any(kind == "function" for kind, _, _ in outer)
    return (
        not in_function
        and "(" in head
        and not CONTAINER.search(head.split("(")[0])
        and not head.rstrip().endswith("=")
    )


def of_cpp(text: str) -> list[tuple[str, int, int]]:
    found, outer = [], []
    head, head_line, line = "", 1, 1
    for match in TOKENS.finditer(text):
        token = match.group(0)
        if token == "{":
            function = is_function(head, outer)
            outer.append(("function" if function else "other", head, head_line))
            head = ""
        elif token == "}" and outer:
            kind, opening, start = outer.pop()
            if kind == "function":
                name = NAME.search(opening)
                found.append((name.group(1) if name else "?", start, line - start + 1))
            head = ""
        elif token == ";":
            head = ""
        elif not token.lstrip().startswith(("//", "/*", "#")):
            if not head.strip():
                head_line = line
            head += token
        line += token.count("\n")
    return found
