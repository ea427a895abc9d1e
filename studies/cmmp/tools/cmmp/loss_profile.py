# SPDX-License-Identifier: MIT
"""LOSSES=cmmp-1978: all that slowed C.mmp's programs down, by one word. Under CLOCK=modelled the machine has
some of it itself, two speeds or banks that serve one reference after the other: that is not injected once
more. There the kernel only places pages in the machine's banks and lets fast processors take over from slow
ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cmmp import device, time_slices
from parley_runner.status import BadRequest

if TYPE_CHECKING:
    from parley_runner.machine_file import Machine

NAME = "cmmp-1978"
# Oleinick (1978): slices of 0.5 s, ten to an allotment, and a request of 150 ms (3.4.4); the fixed-head disks
# of 1.1.
ALWAYS = {
    "schedule": "timeshared",
    "disk": "fixed-head",
    "slice": "500ms",
    "allotment": 10,
    "request": "150ms",
    "every": device.EVERY,
    "service": device.SERVICE,
    "pages": "apart",
    "memory": 64,  # MiB, of which a bank has a sixteenth
}
OF = {"slice": ("allotment", "request"), "device": ("every", "service")}  # what goes with a part left out
BANKS = "585x5,671,585x2,671x4,585x4"  # ns a reference, tables 3.2 and 3.3


def machine_of(values: dict) -> Machine | None:
    """The modelled machine of a run that has this profile; None where it has none."""
    if values["losses"] is None or values["clock"] != "modelled" or values["machine"] is None:
        return None
    from parley_runner import machine_file  # which knows all keys, of which these are some

    return machine_file.read(values["machine"])


def has_banks(machine: Machine | None) -> bool:
    return machine is not None and "memory.word" in machine.parameters


def banks_of(machine: Machine | None) -> int:
    """How many it has itself."""
    return machine.parameters["memory.banks"] if machine is not None and has_banks(machine) else 0


def slow_ones(machine: Machine) -> list[int]:
    mask = machine.parameters.get("slow.processors", 0)
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def fast_ones() -> int:
    """How many of C.mmp's processors are fast, by its model: the rest, which come last, are slow."""
    from parley_runner import machine_file

    return slow_ones(machine_file.read("cmmp"))[0]


def implied(values: dict) -> dict:
    """What the profile says of the keys that the request leaves out."""
    if values["losses"] is None:
        return {}
    machine, count = machine_of(values), values["processors"] or values["nodes"] * values["pids"]
    found = ALWAYS | {"device": "owner:0" if count == 1 else "owner:0,asker:1"}
    found["tick"] = time_slices.tick_of(values["slice"])
    for key, its in OF.items():
        if values[key] == "none":
            found = {name: value for name, value in found.items() if name not in its}
    if not has_banks(machine):
        found["banks"] = BANKS
    fast = fast_ones()
    if (machine is None or not slow_ones(machine)) and count > fast:
        found["speeds"] = f"fast:{fast},slow:{count - fast}"
    return found


def check(values: dict, processors: int) -> None:
    machine = machine_of(values)
    if machine is None:
        return
    slow = [number for number in slow_ones(machine) if number < processors]
    if slow and slow != list(range(slow[0], processors)):
        raise BadRequest(
            f"LOSSES={values['losses']} wants a machine whose slow processors come last, and of the "
            f"{processors} of MACHINE={values['machine']} number {slow[0]} is slow and a later one is not."
        )
    if slow and values["speeds"] is not None:
        raise BadRequest(
            f"MACHINE={values['machine']} has slow processors itself: leave out SPEEDS, or LOSSES."
        )
    if has_banks(machine) and values["banks"] is not None:
        raise BadRequest(f"MACHINE={values['machine']} has banks itself: leave out BANKS, or LOSSES.")
    check_width(values, machine)


def check_width(values: dict, machine: Machine) -> None:
    """Whether the kernel's equal parts of memory are the machine's banks."""
    if not has_banks(machine):
        return
    banks, width = machine.parameters["memory.banks"], machine.parameters["memory.width"]
    if banks * width != values["memory"] << 20:
        raise BadRequest(
            f"The banks of MACHINE={values['machine']} are {banks * width >> 20} MiB together, and LOSSES="
            f"{values['losses']} places pages in them: say MEMORY={banks * width >> 20}, or leave it out."
        )


def words(values: dict, processors: int) -> list[str]:
    """For the kernel (measuring/losses.hpp): what it does on a machine that has speeds and banks itself."""
    machine = machine_of(values)
    if machine is None:
        return []
    found = []
    if slow := sum(number < processors for number in slow_ones(machine)):
        found += [f"slow={slow}", "slowdown=100", f"stealing={0 if values['stealing'] == 'off' else 1}"]
    if has_banks(machine):
        found += [f"banks={machine.parameters['memory.banks']}", "samples=0"]
    return found
