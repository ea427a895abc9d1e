#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make profile: the null message taken apart beside the paper's figure 16, virtual against static
dispatch, and the cost of a context switch, light and heavy."""

import json
import os
import sys
import tempfile

FOLDER = os.path.dirname(os.path.realpath(__file__))
TOOLS = os.path.join(FOLDER, "..", "..", "..", "tools")
sys.path[1:1] = [TOOLS, os.path.join(TOOLS, "benchmark"), os.path.join(TOOLS, "profile")]

import boots  # noqa: E402
from paper import breakdown, measurements  # noqa: E402
from parley_runner import places  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_runner.table import grid  # noqa: E402

PUBLISHED = os.path.join(places.ROOT, "studies", "paper", "data", "breakdown.json")
DESIGN, MESSAGES = "exp6", 2  # a round trip


def main() -> int:
    with open(PUBLISHED, encoding="utf-8") as file:
        published = json.load(file)
    with tempfile.TemporaryDirectory(prefix="parley-profile-") as folder:
        program = boots.program(folder, os.path.join(FOLDER, "paper", "null_message.c"))
        taken_apart = breakdown.of(program, DESIGN)
        keep(taken_apart, published)
        null_message(taken_apart, published)
        dispatch(program, taken_apart, published)
        switching(boots.program(folder, os.path.join(FOLDER, "paper", "switching.c")), published)
    return 0


def keep(ours: breakdown.Breakdown, published: dict) -> None:
    """For the pictures: where_time_goes.py --data FOLDER"""
    if "--data" in sys.argv[1:-1]:
        activities = [
            {"activity": name, "ours": whole, "paper": row["total"]}
            for (name, _, _, whole), row in zip(ours.rows(MESSAGES), published["null_message"])
        ]
        measurements.keep(sys.argv[sys.argv.index("--data") + 1], "breakdown", {"activities": activities})


def show(title: str, lines: list[list[str]], *notes: str) -> None:
    print("\n".join(["", title, *grid(lines), *notes]), flush=True)


def null_message(ours: breakdown.Breakdown, published: dict) -> None:
    total, theirs = MESSAGES * ours.total, sum(row["total"] for row in published["null_message"])
    lines = [["", "count", "each", "total", "share", "paper: count", "each, us", "total, us", "share"]]
    for (name, count, each, whole), row in zip(ours.rows(MESSAGES), published["null_message"]):
        mine = [name, str(count), f"{each:.1f}", str(whole), f"{100 * whole / total:.0f} %"]
        paper = [
            str(row["count"]),
            str(row["each"]),
            str(row["total"]),
            f"{100 * row['total'] / theirs:.0f} %",
        ]
        lines.append(mine + paper)
    lines.append(["round trip", "", "", str(total), "100 %", "", "", str(theirs), "100 %"])
    show(
        f"The null message of {DESIGN}, round trip, in instructions, beside figure 16",
        lines,
        f"Of a message's {ours.program + ours.entry} instructions for proxy calls, {ours.program} are the "
        "program's: libnx and reading the clock. A virtual call is its load,",
        "call and return. Process identification: who calls, and is the proxy theirs.",
    )


def instructions(program: str, kind: str) -> dict[str, float]:
    record = boots.run(
        DESIGN=DESIGN, APP=program, NODES=1, PROCESSORS=1, CLOCK="counted", DISPATCH=kind
    ).record
    return {row["name"]: row["median"] for row in record["rows"]}


def dispatch(program: str, ours: breakdown.Breakdown, published: dict) -> None:
    virtual, static = instructions(program, "virtual"), instructions(program, "static")
    lines = [["", "virtual", "static", "virtual costs"]]
    for name in ("null call", "csend", "crecv"):
        lines.append([name, f"{virtual[name]:.0f}", f"{static[name]:.0f}", more(virtual[name], static[name])])
    both = [kind["csend"] + kind["crecv"] for kind in (virtual, static)]
    lines.append(["csend and crecv", f"{both[0]:.0f}", f"{both[1]:.0f}", more(*both)])
    share = breakdown.VIRTUAL_CALL * ours.virtual_calls / ours.total
    show(
        f"Virtual against static dispatch, {DESIGN}, instructions of a null message",
        lines,
        f"Virtual calls are {100 * share:.1f} % of the message (paper: "
        f"{100 * published['virtual_share_of_null_latency']:.2f} %); being virtual rather than plain "
        f"cost the paper {published['extra_cost_of_virtual']}.",
    )


def more(virtual: float, static: float) -> str:
    return f"{100 * (virtual / static - 1):+.1f} %"


def switching(program: str, published: dict) -> None:
    lines = [["", "heavy", "light", "heavy : light"]]
    for clock, unit in (("counted", "instructions"), ("free", "ns, emulated")):
        found = {kind: switch(program, kind, clock) for kind in ("heavy", "light")}
        for name in ("half a round trip", "csend and crecv", "context switch"):
            heavy, light = found["heavy"][name], found["light"][name]
            lines.append([f"{name}, {unit}", f"{heavy:.0f}", f"{light:.0f}", f"{heavy / light:.2f}"])
    show(
        "A context switch: two blocking nodes of exp4 on one processor; half a round trip less the calls",
        lines,
        f"The paper's heavy switch took {published['context_switch_heavy']} us; it also loads a page table.",
        "What that costs in misses no instruction count shows, and emulated time is not a machine's.",
    )


def switch(program: str, kind: str, clock: str) -> dict[str, float]:
    design = f"exp4,context-switch={kind}"
    record = boots.run(DESIGN=design, APP=program, NODES=2, PROCESSORS=1, CLOCK=clock).record
    return {row["name"]: row["median"] for row in record["rows"]}


if __name__ == "__main__":
    sys.exit(closing.of(main))
