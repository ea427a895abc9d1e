#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Plants concurrency mutants by rule into a copy of messaging/, sched/ and native/, and says which of them
the host tests find.

Each program is built once with all mutants in it; one is chosen when it runs, and only tests that come to its
place are tried. The ledger build/mutants/ledger.jsonl has what came of each, and a run goes on where the last
one stopped; build/mutants/survivors.md lists what lives, by class. A mutant that changes nothing is proved so
by the compiler, which makes the same code of it, or by a lemma in an equivalent.toml.
Status 0: all died or are proved equivalent; 1: some live; 2: it could not be tried."""

import argparse
import difflib
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from mutate import named, proofs, report, rules, sample, source, told  # noqa: E402
from mutate.campaign import ROOT, Campaign, say  # noqa: E402
from mutate.tree import CannotBuild  # noqa: E402
from mutate.trials import FailsSound  # noqa: E402
from parley_runner import ending  # noqa: E402

UNUSABLE = (named.Lost, proofs.BadLemma, told.Unusable)  # what people have told of mutants

SUITES = ("explorer", "leaves", "parts", "semaphores", "sched", "nxrun", "messaging", "own_leaves/virtual")


class Refused(Exception):
    """Words that make no sense; the sentence says what would."""


def report_sample(campaign: Campaign, seconds: float) -> int:
    """A sample takes the tests of one source, so that others may find what lives; but what has been found
    before is to be found again."""
    chosen, results = campaign.sample(seconds)
    tried = {one.name for one, _ in results}
    lost = 0
    for one, _ in report.living(results):
        known = one.words in sample.FIXED or campaign.ledger.hint(one.name).startswith("explorer: ")
        lost += known
        say(f"{'No test finds any more' if known else 'Not found by these tests:'} {one.name}.")
    say(f"{len(results)} mutants tried, {len(report.living(results))} live.")
    missing = [one.words for one in chosen if one.words in sample.FIXED and one.name not in tried]
    for name in missing:
        say(f"No test comes to where the fault {name} is planted.")
    return 1 if lost or missing else 0


def main(words: list[str]) -> int:
    split = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(
        prog="mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--suites", default=",".join(SUITES), help="the host programs that are tried")
    parser.add_argument("--rules", default="", help="the rules, by their first words (default: all)")
    parser.add_argument("--only", default="", help="mutants whose name has these words")
    parser.add_argument(
        "--files", default="", help="mutants of these folders or files, by the beginnings of their paths"
    )
    parser.add_argument(
        "--plays", default="", help="with --files: the explorer's tests of these folders or files alone"
    )
    parser.add_argument("--longest", type=float, default=0, help="leave out tests that take more seconds")
    parser.add_argument(
        "--sample", type=float, metavar="SECONDS", help="a few that a change concerns, for so long"
    )
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    wanted = parser.parse_args(words[:split])
    declared = [word.split("|")[0] for word in words[split + 1 :]]
    suites = [name for name in wanted.suites.split(",") if name]
    for name in suites if declared else ():
        if name not in declared:
            raise Refused(f"there is no host suite '{name}'; there are: {', '.join(declared)}.")
    chosen = [rule for rule in wanted.rules.split(",") if rule]
    every = (*rules.NAMES, *rules.SEQUENTIAL_NAMES, named.RULE)
    for rule in chosen:
        if not any(name.startswith(rule) for name in every):
            near = difflib.get_close_matches(rule, every, 1, 0.3)
            raise Refused(
                f"there is no rule '{rule}'; "
                + (f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(every)}.")
            )
    campaign = Campaign(os.path.abspath(wanted.build), suites, wanted.longest)
    if wanted.sample is not None:
        return report_sample(campaign, wanted.sample)
    files = [path for path in wanted.files.split(",") if path]
    for path in files:
        if not any(one.file.startswith(path) for one in campaign.functions):
            raise Refused(f"no source with a mutant begins with '{path}'.")
    plays = [path for path in wanted.plays.split(",") if path]
    if plays and not files:
        raise Refused("--plays is for the mutants of --files.")
    results = campaign.run(chosen, wanted.only, files, plays)
    if not results:
        raise Refused(f"no mutant's name has the words '{wanted.only}'.")
    text = report.table(results)
    say(text)
    listing = os.path.join(campaign.folder, "survivors.md")
    with open(listing, "w", encoding="utf-8") as file:
        file.write(
            f"# Mutants that live under {', '.join(suites)}\n\n```\n{text}\n```\n{report.by_class(results)}\n"
            f"{report.of_the_same_code(results)}\n"
        )
    living = report.living(report.concurrent(results))
    if living:
        say(f"{len(living)} concurrency faults live; {os.path.relpath(listing)} lists them by class.")
    return 1 if living else 0


if __name__ == "__main__":
    ending.on_request()
    try:
        sys.exit(main(sys.argv[1:]))
    except (Refused, FailsSound, CannotBuild, source.Unreadable, *UNUSABLE) as problem:
        print(f"mutate: {problem}", file=sys.stderr)
        sys.exit(2)
    except OSError as problem:
        where = problem.filename or "a file"
        print(f"mutate: {problem.strerror}: {where}; what is known is kept.", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("mutate: interrupted; the next run goes on from here.", file=sys.stderr)
        sys.exit(130)
