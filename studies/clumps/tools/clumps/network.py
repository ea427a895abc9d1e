# SPDX-License-Identifier: MIT
"""Several multiprocessors on the modelled machine, which network interfaces join: the runs, their tables, and
what is asked of them. What is printed is table 7.6, of the thesis's Myrinet, and what section 7.3 and chapter
8 say of processors that share an interface."""

from collections.abc import Mapping
from dataclasses import replace

from clumps.document import Printed
from clumps.modelled_runs import WARM, Run, Told
from clumps.modelled_statements import below, within
from clumps.sharing import Coupling, Machine
from parley_study.statements import Verdict
from parley_study.tables import table

CLAIM = "lock-free"  # the thesis's, in all of chapter 7
POLLING = "adaptive:4:64"  # and table 4.1's
NODES = 8
LOGGP = f"--samples 2 --trips 20 --burst 16 --blocks 16 {WARM}"
MESH = "--samples 2 --steps 2 --values 40 --degree 10 --remote 40"
DIVISIONS = (1, 2, 4, 8)  # into so many multiprocessors
WITHIN, BETWEEN = "within", "between"  # two nodes of one multiprocessor of several, or of two

NEAR = 0.15  # of printed numbers
ADDED = 0.20  # what a network may add to a round trip within a multiprocessor, printed are 19 %
FACTOR = 0.25  # how far a ratio may be from the printed one
MODEL = 0.15  # how far a time may be from what the model of chapter 8 gives


def loggp_runs() -> dict[str, Run]:
    """Nodes 0 and 1 measure: of two multiprocessors, or of one of two."""
    return {
        WITHIN: Run("loggp", CLAIM, 4, LOGGP, multiprocessors=2, polling=POLLING),
        BETWEEN: Run("loggp", CLAIM, 2, LOGGP, multiprocessors=2, polling=POLLING),
    }


def mesh_run(multiprocessors: int) -> Run:
    words = f"{MESH} --processors {NODES // multiprocessors}"
    polling = POLLING if multiprocessors > 1 else ""
    return Run("em3d", CLAIM, NODES, words, multiprocessors=multiprocessors, polling=polling)


def mesh_runs() -> dict[int, Run]:
    return {count: mesh_run(count) for count in DIVISIONS}


def divided(run: Run, multiprocessors: int) -> Run:
    """The same on so many, by whose size it tells what it sends to others."""
    if multiprocessors == 1:
        return run
    words = f"{run.arguments} --processors {run.nodes // multiprocessors}"
    return replace(run, arguments=words, multiprocessors=multiprocessors, polling=POLLING)


def alone_run() -> Run:
    """The same mesh on workstations where no value depends on another block's: what is no communication."""
    run = mesh_run(NODES)
    return replace(run, arguments=run.arguments.replace("--remote 40", "--remote 0"))


def runs() -> list[Run]:
    return [*loggp_runs().values(), *mesh_runs().values(), alone_run()]


def shape(multiprocessors: int) -> str:
    return f"{multiprocessors} of {NODES // multiprocessors}"


def chapter_8(workstations: Told, one: Told, alone: Told, remote: float, machine: Machine) -> float:
    """By the model of chapter 8, from the times on workstations, on one multiprocessor, and without messages,
    and the part of its messages that a node sends to others: us on multiprocessors like that."""
    everywhere, local = workstations["time"], one["time"]
    utilization = 1 - alone["time"] / everywhere
    local_cost = min(1.0, max(0.0, (local - alone["time"]) / (everywhere - alone["time"])))
    coupling = Coupling(remote / workstations.remote, local_cost)
    return everywhere * coupling.slowdown(utilization, machine.independent)


