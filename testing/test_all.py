#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make test, test-rest and test-all: builds what the chosen tests need, runs them, and ends with one line
of counts.

test_all.py SCOPE BUILD [KEY=VALUE]... -- SUITE...: SCOPE is test, test-rest or test-all; KEY is ONLY
(a suite, a file, a leaf, a preset or a test) or LIMIT (the seconds that a suite may take); a SUITE is a host
program, as testing/testing.mk describes it. The tests in Python are found by themselves.
"""

import difflib
import os
import sys
import time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "testing"), os.path.join(ROOT, "tools")]

from parley_runner import ending, places  # noqa: E402
from suites import building, catalogue, running, selection  # noqa: E402
from suites.progress import Progress, clock  # noqa: E402
from suites.timings import Timings  # noqa: E402

BAD_REQUEST = 2
WORDS = ("ONLY", "LIMIT")
SCOPES = (selection.QUICK, selection.REST, selection.ALL)
USAGE = "Say: make test, make test-rest or make test-all, with ONLY= and LIMIT= if you like"
# Every n-th design is tried: (in `make test`, in test-all). The thread sanitizer is slow. The
# explorer's sample is of fewer preemptions and designs.
SAMPLES = {
    "explorer": (2, 1),
    "messaging": (47, 29),
    "asan/messaging": (509, 97),
    "tsan/messaging": (809, 149),
}


class Refused(Exception):
    """A request that makes no sense; the sentence says what would."""


def parse(arguments: list[str]) -> tuple[str, str, dict[str, str], list[str]]:
    if arguments[:1] and arguments[0] not in SCOPES:
        raise Refused(f"There are no tests called '{arguments[0]}'. {USAGE}.")
    if len(arguments) < 2 or "--" not in arguments[2:]:
        raise Refused(f"Scope, folder of what is built, and `--' before the host suites are wanted. {USAGE}.")
    scope, build, *rest = arguments
    split = rest.index("--")
    given = {}
    for word in rest[:split]:
        name, equals, value = word.partition("=")
        given[name] = value
        if name not in WORDS:
            near = difflib.get_close_matches(name.upper(), WORDS, 1)
            hint = f"did you mean {near[0]}?" if near else f"it takes {' and '.join(WORDS)}."
            raise Refused(f"`make {scope}' knows no word '{name}'; {hint}")
        if not equals:
            raise Refused(f"{name} wants a value: {name}=...")
    limit = given.get("LIMIT", "0")
    if not limit.isdecimal():
        raise Refused(f"LIMIT takes the seconds that a suite may take, not '{limit}'.")
    return scope, build, given, rest[split + 1 :]


def choose(suites, scope: str, only: str, build: str, progress: Progress) -> selection.Selection:
    if not only:
        return selection.select(suites, scope, None, "")
    designs = {design for suite in suites for test in suite.tests for design in test.designs}
    presets = sorted({design.split(",")[0] for design in designs})

    def tool() -> selection.Designs:
        failed, said = building.build([f"{build}/designs"], progress)
        if failed:
            raise Refused(
                f"{said}\nThe tool that knows designs cannot be built, so ONLY={only} cannot be looked up."
            )
        return selection.Designs(os.path.join(ROOT, build, "designs"))

    asked = selection.Asked(suites, catalogue.leaves(), presets, tool)
    try:
        return selection.select(suites, scope, asked, only)
    except selection.NothingFound as problem:
        raise Refused(str(problem)) from None


def targets_of(suite: catalogue.Suite, tests: list[catalogue.Test]) -> set[str]:
    if suite.kind == "host":
        return {suite.path}
    return {f"tests-need-{need}" for test in tests for need in test.needs}


def describe_sample(scope: str, suite: str, chosen: selection.Selection) -> tuple[int, str]:
    """Every how many designs the suite tries, and the words for it."""
    stride = SAMPLES.get(suite, (1, 1))[0 if scope == selection.QUICK else 1]
    tests = chosen.tests[suite]
    if stride == 1 or not any(test.samples and test.name not in chosen.whole for test in tests):
        return 1, ""
    what = "fewer preemptions, fewer designs" if suite == "explorer" else f"every {stride}th design"
    return stride, f"{suite}: {what}; all: {'build/tests/' + suite}"


def report(done, chosen: selection.Selection, scope: str, notes: list[str]) -> int:
    parts = [part for some in done.values() for part in some]
    outcomes = [(part.suite.name, outcome) for part in parts for outcome in part.outcomes]
    for suite, outcome in outcomes:
        if outcome.outcome == "skipped":
            print(f"skipped {suite}: {outcome.test}: {outcome.message.strip()}")
    for note in notes:
        print(note)
    left_out = sum(map(len, chosen.left_out.values()))
    if left_out and scope == selection.QUICK:
        print(
            f"Left out as more of the same kind: {left_out} tests; `make test-rest' runs most of these, "
            "`make test-all' all."
        )
    if scope == selection.REST:
        for sentence in left_to_all(chosen):
            print(sentence)
    for suite, outcome in outcomes:
        if outcome.outcome == "failed":
            print(f"failed {suite}: {outcome.test}: {first_line(outcome.message)}")
    failed = sum(outcome.outcome == "failed" for _, outcome in outcomes)
    passed = sum(outcome.outcome == "passed" for _, outcome in outcomes)
    return 0 if passed and not failed else 1


def left_to_all(chosen: selection.Selection) -> list[str]:
    """What neither `make test' nor test-rest runs."""
    seldom = {name: sum(test.seldom for test in tests) for name, tests in chosen.left_out.items()}
    words = ", ".join(f"{name} ({count})" for name, count in seldom.items() if count)
    samples = [name for name, tests in chosen.left_out.items() if any(test.samples for test in tests)]
    sentences = []
    if words:
        sentences.append(f"Left to `make test-all', as they take long: {words}.")
    if samples:
        sentences.append(f"Samples are larger in `make test-all': {', '.join(samples)}.")
    return sentences


