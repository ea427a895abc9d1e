# SPDX-License-Identifier: MIT
"""What stands in the sources, as libclang reads them: functions, and the statements and expressions in them
that a rule may change. Places are offsets into the file's bytes."""

import hashlib
import os
import pickle
import re
from dataclasses import dataclass, field

try:
    from clang import cindex
except ImportError:
    cindex = None

# As host tests are compiled; the explorer's headers only where no others are found.
FLAGS = (
    *("-std=c++23", "-Iarch/hosted", "-I.", "-Ibase/checked"),
    *("-Inative/library", "-Iarch/linux", "-Itesting/explored"),
)
COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.S)
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[\w:, ]*>\s*)?\(")
WORD = re.compile(r"[A-Za-z_]\w*")
MANY = 99
NO_CALLS = {"if", "while", "for", "switch", "return", "sizeof", "decltype", "alignof", "static_cast", "catch"}


class Unreadable(Exception):
    """A source that cannot be read; the sentence says why."""


def flat(text: str) -> str:
    """On one line and without comments, as words are compared."""
    return " ".join(COMMENT.sub(lambda match: match[1] or " ", text).split())


def calls(text: str) -> set[str]:
    """The names that it calls."""
    return {name for name, _ in calls_with(text)}


def calls_with(text: str) -> list[tuple[str, int]]:
    """The names that it calls, and with how many arguments each."""
    line = flat(text)
    return [
        (match[1], arguments_at(line, match.end()))
        for match in CALL.finditer(line)
        if match[1] not in NO_CALLS
    ]


def arguments_at(line: str, at: int) -> int:
    """How many there are behind an opening parenthesis."""
    depth, count, empty = 0, 1, True
    for letter in line[at:]:
        if letter == ")" and depth == 0:
            break
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
        count += letter == "," and depth == 0
        empty = empty and letter == " "
    return 0 if empty else count


@dataclass
class Node:
    """A statement or an expression. `kind`: libclang's."""

    kind: str
    start: int
    end: int
    operator: str = ""  # of a binary or unary one
    name: str = ""  # of what is declared or called
    owner: str = ""  # of what is called, the class; "" where a template's arguments decide it
    children: list["Node"] = field(default_factory=list)


@dataclass
class Function:
    file: str
    owner: str  # the class, "" for none
    name: str
    arguments: tuple[int, int]  # with how many it is called, at least and at most
    start: int  # of its body
    end: int
    first_line: int
    last_line: int
    is_constexpr: bool
    answers: str  # the type
    body: Node

    @property
    def full_name(self) -> str:
        return f"{self.owner}::{self.name}" if self.owner else self.name


def text_of(root: str, file: str) -> str:
    """Bytes as letters, so that offsets stay what they are."""
    with open(os.path.join(root, file), encoding="latin-1", newline="") as opened:
        return opened.read()


FUNCTIONS = {
    *("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "FUNCTION_TEMPLATE"),
    "CONVERSION_FUNCTION",
}
SCOPES = {
    *("NAMESPACE", "CLASS_DECL", "STRUCT_DECL", "UNION_DECL", "CLASS_TEMPLATE"),
    *("CLASS_TEMPLATE_PARTIAL_SPECIALIZATION", "LINKAGE_SPEC", "UNEXPOSED_DECL"),
}


class Reader:
    """`files`: those to be read, from the root; headers are read together, other sources each by itself."""

    def __init__(self, root: str, generated: str, files: list[str], cache: str):
        if cindex is None:
            raise Unreadable("libclang's Python binding is not installed: tools/install.sh mutate gets it.")
        self.root, self.files = root, set(files)
        self.flags = [*FLAGS, f"-I{generated}"]
        self.cache = os.path.join(cache, "functions.pickle")
        self.index = cindex.Index.create()
        self.texts: dict[str, str] = {}
        self.seen: set[tuple[str, int]] = set()

    def functions(self) -> list[Function]:
        headers = sorted(file for file in self.files if file.endswith(".hpp"))
        units = [("\n".join(f'#include "{file}"' for file in headers), headers)] if headers else []
        units += [(f'#include "{file}"', [file]) for file in sorted(self.files - set(headers))]
        known = self.read_cache()
        kept: dict[str, list[Function]] = {}
        here = os.getcwd()
        os.chdir(self.root)
        try:
            for text, files in units:
                key = self.key(files)
                if key in known:
                    kept[key] = known[key]
                    continue
                found = kept[key] = []
                unit = self.index.parse("all.cpp", args=self.flags, unsaved_files=[("all.cpp", text)])
                worst = [one for one in unit.diagnostics if one.severity >= 4]
                if worst:
                    raise Unreadable(f"libclang cannot read {files[0]} and what it includes: {worst[0]}.")
                self.walk(unit.cursor, found)
        finally:
            os.chdir(here)
        with open(self.cache, "wb") as file:
            pickle.dump(kept, file)
        found = [one for some in kept.values() for one in some]
        return sorted(found, key=lambda one: (one.file, one.start))

    def read_cache(self) -> dict[str, list[Function]]:
        """What libclang said of sources that are as they were: it takes half a second for each."""
        try:
            with open(self.cache, "rb") as file:
                return pickle.load(file)
        except (OSError, EOFError, ValueError, AttributeError, pickle.UnpicklingError):
            return {}

    def key(self, files: list[str]) -> str:
        digest = hashlib.sha256(self.text_of_reader())
        for file in files:
            digest.update(file.encode() + self.text(file).encode("latin-1"))
        return digest.hexdigest()

    @staticmethod
    def text_of_reader() -> bytes:
        with open(__file__, "rb") as file:
            return file.read()

    def text(self, file: str) -> str:
        if file not in self.texts:
            self.texts[file] = text_of(self.root, file)
        return self.texts[file]

    def walk(self, cursor, found: list[Function]) -> None:
        for child in cursor.get_children():
            place = child.location.file
            if place is None:
                continue
            file = os.path.normpath(place.name)
            if file.startswith("/") or (file not in self.files and child.kind.name != "NAMESPACE"):
                continue
            if child.kind.name in SCOPES:
                self.walk(child, found)
            elif child.kind.name in FUNCTIONS and child.is_definition() and file in self.files:
                if (one := self.function(child, file)) is not None:
                    found.append(one)

    def function(self, cursor, file: str) -> Function | None:
        bodies = [child for child in cursor.get_children() if child.kind.name == "COMPOUND_STMT"]
        if not bodies or (file, cursor.extent.start.offset) in self.seen:
            return None
        self.seen.add((file, cursor.extent.start.offset))
        owners, parent = [], cursor.semantic_parent
        while parent is not None and parent.kind.name in SCOPES - {"NAMESPACE", "LINKAGE_SPEC"}:
            owners.insert(0, parent.spelling)
            parent = parent.semantic_parent
        body, text, name = bodies[-1], self.text(file), cursor.spelling
        head = text[cursor.extent.start.offset : body.extent.start.offset]
        parameters = [
            text[child.extent.start.offset : child.extent.end.offset]
            for child in cursor.get_children()
            if child.kind.name == "PARM_DECL"
        ]
        most = MANY if any("..." in one for one in parameters) else len(parameters)
        least = sum("=" not in one and "..." not in one for one in parameters)
        return Function(
            file,
            "::".join(owners),
            name if name.startswith("operator") else re.sub(r"<.*", "", name),
            (least, most),
            body.extent.start.offset,
            body.extent.end.offset,
            cursor.extent.start.line,
            cursor.extent.end.line,
            re.search(r"\bconst(expr|eval)\b", head) is not None,
            cursor.result_type.spelling,
            self.node(body, text),
        )

    def node(self, cursor, text: str) -> Node:
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        kind = cursor.kind.name
        operator = cursor.spelling if kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") else ""
        called = cursor.referenced if kind == "CALL_EXPR" else None
        parent = called.semantic_parent if called is not None else None
        node = Node(kind, start, end, operator, cursor.spelling, parent.spelling if parent else "")
        for child in cursor.get_children():
            first, last = child.extent.start.offset, child.extent.end.offset
            # What a macro has made stands nowhere.
            if first < start or last > end or (first == start and last == end and kind == "DO_STMT"):
                continue
            node.children.append(self.node(child, text))
        return node
