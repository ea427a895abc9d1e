# SPDX-License-Identifier: MIT
"""A modelled machine's file: TOML, every number with its unit. What the numbers do is the model's
(tools/machine_model), which also judges whether they go together (model.py asks it)."""

import hashlib
import os
import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction

from . import keys, limits, places
from .status import BadRequest

FOLDER = os.path.join(places.ROOT, "tools", "machines")
LARGEST = 1 << 20  # bytes of a file
LONGEST_LOOKAHEAD = 500_000  # in picoseconds: the time of a few instructions
LONGEST = 10**12  # a second, in picoseconds: the model's clocks hold 200 days
TIME = {"ps": 1, "ns": 1000, "us": 1000**2, "ms": 1000**3}
SIZE = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}
COUNT: dict[str, int] = {}
NUMBERS: dict[str, int] = {"": 0}  # becomes a bit a number
WORDS = {
    id(TIME): 'a time, as "320 ns"',
    id(SIZE): 'a size, as "64 KiB"',
    id(COUNT): "a whole number",
    id(NUMBERS): "different numbers from 0 to 62, as [0, 4, 8]",
}
QUANTITY = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,3})?) ?([A-Za-z]+)")
INSTRUCTIONS = (
    *("plain", "store", "multiply", "divide", "floating"),
    *("call", "indirect", "atomic", "string", "system"),
)
# What the network interfaces of such machines take, which the kernel simulates (multiprocessors.py): a rate
# is of bytes in a microsecond.
INTERFACE = {
    "interface.latency": TIME,
    "interface.message": TIME,
    "interface.rate": COUNT,
    "interface.queue": COUNT,
    "interface.look": TIME,
    "interface.number": COUNT,
    "interface.pools": COUNT,
}
# What an operating system of the machine made of its pages, which the kernel is told.
PAGES = {"pages.colours": COUNT}
MOST_COLOURS = 128
# Every parameter, and the units that it takes; a test compares with what the model knows.
PARAMETERS = {
    **{f"instruction.{name}": TIME for name in INSTRUCTIONS},
    "instruction.word": SIZE,
    "overlap.stores": COUNT,
    "overlap.window": COUNT,
    "overlap.misses": COUNT,
    "overlap.next": COUNT,
    "overlap.run": COUNT,
    "overlap.ahead": COUNT,
    "overlap.jumps": COUNT,
    "overlap.wrong_jump": TIME,
    "copies.line": TIME,
    "coherence.in_turn": COUNT,
    "slow.processors": NUMBERS,
    "slow.percent": COUNT,
    "cache.bytes": SIZE,
    "cache.line": SIZE,
    "cache.subline": SIZE,
    "cache.fill": SIZE,
    "cache.read_miss": TIME,
    "cache.write": TIME,
    **{
        f"level{level}.{name}": unit
        for level in (1, 2, 3)
        for name, unit in (("bytes", SIZE), ("ways", COUNT), ("hit", TIME))
    },
    "instructions.bytes": SIZE,
    "instructions.ways": COUNT,
    "instructions.hit": TIME,
    "coherence.line": SIZE,
    "coherence.from_cache": TIME,
    "coherence.from_memory": TIME,
    "coherence.upgrade": TIME,
    "coherence.moves": COUNT,
    "bus.transfer": TIME,
    "memory.banks": COUNT,
    "memory.bank": TIME,
    "memory.width": SIZE,
    "memory.word": SIZE,
    "memory.slow_banks": NUMBERS,
    "memory.slow_bank": TIME,
    "clusters.number": COUNT,
    "clusters.processors": COUNT,
    "clusters.memory": SIZE,
    "clusters.cache": SIZE,
    "clusters.line": SIZE,
    "clusters.ways": COUNT,
    "clusters.banks": COUNT,
    "clusters.bank": TIME,
    "clusters.hit": TIME,
    "clusters.miss": TIME,
    "clusters.bus": TIME,
    "network.stage": TIME,
    "network.port": TIME,
    "global.memory": SIZE,
    "global.width": SIZE,
    "global.module": TIME,
    **INTERFACE,
    **PAGES,
}
# What the model is not told.
KERNELS = {**INTERFACE, **PAGES}
# A kind of memory by its own group: what it needs with it, and what it may have.
BUS_AND_BANKS = ("bus.transfer", "memory.banks", "memory.bank", "memory.width")
KINDS = {
    "cache": ("a cache that is written through", ("cache.", *BUS_AND_BANKS), ()),
    "level1": (
        "caches that are written back",
        ("level1.", "coherence.line", "coherence.from_", "coherence.upgrade", *BUS_AND_BANKS),
        (
            *("level2.", "level3.", "instructions.", "overlap.", "copies."),
            *("coherence.moves", "coherence.in_turn"),
        ),
    ),
    "clusters": ("clusters of processors", ("clusters.", "network.", "global."), ()),
    "memory": (
        "banks behind a crossbar",
        ("memory.banks", "memory.bank", "memory.width", "memory.word"),
        ("memory.slow_",),
    ),
}
HEAD = {"processors": COUNT, "lookahead": TIME}


