#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""make test: every suite, one after the other, and a last line of counts over all of them.

test_all.py BUILD [HOST-TEST...]: the host tests are Catch2 programs; the rest is found under tools/.
"""

import os
import re
import subprocess
import sys
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
CASES = re.compile(r'<OverallResultsCases\s+successes="(\d+)"\s+failures="(\d+)"')


def failed_tests(result: unittest.TestResult) -> int:
    """Tests that failed; several failing parts of one test count once."""
    names = {getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors}
    return len(names) + len(result.unexpectedSuccesses)


def python_suite(folder: str) -> tuple[int, int]:
    sys.path.insert(0, os.path.join(ROOT, "tools", "tests"))
    suite = unittest.TestLoader().discover(os.path.join(ROOT, "tools", folder), top_level_dir=None)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    failed = failed_tests(result)
    return result.testsRun - len(result.skipped) - failed, failed


def host_suite(program: str) -> tuple[int, int]:
    """A Catch2 program (version 2 or 3); one that crashes counts as one failed test."""
    environment = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1 second_deadlock_stack=1"}
    done = subprocess.run(
        [program, "-r", "xml"], capture_output=True, text=True, env=environment, check=False
    )
    counts = CASES.search(done.stdout)
    passed, failed = (int(counts.group(1)), int(counts.group(2))) if counts else (0, 1)
    if done.returncode != 0 or not counts or failed:
        failed = max(failed, 1)
        show(program)
        print(done.stderr[-4000:])
    return passed, failed


def show(program: str) -> None:
    """The same again, for people."""
    subprocess.run([program, "--use-colour", "no"], check=False)


def suites(arguments: list[str]):
    for program in arguments:
        yield os.path.relpath(program, ROOT), lambda program=program: host_suite(os.path.abspath(program))
    yield "tools/tests (the runner, with a fake emulator)", lambda: python_suite("tests")
    yield "tools/boots (the kernel in the emulator)", lambda: python_suite("boots")


def main() -> int:
    os.chdir(ROOT)
    passed = failed = 0
    for title, run in suites(sys.argv[2:]):
        started = time.monotonic()
        good, bad = run()
        passed, failed = passed + good, failed + bad
        print(f"{title}: {good} passed, {bad} failed in {time.monotonic() - started:.0f} s", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
