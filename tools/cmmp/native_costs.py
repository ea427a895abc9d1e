# SPDX-License-Identifier: MIT
"""The profile native: what P, V, a wake-up and a policy process's work cost here, in instructions, each taken
to last a nanosecond. From boots with one processor, instruction-counted (costs.c)."""

import json
import os
import tempfile

from benchmark import boots
from cmmp import message_costs, simulation
from parley_runner import places

COMMAND = "tools/rootfinder.py costs"
BOOT = {"clock": "counted", "processors": 1, "schedule": "timeshared", "design": "exp4"}
KINDS = ("spin", "kernel", "policy-0", "policy-1:0s", "policy-1:300ms", "queue", "combining")
TOGETHER = ("kernel", "combining")  # whose V of several is counted: a program, eight others, each waiting
# One of several policy processes finds nothing to do, and on one processor the others would wait for it: so
# the work of a request is taken from one of them alone.
ALONE = {"policy-1:0s": "policy-1:0s:1"}


def rows(app: str, kind: str, nodes: int, args: str = "") -> dict[str, float]:
    more = {"args": args} if args else {}
    record = boots.run(app=app, semaphore=kind, nodes=nodes, **BOOT, **more).record
    found: dict[str, list[float]] = {}
    for row in record["rows"]:
        found.setdefault(row["name"], []).append(row["median"])
    return {name: max(values) for name, values in found.items()}


def find_costs() -> dict[str, int]:
    """FIND grows with the processes whose values it looks at."""
    by_processes = {nodes: rows("rootfinder", "kernel", nodes, "--roots 2")["FIND"] for nodes in (2, 12)}
    each = (by_processes[12] - by_processes[2]) / 10
    return {"find": max(0, round(by_processes[2] - 2 * each)), "find-each": max(0, round(each))}


def hand_over(found: dict[str, float]) -> float:
    return found["round"] / 2 - found["V that wakes"]


def together(kind: str, found: dict[str, float]) -> dict[str, int]:
    """A V of several: its first, each further one, and what making one ready takes where a tree does that."""
    one, two, four, eight = (found[f"V of {count}"] for count in (1, 2, 4, 8))
    if kind != "combining":
        return {"v-each": round((eight - one) / 7)}
    each = (eight - four) / 4
    return {"v-each": round(each), "wake-each": max(0, round(two - one - each))}


def costs_of(kind: str, measured: dict[str, dict[str, float]]) -> dict[str, int]:
    """Half of a round is one V and one hand-over: P's own part, and the wake-up. Under policy processes what
    is longer than under the kernel semaphore is theirs: for each request a dispatch, and the work."""
    found, kernel = measured[kind], measured["kernel"]
    p = round(found["P alone"])
    if kind == "spin":
        return {"p": p, "v": round(found["V alone"]), "turn": round(found["look"])}
    if kind == "queue":
        # On one processor nobody can be woken who keeps it. From a look that finds the V it is not farther
        # than a whole P.
        return {"p": p, "v": round(found["V alone"]), "turn": p, "v-each": round(found["V alone"])}
    made = {"p": p, "v": round(found["V that wakes"]), "wake": round(hand_over(found)) - p}
    if kind in TOGETHER:
        made |= together(kind, found)
    if found["requests"]:
        dispatch = round(hand_over(kernel) - kernel["P alone"])
        alone = measured[ALONE.get(kind, kind)]
        each = 2 * (hand_over(alone) - p - dispatch) / alone["requests"] - dispatch
        made |= {"wake": dispatch, "policy-wake": dispatch, "scheduling": max(0, round(each))}
        if kind == "policy-0":
            made["communication"] = made["scheduling"]
    return made


def measure() -> dict:
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, os.path.join(places.ROOT, "tools", "cmmp", "costs.c"))
        found = {kind: rows(program, kind, 2) for kind in (*KINDS, *ALONE.values())}
        for kind in TOGETHER:
            record = boots.run(app=program, semaphore=kind, nodes=9, **BOOT).record
            several = boots.rows(record, "V of several")
            found[kind] |= {f"V of {count}": median for count, median in several.items()}
    messages = message_costs.measure()
    look = found["spin"]["look"]
    return {
        "clock": "counted: every instruction takes 1 ns; one processor",
        "costs": f"Measured by {COMMAND}: costs.c, message_costs.c and the rootfinder on one processor. "
        "Pages take no time. A wake-up of queue is taken as P alone, its V that wakes as V alone. "
        "What it takes to wake an idle processor by an interrupt is not in it.",
        "command": COMMAND,
        "measured": found,
        "messages measured": messages,
        "shared": find_costs(),
        "kinds": {kind: costs_of(kind, found) for kind in KINDS},
        "messages": {design: message_costs.costs_of(one, look) for design, one in messages.items()},
    }


def record() -> dict:
    made = measure()
    profiles = simulation.profiles() | {"native": made}
    places.write_atomically(simulation.PROFILES, (json.dumps(profiles, indent=1) + "\n").encode())
    return made
