#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make bench: ratios, instruction counts and published orderings. A benchmark, never a timed test: it fails
only when an instruction count has grown, a gate of the study does not hold, or a boot does not succeed."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from benchmark import boots, counts, orderings, study  # noqa: E402
from parley_runner import guest, places, status  # noqa: E402

DESIGNS = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6", "nx2")
NULL_DESIGNS = {
    ("exp6", "virtual"): 4.0,
    ("exp6", "static"): 4.0,
    ("exp1", "virtual"): 4.0,
    ("exp2", "virtual"): 4.0,
    ("exp5", "virtual"): 2.5,
    ("exp6,location=user", "virtual"): 2.5,
    ("exp6,location=user", "static"): 2.5,
    ("exp2-user", "virtual"): 2.5,
}
SIMULTANEOUS = 1000  # ns one way: a bare ping-pong of two processors that both run takes a tenth of that
TRIES = 3
NULL_ROWS = ("null message", "two lines", "to two lines", "to one line")
CURVE = "--sizes 128,256,512,1024,2048,4096,8192,16384,32768,65536"


def speed(rounds: int) -> bool:
    print("Start-up")
    started = time.monotonic()
    subprocess.run(["make", "-s", "run", "APP=hello_c"], cwd=places.ROOT, capture_output=True, check=True)
    print(f"  make run with nothing to rebuild: {time.monotonic() - started:.2f} s (aim: 3)")
    times = sorted(boots.run(app="hello_c", nodes=1).first_job for _ in range(rounds))
    print(f"  emulator's start to the program's: {times[len(times) // 2]:.2f} s (aim: 0.3)")
    return True


def null_messages(rounds: int) -> bool:
    """Beside two yardsticks: two cache lines, one each way, as messages go, which is what the aims are in
    terms of; and one line that both sides write."""
    print("Null message one way, two processors, free running, by turns with bare ping-pongs")
    if guest.host_cores() < 2:
        print("  not measured: this host has one core, so two processors would not run at the same time")
        return True
    found: dict[tuple[str, str], list[dict[str, float]]] = {system: [] for system in NULL_DESIGNS}
    unusable = 0
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, os.path.join(places.ROOT, "tools", "benchmark", "null.c"))
        for _ in range(rounds * TRIES):
            for (design, dispatch), usable in found.items():
                if len(usable) == rounds:
                    continue
                record = boots.run(app=program, design=design, dispatch=dispatch).record
                values = {name: boots.rows(record, name)[0] for name in NULL_ROWS}
                if values["two lines"] > SIMULTANEOUS:
                    unusable += 1  # whatever was measured then is the host's scheduler
                else:
                    usable.append(values)
    print(f"  {'':<26} {'of two lines':<20} {'aim':>4}   {'of one line':<20} ns")
    for system, usable in found.items():
        two, one = (spread([values[name] for values in usable]) for name in ("to two lines", "to one line"))
        nanoseconds = spread([values["null message"] for values in usable], 0)
        print(f"  {' '.join(system):<26} {two:<20} {NULL_DESIGNS[system]:>4}   {one:<20} {nanoseconds}")
    if unusable:
        print(f"  {unusable} boots not counted: a bare ping-pong took more than {SIMULTANEOUS} ns there,")
        print("  so the host did not run both processors at the same time")
    return True


def spread(values: list[float], digits: int = 2) -> str:
    if not values:
        return "none"
    low, high = min(values), max(values)
    return f"{statistics.median(values):.{digits}f} ({low:.{digits}f}..{high:.{digits}f})"


def print_statements(curves: dict[str, orderings.Curve]) -> None:
    for statement, problem in orderings.statements(curves):
        print(
            f"  {'holds' if not problem else 'DOES NOT HOLD'}: {statement}"
            + (f": {problem}" if problem else "")
        )


def counted_orderings() -> bool:
    print(
        "Published orderings, 128 bytes to 64 KB, instruction-counted (ns = instructions of both processors)"
    )
    curves = {}
    for design in DESIGNS:
        record = boots.run(
            design=design, clock="counted", limit=600, args=f"{CURVE} --samples 3 --trips 4"
        ).record
        curves[design] = boots.rows(record, "round trip")
    at = orderings.sizes(curves)
    for design, curve in curves.items():
        constant, slope = orderings.line(curve, at)
        print(f"  {design}: {constant:9.0f} ns + {slope:6.3f} ns a byte")
    print_statements(curves)
    return True


def free_orderings(rounds: int) -> bool:
    print("Published orderings, free running, boots interleaved, each normalised by its own bare ping-pong")
    found: dict[str, list[orderings.Curve]] = {design: [] for design in DESIGNS}
    for _ in range(rounds):
        for design in DESIGNS:
            record = boots.run(design=design, args=CURVE, limit=300).record
            yardstick = boots.rows(record, "bare ping-pong")[0]
            times = boots.rows(record, "round trip")
            found[design].append({size: value / yardstick for size, value in times.items()})
    curves = {
        design: {size: statistics.median(curve[size] for curve in several) for size in several[0]}
        for design, several in found.items()
    }
    for size in orderings.sizes(curves):
        print(f"  {size:>6} " + "  ".join(f"{design} {curves[design][size]:8.1f}" for design in DESIGNS))
    print_statements(curves)
    return True


PARTS = {
    "speed": lambda asked: speed(asked.rounds),
    "null": lambda asked: null_messages(asked.rounds),
    "counts": lambda asked: counts.compare(asked.designs, asked.update),
    "counted": lambda asked: counted_orderings(),
    "free": lambda asked: free_orderings(asked.rounds),
    "study": lambda asked: study.gates(),
}


def request() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "words",
        nargs="*",
        metavar="PART|DESIGN",
        help=f"what to measure: {' '.join(PARTS)}; default all. "
        "After counts: the designs to count, as DESIGN= takes them; default those of the baseline",
    )
    parser.add_argument("--rounds", type=int, default=3, help="boots of each design; default %(default)s")
    parser.add_argument("--update", action="store_true", help="record the instruction counts as they are now")
    asked = parser.parse_args()
    asked.parts = [word for word in asked.words if word in PARTS]
    asked.designs = [word for word in asked.words if word not in PARTS]
    return asked


def check_designs(asked: argparse.Namespace) -> None:
    """Raises BadRequest: a word is neither a part nor a design, or its part takes none."""
    for design in asked.designs:
        try:
            counts.check_design(design)
        except status.BadRequest as problem:
            parts = " ".join(PARTS)
            raise status.BadRequest(f"'{design}' is no part ({parts}) and no design: {problem}") from problem
    if asked.designs and asked.parts != ["counts"]:
        raise status.BadRequest(
            f"'{asked.designs[0]}' is a design, and only counts takes designs: "
            f"tools/bench.py counts {' '.join(asked.designs)}"
        )


def main() -> int:
    asked = request()
    try:
        check_designs(asked)
    except status.BadRequest as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 2
    try:
        results = [PARTS[name](asked) for name in asked.parts or PARTS]
    except boots.Failed as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    except status.BadRequest as problem:
        print(f"bench: {problem} `make bench' builds all that it measures.", file=sys.stderr)
        return 2
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
