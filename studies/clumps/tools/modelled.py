#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Active Messages on one multiprocessor, the modelled Enterprise 5000, under every claim of a queue, beside
what S. S. Lumetta prints (tables 6.3 to 6.5, and of 7.6 what polling adds); and on several, which network
interfaces join (table 7.6, and the model of chapter 8).

modelled.py --records FOLDER [--full] [--dispatch static]
                                  boots the programs; status 1 if a statement of the thesis does not hold that
                                  docs/clumps.md does not list with a reason, or one holds that it lists; with
                                  static dispatch where there is one network interface at most
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "..", "tools"))

from clumps import document, exact, modelled_statements as statements, network  # noqa: E402
from clumps import polling, slow_interfaces  # noqa: E402
from clumps import printed as of_model  # noqa: E402
from clumps.modelled_runs import SYSTEM, WARM, Run, Told, all_of  # noqa: E402
from clumps.modelled_statements import Taken  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_study.kept_runs import RunFailed  # noqa: E402
from parley_study.statements import Verdict, judge, listed  # noqa: E402
from parley_study.tables import table  # noqa: E402

DOCUMENT = os.path.join(HERE, "..", "docs", "clumps.md")
NODES = 8
UNANSWERED = 16  # requests of a writer without their replies, as an endpoint begins
LOGGP = f"--samples 5 --trips 50 {WARM}"
# By whether it is full. Its samples differ most, and statements of it have the narrowest limits.
STRESS = {False: f"--samples 3 --messages 300 {WARM}", True: f"--samples 10 --messages 500 {WARM}"}
KEYS = 1024
SORT = f"--samples 1 --keys {KEYS} {WARM}"
PRINTED_KEYS = 262144  # of each node, table 5.5
# Where time goes: which claims, with how many writers, and how many messages more the second run sends.
EXPLAINED = (("fifo", 1), ("fifo", 7), ("test-and-set", 7))
FEWER, MORE = 100, 1100
SAMPLES_OF_A_RUN = 2  # one, and the one before that finds everything cold


def beside(told: Told, name: str, printed: float) -> str:
    """With half of its interval, and the printed number in brackets."""
    mean, half = told.figures[name]
    return f"{mean:g}+-{half:g} ({printed:g})"


def tables(
    loggp: dict[str, Told],
    many: dict[str, Told],
    sort: dict[str, Told],
    keys: int,
    printed: document.Printed,
) -> list[str]:
    claims = printed.claims
    cells = printed.dedicated["SAMPLE"]
    each = {claim: (sort[claim]["time"] / keys, 1e6 * cells[claim] / PRINTED_KEYS) for claim in claims}
    best = each["lock-free"]
    sample = [
        ["SAMPLE", "us a key", *(f"{ours:.2f} ({theirs:.2f})" for ours, theirs in each.values())],
        ["", "beside lock-free"]
        + [f"{ours / best[0]:.2f} ({theirs / best[1]:.2f})" for ours, theirs in each.values()],
    ]
    parameters = [
        [name, *(beside(loggp[claim], name, cells[claim]) for claim in claims)]
        for name, cells in printed.loggp.items()
    ]
    stress = [
        [str(count), *(beside(many[claim], statements.writers(count), cells[claim]) for claim in claims)]
        for count, cells in printed.many_to_one.items()
    ]
    return [
        *table("Table 6.3 (printed): LogGP in us, and G in ns/B", ["", *claims], parameters),
        *table("Table 6.4 (printed): many to one, us a message", ["writers", *claims], stress),
        *table("Table 6.5 (printed): 8 processors that nothing else uses", ["", "", *claims], sample),
    ]


def explaining(claim: str, count: int, messages: int) -> Run:
    words = f"--samples 1 --messages {messages} --writers {count} --unanswered {UNANSWERED} {WARM}"
    return Run("many_to_one", claim, 1 + count, words)  # none that rests, and wakes up now and then


def all_taken(told: dict[Run, Told]) -> dict[tuple[str, int], Taken]:
    found = {}
    for claim, count in EXPLAINED:
        less, more = (told[explaining(claim, count, messages)] for messages in (FEWER, MORE))
        found[claim, count] = statements.taken(less, more, (MORE - FEWER) * SAMPLES_OF_A_RUN)
    return found


def explained(taken: dict[tuple[str, int], Taken]) -> list[str]:
    rows = [
        [claim, str(count), f"{found.atomic:.1f}", f"{found.memory:.1f}"]
        + [f"{found.transfers:.1f}", f"{found.bus_waiting:.2f}"]
        for (claim, count), found in taken.items()
    ]
    head = ["claim", "writers", "atomic", "memory, us", "bus transfers", "waiting for it, us"]
    return table("What a message and its reply take of all processors together, waiting included", head, rows)


