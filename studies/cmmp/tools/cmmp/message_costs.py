# SPDX-License-Identifier: MIT
"""What messages cost that carry the rootfinder's stages, under every named design, in instructions, each
taken to last a nanosecond: from boots with one processor, instruction-counted (message_costs.c)."""

import os
import tempfile

from benchmark import boots
from parley_runner import designs, places

PROGRAM = os.path.join(places.ROOT, "studies", "cmmp", "tools", "cmmp", "message_costs.c")
BOOT = {"clock": "counted", "processors": 1, "schedule": "timeshared"}


def rows(program: str, design: str, nodes: int) -> dict[str, float]:
    record = boots.run(app=program, design=design, nodes=nodes, **BOOT).record
    return {row["name"]: row["median"] for row in record["rows"]}


def leaves_its_processor(design: str) -> bool:
    return designs.resolve(places.BUILD, design, 2, 1)["synchronization"] == "semaphore"


def measure() -> dict[str, dict[str, float]]:
    """By design. Two nodes that spin on one processor would count each other's time slices."""
    with tempfile.TemporaryDirectory(prefix="parley-") as folder:
        program = boots.program(folder, PROGRAM)
        found = {}
        for design in designs.presets(places.BUILD):
            found[design] = rows(program, design, 1)
            if leaves_its_processor(design):
                found[design] |= rows(program, design, 2)
    return found


def costs_of(found: dict[str, float], look: float) -> dict[str, int]:
    """Half of a round is a csend and a hand-over: the wake-up, and what crecv does with the message. Of who
    spins the wake-up is a look at its event, which takes as long as a look at a spin lock."""
    receive = round(found["crecv alone"])
    if "round" in found:
        send = round(found["csend that wakes"])
        wake = max(0, round(found["round"] / 2) - send - receive)
        return {"send": send, "receive": receive, "wake": wake, "synchronous": 0}
    made = {"send": round(found["csend alone"]), "receive": receive, "message-turn": round(look)}
    return made | {"synchronous": round(found["awaits delivery"])}
