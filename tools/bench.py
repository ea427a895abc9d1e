#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make bench: ratios and instruction counts, and each study's parts (studies/*/tools/*/bench_parts.py), as
the published orderings. A benchmark, never a timed test: it fails
when an instruction count has grown, a published ordering does not hold in counted instructions, a gate of the
study does not hold, or a boot does not succeed. What is measured under the free clock is told and not judged,
for it depends on the host. It ends with a verdict, which says what a busy host makes of the figures."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from benchmark import boots, counts, verdict  # noqa: E402
from benchmark.verdict import Finding  # noqa: E402
from parley_runner import ending, guest, places, status, studies  # noqa: E402

NULL_DESIGNS = (
    ("exp6", "virtual"),
    ("exp6", "static"),
    ("exp1", "virtual"),
    ("exp2", "virtual"),
    ("exp5", "virtual"),
    ("exp6,location=user", "virtual"),
    ("exp6,location=user", "static"),
    ("exp2-user", "virtual"),
)
SIMULTANEOUS = 1000  # ns one way: a bare ping-pong of two processors that both run takes a tenth of that
TRIES = 3
BLOCKING_LIMIT = 1.3  # times two switches
BLOCKING_LIMITS = {"hand-over": 705, "V and P": 300}  # instructions; each of V and P 150
NULL_ROWS = ("null message", "two lines", "to two lines", "to one line")


def speed(rounds: int) -> Finding:
    print("Start-up")
    started = time.monotonic()
    subprocess.run(["make", "-s", "run", "APP=hello_c"], cwd=places.ROOT, capture_output=True, check=True)
    run = time.monotonic() - started
    print(f"  make run with nothing to rebuild: {run:.2f} s")
    times = sorted(boots.run(app="hello_c", nodes=1).first_job for _ in range(rounds))
    start = times[len(times) // 2]
    print(f"  emulator's start to the program's: {start:.2f} s")
    return Finding("speed", None, f"make run {run:.2f} s, a program starts after {start:.2f} s", True)


def null_messages(rounds: int) -> Finding:
    """Beside two yardsticks: two cache lines, one each way, as messages go, and one line that both sides
    write. What an emulated cache line costs follows the distance of the host's cores, so what the same
    program's instructions say stands beside each ratio."""
    print("Null message one way, two processors, free running, by turns with bare ping-pongs; and the same")
    print("program instruction-counted (CLOCK=counted), which says what the ratio is without the host")
    if guest.host_cores() < 2:
        print("  not measured: this host has one core, so two processors would not run at the same time")
        return Finding("null", None, "not measured: this host has one core", True)
    found: dict[tuple[str, str], list[dict[str, float]]] = {system: [] for system in NULL_DESIGNS}
    predicted, unusable = {}, 0
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, os.path.join(places.ROOT, "tools", "benchmark", "null.c"))
        for design, dispatch in found:
            predicted[design, dispatch] = null_values(program, design, dispatch, "counted")
        for _ in range(rounds * TRIES):
            for (design, dispatch), usable in found.items():
                if len(usable) == rounds:
                    continue
                values = null_values(program, design, dispatch, "free")
                if values["two lines"] > SIMULTANEOUS:
                    unusable += 1  # whatever was measured then is the host's scheduler
                else:
                    usable.append(values)
    print(f"  {'':<26} {'of two lines':<20} {'by instructions':<22} {'of one line':<20} ns")
    for system, usable in found.items():
        two, one = (spread([values[name] for values in usable]) for name in ("to two lines", "to one line"))
        nanoseconds = spread([values["null message"] for values in usable], 0)
        counted = predicted[system]
        by_count = f"{counted['to two lines']:.2f} ({counted['null message']:.0f}:{counted['two lines']:.0f})"
        print(f"  {' '.join(system):<26} {two:<20} {by_count:<22} {one:<20} {nanoseconds}")
    if unusable:
        print(f"  {unusable} boots not counted: a bare ping-pong took more than {SIMULTANEOUS} ns there,")
        print("  so the host did not run both processors at the same time")
    return null_finding(found, predicted)


def null_values(program: str, design: str, dispatch: str, clock: str) -> dict[str, float]:
    record = boots.run(app=program, design=design, dispatch=dispatch, clock=clock).record
    return {name: boots.rows(record, name)[0] for name in NULL_ROWS}


