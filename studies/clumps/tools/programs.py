#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""More of S. S. Lumetta's programs on the modelled Enterprise 5000: table 6.5's beside SAMPLE, under every
claim of a queue, programs beside other jobs (section 5.3.4), with longer and shorter queues and waits
(sections 6.1 and 6.2), programs on multiprocessors that share an interface (tables 6.6 and 7.8), whose
processes have one each (table 7.9), or look into it more or less often (section 7.1), and what it costs on
one multiprocessor that they look there (table 7.7). It is what `make paper STUDY=clumps CLOCK=modelled' shows
with FULL=1 alone.

programs.py --records FOLDER      boots the programs; status 1 if a statement of the thesis does not hold that
                                  docs/clumps.md does not list with a reason, or one holds that it lists
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "..", "tools"))

from clumps import both_protocols, bulk_queues, dedicated, document, interfaces, lengths  # noqa: E402
from clumps import long_queues, looks, mixes, yields  # noqa: E402
from clumps.modelled_runs import all_of  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_study.kept_runs import KeptRuns, RunFailed, side_by_side  # noqa: E402
from parley_study.statements import judge, listed  # noqa: E402

DOCUMENT = os.path.join(HERE, "..", "docs", "clumps.md")
SECTION = "What does not hold of more programs"


def all_mixes(records: str) -> mixes.Found:
    kept = KeptRuns(records)
    # Some are wanted for two things.
    lists = (mixes.all_mixes(), lengths.all_mixes(), bulk_queues.all_mixes(), yields.all_mixes())
    wanted = list(dict.fromkeys(mix for each in lists for mix in each))
    return side_by_side(wanted, lambda mix: mix.name, lambda mix: mixes.told(mix, kept))


def study(records: str) -> int:
    printed = document.read()
    looking = looks.all_runs()
    wanted = [*dedicated.runs(printed.claims), *long_queues.runs(), *interfaces.runs()]
    wanted += [*both_protocols.runs(), *looking.values()]
    # Interfaces, protocols and pollings have runs in common.
    told = all_of(list(dict.fromkeys(wanted)), records, "virtual")
    found = dedicated.found_in(told, printed.claims)
    long = long_queues.found_in(told)
    divided = interfaces.found_in(told)
    protocols = both_protocols.found_in(told)
    polled = {which: told[run] for which, run in looking.items()}
    together = all_mixes(records)
    parts = [
        *(dedicated.lines(found, printed), dedicated.explained(found, printed)),
        *(mixes.lines(together, printed), mixes.explained(together)),
        *(lengths.lines(together, printed), long_queues.lines(long, printed)),
        *(bulk_queues.lines(together, printed), yields.lines(together, printed)),
        *(interfaces.lines(divided, printed), both_protocols.lines(protocols, printed), looks.lines(polled)),
    ]
    print("\n".join([*(line for part in parts for line in part), ""]))
    groups = [
        (dedicated.statements(found, printed), ""),
        (mixes.statements(together), ""),
        (lengths.statements(together), ""),
        (long_queues.statements(long), ""),
        (bulk_queues.statements(together), ""),
        (yields.statements(together), ""),
        (interfaces.statements(divided, printed), ""),
        (both_protocols.statements(protocols, printed), ""),
        (looks.statements(polled), ""),
    ]
    return judge(groups, listed(DOCUMENT, SECTION))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--records", required=True, help="folder that keeps what runs have told")
    asked = parser.parse_args()
    try:
        return study(asked.records)
    except RunFailed as failed:
        print(f"programs.py: {failed}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(closing.of(main))