def first_line(message: str) -> str:
    """The last line of a traceback says what was wrong."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return (
        (lines[-1] if lines[:1] == ["Traceback (most recent call last):"] else lines[0])[:200]
        if lines
        else ""
    )


def run(scope: str, build: str, given: dict[str, str], host_words: list[str]) -> int:
    progress = Progress()
    # What Python makes of tests and tools is kept, under build/, for the hundreds of commands of tests.
    os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(ROOT, build, "tests", "python")
    os.environ["PYTHONDONTWRITEBYTECODE"] = ""
    suites = catalogue.suites(host_words)
    chosen = choose(suites, scope, given.get("ONLY", ""), build, progress)
    by_name = {suite.name: suite for suite in suites}
    started, used = time.monotonic(), running.processor_seconds()
    folder = os.path.join(ROOT, build, "tests", "logs")
    os.makedirs(folder, exist_ok=True)
    timings = Timings(os.path.join(ROOT, build, "tests", "timings.json"))
    environment = {
        "PARLEY_BUILD": os.path.join(ROOT, build),
        "PARLEY_VERSION": places.version(),
        # numpy's second thread spins while it waits for the first.
        "OPENBLAS_NUM_THREADS": "1",
        "PARLEY_LEAF": chosen.leaf,
        "PARLEY_PRESET": chosen.preset,
    }
    limit, only = float(given.get("LIMIT", 0)), "ONLY" in given
    runner = running.Runner(progress, timings, environment, folder, limit, only)
    notes = []
    for name, tests in chosen.tests.items():
        stride, note = describe_sample(scope, name, chosen)
        notes += [note] if note else []
        # Who asks for a class or a suite waits for the whole bounds.
        brief = {"PARLEY_BRIEF": "1"} if scope == selection.QUICK and not only else {}
        runner.add(by_name[name], tests, {"PARLEY_SAMPLE": str(stride), **brief}, targets_of)
    for suite in suites:
        if suite.error and not given.get("ONLY"):
            runner.lose(suite, f"the file cannot be loaded:\n{suite.error}")
    done = runner.run(building.Builder(runner.targets(), progress))
    timings.keep()
    print()
    code = report(done, chosen, scope, notes)
    wall, used = time.monotonic() - started, running.processor_seconds() - used
    built = f", {clock(runner.built_at - started)} until all was built" if runner.built_at else ""
    print(f"{clock(wall)} minutes{built}, {used:.0f} s of processor time")
    print(running.counts([part for some in done.values() for part in some]))
    return code


def main() -> int:
    if any(word in ("--help", "-h", "help") for word in sys.argv[1:2]):
        print(__doc__.strip())
        return 0
    try:
        return run(*parse(sys.argv[1:]))
    except Refused as problem:
        print(problem, file=sys.stderr)
        return BAD_REQUEST
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(ending.of(main))