@dataclass(frozen=True)
class Machine:
    name: str
    title: str
    processors: int
    lookahead: int  # in picoseconds, unless LOOKAHEAD says otherwise
    parameters: dict[str, int]

    @property
    def text(self) -> str:
        """As the model reads it: times in picoseconds, sizes in bytes."""
        return "".join(f"{name} {value}\n" for name, value in self.sorted if name not in KERNELS)

    @property
    def interface(self) -> dict[str, int]:
        """What its network interfaces take, by name, times in nanoseconds. Empty: the file does not say."""
        return {
            name.removeprefix("interface."): value // 1000 if INTERFACE[name] is TIME else value
            for name, value in self.sorted
            if name in INTERFACE
        }

    @property
    def colours(self) -> int:
        """Of its page frames; 0: the file does not say."""
        return self.parameters.get("pages.colours", 0)

    @property
    def sorted(self) -> list[tuple[str, int]]:
        return sorted(self.parameters.items())

    @property
    def clusters(self) -> str:
        """What the kernel is told of them: how many, of how many processors, where their memories begin and
        the bytes of each. Empty where there are none."""
        parts = ("clusters.number", "clusters.processors", "global.memory", "clusters.memory")
        return ":".join(str(self.parameters[part]) for part in parts if part in self.parameters)

    def clusters_with(self, processors: int) -> int:
        """How many have so many processors; only where there are any."""
        needed = -(-processors // self.parameters["clusters.processors"])
        return min(self.parameters["clusters.number"], needed)

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr(self.sorted).encode()).hexdigest()[:12]


def known() -> list[str]:
    return sorted(name[:-5] for name in os.listdir(FOLDER) if name.endswith(".toml"))


def find(name: str) -> str:
    """The path of a machine's file: of a name, or a path that ends in .toml."""
    if name.endswith(".toml"):
        return name
    if name not in known():
        hint = keys.nearest(name, known()) or f" There are {', '.join(known())}; a path ends in .toml."
        raise BadRequest(f"There is no machine '{name}'.{hint}")
    return os.path.join(FOLDER, f"{name}.toml")


