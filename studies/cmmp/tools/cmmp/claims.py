# SPDX-License-Identifier: MIT
"""What the documents state, judged: each claim with its verdict and the evidence."""

import math
import statistics
from dataclasses import dataclass

from cmmp import documents, model, study, theory
from cmmp.simulation import Machine
from cmmp.study import KINDS, Results

HOLDS, FAILS, UNJUDGED = "holds", "DOES NOT HOLD", "not judged"
NEAR = 0.25  # of a prediction
POLICY_PATH = ("policy-0", "policy-1:0s")
DIRTIED = 8  # pages, by costs.c
HARPY = "HARPY's, by its own tool, harpy.py model; make paper STUDY=cmmp prints it last"
MODELLED = "here it would follow from what was put in; make paper STUDY=cmmp CLOCK=modelled judges it"
MISSING = {
    "C05": "HARPY's, by its own tool, harpy.py native; make paper STUDY=cmmp prints it last",
    "C11": MODELLED,
    "C16": MODELLED,
    "C23": HARPY,
    "C24": HARPY,
    "C25": HARPY,
    "C26": MODELLED,
}


@dataclass
class Claim:
    number: str
    statement: str
    holds: bool | None  # None: not judged
    evidence: str

    @property
    def verdict(self) -> str:
        return UNJUDGED if self.holds is None else HOLDS if self.holds else FAILS

    def sentence(self) -> str:
        return ": ".join(filter(None, (f"{self.number} {self.verdict}", self.statement, self.evidence)))


def failed(judged: list[tuple[str, list[Claim]]]) -> list[str]:
    """The claims that were judged and do not hold, each with the title of its list."""
    return [f"{claim.number} ({title})" for title, made in judged for claim in made if claim.holds is False]


def listed(values, form: str = "{:.3g}") -> str:
    return ", ".join(f"{name} {form.format(value)}" for name, value in values)


def exact(whole: Results) -> list[Claim]:
    stages = {n: theory.stages(n) for n in range(1, 13)}
    answers = [(n, answer) for by_n in whole.authentic.values() for n, answer in by_n.items()]
    right = tuple(stages.values()) == documents.STAGES and all(
        answer["stages"] == study.ROOTS * documents.STAGES[n - 1] for n, answer in answers
    )
    off = max(
        abs(theory.speedup(kind, n, 0.278) - printed)
        for n, row in documents.THEORY.items()
        for kind, printed in zip(theory.KINDS, row)
    )
    alternating = max(
        abs(
            n * sum(math.comb(n - 1, j) * (-1) ** j / (j + 1) ** 2 for j in range(n))
            - theory.largest("exponential", n)
        )
        for n in range(1, 13)
    )
    bounds = {"constant": 0.0, "normal": 0.25, "exponential": 1.0}
    room = min(
        theory.largest_at_most(n, bounds[lengths]) / mean - 1
        for lengths, means in whole.largest.items()
        for n, mean in means.items()
        if n > 1
    )
    wrong = sum(answer["wrong"] for _, answer in answers)
    return [
        Claim("C01", "stages are those of the printed table", right,
              f"{len(answers)} runs, 1 to 12 processes under {len(whole.authentic)} kinds"),
        Claim("C02", "theory's speed-ups are those that follow from the equations", off <= 6e-4,
              f"largest difference {off:.1e} over 36 values"),
        Claim("C03", "equation 3.4 is the mean times a harmonic sum", alternating < 1e-9,
              f"largest difference {alternating:.0e}"),
        Claim("C04", "the mean of a stage's longest evaluation is below bound 3.3", room > -0.02,
              f"smallest room {100 * room:.1f} %, where the bound is reached by constant lengths"),
        Claim("C09", "all find the same 50 roots, within epsilon", wrong == 0,
              f"{wrong} wrong of {len(answers) * study.ROOTS}"),
    ]  # fmt: skip


def per_wait(results: Results, kind: str, name: str) -> float:
    counts = results.counts[kind]
    return counts[name] / counts["waits"] if counts["waits"] else 0.0


def dirty_pages(results: Results) -> Claim:
    """Of boots, where the profile has any: what is written more for a process that writes to more."""
    written = {
        kind: counts.get("pages, some dirtied", 0) - counts.get("pages, none dirtied", 0)
        for kind, counts in results.measured.items()
        if kind in KINDS
    }
    return Claim("C06", "pages written for a P that waits are those that are dirty",
                 all(pages == (DIRTIED if kind in POLICY_PATH else 0) for kind, pages in written.items()),
                 f"boots whose counts are kept, for {DIRTIED} more pages that were written to: "
                 + listed(written.items(), "{:g}"))  # fmt: skip


def counted(results: Results) -> list[Claim]:
    writes = {kind: per_wait(results, kind, "page writes") for kind in KINDS}
    runs = {kind: per_wait(results, kind, "policy requests") for kind in KINDS}
    eager = all(writes[kind] == 1 for kind in POLICY_PATH)
    lazy = all(writes[kind] == 0 for kind in KINDS if kind not in POLICY_PATH)
    through = all(runs[kind] >= 1 for kind in POLICY_PATH)
    past = all(runs[kind] == 0 for kind in KINDS if kind not in POLICY_PATH)
    calls = results.counts["spin"]["calls"]
    return [
        dirty_pages(results) if any("pages, some dirtied" in one for one in results.measured.values()) else
        Claim("C06", "pages written for a P that waits", eager and lazy, listed(writes.items(), "{:g}")),
        Claim("C07", "policy processes that run for a wake-up; calls into the kernel under spin",
              through and past and calls == 0,
              listed(runs.items(), "{:.3g}") + f"; spin's calls {calls}"),
    ]  # fmt: skip


