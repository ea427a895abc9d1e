# SPDX-License-Identifier: MIT
"""The profile native: what P, V, a wake-up and a policy process's work cost here, in instructions, each taken
to last a nanosecond. From boots with one processor, instruction-counted (costs.c)."""

import datetime
import json
import os
import tempfile

from benchmark import boots
from cmmp import message_costs, profiles
from parley_runner import places

HERE = os.path.dirname(os.path.realpath(__file__))
COMMAND = "studies/cmmp/tools/rootfinder.py costs"
BOOT = {"clock": "counted", "processors": 1, "schedule": "timeshared", "design": "exp4"}
KINDS = ("spin", "kernel", "policy-0", "policy-1:0s", "policy-1:300ms", "queue", "combining")
TOGETHER = ("kernel", "combining")  # whose V of several is counted: a program, eight others, each waiting
# The work of a request is taken from one policy process alone: of several another might be dispatched for it.
ALONE = {"policy-1:0s": "policy-1:0s:1"}
WITHIN = "policy-1:300ms"  # whose V makes one process ready, as that which asks a policy process, and no more


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


def policy_costs(kind: str, measured: dict[str, dict[str, float]]) -> dict[str, int]:
    """On one processor who does V gives it to the policy processes at once, and gets it back when they have
    none left to start: so its V lasts until then. A hand-over begins with P and a stop. Each process that
    takes its turn in one of them is a dispatch, which is the kernel semaphore's; the rest is work."""
    kernel = measured["kernel"]
    v, dispatch = measured[WITHIN]["V that wakes"], hand_over(kernel) - kernel["P alone"]
    one, own = measured[ALONE["policy-1:0s"]], measured[ALONE.get(kind, kind)]
    start = one["V that wakes"] - v - 2 * dispatch
    hands_on = own["V that wakes"] - v - 2 * dispatch - start if kind == "policy-0" else 0
    stop = hand_over(own) - own["P alone"] - 2 * dispatch - hands_on
    made = {"v": v, "wake": dispatch, "policy-wake": dispatch, "scheduling": start, "search": stop - start}
    if kind == "policy-0":
        made["communication"] = hands_on
    return {name: max(0, round(value)) for name, value in made.items()}


def costs_of(kind: str, measured: dict[str, dict[str, float]]) -> dict[str, int]:
    """Half of a round is one V and one hand-over: P's own part, and the wake-up."""
    found = measured[kind]
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
        made |= policy_costs(kind, measured)
    return made


def measure() -> dict:
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, os.path.join(HERE, "costs.c"))
        found = {kind: rows(program, kind, 2) for kind in (*KINDS, *ALONE.values())}
        for kind in TOGETHER:
            record = boots.run(app=program, semaphore=kind, nodes=9, **BOOT).record
            several = boots.rows(record, "V of several")
            found[kind] |= {f"V of {count}": median for count, median in several.items()}
    messages = message_costs.measure()
    look = found["spin"]["look"]
    return {
        "clock": "counted: every instruction takes 1 ns; one processor",
        "counted": datetime.date.today().isoformat(),
        "costs": f"Measured by {COMMAND}: costs.c, message_costs.c and the rootfinder on one processor. "
        "Pages take no time, finding dirty ones does. What V itself takes that asks a policy process is "
        "taken as within epsilon. A wake-up of queue is taken as P alone, its V that wakes as V alone. "
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
    kept = profiles.kept() | {"native": made}
    places.write_atomically(profiles.PATH, (json.dumps(kept, indent=1) + "\n").encode())
    return made
