#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which design suits which program: tables, as docs/program-designs.md has them, of the boots of
configs/program-designs.toml.

program_designs.py RECORD.json              prints the tables of a sweep's all.json, or of what --keep wrote
program_designs.py RECORD.json --keep FILE  also writes what they are made of: docs/data/program-designs.json
program_designs.py RECORD.json --product    of a cross product, as configs/tune-product.toml: the base, the
                                            best designs, and what each class does with all the others

For the first two every program has run twice, the second time with more to do, which the last word of its
arguments says. A table tells the difference of the two, a mean of the nodes: so neither loading nor ending is
in it. Of a product it tells whole lives, a mean of the nodes, too."""

import json
import os
import statistics
import sys
from dataclasses import asdict, dataclass, fields

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from parley_runner import ending, places, record  # noqa: E402
from parley_runner.status import BadRequest, Status  # noqa: E402

USAGE = "Say: program_designs.py RECORD.json [--keep FILE | --product]"
BEST = 3  # designs of a cross product that a table shows beside the base
KEPT = "parley-program-designs-1"
HEAD = ("design", "time", "", "own", "waiting", "copying", "calls", "misses", "bus", "calls of a node")


@dataclass(frozen=True)
class Spent:
    """Where a node's time went, in ns; a mean of the nodes."""

    life: float
    inside: float  # the message system
    waiting: float  # of that
    copying: float  # in the copy routine
    misses: float  # a processor for its accesses, beside the bus
    bus: float  # until a transfer's turn came
    calls: float  # how many

    def __sub__(self, less: "Spent") -> "Spent":
        return Spent(*(getattr(self, one.name) - getattr(less, one.name) for one in fields(self)))


@dataclass(frozen=True)
class Boot:
    machine: str
    program: str  # with its arguments but for the last word
    amount: int
    design: str
    spent: Spent


def boot_of(run: dict) -> Boot:
    """BadRequest where it is no modelled boot of one job with PROFILE=1."""
    (job,) = run["asked"]["jobs"]
    model, times = run["model"], run["times"]
    words, _, amount = job["args"].rpartition(" ")
    if model is None or not times or not amount.isdecimal() or "copying" not in model["processors"][0]:
        raise BadRequest(f"{job['app']} {job['args']}: no boot of a sweep as configs/program-designs.toml.")
    spent = {
        name: 1e9 * sum(one[name] / one["clock_hertz"] for one in times) / len(times)
        for name in ("life", "inside", "waiting")
    }
    for name, of in (("copying", copying_of), ("misses", misses_of), ("bus", bus_of)):
        spent[name] = sum(map(of, model["processors"])) / 1000 / len(model["processors"])
    spent["calls"] = sum(one["calls"] for one in times) / len(times)
    rounded = {name: round(value, 1) for name, value in spent.items()}
    app = os.path.basename(job["app"])
    return Boot(model["machine"], f"{app} {words}", int(amount), job["design"], Spent(**rounded))


def copying_of(counted: dict) -> int:
    return counted["copying"]


def bus_of(counted: dict) -> int:
    return counted["bus_waiting"]


def misses_of(counted: dict) -> int:
    """A processor that goes on meanwhile waits for less than its accesses take, and for the bus with the
    rest."""
    if "for_window" in counted:
        parts = counted["for_window"] + counted["for_stores"] + counted["for_drains"]
        return parts + counted.get("for_copies", 0)
    return counted["memory_time"] - counted["bus_waiting"]


def read(path: str) -> list[Boot]:
    try:
        whole = json.loads(places.read_bounded(path, path, record.LARGEST))
    except ValueError:
        raise BadRequest(f"{path} is no record.") from None
    if isinstance(whole, dict) and whole.get("format") == KEPT:
        return [Boot(**{**one, "spent": Spent(**one["spent"])}) for one in whole["boots"]]
    found = [run for run in record.read(path) if run["exit_status"] == 0]
    if not found:
        raise BadRequest(f"{path} has no boot that succeeded.")
    return [boot_of(run) for run in found]


def keep(path: str, boots: list[Boot]) -> None:
    lines = ",\n".join(json.dumps(asdict(boot)) for boot in boots)
    places.write_atomically(path, f'{{"format": "{KEPT}", "boots": [\n{lines}\n]}}\n'.encode())


