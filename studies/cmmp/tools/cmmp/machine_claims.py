# SPDX-License-Identifier: MIT
"""What the documents state of the machine's own losses, judged."""

from cmmp import documents, machine_study, study
from cmmp.claims import Claim, listed
from cmmp.machine_study import KINDS, Results

MOST_OF = 0.5  # of an effect, that must be gone
SAME = 0.15  # of spin's loss, by which the others may be below it


def slow_one(results: Results) -> Claim:
    stolen = {kind: machine_study.extra(results, kind, "stealing") for kind in KINDS}
    bound = {kind: machine_study.extra(results, kind, "bound") for kind in KINDS}
    others = machine_study.BLOCKING
    more = all(stolen["spin"] > (1 + SAME) * stolen[kind] for kind in others)
    gone = all(bound["spin"] <= (1 + SAME) * bound[kind] for kind in others)
    steals = sum(results.speeds[kind, "stealing"][study.MOST]["steals"] for kind in others)
    return Claim("C18", "a slow processor as the ninth costs spin more than kernel and policy-1, which let "
                        "an idle fast one take the process over; not so with stealing off", more and gone,
                 f"ms a stage with stealing: {listed(stolen.items())}; without: {listed(bound.items())}; "
                 f"{steals} processes taken over")  # fmt: skip


def interrupts(results: Results) -> Claim:
    texts, good = [], True
    for n, pair in results.interrupts.items():
        found = machine_study.interrupted(pair)
        good = good and found.last > 0 and found.others == 0 and found.longer_before == 0
        if n == 1:
            good = good and found.longer_last == found.last
        else:
            good = good and found.before > 0 and found.longer_last > 0
        cost = pair[1]["elapsed"] / pair[0]["elapsed"] - 1
        texts.append(
            f"n={n}: {found.longer_last} of {found.last} interrupted stages longer where its process was "
            f"last, {found.longer_before} of {found.before} where it was not; all together {100 * cost:.1f} "
            "% longer"
        )
    return Claim("C19", "interrupts of a processor lengthen a stage only when its process is last, and one "
                        "process always", good, "; ".join(texts))  # fmt: skip


def slices(results: Results, allotment: float) -> Claim:
    found = machine_study.tail(results.slices[1], allotment)
    several = max(max(times) for times in results.slices[study.MOST][1]["evaluations"]) / machine_study.UNIT
    good = found.crossings > 0 and found.elsewhere == 0 and found.longest > found.longest_without
    return Claim("C20", "evaluations have a tail that comes with time slices, where allotments end", good,
                 f"one process: {found.crossings} allotments of {allotment / 1e9:g} s end, each makes the "
                 f"evaluation it ends in longer, and {found.elsewhere} others are; longest "
                 f"{found.longest_without:.0f} ms without and {found.longest:.0f} ms with, {found.beyond} "
                 f"beyond the longest without; nine processes ask at once: {several:.0f} ms")  # fmt: skip


def shared_code(results: Results) -> Claim:
    curves = {code: machine_study.curve(answers) for code, answers in results.code.items()}
    best = {code: max(curve, key=curve.get) for code, curve in curves.items()}
    good = best["private"] == study.MOST and best["shared"] <= study.MOST // 2
    good = good and curves["shared"][study.MOST] < curves["shared"][best["shared"]]
    return Claim("C21", "with code and data in one bank the speed-up peaks early and falls, in banks of "
                        "their own it keeps rising", good,
                 "; ".join(f"{code} {curves[code][n]:.2f} at {n}, {curves[code][study.MOST]:.2f} at nine "
                           f"(documents {documents.CODE[code][0]:g} at {documents.CODE[code][1]})"
                           for code, n in best.items()))  # fmt: skip


def polling(results: Results) -> Claim:
    base = results.polling["elsewhere"]
    cost, left = (results.polling[name] / base - 1 for name in ("its bank", "delay"))
    return Claim("C22", "looks at a spin lock slow a process that works in the same bank; a delay loop "
                        "removes most of it", cost > 0.01 and left < (1 - MOST_OF) * cost,
                 f"its evaluations take {100 * cost:.1f} % longer than with the words elsewhere, with "
                 f"{machine_study.DELAY} turns between looks {100 * left:.1f} %")  # fmt: skip


def judge(profile: dict, results: Results) -> list[Claim]:
    times = profile["machine"]["slices"]
    return [
        slow_one(results),
        interrupts(results),
        slices(results, times["slice"] * times["allotment"]),
        shared_code(results),
        polling(results),
    ]
