# SPDX-License-Identifier: MIT
"""Thresholds of booted kernels, free running: two of the rootfinder's processes on two processors, which any
host with two cores runs at the same time, with constant lengths around the one with which half of a stage is
overhead. Times are nanoseconds of the guest's clock. A record of it is kept, for the study's page."""

import datetime
import json
import os
import statistics
from dataclasses import dataclass

from benchmark import boots, verdict
from cmmp import documents, model
from cmmp.curves import Curve, crossing
from cmmp.measured import Run
from parley_runner import guest, places
from parley_runner.status import BadRequest

COMMAND = "studies/cmmp/tools/rootfinder.py booted"
KEPT = os.path.join(places.ROOT, "studies", "cmmp", "data", "booted.json")
KINDS = tuple(documents.KINDS)
PROCESSES = 2
LONG = 4000  # steps of an evaluation that is long beside any of these thresholds
AROUND = tuple(2 ** (step / 2) for step in range(-3, 4))  # times the length that is predicted
BOOT = {"app": "rootfinder", "nodes": PROCESSES, "processors": PROCESSES, "design": "exp4",
        "schedule": "timeshared"}  # fmt: skip
WITHIN = 0.25  # that far from what was found a model's threshold may be


@dataclass
class Round:
    """Of one kind: what its operations took beside long evaluations, and lengths around the threshold, each
    with the stage that it made."""

    v: float  # all that the last to post does
    wake: float
    find: float
    stages: Curve  # evaluation -> stage

    @property
    def predicted(self) -> float:
        """With two processes one is woken, so nothing queues before policy processes."""
        return model.threshold(model.Costs(self.v, self.wake), PROCESSES) + self.find

    @property
    def found(self) -> float | None:
        """None: half of the time is overhead with none of these lengths."""
        try:
            return crossing({length: length / stage for length, stage in self.stages.items()})
        except ValueError:
            return None

    @property
    def at_most(self) -> float | None:
        """The shortest length, where even that has less overhead than that."""
        shortest = min(self.stages)
        return shortest if shortest >= self.stages[shortest] / 2 else None

    @property
    def threshold(self) -> float | None:
        return self.found or self.at_most


def of_record(kept: dict) -> dict[str, list[Round]]:
    return {
        kind: [Round(one["v"], one["wake"], one["find"], dict(one["stages"])) for one in rounds]
        for kind, rounds in kept["kinds"].items()
    }


def order(rounds: dict[str, list[Round]]) -> list[str]:
    """Each kind beside the next of the documents' order (C13), round by round: what the host does to one it
    does to its neighbour in turn. A kind whose threshold is only bounded has it from above, so it may be the
    lower one alone."""
    said = []
    for lower, higher in zip(KINDS, KINDS[1:]):
        pairs = zip(rounds[lower], rounds[higher])
        ratios = [high.found / low.threshold for low, high in pairs if low.threshold and high.found]
        if not ratios:
            said.append(f"  {lower} < {higher}: cannot be told")
            continue
        how = "holds" if min(ratios) > 1 else "does not hold" if max(ratios) < 1 else "inside the noise"
        bounded = "at least " if not any(low.found for low in rounds[lower]) else ""
        said.append(f"  {lower} < {higher}: {how} ({bounded}{spread(ratios, 1, 2)} times)")
    return said


def spread(values: list[float], unit: float = 1e3, digits: int = 1) -> str:
    low, middle, high = (value / unit for value in (min(values), statistics.median(values), max(values)))
    return f"{middle:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def error(rounds: list[Round]) -> float | None:
    """How far the model is from what was found, as a part of that; None where nothing was."""
    found = [one.found for one in rounds if one.found is not None]
    if not found:
        return None
    return statistics.median(one.predicted for one in rounds) / statistics.median(found) - 1


def line(kind: str, rounds: list[Round]) -> str:
    predicted = [one.predicted for one in rounds]
    found = [one.found for one in rounds if one.found is not None]
    off = error(rounds)
    if off is not None:
        judged = f"{100 * off:+6.0f}%" + ("" if abs(off) <= WITHIN else "  beyond 25 %")
        return f"{kind:16} {spread(found):24} {spread(predicted):24} {judged}"
    bounds = [one.at_most for one in rounds if one.at_most is not None]
    if not bounds:
        return f"{kind:16} no length has half of its time as overhead"
    over = [stage - length for one in rounds for length, stage in one.stages.items()]
    return (
        f"{kind:16} {f'below {min(bounds) / 1e3:.1f}':24} {spread(predicted):24} "
        f"the shortest evaluation; overhead beside it {spread(over)}"
    )


def table(kept: dict) -> list[str]:
    rounds = of_record(kept)
    lines = [
        "",
        f"Table 4.2, booted: thresholds of {PROCESSES} processes, microseconds",
        f"(free running, the guest's clock; a host of {kept['cores']} cores, {kept['measured']}; "
        f"{kept['rounds']} rounds by turns: median, least and most)",
        f"{'':16} {'found':24} {'model':24} {'error':>7}",
        *(line(kind, rounds[kind]) for kind in KINDS),
        "model: V, a wake-up and FIND, as they were beside much longer evaluations in the same round.",
        "What fits: a process and a processor for each of two cores. The policy kinds have two or three",
        "processes more, which take the processor of who waits.",
        "The documents' order (C13), a threshold over that of the kind before it in each round:",
        *order(rounds),
    ]
    if kept["others"] > verdict.BUSY:
        lines.append(f"The host was busy: others took {kept['others']:.0%} of its processors meanwhile.")
    return lines


def boot(kind: str, steps: int, roots: int) -> Run:
    args = f"--lengths constant --mean {steps} --roots {roots}"
    record = boots.run(semaphore=kind, args=args, **BOOT).record
    return Run(record, record["jobs"][0])


def measure(rounds: int, roots: int = 25) -> dict:
    """Kinds by turns for each length, so that what the host does meanwhile comes to all of them."""
    if guest.host_cores() < PROCESSES:
        raise BadRequest("booted wants two cores of the host, or its processors do not run at the same time.")
    if rounds < 1:
        raise BadRequest(f"--rounds {rounds}: there must be one at least.")
    host = verdict.Host()
    kinds: dict[str, list[dict]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        made = {kind: costs_of(boot(kind, LONG, roots)) for kind in KINDS}
        shortest = boot("spin", 1, roots)
        base = shortest.median("evaluation") or 0.0
        # Beside spin's P and V even the shortest evaluation is long.
        made["spin"]["stages"] = [[base, shortest.median("stage")]]
        for times in AROUND:
            for kind, one in made.items():
                predicted = Round(one["v"], one["wake"], one["find"], {}).predicted
                steps = (times * predicted - base) / (one["long"] - base) * LONG
                if kind == "spin" or steps < 1:
                    continue
                run = boot(kind, round(steps), roots)
                one["stages"].append([run.median("evaluation"), run.median("stage")])
        for kind, one in made.items():
            kinds[kind].append(one)
    return {
        "command": COMMAND,
        "clock": "free",
        "measured": datetime.date.today().isoformat(),
        "cores": guest.host_cores(),
        "others": round(host.taken_by_others() or 0.0, 2),
        "rounds": rounds,
        "kinds": kinds,
    }


def costs_of(long: Run) -> dict:
    rows = {"v": "V of all others", "wake": "wake-up", "find": "FIND", "long": "evaluation"}
    return {name: long.median(row) or 0.0 for name, row in rows.items()} | {"stages": []}


def record(rounds: int) -> dict:
    made = measure(rounds)
    places.write_atomically(KEPT, (json.dumps(made, indent=1) + "\n").encode())
    return made