def serial(results: Results) -> Claim:
    """While policy processes stop the last processes of a stage, and look for their pages, the first wake-ups
    are farther apart than the others: a line, with a bend that the search makes."""
    lines, good = [], True
    for kind in KINDS:
        costs = results.thresholds[kind].costs
        wanted = max(costs.v, costs.service / costs.servers if costs.servers else 0)
        found, explained = study.slope(results.unsearched[kind]["woken after"])
        good = good and explained > 0.95 and abs(found / wanted - 1) <= NEAR
        line = f"{kind} {found / wanted:.3f} times (r2 {explained:.3f})"
        woken, at_once = (one[kind]["woken after"] for one in (results.serial, results.unsearched))
        if woken != at_once:
            expected = model.wake_ups(costs, study.MOST, results.length)
            off = max(abs(one / other - 1) for one, other in zip(expected, woken))
            good = good and off <= NEAR
            line += (
                f", with the search r2 {study.slope(woken)[1]:.3f}, "
                f"the first {woken[1] - woken[0]:,.0f} apart and the last {woken[-1] - woken[-2]:,.0f}, "
                f"{woken[-1] - at_once[-1]:,.0f} later; each within {100 * off:.0f} % of the model"
            )
        lines.append(line)
    statement = (
        "the k-th wake-up of a stage comes in proportion to k, each after the cost of V or a policy process,"
        " once all have been stopped; before, each also after a stop and its search for pages"
    )
    return Claim("C08", statement, good, "; ".join(lines))


def thresholds(results: Results) -> list[Claim]:
    found = {kind: one.found for kind, one in results.thresholds.items()}
    ordered = list(found.values())
    errors = {kind: one.error for kind, one in results.thresholds.items() if kind != "spin"}
    return [
        Claim("C13", "thresholds rise from spin over kernel and policy-1 to policy-0",
              all(one < other for one, other in zip(ordered, ordered[1:])),
              listed(((kind, value / 1e6) for kind, value in found.items()), "{:.3g} ms")),
        Claim("C14", "the model predicts thresholds within 25 % from what P and V cost",
              all(abs(error) <= NEAR for error in errors.values()),
              listed(((kind, 100 * error) for kind, error in errors.items()), "{:+.1f} %")),
    ]  # fmt: skip


def mean_at(results: Results, kind: str, lengths: str, n: int) -> float:
    return statistics.mean(results.speedups[kind, lengths][n])


def shapes(whole: Results, machine: Machine) -> list[Claim]:
    made = []
    spin = {
        lengths: {n: mean_at(whole, "spin", lengths, n) for n in range(1, study.MOST + 1)}
        for lengths in theory.KINDS
    }
    ordered = all(spin["constant"][n] > spin["normal"][n] > spin["exponential"][n] for n in range(2, 10))
    ends = {lengths: curve[study.MOST] for lengths, curve in spin.items()}
    made.append(
        Claim("C10", "speed-ups of constant lengths are above normal ones and these above exponential ones",
              ordered and ends["exponential"] < 1.2 and ends["constant"] < 3.375,
              f"at nine processes {listed(ends.items())}")
    )  # fmt: skip
    made += [correlated(whole), normalised(whole, machine)]
    gaps = {
        lengths: mean_at(whole, "spin", lengths, 7) / mean_at(whole, "policy-0", lengths, 7)
        for lengths in ("constant", "exponential")
    }
    made.append(
        Claim("C17", "spin is far above policy-0 for constant lengths, little for exponential ones",
              gaps["constant"] > 1.3 > gaps["exponential"],
              f"seven processes, mean 375 ms: {listed(gaps.items(), '{:.2f} times')}")
    )  # fmt: skip
    return made


def correlated(whole: Results) -> Claim:
    curve, good, texts = study.authentic_speedups(whole, "spin"), True, []
    for n in range(2, study.MOST + 1):
        answer = whole.authentic["spin"][n]
        low = theory.speedup("normal", n, answer["deviation"] / answer["evaluation"])
        high = theory.speedup("constant", n)
        good = good and low <= curve[n] <= high
        if n in (2, 5, 8):
            texts.append(f"n={n}: {low:.2f} < {curve[n]:.2f} < {high:.2f}")
    return Claim("C12", "the authentic speed-up lies between that of independent lengths of its deviation "
                        "and the constant one", good, "; ".join(texts))  # fmt: skip


# Length over threshold -> speed-ups of six to eight processes that figure 4.2 gives.
NORMALISED = (("policy-0", 0.36, 0.0, 1.0), ("policy-1:300ms", 2.2, 1.7, 2.3), ("kernel", 4.0, 2.04, 2.76),
              ("spin", 36.0, 2.38, 3.68))  # fmt: skip


def normalised(whole: Results, machine: Machine) -> Claim:
    good, texts = True, []
    for kind, ratio, low, high in NORMALISED:
        best = study.best_of_authentic(machine, kind, ratio * whole.thresholds[kind].found)
        good = good and low <= best <= high
        texts.append(f"{kind} at {ratio:g}: {best:.2f} ({low:g} to {high:g})")
    return Claim("C15", "speed-ups by length over threshold are those of figure 4.2, within 15 %", good,
                 "; ".join(texts))  # fmt: skip


def judge(machine: Machine, whole: Results) -> list[Claim]:
    made = exact(whole) + counted(whole) + [serial(whole)] + thresholds(whole) + shapes(whole, machine)
    made += [Claim(number, "", None, why) for number, why in MISSING.items()]
    return sorted(made, key=lambda claim: claim.number)


def judge_thresholds(results: Results) -> list[Claim]:
    """What can be said of a profile of which only the thresholds are wanted."""
    return [*counted(results), serial(results), *thresholds(results)]
