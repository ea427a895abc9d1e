# SPDX-License-Identifier: MIT
"""How many instructions a message takes under each design (counts.c), beside the recorded baseline."""

import json
import os
import subprocess
import tempfile

from parley_runner import designs, places

from . import boots

BASELINE = os.path.join(places.ROOT, "docs", "data", "instruction-counts.json")
DESIGNS = ("exp1", "exp2", "exp4", "exp5", "exp6", "nx2", "exp6,location=user")
DISPATCHES = ("virtual", "static")
SIZES = (0, 100, 1000)
# What is accepted above the tolerance: {"why": [...], "counts": {design: {name: count}}}.
ACCEPTED = os.path.join(places.ROOT, "docs", "data", "accepted-counts.json")
TOLERANCE = 1.03
# Limits of their own for csend and crecv of a message without bytes, together.
NULL_PAIR = {"exp6 virtual": 300, "exp6,location=user virtual": 210}
NULL_CALLS = ("csend 0", "crecv 0")

Counts = dict[str, float]  # "csend 100", "crecv 100", "to and fro 100" -> instructions


def check_design(design: str) -> None:
    """Raises BadRequest with the sentence that refuses it."""
    designs.resolve(places.BUILD, design, 1, 1)


def dispatches(design: str) -> tuple[str, ...]:
    """The static build composes some only."""
    has_row = designs.resolve(places.BUILD, design, 1, 1)["static_row"]
    return DISPATCHES if has_row else ("virtual",)


def measure(program: str, design: str, dispatch: str) -> Counts:
    """One process to itself; then two processes, each on its processor."""
    found: Counts = {}
    for nodes in (1, 2):
        record = boots.run(app=program, design=design, dispatch=dispatch, nodes=nodes, clock="counted").record
        found |= {f"{row['name']} {row['bytes']}": row["median"] for row in record["rows"]}
    return found


def recorded() -> dict[str, Counts]:
    if not os.path.exists(BASELINE):
        return {}
    with open(BASELINE, encoding="utf-8") as file:
        return json.load(file)["counts"]


def accepted() -> dict[str, Counts]:
    with open(ACCEPTED, encoding="utf-8") as file:
        return json.load(file)["counts"]


def record(counts: dict[str, Counts]) -> None:
    """Designs that were not measured now keep their figures."""
    describe = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(describe, cwd=places.ROOT, capture_output=True, text=True, check=False)
    new = {"commit": done.stdout.strip() or "unknown", "counts": recorded() | counts}
    places.write_atomically(BASELINE, (json.dumps(new, indent=2) + "\n").encode())
    print(f"  written to {os.path.relpath(BASELINE)}")


def pair(counts: Counts, size: int) -> float:
    return counts[f"csend {size}"] + counts[f"crecv {size}"]


def problems(system: str, now: Counts, before: Counts | None, known: Counts | None = None) -> list[str]:
    """What is above its limit, a sentence each; `known`: counts above it that are accepted."""
    found = []
    limit = NULL_PAIR.get(system)
    if limit is not None and pair(now, 0) > limit:
        found.append(f"csend 0 and crecv 0 together take {pair(now, 0):.0f}, at most {limit} are allowed")
    for name, value in now.items():
        if before is None or name not in before or (limit is not None and name in NULL_CALLS):
            continue
        limit_here = max(before[name] * TOLERANCE, (known or {}).get(name, 0))
        if value > limit_here:
            more, allowed = value / before[name] - 1, TOLERANCE - 1
            found.append(
                f"{name} takes {value:.0f}, {more:.1%} more than the {before[name]:.0f} of the baseline "
                f"({allowed:.0%} are allowed)"
            )
    return found


def change(now: float, before: float | None) -> str:
    """As a table's cell: the count, and by how much it is above or below what it was."""
    if before is None or before == now:
        return f"{now:5.0f}       "
    return f"{now:5.0f} {now / before - 1:+6.1%}"


def line(now: Counts, before: Counts | None) -> str:
    cells = [change(pair(now, size), before and pair(before, size)) for size in SIZES]
    both = [f"to and fro {size}" for size in SIZES]
    cells += [change(now[name], before and before[name]) for name in both]
    return " ".join(cells)


def print_table(counts: dict[str, Counts], known: dict[str, Counts]) -> None:
    heads = [f"pair {size}" for size in SIZES] + [f"to+fro {size}" for size in SIZES]
    width = max(len(system) for system in counts)
    print(f"  {'':<{width}} " + " ".join(f"{head:<12}" for head in heads).rstrip())
    for system, now in counts.items():
        print(f"  {system:<{width}} {line(now, known.get(system))}".rstrip())


def compare(asked: list[str], update: bool) -> bool:
    """The designs of the baseline, or those asked for. False: something takes more than it may."""
    print("Instructions (CLOCK=counted) of csend and crecv of one process to itself, and of both processors'")
    print("for a message to and fro, by bytes; and how much more or less than in the baseline")
    known = recorded()
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, os.path.join(places.ROOT, "tools", "benchmark", "counts.c"))
        counts = {
            f"{design} {dispatch}": measure(program, design, dispatch)
            for design in asked or DESIGNS
            for dispatch in dispatches(design)
        }
    print_table(counts, known)
    unknown = [system for system in counts if system not in known]
    if unknown and not update:
        print(f"  not in the baseline: {'; '.join(unknown)}")
    known_above = accepted()
    above = {
        system: problems(system, now, known.get(system), known_above.get(system))
        for system, now in counts.items()
    }
    for system, sentences in above.items():
        for sentence in sentences:
            print(f"  ABOVE: {system}: {sentence}")
    if not any(above.values()):
        why = os.path.relpath(ACCEPTED)
        print(f"  what is more than {TOLERANCE - 1:.0%} above the baseline is accepted: {why} says why")
    if update:
        record(counts)
    return update or not any(above.values())
