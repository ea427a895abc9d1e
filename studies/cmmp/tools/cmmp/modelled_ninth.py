# SPDX-License-Identifier: MIT
"""What a slow processor as the ninth costs (C18). Who spins keeps a fast processor, which cannot take over
then what runs on the slow one; without stealing none does under the kernel's semaphore either."""

from dataclasses import dataclass

from cmmp import modelled_roots
from cmmp.modelled_boots import AUTHENTIC_KINDS, KEPT, MOST
from cmmp.modelled_roots import Estimate
from cmmp.modelled_rows import STAGE, value
from cmmp.modelled_verdict import SPEEDUP_WITHIN, Verdict, by_roots

KERNEL = f"authentic kernel {MOST}"


@dataclass
class Ninth:
    """In nanoseconds; KEPT stands for the kernel's semaphore without stealing."""

    stages: dict[str, float]  # kind, or KEPT -> the mean stage with it
    fast: dict[str, float]  # kind -> with nine fast ones
    under_spin: dict[str, Estimate]  # kind, or KEPT -> by how much more it costs a stage under spin
    kept: Estimate  # by how much longer stages are without stealing


def of(records: dict[str, dict]) -> Ninth:
    slow = {kind: f"authentic {kind} {MOST}" for kind in AUTHENTIC_KINDS} | {KEPT: KEPT}
    fast = {kind: f"nine fast {kind}" for kind in AUTHENTIC_KINDS}
    beside = {kind: (records[slow[kind]], records[fast["kernel" if kind == KEPT else kind]]) for kind in slow}
    return Ninth(
        stages={kind: value(records[name], STAGE) for kind, name in slow.items()},
        fast={kind: value(records[name], STAGE) for kind, name in fast.items()},
        under_spin={
            kind: modelled_roots.longer(beside["spin"], pair)
            for kind, pair in beside.items()
            if kind != "spin"
        },
        kept=modelled_roots.more(records[KEPT], records[KERNEL]),
    )


def milliseconds(one: Estimate) -> str:
    return f"{Estimate(one.mean / 1e6, one.error / 1e6):.1f} ms"


def judge(found: Ninth) -> list[Verdict]:
    extra = {
        kind: (stage - found.fast["kernel" if kind == KEPT else kind]) / 1e6
        for kind, stage in found.stages.items()
    }
    allowed = SPEEDUP_WITHIN * found.fast["kernel"]

    def both(kind: str) -> str:
        more = milliseconds(found.under_spin[kind])
        return f"{extra['spin']:.1f} and {extra[kind]:.1f} ms, root by root {more} more under spin"

    made = [
        by_roots(
            f"C18: a slow processor as the ninth costs a stage more under spin than under {kind}",
            found.under_spin[kind].is_above(0),
            both(kind),
            f"authentic spin {MOST}, authentic {kind} {MOST}, nine fast *",
        )
        for kind in found.under_spin
        if kind != KEPT
    ]
    return [
        *made,
        by_roots(
            "C18: without stealing it costs more under kernel than with it",
            found.kept.is_above(0),
            f"stages of {found.stages[KEPT] / 1e6:.1f} and {found.stages['kernel'] / 1e6:.1f} ms, root by"
            f" root {milliseconds(found.kept)} more",
            f"{KEPT}, {KERNEL}",
        ),
        by_roots(
            "C18: without stealing it costs as much under kernel as under spin",
            found.under_spin[KEPT].is_within(-allowed, allowed),
            f"{both(KEPT)}, of {allowed / 1e6:.1f} that are alike",
            f"authentic spin {MOST}, {KEPT}, nine fast *",
        ),
    ]
