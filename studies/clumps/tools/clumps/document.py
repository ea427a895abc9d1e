# SPDX-License-Identifier: MIT
"""The thesis's tables as printed.toml has them."""

import os
import tomllib
from dataclasses import dataclass

PATH = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "printed.toml")
PARALLEL = ("1P", "2P", "3P")  # one to three parallel jobs
# Of table 7.7: on one multiprocessor nobody who waits sleeps, each does, and nobody does where a network is
# polled as well; and workstations.
COLUMNS = ("looking on", "sleeping", "both protocols", "workstations")


@dataclass(frozen=True)
class Printed:
    """All by claim; loggp by parameter first, many_to_one by the number of writers, dedicated and half of its
    intervals by program, multiprogrammed by program and mix of jobs, without what took too long to run."""

    claims: list[str]
    loggp: dict[str, dict[str, float]]
    many_to_one: dict[int, dict[str, float]]
    dedicated: dict[str, dict[str, float]]
    dedicated_half: dict[str, dict[str, float]]
    multiprogrammed: dict[str, dict[str, dict[str, float]]]
    yields: dict[str, dict[int, dict[str, float]]]  # by program, us and mix: times as long as one job alone
    lengths: dict[str, dict[int, dict[str, float]]]  # likewise, by packets of a queue
    blocks: dict[int, dict[str, float]]  # of 3-D FFT, by blocks of a bulk queue
    half: float  # kB
    one_multiprocessor: dict[str, float]  # table 6.6, time beside workstations, by program
    shared_interfaces: dict[str, float]  # table 7.8, likewise of multiprocessors that share interfaces
    private_interfaces: dict[str, float]  # table 7.9, likewise where each process has one of its own
    both_protocols: dict[str, dict[str, float]]  # table 7.7 in seconds, by program and column
    imbalance: dict[str, float]  # table 7.10: the slowest process beside the fastest
    polling: dict[str, float]  # round trips in us, by how often the far source is looked into
    protocols: dict[str, dict[str, float]]  # table 7.6 by parameter: one, within and between multiprocessors
    send: dict[str, tuple[float, float]]  # parts of a send in cycles, and what they come to with it
    coherent: list[str]  # which of them are
    projected: dict[str, dict]  # of a send, by machine


def read(path: str = PATH) -> Printed:
    with open(path, "rb") as file:
        found = tomllib.load(file)
    claims = found["claims"]

    def by_claim(cells: str) -> dict[str, float]:
        found = zip(claims, cells.split(), strict=True)
        return {claim: float(cell) for claim, cell in found if cell != "-"}

    def by_jobs(rows: dict[str, str]) -> dict[int, dict[str, float]]:
        return {
            int(at): dict(zip(PARALLEL, map(float, cells.split()), strict=True)) for at, cells in rows.items()
        }

    return Printed(
        claims,
        {name: by_claim(cells) for name, cells in found["loggp"].items()},
        {int(writers): by_claim(cells) for writers, cells in found["many_to_one"].items()},
        {name: by_claim(cells) for name, cells in found["dedicated"].items()},
        {name: by_claim(cells) for name, cells in found["dedicated_half"].items()},
        {
            name: {mix: by_claim(cells) for mix, cells in mixes.items()}
            for name, mixes in found["multiprogrammed"].items()
        },
        {program: by_jobs(rows) for program, rows in found["yields"].items()},
        {program: by_jobs(rows) for program, rows in found["lengths"].items()},
        by_jobs(found["blocks"]),
        found["bandwidth"]["half"],
        found["one_multiprocessor"],
        found["shared_interfaces"],
        found["private_interfaces"],
        {
            program: dict(zip(COLUMNS, map(float, cells.split()), strict=True))
            for program, cells in found["both_protocols"].items()
        },
        found["imbalance"],
        found["polling"],
        {
            name: dict(zip(("one", "within", "between"), map(float, cells.split()), strict=True))
            for name, cells in found["protocols"].items()
        },
        {name: (cycles, total) for name, (cycles, total) in found["send"].items()},
        found["projected"]["coherent"],
        found["projected"]["machines"],
    )
