#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The paper on the modelled Multimax: base costs, round trips, the FFT, Simplex and gangs beside what is
printed, which of its orderings hold, and which of its recommendations on which machine.

modelled.py [--full] [--at-once N] [--data FOLDER] [--records FOLDER]

Status 1: an ordering does not hold or a number is not met, and docs/machine-model.md does not say why, or
what it says is not so in this run; or one holds that should not.
"""

import argparse
import os
import sys
import tempfile

FOLDER = os.path.dirname(os.path.realpath(__file__))
TOOLS = os.path.join(FOLDER, "..", "..", "..", "tools")
sys.path[1:1] = [TOOLS, os.path.join(TOOLS, "benchmark"), os.path.join(TOOLS, "profile")]

import boots  # noqa: E402
from paper import (  # noqa: E402
    batch,
    breakdown,
    collection,
    kept,
    measurements,
    modelled_boots,
    modelled_numbers,
    modelled_orderings,
    modelled_results,
    published,
    recommendations,
)
from paper.modelled_orderings import Statement  # noqa: E402
from paper.modelled_results import Results  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_study.statements import in_spite_of  # noqa: E402
from parley_runner import places  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from parley_runner.table import number  # noqa: E402
from parley_study.tables import show  # noqa: E402

MACHINE = "multimax"
OTHER_MACHINE = "modern"  # on which the recommendations are examined, too
CALIBRATED_ON = ("read", "write", "proxy call")  # as tools/machines/multimax.toml says
PROGRAMS = ("switching", "null_message", "blocks")
GANG_STATIONS = ("create and add", "schedule and collect", "ready to running, min", "ready to running, max")


def compared(title: str, rows: list[tuple[str, float, float]]) -> None:
    """(what, ours, printed)"""
    lines = [[what, number(ours), f"{theirs:g}", f"{ours / theirs:.2f}"] for what, ours, theirs in rows]
    show(title, ["", "modelled", "printed", "ratio"], lines)


def base_costs(results: Results) -> None:
    rows = [(name, results.base[name], printed) for name, printed in published.BASE_US.items()]
    compared("Calibrated on, in us", [row for row in rows if row[0] in CALIBRATED_ON])
    compared(
        "Not calibrated: base costs, in us (figure 9)", [row for row in rows if row[0] not in CALIBRATED_ON]
    )
    rows = [(name, results.null[name], printed) for name, printed in published.NULL_US.items()]
    whole = ("all of it", sum(results.null.values()), sum(published.NULL_US.values()))
    compared(
        "Figure 16: the round trip of a null message under exp6, in us; what a proxy call and a virtual call"
        " take is calibrated, how many there are and the rest is not",
        [*rows, whole],
    )


def round_trips(results: Results) -> None:
    none, read, write = (results.ring[access] for access in ("none", "read", "write"))
    rows = [
        (f"{design}, {size} bytes", none[design][size], printed)
        for design, sizes in published.RING_US.items()
        for size, printed in sizes.items()
    ]
    ours = {
        "exp2, read access, 4096 bytes": read["exp2"][4096],
        "exp6, write access, 4096 bytes": write["exp6"][4096],
        "exp6 - exp1, 2048 bytes": none["exp6"][2048] - none["exp1"][2048],
        "exp1 - exp5": none["exp1"][128] - none["exp5"][128],
    }
    rows += [(name, ours[name], printed) for name, printed in published.RING_OTHERS_US.items()]
    compared("Not calibrated: round trips, in us (figures 6, 7 and 12)", rows)
    lines = [
        [access, f"{results.ring[access]['exp6'][4096]:.0f}", sizes[4096]]
        for access, sizes in published.HYPERCUBE_US.items()
    ]
    heads = ["access", "exp6 here", "printed of the hypercube"]
    show("Figure 13: 4096 bytes on the iPSC/2, in us; no verdict", heads, lines)


def operations(results: Results) -> None:
    lines = [
        [design, what, f"{results.operations[design][what]:.2f}", times]
        for design, strings in published.OPERATIONS.items()
        for what, times in strings.items()
    ]
    title = "Figure 10: accesses for each word of 4096 bytes, there and back"
    show(title, ["", "", "counted by the model", "the paper's string"], lines)


def applications(results: Results) -> None:
    for title, rows, key, printed in (
        (
            "Figure 18: the FFT of 1024 points, pointer = 1",
            results.fft,
            ("fft time", 1024 * modelled_orderings.POINT),
            published.FFT_RELATIVE,
        ),
        ("Figure 21: Simplex, pointer = 1", results.simplex, ("simplex time", 0), published.SIMPLEX_RELATIVE),
    ):
        lines = []
        for nodes in modelled_boots.NODES:
            line: list = [nodes]
            for ours, theirs in zip(modelled_orderings.relative(rows, key, nodes), printed[nodes]):
                line += [f"{ours:.2f}", f"{theirs:.2f}", f"{ours - theirs:+.2f}"]
            lines.append(line)
        heads = ["nodes"] + [
            word for name in published.TRANSFERS.values() for word in (name, "paper", "apart")
        ]
        show(title, heads, lines)
        speed = [
            [nodes, *(f"{rows[1, d][key] / rows[nodes, d][key]:.2f}" for d in published.TRANSFERS)]
            for nodes in modelled_boots.NODES
        ]
        figure = "Figure 17" if rows is results.fft else "Figure 20"
        show(f"{figure}: speed-up", ["nodes", *published.TRANSFERS.values()], speed)


def counts(results: Results) -> bool:
    """Figures 2 to 4, which do not depend on time. False: a size of figure 2 is another."""
    exact = True
    lines = []
    for nodes, sizes in published.FFT_MESSAGE_BYTES.items():
        rows = results.fft[nodes, "exp6"]
        for points, printed in sizes.items():
            key = points * modelled_orderings.POINT
            ours = rows["bytes sent", key] / rows["messages", key]
            exact = exact and ours == printed
            lines.append([nodes, points, f"{ours:.0f}", printed, "equal" if ours == printed else "NOT EQUAL"])
    show("Figure 2: bytes of an FFT message", ["nodes", "points", "here", "paper", ""], lines)
    lines, small, whole = [], 0.0, 0.0
    for nodes, printed in published.SIMPLEX_MESSAGES.items():
        rows = {name: value for (name, _), value in results.simplex[nodes, "exp6"].items()}
        each = rows["messages"] / rows["pivots"]
        steps = printed / (nodes + 1)  # of the paper's problem, which is not ours
        lines.append([nodes, f"{rows['messages']:.0f}", f"{each:.2f}", printed, f"{steps:.1f}"])
        small += steps * rows["selection messages"] / rows["pivots"]
        whole += steps * each
    heads = ["nodes", "here", "a step", "paper", "steps of P + 1 messages in it"]
    show("Figure 3: Simplex messages", heads, lines)
    share, printed = 100 * small / whole, published.SIMPLEX_SIZES[128]
    title = "Figure 4: percent of messages that have 128 bytes, for the paper's steps"
    compared(title, [("", share, printed)])
    return exact


def gangs(results: Results) -> None:
    lines = []
    for members, printed in published.GANG_MS.items():
        line: list = [members]
        for name, theirs in zip(GANG_STATIONS, printed):
            ours = results.gangs[name, members] / 1e6
            line += [f"{ours:.2f}", f"{theirs:g}", f"{ours / theirs:.3f}"]
        lines.append(line)
    heads = ["members"] + [word for name in GANG_STATIONS for word in (f"{name}, ms", "paper", "ratio")]
    show("Figure 23: a gang on an idle machine", heads, lines)
    lines = []
    for members in modelled_boots.MEMBERS:
        expected = collection.collect_ms(members, modelled_boots.PROCESSORS)
        ours = results.gangs["mean collect, flooded", members] / 1e6
        lines.append([members, f"{ours:.2f}", f"{expected:.2f}", f"{ours / expected:.2f}"])
    title = "Figure 24: collecting from processors whose load gives way at random"
    show(title, ["members", "here, ms", "Collect(TS,N,p)", "ratio"], lines)


def excused(one: Statement, reasons: dict[str, str]) -> bool:
    """Whether it does not hold and is known to, for a reason that this run bears out."""
    return bool(one.why_not and one.said in reasons and one.because and one.because.is_so)


def verdicts(title: str, statements: list[Statement], reasons: dict[str, str]) -> int:
    """Prints them; the exit status: 1 when one does not hold without a reason, or holds in spite of one that
    is not of some builds alone."""
    print(f"\n{title}")
    status = 0
    for one in statements:
        word = f"{'open' if one.is_open else 'holds'}: {one.said}"
        if one.why_not:
            word = f"does not hold: {one.said}: {one.why_not}"
        print(f"  {word}: {one.evidence}")
        if one.why_not and one.because:
            print(f"    measured: {one.because.text}")
            if not one.because.is_so:
                print("    which is not what would explain it")
        if one.said in reasons:
            print(f"    {modelled_orderings.REASONS} says why it should not: {reasons[one.said]}")
        if one.why_not and not excused(one, reasons):
            status = 1
        if not one.why_not and in_spite_of(reasons.get(one.said)):
            status = 1
    untold = sum(one.is_open for one in statements)
    holding = sum(not one.why_not for one in statements) - untold
    known = sum(excused(one, reasons) for one in statements)
    others = f"{known} do not for a known reason"
    if untold:
        others += f", and of {untold} `make gang-collection' takes the samples that it needs to tell"
    print(f"  {holding} of {len(statements)} hold; of the others {others}")
    return status


def examined(machine: str, found: list[recommendations.Examined]) -> None:
    print(f"\nThe conclusion's recommendations on {machine}")
    for one in found:
        print(f"  {one.number}. {one.advice}: {one.word}: {one.evidence}")


def words_of(judged: list[Statement], reasons: dict[str, str]) -> dict[str, list]:
    """For the page."""
    return {
        "statements": [
            [one.said, one.is_open, one.why_not, one.evidence,
             one.because.text if one.why_not and one.because else "", reasons.get(one.said, "")]
            for one in judged
        ]
    }  # fmt: skip


def keep(folder: str, form: modelled_boots.Form, results: Results, judged, numbers, advice) -> None:
    """For the pictures."""
    measurements.keep(folder, "setting", {"form": form.name, "machine": MACHINE})
    measurements.keep(folder, "verdicts", words_of(judged, modelled_orderings.reasons()))
    measurements.keep(folder, "numbers", words_of(numbers, modelled_numbers.reasons()))
    measurements.keep(folder, "access", {"ring": results.ring})
    costs = [
        [name, results.base[name], printed, name in CALIBRATED_ON]
        for name, printed in published.BASE_US.items()
    ]
    loops = {"buffers": results.buffers, "operations": results.operations}
    measurements.keep(folder, "base", {"costs": costs, **loops})
    activities = [
        {"activity": name, "ours": ours, "paper": published.NULL_US[name]}
        for name, ours in results.null.items()
    ]
    measurements.keep(folder, "breakdown", {"activities": activities})
    measurements.keep(folder, "fft", {"measured": measurements.plain(results.fft)})
    measurements.keep(folder, "simplex", {"measured": measurements.plain(results.simplex)})
    rows = [[*key, value] for key, value in results.gangs.items()]
    setting = {"stations": GANG_STATIONS, "processors": modelled_boots.PROCESSORS}
    measurements.keep(folder, "gangs", {**setting, "counted": rows, "free": rows})
    lines = {
        machine: [[one.number, one.advice, one.holds, one.evidence] for one in found]
        for machine, found in advice.items()
    }
    measurements.keep(folder, "recommendations", {"machines": lines})


def measure(form: modelled_boots.Form, at_once: int, records_in: kept.Records) -> tuple[Results, dict]:
    """What was found on MACHINE, and the recommendations by machine."""
    with tempfile.TemporaryDirectory(prefix="parley-paper-") as folder:
        programs = {
            name: boots.program(folder, os.path.join(FOLDER, "paper", f"{name}.c")) for name in PROGRAMS
        }
        wanted = {**modelled_boots.of_multimax(form, programs), **modelled_boots.of_recommendations(form)}
        records = modelled_boots.run(MACHINE, wanted, at_once, records_in)
        virtual_calls = 2 * breakdown.of(programs["null_message"], "exp6").virtual_calls
    others = modelled_boots.run(OTHER_MACHINE, modelled_boots.of_another_machine(form), at_once, records_in)
    advice = {
        MACHINE: recommendations.examine(records),
        OTHER_MACHINE: recommendations.examine(others),
    }
    return modelled_results.of(records, virtual_calls), advice


def report(form: modelled_boots.Form, results: Results, advice: dict, folder: str) -> int:
    """Prints everything, keeps it in the folder, and answers the exit status."""
    base_costs(results)
    round_trips(results)
    operations(results)
    exact = counts(results)
    applications(results)
    gangs(results)
    judged = modelled_orderings.judge(results, form.gang_samples)
    status = verdicts("Orderings", judged, modelled_orderings.reasons())
    numbers = modelled_numbers.judge(results)
    status |= verdicts("Printed numbers", numbers, modelled_numbers.reasons())
    for machine, found in advice.items():
        examined(machine, found)
    with open(os.path.join(places.ROOT, modelled_orderings.REASONS), encoding="utf-8") as page:
        for line in recommendations.otherwise(page.read(), advice):
            print(f"  {modelled_orderings.REASONS} says otherwise of {line}")
    keep(folder, form, results, judged, numbers, advice)
    return status if exact else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--full", action="store_true", help="more sizes and samples, all of Simplex's steps")
    parser.add_argument(
        "--at-once", type=int, default=len(os.sched_getaffinity(0)), help="boots at once (default: cores)"
    )
    parser.add_argument("--data", default="", help="folder that gets the measurements for draw.py")
    parser.add_argument(
        "--records", default="", help="folder that keeps every boot's record, so that a later run goes on"
    )
    arguments = parser.parse_args()
    if arguments.at_once < 1:
        parser.error("--at-once is at least 1")
    form = modelled_boots.FULL if arguments.full else modelled_boots.QUICK
    records = kept.Records(arguments.records and os.path.join(arguments.records, form.name))
    try:
        results, advice = measure(form, arguments.at_once, records)
    except (batch.Failed, boots.Failed) as problem:
        print(problem, file=sys.stderr)
        return 1
    except BadRequest as problem:
        print(f"modelled: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        kept_in = f"the boots that ended are kept in {records.folder}, and the same command goes on"
        print(f"modelled: interrupted; {kept_in if records.folder else 'nothing was kept'}.", file=sys.stderr)
        return 130
    if records.found:
        print(f"{records.found} boots were measured before: {records.folder}")
    return report(form, results, advice, arguments.data)


if __name__ == "__main__":
    sys.exit(closing.of(main))