def tables(boots: list[Boot]) -> dict[tuple[str, str], dict[str, Spent]]:
    """By program, with what more it has to do, and machine: each design's, in the boots' order."""
    amounts: dict[tuple[str, str, str], dict[int, Spent]] = {}
    for boot in boots:
        amounts.setdefault((boot.program, boot.machine, boot.design), {})[boot.amount] = boot.spent
    found: dict[tuple[str, str], dict[str, Spent]] = {}
    for (program, machine, design), by_amount in amounts.items():
        if len(by_amount) == 2:
            less, more = sorted(by_amount)
            words = f"{program} {more} less {less}"
            found.setdefault((words, machine), {})[design] = by_amount[more] - by_amount[less]
    return found


def told(designs: dict[str, Spent]) -> list[str]:
    """The rows of one table."""
    unit, name = (1e6, "ms") if max(one.life for one in designs.values()) > 1e6 else (1e3, "us")
    base = next(iter(designs.values()))
    lines = [
        "| " + " | ".join([HEAD[0], f"{HEAD[1]}, {name}", *HEAD[2:]]) + " |",
        "| " + " | ".join(["---"] * len(HEAD)) + " |",
    ]
    for design, one in designs.items():
        working = one.inside - one.waiting - one.copying
        parts = [one.life - one.inside, one.waiting, one.copying, working, one.misses, one.bus]
        beside = "" if one is base else f"{one.life / base.life - 1:+.1%}"
        cells = [f"`{design}`", f"{one.life / unit:.4g}", beside]
        cells += [f"{part / one.life:.1%}".replace("-0.0%", "0.0%") for part in parts] + [f"{one.calls:.5g}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def products(boots: list[Boot]) -> dict[tuple[str, str], dict[str, Spent]]:
    """By program and machine: each design's whole life, in the boots' order, whose first is the base."""
    found: dict[tuple[str, str], dict[str, Spent]] = {}
    for boot in boots:
        found.setdefault((f"{boot.program} {boot.amount}", boot.machine), {})[boot.design] = boot.spent
    return found


def classes(designs: dict[str, Spent]) -> dict[str, list[float]]:
    """By class that the base has not: of each design with it, how much longer it takes than the same with the
    base's."""
    lives = {frozenset(design.split(",")[1:]): one.life for design, one in designs.items()}
    base = dict(word.split("=", 1) for word in next(iter(designs)).split(",")[1:])
    found: dict[str, list[float]] = {}
    for design, life in lives.items():
        for word in sorted(design):
            factor, _, name = word.partition("=")
            beside = design - {word} | {f"{factor}={base[factor]}"}
            if name != base[factor] and beside in lives:
                found.setdefault(word, []).append(life / lives[beside] - 1)
    return found


def product_text(boots: list[Boot]) -> str:
    lines = []
    for (program, machine), designs in products(boots).items():
        base = next(iter(designs))
        best = sorted(designs, key=lambda design: designs[design].life)[:BEST]
        shown = {short(design, base): designs[design] for design in (base, *best)}
        lines += [f"### `{program}` on `{machine}`, {len(designs)} designs", "", *told(shown), ""]
        lines += ["| class | mean | least | most |", "| --- | --- | --- | --- |"]
        lines += [
            f"| `{word}` | {statistics.fmean(more):+.1%} | {min(more):+.1%} | {max(more):+.1%} |"
            for word, more in sorted(classes(designs).items())
        ]
        lines.append("")
    return "\n".join(lines)


def short(design: str, base: str) -> str:
    """The preset and what is not as in the base."""
    preset, *words = design.split(",")
    return ",".join([preset, *(word for word in words if word not in base.split(","))])


def text(boots: list[Boot]) -> str:
    lines = []
    for (program, machine), designs in tables(boots).items():
        lines += [f"### `{program}` on `{machine}`", "", *told(designs), ""]
    return "\n".join(lines)


def main() -> int:
    words = sys.argv[1:]
    is_product = words[1:] == ["--product"]
    if not words or not (is_product or len(words) == 1 or (len(words) == 3 and words[1] == "--keep")):
        raise BadRequest(f"{USAGE}.")
    boots = read(words[0])
    if len(words) == 3:
        keep(words[2], boots)
    print(product_text(boots) if is_product else text(boots), end="")
    return Status.SUCCESS


def command() -> int:
    try:
        return main()
    except BadRequest as problem:
        print(f"program_designs.py: {problem}", file=sys.stderr)
        return Status.BAD_REQUEST


if __name__ == "__main__":
    sys.exit(ending.of(command))
