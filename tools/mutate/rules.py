# SPDX-License-Identifier: MIT
"""The rules by which mutants are planted. Each makes mutants of one function; a mutant knows how its place is
written without a choice (`direct`) and with one that is made when the program runs (`choosing`).

Several rules may change one place, so a change is told as edits: what stands between two offsets becomes
what a function makes of it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from .source import MANY, WORD, Function, Node, calls, calls_with, flat

ORDER = re.compile(r"std::memory_order_(relaxed|acquire|release|acq_rel|seq_cst)")
ATOMIC = re.compile(
    r"(?:\.|->)(load|store|exchange|fetch_add|fetch_sub|fetch_or|fetch_and"
    r"|compare_exchange_weak|compare_exchange_strong)\s*\("
)
# One step weaker, and relaxed.
WEAKER = {
    "load": {"seq_cst": ("acquire", "relaxed"), "acquire": ("relaxed",)},
    "store": {"seq_cst": ("release", "relaxed"), "release": ("relaxed",)},
    "both": {
        "seq_cst": ("acq_rel", "relaxed"),
        "acq_rel": ("acquire", "release", "relaxed"),
        "acquire": ("relaxed",),
        "release": ("relaxed",),
    },
}
# What is seen by others, or makes one wait, beside the operations on atomic words.
BASE_ACTIONS = {
    *("acquire", "release", "LockGuard", "ShortGuard", "wake_processor", "switch_execution"),
    *("wait_for_interrupt", "block", "wake", "suspend", "resume"),
}
TAKES = {"acquire": "release", "lock": "unlock", "lock_always": "unlock"}
MOST_STATEMENTS = 2  # of a function that acts by another name
LEFT_OUT = "left out"
NAMES = (
    *("order weakened", "read and written apart", "swapped", "action left out", "look left out"),
    *("store left out", "lock not taken"),
)



@dataclass
class Edit:
    start: int
    end: int
    make: Callable[[str], str]  # of what stands there, with the changes inside it
    rank: int = 0  # of edits of the same place, the lesser is the inner


@dataclass
class Mutant:
    rule: str
    function: Function
    words: str  # that are changed
    into: str
    direct: list[Edit]
    choosing: Callable[[int], list[Edit]]  # of its number
    times: int = 0  # which one, where the same words stand several times

    @property
    def name(self) -> str:
        again = f" (place {self.times + 1})" if self.times else ""
        return f"{self.function.full_name} | {self.rule} | {self.words} -> {self.into}{again}"


def planted(number: int) -> str:
    return f"parley::mutants::planted({number})"


@dataclass
class Sources:
    """What the rules know of all functions: which act on what others see."""

    functions: list[Function]
    texts: Callable[[str], str]
    acting: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.acting = {name: [(0, MANY)] for name in BASE_ACTIONS}
        thin = []
        for one in self.functions:
            if ATOMIC.search(self.texts(one.file)[one.start : one.end]):
                self.acting.setdefault(one.name, []).append(one.arguments)
            elif len(one.body.children) <= MOST_STATEMENTS:
                thin.append(one)
        # What does little else than call one that acts, acts by another name.
        grown = True
        while grown:
            more = [one for one in thin if self.acts(self.texts(one.file)[one.start : one.end])]
            for one in more:
                self.acting.setdefault(one.name, []).append(one.arguments)
            thin = [one for one in thin if one not in more]
            grown = bool(more)

    def acts(self, text: str) -> bool:
        return ATOMIC.search(text) is not None or any(
            least <= count <= most
            for name, count in calls_with(text)
            for least, most in self.acting.get(name, ())
        )


class Rules:
    def __init__(self, sources: Sources, function: Function):
        self.sources, self.function = sources, function
        self.text = sources.texts(function.file)
        self.found: list[Mutant] = []

    def mutants(self) -> list[Mutant]:
        if self.function.is_constexpr:
            return []
        self.visit(self.function.body)
        self.orders()
        self.locks()
        seen: dict[str, int] = {}
        for one in self.found:
            one.times = seen.get(one.name, 0)
            seen[f"{one.function.full_name} | {one.rule} | {one.words} -> {one.into}"] = one.times + 1
        return self.found

    # -- what stands there
    def of(self, node: Node) -> str:
        return self.text[node.start : node.end]

    def acts(self, node: Node) -> bool:
        return self.sources.acts(self.of(node))

    def whole(self, node: Node) -> tuple[int, int]:
        """A statement with its semicolon."""
        rest = re.compile(r"\s*;").match(self.text, node.end)
        return node.start, rest.end() if rest and not self.of(node).endswith(";") else node.end

    def words(self, start: int, end: int) -> str:
        return flat(self.text[start:end]).rstrip(";")

    def add(self, rule: str, words: str, into: str, direct, choosing) -> None:
        self.found.append(Mutant(rule, self.function, words, into, direct, choosing))

    # -- going through the body
    def visit(self, node: Node) -> None:
        if node.kind == "COMPOUND_STMT":
            if self.text[node.start] != "{":
                return  # a macro's
            self.block(node)
        elif node.kind in ("IF_STMT", "WHILE_STMT"):
            self.condition(node)
            for child in node.children[1:]:
                if child.kind not in ("COMPOUND_STMT", "IF_STMT"):
                    self.leave_out(child)
        elif node.kind == "BINARY_OPERATOR" and node.operator in ("&&", "||"):
            self.operands(node)
        elif node.kind == "BINARY_OPERATOR" and node.operator == "|":
            self.exchange_operands(node)
        elif node.kind == "CALL_EXPR":
            self.read_and_write(node)
        for child in node.children:
            self.visit(child)

    def block(self, node: Node) -> None:
        for child in node.children:
            self.leave_out(child)
        for first, second in zip(node.children, node.children[1:]):
            self.swap(first, second)

    def is_expression(self, node: Node) -> bool:
        return node.kind in (
            *("CALL_EXPR", "UNEXPOSED_EXPR", "BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"),
            *("UNARY_OPERATOR", "DO_STMT", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "PAREN_EXPR"),
        ) and not re.match(r"do\b", self.of(node))

    # -- left out
    def is_taking(self, node: Node) -> bool:
        return bool(calls(self.of(node)) & {*TAKES, *TAKES.values()})

    def writes(self, node: Node) -> bool:
        """To what is not the function's own."""
        text = flat(self.of(node))
        match = re.match(r"(?:\+\+|--)?\s*\*?([A-Za-z_]\w*)", text)
        assigns = (
            (node.kind == "BINARY_OPERATOR" and node.operator == "=")
            or node.kind == "COMPOUND_ASSIGNMENT_OPERATOR"
            or (node.kind == "UNARY_OPERATOR" and re.match(r"\+\+|--", text))
        )
        return bool(assigns and match and match[1] not in self.own())

    def guards_something(self) -> bool:
        """Whether what it writes may be for others: it holds a lock, or acts on what they see, too."""
        head = self.text.rfind("\n", 0, self.text.rfind("\n", 0, self.function.start))
        return "REQUIRES" in self.text[head : self.function.start] or self.acts(self.function.body)

    def own(self) -> set[str]:
        """Variables that nobody else sees: neither references nor what a pointer is to."""
        if not hasattr(self, "own_names"):
            body = flat(self.text[self.function.start : self.function.end])
            self.own_names = {
                name
                for name in self.declared(self.function.body)
                if not re.search(rf"&\s*{name}\b\s*[=:({{]", body)
            }
        return self.own_names

    def declared(self, node: Node) -> set[str]:
        names = {node.name} if node.kind == "VAR_DECL" and node.name else set()
        for child in node.children:
            names |= self.declared(child)
        return names

    def leave_out(self, node: Node) -> None:
        if not self.is_expression(node):
            return
        acts = self.acts(node)
        if acts and self.is_taking(node):
            return
        if not acts and not (self.guards_something() and self.writes(node)):
            return
        start, end = self.whole(node)
        rule = "action left out" if acts else "store left out"
        self.add(
            rule,
            self.words(start, end),
            LEFT_OUT,
            [Edit(start, end, lambda text: "{}")],
            lambda number: [Edit(start, end, lambda text: f"{{ if (!{planted(number)}) {{ {text} }} }}", 5)],
        )

    def condition(self, node: Node) -> None:
        """A look that decides nothing: what it leads to is left out."""
        match = re.compile(r"(if|while)\s*\(").match(self.text, node.start)
        if not match or not node.children:
            return
        test = node.children[0]
        if test.kind in ("VAR_DECL", "DECL_STMT"):
            variable, end = node.children[0], self.closing(match.end() - 1)
            if ";" in flat(self.text[match.end() : end]) or not self.acts(variable) or match[1] == "while":
                return
            start, name = match.end(), variable.name
            self.add(
                "look left out",
                self.words(start, end),
                "not looked",
                [Edit(start, end, lambda text: f"{text}; {name} && false")],
                lambda number: [Edit(start, end, lambda text: f"{text}; {name} && !{planted(number)}", 5)],
            )
            return
        if not self.acts(test):
            return
        start, end = test.start, test.end
        self.add(
            "look left out",
            self.words(start, end),
            "not looked",
            [Edit(start, end, lambda text: "false")],
            lambda number: [Edit(start, end, lambda text: f"!{planted(number)} && ({text})", 5)],
        )

    def closing(self, at: int) -> int:
        depth = 0
        for place in range(at, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[place], 0)
            if depth == 0:
                return place
        return at

    def operands(self, node: Node) -> None:
        if len(node.children) != 2:
            return
        neutral = "true" if node.operator == "&&" else "false"
        for child in node.children:
            if child.kind == "BINARY_OPERATOR" and child.operator == node.operator or not self.acts(child):
                continue
            start, end = child.start, child.end
            choice = "{0} || ({1})" if neutral == "true" else "!{0} && ({1})"
            self.add(
                "look left out",
                self.words(node.start, node.end),
                f"without {self.words(start, end)}",
                [Edit(start, end, lambda text: neutral)],
                lambda number, start=start, end=end: [
                    Edit(start, end, lambda text: f"({choice.format(planted(number), text)})", 4)
                ],
            )
        self.exchange_operands(node)

    def exchange_operands(self, node: Node) -> None:
        if len(node.children) != 2 or not all(map(self.acts, node.children)):
            return
        first, second = node.children
        one, other = (self.words(part.start, part.end) for part in node.children)
        sign = node.operator
        start, end = node.start, node.end
        turned = f"(({other}) {sign} ({one}))"
        self.add(
            "swapped",
            self.words(start, end),
            f"{other} {sign} {one}",
            [Edit(start, end, lambda text: turned)],
            lambda number: [Edit(start, end, lambda text: f"({planted(number)} ? {turned} : ({text}))", 3)],
        )

    # -- swapped
    def swap(self, first: Node, second: Node) -> None:
        if not self.may_swap(first, second):
            return
        (start, middle), (begin, end) = self.whole(first), self.whole(second)
        before, after = flat(self.text[start:middle]), flat(self.text[begin:end])
        words, into = f"{self.head(first)} // {self.head(second)}", "the second before the first"
        answer = re.match(r"return\s+(.*);$", after)
        if second.kind == "DECL_STMT":
            match = re.match(r"(?P<type>[^=({]*?[\s&*])(?P<name>\w+)\s*=\s*(?P<value>.*);$", after)
            if match is None or match["type"].rstrip().endswith("&"):
                return
            value, name = match["value"], match["name"]
            early = f"{after} {before}"

            def choosing(number: int) -> list[Edit]:
                kind = f"std::remove_cvref_t<decltype({value})>"
                written = re.sub(r"\bconst\b\s*", "", match["type"]).strip()
                kind = kind if "auto" in written else written
                return [
                    Edit(
                        *(start, middle),
                        lambda text: f"{kind} {name}{{}}; if ({planted(number)}) {name} = {value}; {text}",
                        7,
                    ),
                    Edit(*(begin, end), lambda text: f"if (!{planted(number)}) {name} = {value};", 7),
                ]
        elif answer:
            early = f"const auto looked_ = {answer[1]}; {before} return looked_;"

            def choosing(number: int) -> list[Edit]:
                return [
                    Edit(*(start, middle), lambda text: f"if ({planted(number)}) {{ {early} }} {text}", 7)
                ]
        else:
            early = f"{after} {before}"

            def choosing(number: int) -> list[Edit]:
                guard = f"if (!{planted(number)}) {{ "
                return [
                    Edit(*(start, middle), lambda text: f"if ({planted(number)}) {{ {after} }} {text}", 7),
                    Edit(*(begin, end), lambda text: guard + text + " }", 6),
                ]

        gap = self.text[middle:begin]
        direct = [Edit(start, middle, lambda text: early), Edit(begin, end, lambda text: "")]
        if "#" in gap:
            return
        self.add("swapped", words, into, direct, choosing)

    def head(self, node: Node) -> str:
        """What tells a statement from others: all of it, or the condition of what has one."""
        if node.kind in ("IF_STMT", "WHILE_STMT"):
            return flat(self.text[node.start : self.closing(self.text.index("(", node.start)) + 1])
        return self.words(*self.whole(node))

    def may_swap(self, first: Node, second: Node) -> bool:
        for node in (first, second):
            if node.kind in ("WHILE_STMT", "FOR_STMT", "CXX_FOR_RANGE_STMT", "SWITCH_STMT", "COMPOUND_STMT"):
                return False
            if re.search(r"(Lock|Short)Guard", self.of(node)) or self.is_taking(node) or "#" in self.of(node):
                return False
        if first.kind == "RETURN_STMT" or (first.start, first.end) == (second.start, second.end):
            return False
        if not (self.acts(second) or self.writes(second)) or not (self.acts(first) or self.writes(first)):
            return False
        if not (self.acts(first) or self.acts(second)):
            return False
        if second.kind == "RETURN_STMT" and not self.acts(second):
            return False
        used = set(WORD.findall(flat(self.of(second))))
        needed = self.declared(first)
        # What the second uses must be there before the first: also what the first has assigned.
        assigned = re.match(r"(?:\+\+|--)?\s*([A-Za-z_]\w*)\s*(?:=|\+=|-=)[^=]", flat(self.of(first)))
        if first.kind == "IF_STMT":
            return not re.search(r"\belse\b", self.of(first)) or not needed & used
        return not needed & used and not (assigned and assigned[1] in used & self.own())

    # -- read and written apart
    def read_and_write(self, node: Node) -> None:
        text = self.of(node)
        match = list(ATOMIC.finditer(text))
        for one in match:
            operation = one[1]
            if operation in ("load", "store"):
                continue
            opening = node.start + one.end() - 1
            if self.closing(opening) + 1 != node.end:
                continue
            word, arguments = text[: one.start()], self.text[opening + 1 : node.end - 1]
            if text[one.start() : one.start() + 2] == "->":
                word = f"(*{word})"
            call = f"parley::mutants::{operation}({word}, {flat(arguments)})"
            start, end = node.start, node.end
            self.add(
                "read and written apart",
                self.words(start, end),
                "a load and a store",
                [Edit(start, end, lambda text: call)],
                lambda number: [
                    Edit(start, end, lambda text: f"({planted(number)} ? {call} : {text})", 2)
                ],
            )
            return

    # -- orders
    def orders(self) -> None:
        for match in ORDER.finditer(self.text, self.function.start, self.function.end):
            operation, words = self.operation_of(match.start())
            if operation is None:
                continue
            for weaker in WEAKER[operation].get(match[1], ()):
                self.order(match, words, weaker)

    def operation_of(self, at: int) -> tuple[str | None, str]:
        """What kind of operation an order belongs to, and its words."""
        best = None
        for match in ATOMIC.finditer(self.text, self.function.start, at):
            if self.closing(match.end() - 1) > at:
                best = match
        if best is None:
            fence = self.text.rfind("atomic_thread_fence", self.function.start, at)
            return ("both", "atomic_thread_fence") if fence >= 0 and at - fence < 60 else (None, "")
        end = self.closing(best.end() - 1) + 1
        words = re.search(r"[\w\].)\[\->()*]*$", self.text[self.function.start : best.start()])[0]
        kind = {"load": "load", "store": "store"}.get(best[1], "both")
        if best[1].startswith("compare_exchange"):
            inside = self.text[best.end() : at]
            kind = "load" if ORDER.search(inside) else "both"
        return kind, f"{words}{flat(self.text[best.start() : end])}"

    def order(self, match: re.Match, words: str, weaker: str) -> None:
        start, end = match.span()
        into = f"std::memory_order_{weaker}"
        self.add(
            "order weakened",
            words,
            f"{match[1]} to {weaker}",
            [Edit(start, end, lambda text: into)],
            lambda number: [
                Edit(start, end, lambda text: f"parley::mutants::order({number}, {into}, {text})", 1)
            ],
        )

    # -- locks
    def locks(self) -> None:
        self.guards(self.function.body)
        body = self.text[self.function.start : self.function.end]
        for take, leave in TAKES.items():
            if self.function.name in (take, leave):
                continue
            steps = [
                node
                for node in self.statements(self.function.body)
                if self.is_expression(node) and calls(self.of(node)) & {take, leave}
            ]
            takes = [node for node in steps if take in calls(self.of(node))]
            if not takes or len(re.findall(rf"\b{take}\s*\(", flat(body))) != len(takes):
                continue
            spans = [self.whole(node) for node in steps]
            self.add(
                "lock not taken",
                self.words(*self.whole(takes[0])),
                "not taken",
                [Edit(*span, lambda text: "{}") for span in spans],
                lambda number, spans=spans: [
                    Edit(*span, lambda text: f"{{ if (!{planted(number)}) {{ {text} }} }}", 8)
                    for span in spans
                ],
            )

    def statements(self, node: Node) -> list[Node]:
        found = []
        for child in node.children:
            if node.kind in ("COMPOUND_STMT", "IF_STMT", "WHILE_STMT"):
                found.append(child)
            found += self.statements(child)
        return found

    def guards(self, node: Node) -> None:
        for child in node.children:
            match = re.match(r"(?:const\s+)?((?:\w+::)*(?:Lock|Short)Guard)\s+(\w+)\s*\(", self.of(child))
            if child.kind == "DECL_STMT" and match:
                start, end = self.whole(child)
                inside = child.start + match.end() - 1
                lock = flat(self.text[inside + 1 : self.closing(inside)])
                self.add(
                    "lock not taken",
                    self.words(start, end),
                    "not taken",
                    [Edit(start, end, lambda text: "")],
                    lambda number, start=start, end=end, lock=lock, kind=match[1], name=match[2]: [
                        Edit(
                            *(start, end),
                            lambda text: f"std::optional<{kind}> {name}; "
                            f"if (!{planted(number)}) {name}.emplace({lock});",
                            8,
                        )
                    ],
                )
            self.guards(child)


def all_mutants(sources: Sources) -> list[Mutant]:
    return [one for function in sources.functions for one in Rules(sources, function).mutants()]
