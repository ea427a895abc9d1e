#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How processors get on that share a multiprocessor's network interfaces: Lumetta's queueing model (1998,
chapter 8). A model, no measurement.

sharing.py slowdowns [--processors N] [--interfaces N] [--utilizations U,U...] [--crossing F --local-cost V]
sharing.py printed      the thesis's statements about it, judged; status 1 if one does not hold

A utilization is the part of its time that a processor communicates where it has an interface of its own. A
slowdown is the time beside that: below 1 it is faster here.
"""

import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "tools"))

from clumps import printed  # noqa: E402
from clumps.sharing import Coupling, Machine, Slowdown  # noqa: E402
from parley_study import closing  # noqa: E402


def numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"utilizations are numbers with commas between them, not '{text}'") from None


def slowdowns(asked: argparse.Namespace) -> int:
    machine = Machine(asked.processors, asked.interfaces)
    columns: list[tuple[str, Slowdown]] = [
        ("at random", machine.independent),
        ("all at once", machine.correlated),
        ("in turns", machine.scheduled),
    ]
    if machine.processors % machine.interfaces == 0:
        columns.append(("divided", machine.divided().independent))
    coupling = Coupling(1, 1)
    if asked.local_cost is not None and asked.crossing is None:
        raise ValueError("--local-cost is of what does not cross the network: say --crossing, too")
    if asked.crossing is not None:
        coupling = Coupling(asked.crossing, 0 if asked.local_cost is None else asked.local_cost)
    rows = [
        [f"{utilization:.2f}", *(f"{coupling.slowdown(utilization, of):.4f}" for _, of in columns)]
        for utilization in numbers(asked.utilizations)
    ]
    print(f"slowdown beside workstations: {machine.processors} processors, {machine.interfaces} interfaces")
    for row in [["utilization", *(name for name, _ in columns)], *rows]:
        print("".join(f"{cell:>13}" for cell in row))
    return 0


def judge(_: argparse.Namespace) -> int:
    verdicts = printed.of_the_thesis()
    for verdict in verdicts:
        print(f"{'holds' if verdict.holds else 'DOES NOT HOLD'}: {verdict.sentence}: {verdict.found}")
    return 0 if all(verdict.holds for verdict in verdicts) else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    table = commands.add_parser("slowdowns", allow_abbrev=False, help="a table of one machine")
    table.add_argument("--processors", type=int, default=8, help="that share the interfaces (8)")
    table.add_argument("--interfaces", type=int, default=4, help="(4)")
    table.add_argument(
        "--utilizations", default="0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9", help="numbers, commas between them"
    )
    table.add_argument("--crossing", type=float, help="part of the communication that must cross the network")
    table.add_argument("--local-cost", type=float, help="of what does not, beside the network's cost (0)")
    table.set_defaults(run=slowdowns)
    commands.add_parser("printed", allow_abbrev=False, help="the thesis's statements, judged").set_defaults(
        run=judge
    )
    asked = parser.parse_args()
    try:
        return asked.run(asked)
    except ValueError as error:
        print(f"sharing.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(closing.of(main))