def predicted(mesh: Mapping[int, Told], alone: Told, multiprocessors: int) -> float:
    """us on so many, with an interface each."""
    machine = Machine(NODES // multiprocessors, 1)
    return chapter_8(mesh[NODES], mesh[1], alone, mesh[multiprocessors].remote, machine)


def lines(
    single: Told, loggp: Mapping[str, Told], mesh: Mapping[int, Told], alone: Told, printed: Printed
) -> list[str]:
    columns = {
        "one multiprocessor": single,
        "within one of two": loggp[WITHIN],
        "between two": loggp[BETWEEN],
    }
    names = ("one", WITHIN, BETWEEN)
    rows = []
    for name, cells in printed.protocols.items():
        row = [name]
        for told, column in zip(columns.values(), names, strict=True):
            mean, half = told.figures[name]
            row.append(f"{mean:g}+-{half:g} ({cells[column]:g})")
        rows.append(row)
    times = [
        [shape(count), f"{told['time']:g}", f"{100 * told.remote:.0f} %"]
        + ["-" if count in (1, NODES) else f"{predicted(mesh, alone, count):.0f}"]
        for count, told in mesh.items()
    ]
    return [
        *table("Table 7.6 (printed), all three columns: LogGP in us, and G in ns/B", ["", *columns], rows),
        *table(
            f"EM3D on {NODES} processors, multiprocessors of one interface each; without messages it takes "
            f"{alone['time']:g} us",
            ["multiprocessors", "us", "messages to others", "by chapter 8"],
            times,
        ),
    ]


def statements(
    single: Told, loggp: Mapping[str, Told], mesh: Mapping[int, Told], alone: Told, printed: Printed
) -> list[Verdict]:
    far, near = loggp[BETWEEN], loggp[WITHIN]
    table_7_6 = {name: cells[BETWEEN] for name, cells in printed.protocols.items()}
    ratios = {
        name: (far[name] / near[name], cells[BETWEEN] / cells[WITHIN])
        for name, cells in printed.protocols.items()
        if name in ("RTT", "g", "G")
    }
    workstations = mesh[NODES]["time"]
    shared = [count for count in DIVISIONS if 1 < count < NODES]
    limit = (1 + ADDED) * single["RTT"]
    return [
        Verdict(
            "between multiprocessors L is above zero: the wire is no overlap",
            {BETWEEN: (far["L"] > 0, f"{far['L']:.1f} us")},
        ),
        Verdict(
            f"between multiprocessors L is within {100 * NEAR:g} % of table 7.6's, by which it is calibrated",
            {"L": (within(far["L"], table_7_6["L"], NEAR), f"{far['L']:.2f}, printed {table_7_6['L']:g} us")},
        ),
        Verdict(
            f"between multiprocessors G is within {100 * NEAR:g} % of table 7.6's",
            {
                "G": (
                    within(far["G"], table_7_6["G"], NEAR),
                    f"{far['G']:.1f}, printed {table_7_6['G']:g} ns/B",
                )
            },
        ),
        Verdict(
            f"between multiprocessors round trip, o_s, o_r and g are within {100 * NEAR:g} % of table 7.6's",
            {
                name: (
                    within(far[name], table_7_6[name], NEAR),
                    f"{far[name]:.1f}, printed {table_7_6[name]:g} us",
                )
                for name in ("RTT", "o_s", "o_r", "g")
            },
        ),
        Verdict(
            "between multiprocessors to receive takes longer than to send",
            {BETWEEN: below(far["o_s"], far["o_r"])},
        ),
        Verdict(
            f"a round trip within a multiprocessor takes at most {100 * ADDED:g} % longer where a network is "
            "polled as well",
            {WITHIN: (near["RTT"] <= limit, f"{near['RTT']:.1f} us, and {limit:.1f} are allowed")},
        ),
        Verdict(
            "beside those within a multiprocessor, round trip, gap and G between two are as many times as "
            f"long as table 7.6's, within {100 * FACTOR:g} %",
            {
                name: (within(ours, theirs, FACTOR), f"{ours:.1f} times, printed {theirs:.1f}")
                for name, (ours, theirs) in ratios.items()
            },
        ),
        Verdict(
            "EM3D is faster on multiprocessors that share an interface than on workstations",
            {shape(count): below(mesh[count]["time"], workstations) for count in shared},
        ),
        Verdict(
            "EM3D is fastest on one multiprocessor",
            {shape(count): below(mesh[1]["time"], mesh[count]["time"]) for count in DIVISIONS[1:]},
        ),
        Verdict(
            f"EM3D's times on multiprocessors are within {100 * MODEL:g} % of what chapter 8's model gives",
            {
                shape(count): (
                    within(mesh[count]["time"], predicted(mesh, alone, count), MODEL),
                    f"{mesh[count]['time']:.0f} us, by the model {predicted(mesh, alone, count):.0f}",
                )
                for count in shared
            },
        ),
    ]
