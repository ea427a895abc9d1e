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
# Wakes or tells another party, however it is done. What else is a signal, Sources.signals() finds.
BASE_SIGNALS = {"wake", "wake_processor", "notify", "notify_all", "notify_one", "announce", "signal", "tell"}
CHANGES = r"(?:store|exchange|fetch_\w+|compare_exchange_\w+)\s*\("
RELEASING = re.compile(rf"\b{CHANGES}[^;]*(?:release|acq_rel|seq_cst)")
WRITTEN = re.compile(rf"(\w+)(?:\[[^\]]*\])?(?:\.|->){CHANGES}")
LOOKED_AT = re.compile(
    r"(\w+)(?:\[[^\]]*\])?(?:\.|->)(?:load|exchange|compare_exchange_\w+|fetch_\w+)"
    r"\s*\([^;]*?memory_order_(?:acquire|acq_rel|seq_cst)"
)
RELAXED = "std::memory_order_relaxed"
# Operations whose orders are written beside them, and what reads no memory.
SEEN_THROUGH = re.compile(r"load|store|exchange|fetch_\w+|move|static_cast|reinterpret_cast|u?int\d*_t")
ASSERTIONS = {"assert_held", "assert_that", "static_assert"}
ASSERTING = re.compile(rf"(?:{'|'.join(sorted(ASSERTIONS))})\s*\(")
MOST_STATEMENTS = 2  # of a function that acts by another name
LEFT_OUT = "left out"
NAMES = (
    *("order weakened", "read and written apart", "swapped", "signal left out", "look left out"),
    "lock not taken",
)
# What leaves out work of one party that no other waits for: sequential faults, no part of the rate.
SEQUENTIAL_NAMES = ("action left out", "store left out")
# Why two statements may stand either way.
COMMUTE = (
    "Neither statement orders memory (their accesses are plain or relaxed, and to different words), and "
    "neither uses what the other writes: every release that follows and every acquire that precedes one of "
    "them does so for the other, so that C++ permits either order of both."
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
    lemma: str = ""  # that proves it equivalent

    @property
    def name(self) -> str:
        again = f" (place {self.times + 1})" if self.times else ""
        return f"{self.function.full_name} | {self.rule} | {self.words} -> {self.into}{again}"


def planted(number: int) -> str:
    return f"parley::mutants::planted({number})"


def calls_in(node: Node) -> list[Node]:
    """The calls of a statement, without those in its lambdas."""
    found = [node] if node.kind == "CALL_EXPR" else []
    for child in node.children:
        if child.kind != "LAMBDA_EXPR":
            found += calls_in(child)
    return found


def written(text: str) -> set[str]:
    """The last names of the words that a statement writes."""
    names = set(re.findall(r"(\w+)(?:\[[^\]]*\])?(?:\.|->)(?:store|exchange|fetch_\w+|move)\s*\(", text))
    names |= set(re.findall(r"(\w+)(?:\[[^\]]*\])?\s*(?:[-+|&^*/]|<<|>>)?=(?!=)", text))
    return names | set(re.findall(r"(?:\+\+|--)(?:\w+(?:\.|->))*(\w+)", text)) | set(
        re.findall(r"(\w+)(?:\+\+|--)", text)
    )


def without_lambdas(text: str) -> str:
    """A statement without what stands in braces."""
    while (shorter := re.sub(r"\{[^{}]*\}", " ", text)) != text:
        text = shorter
    return text


Names = dict[str, list[tuple[int, int]]]  # of functions, with how many arguments each


@dataclass
class Sources:
    """What the rules know of all functions: which act on what others see."""

    functions: list[Function]
    texts: Callable[[str], str]
    acting: Names = field(default_factory=dict)
    signalling: Names = field(default_factory=dict)
    awaited: set[str] = field(default_factory=set)  # words at which a party looks before it goes on

    def __post_init__(self) -> None:
        self.acting = {name: [(0, MANY)] for name in BASE_ACTIONS}
        self.signalling = {name: [(0, MANY)] for name in BASE_SIGNALS}
        thin = []
        for one in self.functions:
            text = self.body(one)
            self.awaited |= set(LOOKED_AT.findall(text))
            if ATOMIC.search(text):
                self.acting.setdefault(one.name, []).append(one.arguments)
            elif len(one.body.children) <= MOST_STATEMENTS:
                thin.append(one)
        # What does little else than call one that acts, acts by another name.
        self.grow(self.acting, thin, self.acts)
        thin = [one for one in self.functions if len(one.body.children) <= MOST_STATEMENTS]
        self.signalling_owners = {
            (one.owner.split("::")[-1], one.name)
            for one in self.grow(self.signalling, thin, self.signals)
        }

    def body(self, one: Function) -> str:
        return flat(self.texts(one.file)[one.start : one.end])

    def grow(self, names: Names, thin: list[Function], has: Callable[[str], bool]):
        """Answers the functions whose names it has added."""
        added: list[Function] = []
        grown = True
        while grown:
            more = [one for one in thin if has(self.body(one)[1:-1])]
            for one in more:
                names.setdefault(one.name, []).append(one.arguments)
            thin = [one for one in thin if one not in more]
            added += more
            grown = bool(more)
        return added

    @staticmethod
    def calls_one(text: str, names: Names) -> bool:
        return any(
            least <= count <= most
            for name, count in calls_with(text)
            if name not in ASSERTIONS
            for least, most in names.get(name, ())
        )

    def acts(self, text: str) -> bool:
        return ATOMIC.search(text) is not None or self.calls_one(text, self.acting)

    def signals(self, text: str) -> bool:
        """Whether a statement wakes or tells another party, or writes an atomic word for it: with release or
        more, or one at which a party looks with acquire or more. What its lambdas do is theirs."""
        text = without_lambdas(flat(text))
        return self.writes_for_others(text) or self.calls_one(text, self.signalling)

    def writes_for_others(self, text: str) -> bool:
        return RELEASING.search(text) is not None or bool(set(WRITTEN.findall(text)) & self.awaited)

    def is_signal(self, node: Node, text: str) -> bool:
        """The same of a statement whose calls are known, as far as templates let them be."""
        if self.writes_for_others(without_lambdas(flat(text[node.start : node.end]))):
            return True
        return any(self.is_signalling_call(one, text) for one in calls_in(node))

    def is_signalling_call(self, call: Node, text: str) -> bool:
        name, words = call.name, flat(text[call.start : call.end])
        if name not in BASE_SIGNALS and RELAXED in words:
            return False
        owners = {one.owner.split("::")[-1] for one in self.functions if one.name == name}
        if call.owner in owners:
            return (call.owner, name) in self.signalling_owners
        if call.owner[:1].islower() and re.search(rf"(?:\.|->){re.escape(name)}\s*\(", words):
            return False  # the standard library's
        own = without_lambdas(words)
        return any(
            least <= count <= most
            for called, count in calls_with(own)
            if called == name or not name
            for least, most in self.signalling.get(called, ())
        )

    def commute(self, first: str, second: str) -> bool:
        """Whether two statements may stand either way, as COMMUTE argues."""
        texts = flat(first), flat(second)
        if any(map(self.orders_memory, texts)):
            return False
        return all(
            not written(one) & set(WORD.findall(other)) for one, other in (texts, texts[::-1])
        )

    @staticmethod
    def orders_memory(text: str) -> bool:
        """Whether anything in it may order memory, or cannot be seen here."""
        if "{" in text or re.search(r"atomic_thread_fence|\b(if|new|return)\b", text):
            return True
        operations = len(re.findall(r"(?:\.|->)(?:load|store|exchange|fetch_\w+|move)\s*\(", text))
        others = {name for name in calls(text) if not SEEN_THROUGH.fullmatch(name)}
        return bool(others) or operations != text.count(RELAXED) or len(ORDER.findall(text)) != operations


class Rules:
    def __init__(self, sources: Sources, function: Function):
        self.sources, self.function = sources, function
        self.text = sources.texts(function.file)
        self.found: list[Mutant] = []

    def mutants(self) -> list[Mutant]:
        if self.function.is_constexpr:
            return []
        # What a constructor writes is seen by others when it is done.
        if self.function.name != self.function.owner.split("::")[-1]:
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

    def add(self, rule: str, words: str, into: str, direct, choosing, lemma: str = "") -> None:
        self.found.append(Mutant(rule, self.function, words, into, direct, choosing, lemma=lemma))

    def is_assertion(self, node: Node) -> bool:
        """What it looks at only checked builds compile."""
        return node.kind == "CALL_EXPR" and ASSERTING.match(self.of(node)) is not None

    # -- going through the body
    def visit(self, node: Node) -> None:
        if self.is_assertion(node):
            return
        if node.kind == "COMPOUND_STMT":
            if self.text[node.start] != "{":
                return  # a macro's
            self.block(node)
        elif node.kind in ("IF_STMT", "WHILE_STMT"):
            test = self.test_of(node)
            self.condition(node, test)
            for child in node.children[test + 1 :]:
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
        if not self.is_expression(node) or self.is_assertion(node):
            return
        acts = self.acts(node)
        if acts and self.is_taking(node):
            return
        if not acts and not (self.guards_something() and self.writes(node)):
            return
        start, end = self.whole(node)
        rule = "store left out" if not acts else "action left out"
        if acts and self.sources.is_signal(node, self.text):
            rule = "signal left out"
        self.add(
            rule,
            self.words(start, end),
            LEFT_OUT,
            [Edit(start, end, lambda text: "{}")],
            lambda number: [Edit(start, end, lambda text: f"{{ if (!{planted(number)}) {{ {text} }} }}", 5)],
        )

    def test_of(self, node: Node) -> int:
        """Which part of an `if` or a `while` is what it asks: the second behind `if (one; other)`."""
        opening = self.text.index("(", node.start)
        return int(";" in without_lambdas(flat(self.text[opening : self.closing(opening)])))

    def condition(self, node: Node, at: int) -> None:
        """A look that decides nothing: what it leads to is left out."""
        match = re.compile(r"(if|while)\s*\(").match(self.text, node.start)
        if not match or len(node.children) <= at:
            return
        test = node.children[at]
        if test.kind in ("VAR_DECL", "DECL_STMT"):
            variable, end = test, self.closing(match.end() - 1)
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
            value, name, at = match["value"], match["name"], len(match["type"])
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
                    # With the changes inside it.
                    Edit(
                        *(begin, end),
                        lambda text: f"if (!{planted(number)}) {text[text.index(name, at) :]}",
                        7,
                    ),
                ]
        elif answer:
            early = self.answered_late(answer[1], before)

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
        lemma = COMMUTE if self.sources.commute(before, after) else ""
        self.add("swapped", words, into, direct, choosing, lemma)

    def answered_late(self, answer: str, before: str) -> str:
        """The function's answer is found, then the statement is made, then it is answered."""
        if self.function.answers == "void":
            return f"{answer}; {before} return;"
        kind = "decltype(auto)" if self.function.answers.endswith(("&", "decltype(auto)")) else "const auto"
        return f"{kind} looked_ = {answer}; {before} return looked_;"

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
        if any(calls(self.of(node)) & ASSERTIONS for node in (first, second)):
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
        asserted = [(node.start, node.end) for node in self.assertions(self.function.body)]
        for match in ORDER.finditer(self.text, self.function.start, self.function.end):
            operation, words = self.operation_of(match.start())
            if operation is None or any(start <= match.start() < end for start, end in asserted):
                continue
            for weaker in WEAKER[operation].get(match[1], ()):
                self.order(match, words, weaker)

    def assertions(self, node: Node) -> list[Node]:
        if self.is_assertion(node):
            return [node]
        return [one for child in node.children for one in self.assertions(child)]

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
            whole = [node for node in steps if self.text[self.whole(node)[1] - 1] == ";"]
            spans = [self.whole(node) for node in whole]
            # In a condition: the call alone, whose answer is that the caller has the lock.
            asked = [
                (call.start, call.end)
                for node in takes
                if node not in whole
                for call in calls_in(node)
                if re.match(rf"(?:\w+(?:\.|->))*{take}\s*\(", self.of(call))
            ]
            self.add(
                "lock not taken",
                self.words(*self.whole(takes[0])),
                "not taken",
                [Edit(*span, lambda text: "{}") for span in spans]
                + [Edit(*span, lambda text: "true") for span in asked],
                lambda number, spans=spans, asked=asked: [
                    Edit(*span, lambda text: f"{{ if (!{planted(number)}) {{ {text} }} }}", 8)
                    for span in spans
                ]
                + [Edit(*span, lambda text: f"({planted(number)} || {text})", 8) for span in asked],
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
