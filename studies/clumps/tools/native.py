#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Active Messages on this host's own processors under every claim of a queue: LogGP, many to one, and
parallel jobs beside others (section 5.3.4), each beside lock-free and what S. S. Lumetta prints of that.

native.py --native FOLDER --records FOLDER [--full]
                                  runs everything in batches, claims by turns, and shows medians, their
                                  spread and which claim is the best; status 1 if a program failed or was not
                                  right, and no other: what is fast here is nobody's verdict
native.py ... --tables            shows the batches that are kept, and runs nothing
"""

import argparse
import math
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path += [os.path.join(ROOT, "tools"), os.path.join(ROOT, "native", "compare")]

import judging  # noqa: E402
from clumps import document, native_kinds, native_tables  # noqa: E402
from clumps.native_batches import Batches, Kept, fingerprint  # noqa: E402
from clumps.native_runs import run  # noqa: E402
from compare import processor  # noqa: E402
from parley_runner.counted import counted  # noqa: E402
from parley_study import closing  # noqa: E402
from parley_study.kept_runs import RunFailed  # noqa: E402

BATCHES = {False: judging.ENOUGH, True: 2 * judging.ENOUGH + 1}
LISTS = ("michael-scott", "pull-based")  # described by the thesis and not measured there
SECOND_LEVEL = "/sys/devices/system/cpu/cpu0/cache/index2/size"


def second_level(path: str = SECOND_LEVEL) -> int:
    """In kB; the thesis's where Linux does not tell."""
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read().strip().removesuffix("K"))
    except (OSError, ValueError):
        return 512


def about(batches: list[Kept], host: str) -> str:
    """What all figures are of."""
    others = [batch.others for batch in batches if batch.others is not None]
    busy = f"{100 * min(others):.0f} to {100 * max(others):.0f} %" if others else "an unknown part"
    niceness = sorted({batch.niceness for batch in batches})
    count = len(batches)
    left_out = sum(math.comb(count, left) for left in range(judging.cut(count) + 1))
    covered = 100 * (1 - 2 * left_out / 2**count)
    return (
        f"{host}, niceness {' and '.join(map(str, niceness))}: medians of "
        f"{counted(count, 'batch', 'batches')}, and in brackets what covers them in at least {covered:.0f} % "
        f"of cases. Others took {busy} of the processors' time meanwhile."
    )


def commands(kinds: list[native_kinds.Kind]) -> list[str]:
    """One of each kind, under lock-free; jobs of one mix begin together."""
    found = {kind.name: " & ".join(job.command for job in kind.jobs("lock-free")) for kind in kinds}
    shown = [name for name in found if name in ("LogGP", "1 writer") or name.endswith("1P+1S")]
    return ["", "Commands, such as", *(f"  {found[name]}" for name in shown)]


def study(asked: argparse.Namespace) -> int:
    processors = len(os.sched_getaffinity(0))
    if processors < 2:
        raise RunFailed("two processors at least are wanted, for one sends and another receives.")
    printed = document.read()
    claims = [*printed.claims, *LISTS]
    kinds = native_kinds.all_kinds(processors, second_level())
    host = f"{processor()}, {counted(processors, 'processor')}"
    key = fingerprint(asked.native, kinds, claims, host)
    batches = Batches(
        asked.records, key, kinds, claims, lambda kind, claim: run(kind.jobs(claim), asked.native)
    )
    count = BATCHES[asked.full]
    found = batches.found(count) if asked.tables else batches.all_of(count)
    if not found:
        raise RunFailed("no batch of this build and host is kept.")
    measured = native_tables.Measured(found, claims)
    names = [kind.name for kind in kinds]
    print(about(found, host))
    print("\n".join([*commands(kinds), *native_tables.all_tables(measured, names, processors, printed)]))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--native", required=True, help="folder of nxrun and the programs")
    parser.add_argument("--records", required=True, help="folder that keeps whole batches")
    parser.add_argument("--full", action="store_true", help="more batches")
    parser.add_argument("--tables", action="store_true", help="of what is kept; nothing is run")
    try:
        return study(parser.parse_args())
    except RunFailed as failed:
        print(f"native.py: {failed}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(closing.of(main))
