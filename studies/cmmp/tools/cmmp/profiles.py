# SPDX-License-Identifier: MIT
"""What P, V and messages cost, by profiles (studies/cmmp/data/profiles.json), and what the model makes of it.
Times are nanoseconds in the profile cmmp-1978, and counted instructions in the profile native."""

import json
import os

from cmmp import model
from parley_runner import places

PATH = os.path.join(places.ROOT, "studies", "cmmp", "data", "profiles.json")
FIVE = 5  # processes of table 4.2
SERVING = 2  # policy processes that stop and start others; how many the documents had is not printed
# One call that wakes all others: name -> kind.
TOGETHER = {"kernel at once": "kernel", "combining at once": "combining"}


def kept() -> dict[str, dict]:
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


def serving(kind: str) -> int:
    """How many policy processes are on the way of a wake-up."""
    return SERVING if kind in ("policy-0", "policy-1:0s") else 0


def costs(profile: dict, kind: str) -> model.Costs:
    """Of who spins, or looks at a word of its own, a wake-up is one look more. A policy process is dispatched
    for a request, stops or starts a process, which is written to a disk or read from it, and the kernel
    dispatches that. A wake-up that is served with its process's stop takes no request of its own."""
    own = profile["kinds"][kind]
    wake = own.get("wake", own.get("turn", 0))
    if not serving(kind):
        return model.Costs(own["v"], wake)
    revolution = profile["shared"].get("rotation", 0) * profile["shared"].get("pages", 0)
    request = own["scheduling"] + own.get("communication", 0)
    service = request + revolution
    return model.Costs(
        own["v"],
        own["policy-wake"] + service + wake,
        service,
        serving(kind),
        stop=request + own.get("search", 0) + 2 * revolution,
        together=revolution,
        dispatch=wake,
    )


def together(profile: dict, kind: str) -> model.TogetherCosts:
    own = profile["kinds"][kind]
    is_tree = kind == "combining"
    return model.TogetherCosts(own["v"], own["v-each"], own["wake"], own.get("wake-each", 0), is_tree)


def of_messages(profile: dict, design: str) -> model.MessageCosts:
    own = profile["messages"][design]
    wake = own.get("message-turn", own.get("wake", 0))
    return model.MessageCosts(own["send"], own["receive"], wake, bool(own["synchronous"]))


def find_cost(profile: dict, processes: int = FIVE) -> float:
    shared = profile["shared"]
    return shared.get("find", 0) + processes * shared.get("find-each", 0)


def thresholds(profile: dict) -> dict[str, float]:
    """Of five processes, by the model: of kinds, of one call that wakes all, and of messages by design."""
    found = {kind: model.threshold(costs(profile, kind), FIVE) for kind in profile["kinds"]}
    for name, kind in TOGETHER.items():
        if "v-each" in profile["kinds"].get(kind, {}):
            found[name] = model.together_threshold(together(profile, kind), FIVE)
    for design in profile.get("messages", {}):
        found[f"messages, {design}"] = model.message_threshold(of_messages(profile, design), FIVE)
    return {name: one + find_cost(profile) for name, one in found.items()}


def table(profiles: dict[str, dict]) -> list[str]:
    """Of both profiles; what the documents have not is of the second alone."""
    ours, printed = profiles["native"], thresholds(profiles["cmmp-1978"])
    lines = [
        "",
        "By the model with stops, which policy processes serve, too: from the profile cmmp-1978, ms, and",
        f"from instructions that were counted on {ours['counted']}.",
        f"{'':26} {'cmmp-1978':>10} {'native':>8}",
    ]
    for name, one in thresholds(ours).items():
        theirs = f"{printed[name] / 1e6:.2f}" if name in printed else ""
        lines.append(f"{name:26} {theirs:>10} {one:8.0f}")
    return lines
