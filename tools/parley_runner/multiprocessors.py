# SPDX-License-Identifier: MIT
"""MULTIPROCESSORS=: one booted machine whose nodes are divided into several multiprocessors, which simulated
network interfaces join. A word of the design says so to the kernel: what an interface takes follows from
INTERFACE=, from the file of a modelled machine, or from the transport's own defaults."""

import difflib
import re
from dataclasses import dataclass

from .counted import counted
from .status import BadRequest

MOST = 32  # as the transport has it; a test compares
UNITS = {"ns": 1, "us": 1000, "ms": 1000**2}
LONGEST = 10**9  # ns
PRIVATE = "private"  # gangs in which node i runs on processor i


@dataclass(frozen=True)
class Quantity:
    """A number of an interface, as the transport takes it; a test compares."""

    default: int  # ns, if it is a time
    is_time: bool = True
    lowest: int = 0
    highest: int = LONGEST

    def read(self, name: str, text: str) -> int:
        found = re.fullmatch(r"(\d{1,10})([a-z]*)", text, re.ASCII)
        what = f"INTERFACE={name}={text}:"
        if not self.is_time:
            if not found or found[2]:
                raise BadRequest(f"{what} {name} is a number without a unit, as {name}={self.default}.")
            value = int(found[1])
            if not self.lowest <= value <= self.highest:
                raise BadRequest(f"{what} {name} is {self.lowest} to {self.highest}.")
            return value
        if not found or found[2] not in UNITS:
            raise BadRequest(f"{what} {name} is a time in ns, us or ms, as {name}=2us.")
        value = int(found[1]) * UNITS[found[2]]
        if value > self.highest:
            raise BadRequest(f"{what} {name} is at most a second.")
        return value


# In the order of the transport's arguments after the first.
QUANTITIES = {
    "latency": Quantity(5000),
    "message": Quantity(1000),
    "rate": Quantity(1000, False, 1, 100_000),
    "queue": Quantity(8, False, 1, 64),
    "look": Quantity(0),
    "number": Quantity(1, False, 1, 16),
    "pools": Quantity(1, False, 1, 16),
}


def asked(word: str) -> dict[str, int]:
    """Of INTERFACE=."""
    values: dict[str, int] = {}
    for part in word.split(","):
        name, equals, text = part.partition("=")
        if not equals:
            raise BadRequest(f"INTERFACE={word}: '{part}' is not of the form NAME=VALUE, as look=2us.")
        if name not in QUANTITIES:
            near = difflib.get_close_matches(name, QUANTITIES, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(QUANTITIES)}."
            raise BadRequest(f"INTERFACE={word}: an interface has no '{name}'; {hint}")
        if name in values:
            raise BadRequest(f"INTERFACE={word}: {name} is said twice; say it once.")
        values[name] = QUANTITIES[name].read(name, text)
    return values


def of_machine(values: dict) -> dict[str, int]:
    from . import machine_file

    if values["clock"] != "modelled" or not values["machine"]:
        return {}
    machine = machine_file.read(values["machine"])
    for name, value in machine.interface.items():
        quantity = QUANTITIES[name]
        if not quantity.lowest <= value <= quantity.highest:
            limits = f"{quantity.lowest} to {quantity.highest}{' ns' * quantity.is_time}"
            raise BadRequest(f"MACHINE={values['machine']}: interface.{name} is {limits}, not {value}.")
    return machine.interface


def is_modelled(values: dict) -> bool:
    """Each multiprocessor has a bus, caches and banks of its own, which a node must not leave."""
    return values["multiprocessors"] > 1 and values["clock"] == "modelled"


def gang(values: dict) -> str:
    """As the kernel is told of it."""
    return PRIVATE if is_modelled(values) else values["gang"]


def said(values: dict) -> dict[str, int]:
    """What differs from the transport's defaults, or could."""
    return {**of_machine(values), **(asked(values["interface"]) if values["interface"] else {})}


def transport(values: dict) -> str:
    """The class that a design needs for it."""
    quantities = said(values)
    word = f"transport=interfaces:{values['multiprocessors']}"
    if not quantities:
        return word
    every = {name: quantities.get(name, quantity.default) for name, quantity in QUANTITIES.items()}
    return ":".join([word, *(f"{value}{'ns' * QUANTITIES[name].is_time}" for name, value in every.items())])


def refusal(request) -> str:
    """Why the machine cannot be divided so, or nothing."""
    count, interface = request.values["multiprocessors"], request.values["interface"]
    if count == 1:
        alone = "one alone has an interface by its design (transport=interfaces:1)"
        several = f"INTERFACE={interface} is about several, and {alone}: say MULTIPROCESSORS=2, too."
        return several if interface else ""
    word = f"MULTIPROCESSORS={count}"
    if request.machines > 1:
        boots = f"BOOTS={request.machines}"
        return f"{word} divides one machine, and {boots} boots several: leave out one of them."
    if request.processors % count:
        what = f"{counted(request.processors, 'processor')} cannot be divided into {word}"
        return f"{what}: take a multiple of {count} (PROCESSORS=)."
    gang = request.values["gang"]
    if is_modelled(request.values) and gang not in ("design", PRIVATE):
        return f"{word} on a modelled machine, where each node keeps its processor: leave out GANG={gang}."
    for job in request.jobs:
        what = f"Job {job.name} has {counted(job.nodes, 'node')} for {word}"
        if job.nodes < count:
            return f"{what}: take at least {count} (NODES=), or fewer multiprocessors."
        if job.nodes % count:
            return f"{what}, which have as many each: take a multiple of {count} (NODES=)."
        each, pools = job.nodes // count, said(request.values).get("pools", 1)
        if pools > each:
            what = f"Job {job.name} has {counted(each, 'node')} in each multiprocessor for pools={pools}"
            return f"{what}: take at most {each} (INTERFACE=)."
        if is_modelled(request.values) and job.processes != request.processors:
            return (
                f"{word} on a modelled machine, where each node has a processor of its own multiprocessor: "
                f"job {job.name} has {counted(job.processes, 'process', 'processes')} for "
                f"{counted(request.processors, 'processor')}, so take "
                "as many (PROCESSORS=, NODES=)."
            )
        if is_modelled(request.values) and job.schedule == "timeshared":
            return f"{word} on a modelled machine, where each node keeps its processor: leave out SCHEDULE=."
        for design in job.design.split():
            if "transport=" in design and not re.search(rf"transport=interfaces:{count}\b", design):
                own = f"transport=interfaces:{count}"
                return f"{word} is {own}, and {design} names another transport: leave out one of them."
    return ""


def check(request) -> None:
    if sentence := refusal(request):
        raise BadRequest(sentence)
    if not request.values["interface"]:
        return
    asked(request.values["interface"])
    for job in request.jobs:
        for design in job.design.split():
            if "transport=" in design and transport(request.values) not in design:
                what = f"INTERFACE= and {design} both say what an interface takes"
                raise BadRequest(f"{what}: leave out one of them.")
