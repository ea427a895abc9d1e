# SPDX-License-Identifier: MIT
"""The recommendations of the paper's conclusion, examined on a modelled machine: which of them its numbers
bear out. They are told, with their evidence, and fail nothing."""

from dataclasses import dataclass

from paper import modelled_results
from paper.modelled_boots import BROADCAST, CONTENDERS, SENDERS, UNALIGNED, USER
from paper.orderings import FAR_ABOVE, FLAT

VIRTUAL = 1.06  # the paper: being virtual costs under 6 %
POINT = 16


@dataclass(frozen=True)
class Examined:
    number: str  # in the conclusion
    advice: str
    holds: bool | None  # None: no number can tell
    evidence: str


def examine(records: dict[str, dict]) -> list[Examined]:
    ring = modelled_results.curves(records["ring"])
    read = modelled_results.curves(records["ring only-read"])
    static = modelled_results.curves(records["static"])["exp6"]
    contend = modelled_results.by_name(records["contend"])
    fft = times(records, ("fft 8", "unaligned"), ("fft time", 1024 * POINT))
    simplex = times(records, ("simplex 4", "simplex others"), ("simplex time", 0))
    waits = {name: contend[name][f"to one, {SENDERS}", 0] for name in CONTENDERS}
    locked, circular, lanes = waits.values()
    kernel, user = ring["exp1"][128], ring["exp5"][128]
    virtual = ring["exp6"][128] / static[128]
    best = {
        "a message of 4096 bytes": least({d: ring[d][4096] for d in ring}),
        "the FFT on 8 nodes": least({d: fft[d] for d in ("exp1", "exp2", "exp6")}),
        "Simplex on 4 nodes": least({d: simplex[d] for d in ("exp1", "exp2", "exp6")}),
    }
    blocking = ring["exp4"][128] / ring["exp6"][128]
    return [
        Examined(
            "1",
            "Customise: no message system is best for every application",
            len(set(best.values())) > 1,
            "; ".join(f"{what}: {design}" for what, design in best.items()),
        ),
        Examined(
            "2, 3",
            "Avoid context switches, and primitives that block",
            blocking >= FAR_ABOVE,
            f"blocking is {blocking:.2f} times spinning at 128 bytes",
        ),
        Examined(
            "4",
            "Organise queues so that senders do not contend for a lock",
            circular < locked,
            f"{SENDERS} senders to one, us a message of each: one lock {us(locked)}, entries claimed in turn"
            f" {us(circular)}, a ring for each sender {us(lanes)}",
        ),
        Examined(
            "5a",
            "Do not copy what is not accessed",
            ring["exp2"][4096] < ring["exp1"][4096],
            f"4096 bytes: pointer {ring['exp2'][4096]:.5g} us, single copy {ring['exp1'][4096]:.5g}; read by"
            f" their receivers {read['exp2'][4096]:.5g} and {read['exp1'][4096]:.5g}",
        ),
        Examined(
            "5b",
            "Copy where symmetric programs contend for memory",
            fft["exp1"] < fft["exp2"],
            f"the FFT on 8 nodes: pointer {fft['exp2']:.5g} us, single copy {fft['exp1']:.5g}",
        ),
        Examined(
            "5c",
            "Choose addresses that do not meet in the cache",
            fft[UNALIGNED] < fft["exp2"],
            f"the FFT on 8 nodes, pointer: buffers at multiples of 64 KiB {fft['exp2']:.5g} us, at any place"
            f" {fft[UNALIGNED]:.5g}",
        ),
        Examined(
            "5d",
            "Broadcast from one copy in the cache",
            simplex[BROADCAST] < simplex["exp6"],
            f"Simplex on 4 nodes: a copy for each {simplex['exp6']:.5g} us, one for all"
            f" {simplex[BROADCAST]:.5g}",
        ),
        Examined(
            "6",
            "Take a system in the kernel to ease porting and debugging",
            None,
            f"its price is {kernel - user:.5g} us, {100 * (kernel / user - 1):.0f} % at 128 bytes and"
            f" {100 * (ring['exp1'][4096] / ring['exp5'][4096] - 1):.0f} % at 4096",
        ),
        Examined(
            "7",
            "Take a system in user space for many small messages",
            user < kernel and simplex[USER] < simplex["exp6"],
            f"128 bytes: kernel {kernel:.5g} us, user {user:.5g}; Simplex on 4 nodes: kernel"
            f" {simplex['exp6']:.5g}, user {simplex[USER]:.5g}",
        ),
        Examined(
            "8",
            "Customise by objects: virtual calls cost little",
            virtual < VIRTUAL < FLAT,
            f"{100 * (virtual - 1):.1f} % of a message of 128 bytes; the paper: under 6 %",
        ),
    ]


def times(records: dict[str, dict], boots: tuple[str, ...], key: tuple) -> dict[str, float]:
    """Of each job of these boots, in us."""
    return {
        name: rows[key] / 1000
        for boot in boots
        for name, rows in modelled_results.by_name(records[boot]).items()
    }


def least(times: dict[str, float]) -> str:
    return min(times, key=times.get)


def us(nanoseconds: float) -> str:
    return f"{nanoseconds / 1000:.4g}"