def why_slow(taken: dict[tuple[str, int], Taken], printed: document.Printed) -> str:
    found = taken["fifo", 1]
    return (
        f"for a message and its reply processors wait {found.memory:.1f} us for memory, "
        f"{found.transfers:.1f} bus transfers among that; the thesis's whole gap is "
        f"{printed.loggp['g']['fifo']:g} us"
    )


def why_even(taken: dict[tuple[str, int], Taken], stressed: dict[str, Told]) -> str:
    one, many = taken["fifo", 1], taken["fifo", 7]
    locked = taken["test-and-set", 7]
    return (
        f"node 0 takes {stressed['fifo']['7 writers']:g} us a message, whoever sends; it and its reply "
        f"have {one.transfers:.1f} transfers on the bus with one writer under fifo, {many.transfers:.1f} "
        f"with 7, and {locked.transfers:.1f} under test-and-set, and all processors wait "
        f"{one.bus_waiting:.2f}, {many.bus_waiting:.2f} and {locked.bus_waiting:.2f} us for the bus"
    )


def why_far(far: dict[str, Told]) -> str:
    near, between = far[network.WITHIN], far[network.BETWEEN]
    return (
        f"a request is sent in {near['o_s']:.1f} us within a multiprocessor and {between['o_s']:.1f} us to "
        f"another, and a reply taken in {near['o_r']:.1f} and {between['o_r']:.1f} us"
    )


def of_chapter_8() -> list[Verdict]:
    """What is said of the model, which wants no runs."""
    return [Verdict(one.sentence, {"model": (one.holds, one.found)}) for one in of_model.of_the_thesis()]


def study(records: str, full: bool, dispatch: str) -> int:
    printed = document.read()
    loggp = {claim: Run("loggp", claim, 2, LOGGP) for claim in printed.claims}
    words = f"{STRESS[full]} --unanswered {UNANSWERED}"
    many = {claim: Run("many_to_one", claim, NODES, words) for claim in printed.claims}
    sort = {claim: Run("sample_sort", claim, NODES, SORT) for claim in printed.claims}
    again = Run("loggp", "fifo", 2, LOGGP, which=1)
    why = [explaining(claim, count, messages) for claim, count in EXPLAINED for messages in (FEWER, MORE)]
    polled = polling.run_of()
    joined = network.runs()
    slow_runs = slow_interfaces.runs_of()
    rows = exact.rows_runs()
    runs = [polled, *joined, *slow_runs.values(), *loggp.values(), *many.values(), *sort.values()]
    runs += [again, *why, *rows]
    told = all_of(runs, records, dispatch)
    measured = {claim: told[run] for claim, run in loggp.items()}
    stressed = {claim: told[run] for claim, run in many.items()}
    sorted_ = {claim: told[run] for claim, run in sort.items()}
    taken = all_taken(told)
    print("\n".join([*tables(measured, stressed, sorted_, KEYS, printed), *explained(taken)]))
    far = {name: told[run] for name, run in network.loggp_runs().items()}
    mesh = {count: told[run] for count, run in network.mesh_runs().items()}
    alone = told[network.alone_run()]
    of_network = (measured[network.CLAIM], far, mesh, alone, printed)
    of_slow = ({name: told[run] for name, run in slow_runs.items()}, mesh[1], alone)
    print("\n".join([*polling.lines(told[polled], printed), *network.lines(*of_network)]))
    print("\n".join([*slow_interfaces.lines(*of_slow), ""]))
    slow, even = why_slow(taken, printed), why_even(taken, stressed)
    groups = [
        ([*statements.of_loggp(measured), *statements.of_bandwidth(measured)], slow),
        (statements.of_many_to_one(stressed), even),
        (statements.of_sample(sorted_, NODES, KEYS), even),
        (statements.of_printed(measured, printed), slow),
        (polling.statements(told[polled]), ""),
        (network.statements(*of_network), why_far(far)),
        (slow_interfaces.statements(*of_slow), ""),
        (exact.statements(told[polled], (told[rows[0]], told[rows[1]]), printed), ""),
        (of_chapter_8(), ""),
        ([statements.of_repeated(measured["fifo"], told[again])], ""),
    ]
    return judge(groups, listed(DOCUMENT))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--records", required=True, help="folder that keeps what runs have told")
    parser.add_argument("--full", action="store_true", help="more samples of many to one, and longer ones")
    parser.add_argument("--dispatch", choices=tuple(SYSTEM), default="virtual", help="how calls are bound")
    asked = parser.parse_args()
    try:
        return study(asked.records, asked.full, asked.dispatch)
    except RunFailed as failed:
        print(f"modelled.py: {failed}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(closing.of(main))