def null_finding(
    found: dict[tuple[str, str], list[dict[str, float]]], predicted: dict[tuple[str, str], dict[str, float]]
) -> Finding:
    """Each design's middle beside what its instructions predict."""
    told = [
        f"{' '.join(system)} {statistics.median(values['to two lines'] for values in usable):.2f}"
        f" (instructions: {predicted[system]['to two lines']:.2f})"
        for system, usable in found.items()
        if usable
    ]
    sentence = "times two lines: " + ", ".join(told) if told else "no usable boot"
    if told and len(told) < len(found):
        sentence += f"; {len(found) - len(told)} without a usable boot"
    return Finding("null", None, sentence, True)


def hand_overs(rounds: int) -> Finding:
    """Spin's P and V beside a word that is given and taken without a call."""
    print("P and V by spin, one way, two processors, free running, by turns with a bare atomic hand-over")
    if guest.host_cores() < 2:
        print("  not measured: this host has one core, so two processors would not run at the same time")
        return Finding("hand-over", None, "not measured: this host has one core", True)
    found, unusable = [], 0
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, os.path.join(places.ROOT, "tools", "benchmark", "hand_over.c"))
        for _ in range(rounds * TRIES):
            if len(found) == rounds:
                break
            record = boots.run(app=program, design="exp6", semaphore="spin").record
            values = {name: boots.rows(record, name)[0] for name in ("P and V", "bare hand-over", "to bare")}
            if values["bare hand-over"] > SIMULTANEOUS:
                unusable += 1
            else:
                found.append(values)
    if not found:
        return Finding("hand-over", None, f"no usable boot: {unusable} did not run both at once", True)
    ratios = [values["to bare"] for values in found]
    times = ", ".join(f"{name} {spread([values[name] for values in found], 0)} ns" for name in
                      ("P and V", "bare hand-over"))  # fmt: skip
    print(f"  times a bare one: {spread(ratios)}; {times}")
    return Finding("hand-over", None, f"{statistics.median(ratios):.2f} times a bare one", True)


def blocking_hand_overs() -> Finding:
    """On one processor, so that each is a switch: beside two switches of processes that only yield."""
    print("V and a P that blocks, to the next process on one processor (kernel semaphores, CLOCK=counted)")
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, os.path.join(places.ROOT, "tools", "benchmark", "blocking.c"))
        record = boots.run(app=program, semaphore="kernel", processors=1, clock="counted").record
    names = ("hand-over", "V and P", "switch")
    return blocking_finding({name: boots.rows(record, name)[0] for name in names})


def blocking_finding(counted: dict[str, float]) -> Finding:
    """Counts repeat, so where one has grown beyond its limit it fails."""
    whole, calls, switch = counted["hand-over"], counted["V and P"], counted["switch"]
    ratio = whole / (2 * switch)
    print(f"  {whole:.0f}; V and P that do not block {calls:.0f}; a switch by yielding {switch:.0f}")
    above = [
        f"{name} takes {counted[name]:.0f}, above its limit of {limit}"
        for name, limit in BLOCKING_LIMITS.items()
        if counted[name] > limit
    ]
    told = f"{ratio:.2f} times two switches"
    if ratio > BLOCKING_LIMIT:
        above.insert(0, f"{ratio:.3f} times two switches, above its limit of {BLOCKING_LIMIT}")
    return Finding("blocking", not above, "; ".join(above) or f"{told}, at most {BLOCKING_LIMIT}")


def spread(values: list[float], digits: int = 2) -> str:
    if not values:
        return "none"
    low, high = min(values), max(values)
    return f"{statistics.median(values):.{digits}f} ({low:.{digits}f}..{high:.{digits}f})"


def counted(asked: argparse.Namespace) -> Finding:
    good = counts.compare(asked.designs, asked.update)
    return Finding("counts", good, "nothing above its limit" if good else "something is above its limit")


PARTS = {
    "speed": lambda asked: speed(asked.rounds),
    "null": lambda asked: null_messages(asked.rounds),
    "hand-over": lambda asked: hand_overs(asked.rounds),
    "blocking": lambda asked: blocking_hand_overs(),
    "counts": counted,
}
for module in studies.modules("bench_parts"):
    PARTS |= module.PARTS


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
    parser.add_argument(
        "--data", default="", help="folder that gets the orderings' curves for `make paper'"
    )
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
    host = verdict.Host()
    try:
        findings = [PARTS[name](asked) for name in asked.parts or PARTS]
    except boots.Failed as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    except status.BadRequest as problem:
        print(f"bench: {problem} `make bench' builds all that it measures.", file=sys.stderr)
        return 2
    print("\n".join(["", *verdict.lines(findings, host.taken_by_others())]))
    return verdict.status(findings)


if __name__ == "__main__":
    sys.exit(ending.of(main))
