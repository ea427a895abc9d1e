# SPDX-License-Identifier: MIT
"""What the study adds to `make bench`: the published orderings, counted and free running, and its gates."""

import statistics

from benchmark import boots
from benchmark.verdict import Finding
from paper import gates, measurements, orderings

DESIGNS = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6", "nx2")
TRIES = 3
CURVE = "--sizes 128,256,512,1024,2048,4096,8192,16384,32768,65536"


def judge_statements(part: str, curves: dict[str, orderings.Curve], free: bool) -> Finding:
    """Free running they are told. Counted, what does not hold fails, unless its reason is known; then it
    fails when it holds, for the reason is no more."""
    statements = orderings.statements(curves)
    known = {} if free else orderings.NOT_BY_COUNT
    broken, excused, stale = [], [], []
    for statement, problem in statements:
        if problem and statement in known:
            excused.append(statement)
            print(f"  cannot hold by count: {statement}: {problem}; {known[statement]}")
        elif problem:
            broken.append(statement)
            print(f"  DOES NOT HOLD: {statement}: {problem}")
        else:
            stale += [statement] if statement in known else []
            print(f"  holds: {statement}")
    sentence = f"{len(statements) - len(broken) - len(excused)} of {len(statements)} orderings hold"
    sentence += f"; not: {', '.join(broken)}" if broken else ""
    sentence += f"; not by count, as docs/performance.md explains: {', '.join(excused)}" if excused else ""
    sentence += f"; held, though a count should not show it: {', '.join(stale)}" if stale else ""
    return Finding(part, None if free else not broken and not stale, sentence, free)


def counted_orderings(data: str) -> Finding:
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
    measurements.keep(data, "orderings", {"curves": curves, "statements": orderings.statements(curves)})
    return judge_statements("counted", curves, False)


def free_orderings(rounds: int) -> Finding:
    """A host may move the processors near each other or far apart between boots, and a bare ping-pong takes
    a quarter then: what is divided by it compares only between boots whose ping-pongs agree."""
    print("Published orderings, free running, boots interleaved, each normalised by its own bare ping-pong")
    found: dict[str, list[tuple[float, orderings.Curve]]] = {design: [] for design in DESIGNS}
    chosen = {design: [] for design in DESIGNS}
    for turn in range(1, rounds * TRIES + 1):
        for design in DESIGNS:
            record = boots.run(design=design, args=CURVE, limit=300).record
            found[design].append((boots.rows(record, "bare ping-pong")[0], boots.rows(record, "round trip")))
        chosen = orderings.of_one_yardstick(found)
        if turn >= rounds and all(len(several) >= rounds for several in chosen.values()):
            break
    left_out = sum(map(len, found.values())) - sum(map(len, chosen.values()))
    if left_out:
        print(f"  {left_out} boots not counted: their bare ping-pong took much more or less than the others'")
    missing = [design for design, several in chosen.items() if not several]
    if missing:
        return Finding("free", None, f"not measured: no boot of {', '.join(missing)} as the others", True)
    curves = {
        design: {size: statistics.median(curve[size] for curve in several) for size in several[0]}
        for design, several in chosen.items()
    }
    for size in orderings.sizes(curves):
        print(f"  {size:>6} " + "  ".join(f"{design} {curves[design][size]:8.1f}" for design in DESIGNS))
    return judge_statements("free", curves, True)


def every_gate() -> Finding:
    good = gates.gates()
    return Finding("study", good, "every gate holds" if good else "a gate does not hold")


PARTS = {
    "counted": lambda asked: counted_orderings(asked.data),
    "free": lambda asked: free_orderings(asked.rounds),
    "study": lambda asked: every_gate(),
}
