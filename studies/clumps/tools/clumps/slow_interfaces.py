# SPDX-License-Identifier: MIT
"""EM3D where network interfaces are so slow that they decide, and not what processors do for a message: the
processors of a multiprocessor have one of them, two pooled, or two of which each serves processes of its own,
beside what the model of chapter 8 gives."""

from collections.abc import Mapping
from dataclasses import replace

from clumps.modelled_runs import Run, Told
from clumps.modelled_statements import below, within
from clumps.network import MODEL, NODES, chapter_8, mesh_run, shape
from clumps.sharing import Machine
from parley_study.statements import Verdict
from parley_study.tables import table

MESSAGE = "message=30us"  # for which each has a wire, where the machine's file says 2
MULTIPROCESSORS = 2
WORKSTATIONS = "workstations"
ONE, POOLED, DIVIDED = "1 interface", "2 pooled", "2 divided"
WORDS = {ONE: "", POOLED: ",number=2", DIVIDED: ",pools=2"}
TWO = Machine(NODES // MULTIPROCESSORS, 2)
# As the model has them.
MACHINES = {ONE: Machine(TWO.processors, 1), POOLED: TWO, DIVIDED: TWO.divided()}


def runs_of() -> dict[str, Run]:
    shared = mesh_run(MULTIPROCESSORS)
    return {
        WORKSTATIONS: replace(mesh_run(NODES), interface=MESSAGE),
        **{name: replace(shared, interface=MESSAGE + words) for name, words in WORDS.items()},
    }


def predicted(slow: Mapping[str, Told], one: Told, alone: Told, name: str) -> float:
    """us. `one`: of one multiprocessor; `alone`: without messages. Neither sends over an interface."""
    return chapter_8(slow[WORKSTATIONS], one, alone, slow[name].remote, MACHINES[name])


def lines(slow: Mapping[str, Told], one: Told, alone: Told) -> list[str]:
    return table(
        f"EM3D over interfaces that have each message for 30 us, on {shape(MULTIPROCESSORS)}; on "
        f"workstations it takes {slow[WORKSTATIONS]['time']:g} us",
        ["of a multiprocessor", "us", "by chapter 8"],
        [
            [name, f"{slow[name]['time']:g}", f"{predicted(slow, one, alone, name):.0f}"]
            for name in MACHINES
        ],
    )


def statements(slow: Mapping[str, Told], one: Told, alone: Told) -> list[Verdict]:
    found = {name: (slow[name]["time"], predicted(slow, one, alone, name)) for name in MACHINES}
    return [
        Verdict(
            f"EM3D over slow interfaces follows chapter 8's model within {100 * MODEL:g} %",
            {
                name: (within(time, model, MODEL), f"{time:.0f} us, by the model {model:.0f}")
                for name, (time, model) in found.items()
            },
        ),
        Verdict(
            "EM3D over slow interfaces is faster where two are pooled than where they are divided",
            {shape(MULTIPROCESSORS): below(found[POOLED][0], found[DIVIDED][0])},
        ),
    ]
