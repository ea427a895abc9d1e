# SPDX-License-Identifier: MIT
"""Finds functions with their lengths, and classes with their methods and data members: by the syntax tree in
Python, by matching braces in C and C++."""

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


def classes_of_python(text: str) -> list[tuple[str, int, int]]:
    """(name, methods, data members): what is assigned to self, or declared in the class."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ClassDef):
            continue
        methods = [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
        members = {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
        for part in ast.walk(node):
            if (
                isinstance(part, ast.Attribute)
                and isinstance(part.ctx, ast.Store)
                and isinstance(part.value, ast.Name)
                and part.value.id == "self"
            ):
                members.add(part.attr)
        found.append((node.name, len(methods), len(members)))
    return found


CLASS = re.compile(
    r"\b(?:class|struct|union)\b(?:\s*\[\[[^\]]*\]\]|\s*\w+\([^)]*\))*\s+(\w+(?:<[^{]*>)?)[^;{()]*$"
)
NOT_DATA = re.compile(
    r"^\s*(?:template\b.*>\s*)?(?:using|typedef|friend|static|enum|class|struct|union|extern|concept)\b"
)
LABEL = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")


class Body:
    """One pair of braces while it is read."""

    def __init__(self, kind: str, name: str):
        self.kind, self.name, self.methods, self.members = kind, name, 0, 0

    def statement(self, head: str) -> None:
        """A declaration in a class that ends in a semicolon."""
        text = " ".join(LABEL.sub("", head).split())
        if self.kind != "class" or not text or NOT_DATA.match(text) and "(" not in text:
            return
        before = re.split(r"=(?!=)|\{", text)[0]
        if "(" in re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)", "", before) and "(*" not in before:
            self.methods += 0 if text.startswith("friend") else 1
        elif not NOT_DATA.match(text):
            self.members += 1


def classes_of_cpp(text: str) -> list[tuple[str, int, int]]:
    """(name, methods, data members) of each class, struct and union with a body: methods declared or defined
    in it, data members of its objects, by declaration."""
    found, outer, head = [], [Body("file", "")], ""
    for match in TOKENS.finditer(text):
        token = match.group(0)
        if token == "{":
            plain = " ".join(LABEL.sub("", head).split())
            named = CLASS.search(re.sub(r"^template\s*<.*?>\s*(?=class|struct|union)", "", plain))
            kind = "class" if named else "method" if "(" in plain and outer[-1].kind == "class" else "other"
            outer.append(Body(kind, named[1] if named else ""))
            if kind == "other" and outer[-2].kind == "class":
                continue  # a member with an initializer: the head goes on to its semicolon
            head = ""
        elif token == "}" and len(outer) > 1:
            body = outer.pop()
            if body.kind == "class":
                found.append((body.name, body.methods, body.members))
            elif body.kind == "method":
                outer[-1].methods += 1
            head = head if body.kind == "other" and outer[-1].kind == "class" else ""
        elif token == ";":
            outer[-1].statement(head)
            head = ""
        elif not token.lstrip().startswith(("//", "/*", "#")):
            head += token
    return found