def read(name: str) -> Machine:
    path = find(name)
    try:
        data = tomllib.loads(places.read_regular(path, f"MACHINE={name}", LARGEST).decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise BadRequest(f"{path} is no TOML file: {problem}.") from problem
    values = flat(path, data)
    title = values.pop("title", "")
    if not isinstance(title, str) or not title or not title.isprintable():
        raise BadRequest(f"{path}: a machine needs a title, one line of text.")
    for needed in ("processors", "instruction.plain"):
        if needed not in values:
            raise BadRequest(f"{path}: a machine needs the parameter '{needed}'.")
    amounts = {key: amount(path, key, value) for key, value in values.items()}
    processors, lookahead = amounts.pop("processors"), amounts.pop("lookahead", 0)
    if not 1 <= processors <= limits.PROCESSORS:
        raise BadRequest(
            f"{path}: a machine has at least one processor, and at most {limits.PROCESSORS}, "
            f"not {processors}."
        )
    if lookahead > LONGEST_LOOKAHEAD:
        raise BadRequest(f"{path}: lookahead is at most 500 ns, or times come out wrong.")
    if slow := amounts.get("slow.processors", 0) >> processors:
        number = processors + slow.bit_length() - 1
        raise BadRequest(f"{path}: the machine has no processor {number} that could be slow.")
    check_groups(path, amounts)
    return Machine(os.path.basename(path)[:-5], title, processors, lookahead, amounts)


def check_groups(path: str, amounts: dict[str, int]) -> None:
    """Parameters that go together, and one kind of memory."""
    require(path, amounts, ("slow.",) if grouped(amounts, "slow.") else (), "two speeds")
    require(path, amounts, ("interface.",) if grouped(amounts, "interface.") else (), "network interfaces")
    for key in amounts:
        if INTERFACE.get(key) is TIME and amounts[key] % 1000:
            raise BadRequest(f"{path}: {key} is a whole number of nanoseconds.")
    colours = amounts.get("pages.colours", 1)
    if not 1 <= colours <= MOST_COLOURS:
        raise BadRequest(f"{path}: page frames have 1 to {MOST_COLOURS} colours, not {colours}.")
    if "pages.colours" in amounts and grouped(amounts, "clusters."):
        raise BadRequest(f"{path}: page frames of a machine with clusters have no colours.")
    ours = [key for key in amounts if not key.startswith(("instruction.", "slow.", "interface.", "pages."))]
    if not ours:
        return
    group = next((name for name in KINDS if grouped(amounts, f"{name}.")), "cache")
    kind, needed, possible = KINDS[group]
    chosen = (*needed, *(prefix for prefix in possible if grouped(amounts, prefix)))
    for key in ours:
        if not key.startswith(chosen):
            raise BadRequest(f"{path}: {key} is no parameter of a machine with {kind}.")
    require(path, amounts, chosen, kind)


def grouped(amounts: dict[str, int], prefix: str) -> bool:
    return any(key.startswith(prefix) for key in amounts)


def require(path: str, amounts: dict[str, int], prefixes: tuple[str, ...], kind: str) -> None:
    for key in PARAMETERS:
        if key.startswith(prefixes) and key not in amounts:
            raise BadRequest(f"{path}: a machine with {kind} needs the parameter '{key}', too.")


def flat(path: str, data: dict) -> dict:
    """table.name -> value"""
    values = {}
    for name, value in data.items():
        if isinstance(value, dict):
            values.update({f"{name}.{key}": inner for key, inner in value.items()})
        else:
            values[name] = value
    for name in values:
        if name not in PARAMETERS and name not in HEAD and name != "title":
            hint = keys.nearest(name, [*PARAMETERS, *HEAD]) or f" There are {', '.join(PARAMETERS)}."
            raise BadRequest(f"{path}: a machine has no parameter '{name}'.{hint}")
    return values


def amount(path: str, name: str, value) -> int:
    units = PARAMETERS.get(name) or HEAD.get(name) or COUNT
    found = QUANTITY.fullmatch(value) if isinstance(value, str) else None
    if not units:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 32:
            return value
    elif units is NUMBERS:
        if isinstance(value, list) and value and all(type(n) is int and 0 <= n < 63 for n in value):
            if len(set(value)) == len(value):
                return sum(1 << n for n in value)
    elif found and found[2] in units:
        exact = Fraction(found[1]) * units[found[2]]
        if units is TIME and exact > LONGEST:
            raise BadRequest(f"{path}: {name} is at most a second, not {value!r}.")
        if exact.denominator == 1:
            return int(exact)
    elif found:
        raise BadRequest(f"{path}: {name} has the unit '{found[2]}'; it takes {', '.join(units)}.")
    raise BadRequest(f"{path}: {name} is {WORDS[id(units)]}, not {value!r}.")
