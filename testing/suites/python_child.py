# SPDX-License-Identifier: MIT
"""The process in which the tests of one Python file run, or the files' tests are listed.

python_child.py list FILE...: one JSON object, for each file its tests and what they declare
(declarations.py).

python_child.py run FILE NAME...: runs those tests in that order. Tells what happens, one JSON object a
line, to the descriptor that PARLEY_TEST_EVENTS names: start, end with outcome and message.
"""

import importlib.util
import json
import os
import re
import sys
import traceback
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOOLS = os.path.join(ROOT, "tools")


def folders_for(path: str) -> list[str]:
    """Where a test file imports from, the first last. A study's tests also see the study's tools, and the
    folder of which their own is the study's part."""
    study, _, place = os.path.relpath(os.path.dirname(path), os.path.join(ROOT, "studies")).partition("/")
    guest = [os.path.join(ROOT, "studies", study, "tools"), os.path.join(ROOT, place)] * (study != "..")
    shared = [os.path.join(ROOT, "testing"), TOOLS, os.path.join(TOOLS, "tests")]
    return [*shared, *guest, os.path.dirname(path), HERE]


def load(path: str):
    """The module of a test file."""
    for folder in folders_for(path):
        if folder not in sys.path:
            sys.path.insert(0, folder)
    # Two folders may have files of one name.
    name = re.sub(r"\W", "_", os.path.splitext(os.path.relpath(path, ROOT))[0])
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def cases(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from cases(test)
        else:
            yield test


def tests_of(module) -> dict[str, unittest.TestCase]:
    """By Class.method, in the order of the file's names; imported classes are another file's."""
    loaded = cases(unittest.TestLoader().loadTestsFromModule(module))
    return {
        f"{type(test).__qualname__}.{test._testMethodName}": test
        for test in loaded
        if type(test).__module__ == module.__name__
    }


def declared(test: unittest.TestCase, what: str, default):
    """What a test or its class declares, the test first."""
    method = getattr(test, test._testMethodName)
    return getattr(method, what, getattr(type(test), what, default))


def describe(path: str) -> dict:
    try:
        tests = tests_of(load(path))
    except Exception:  # whatever it is: the file's tests cannot run, and this is why
        return {"error": traceback.format_exc(limit=-3)}
    return {
        "tests": [
            {
                "name": name,
                "needs": sorted({*getattr(type(test), "needs", ()), *declared(test, "needs", ())}),
                "alone": bool(declared(test, "alone", False)),
                "extra": bool(declared(test, "extra", False)),
                "seldom": bool(declared(test, "seldom", False)),
                "designs": list(declared(test, "designs", ())),
            }
            for name, test in tests.items()
        ]
    }


class Teller(unittest.TestResult):
    """Tells how each test began and ended; failing parts of one test are one failure."""

    def __init__(self):
        super().__init__()
        number = os.environ.get("PARLEY_TEST_EVENTS")
        self.events = os.fdopen(int(number), "w", buffering=1) if number else sys.stdout
        self.outcome, self.messages = "passed", []

    def tell(self, event: str, name: str, **more) -> None:
        self.events.write(json.dumps({"event": event, "name": name, **more}) + "\n")
        self.events.flush()

    def name_of(self, test) -> str:
        test = getattr(test, "test_case", test)
        method = getattr(test, "_testMethodName", None)
        return f"{type(test).__qualname__}.{method}" if method else str(test)

    def startTest(self, test):
        super().startTest(test)
        self.outcome, self.messages = "passed", []
        self.tell("start", self.name_of(test))

    def stopTest(self, test):
        super().stopTest(test)
        self.tell("end", self.name_of(test), outcome=self.outcome, message="\n".join(self.messages))

    def bad(self, test, problem) -> None:
        self.outcome = "failed"
        self.messages.append(self._exc_info_to_string(problem, getattr(test, "test_case", test)))
        if not isinstance(getattr(test, "test_case", test), unittest.TestCase):  # a class's setting up
            self.tell("end", self.name_of(test), outcome="failed", message=self.messages[-1])

    def addError(self, test, err):
        self.bad(test, err)

    def addFailure(self, test, err):
        self.bad(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.messages.append(subtest._subDescription())
            self.bad(test, err)

    def addSkip(self, test, reason):
        if self.outcome == "passed":
            self.outcome = "skipped"
        self.messages.append(reason)
        if not isinstance(test, unittest.TestCase):
            self.tell("end", self.name_of(test), outcome="skipped", message=reason)

    def addExpectedFailure(self, test, err):
        pass

    def addUnexpectedSuccess(self, test):
        self.outcome = "failed"
        self.messages.append("it is expected to fail and did not")


def run(path: str, names: list[str]) -> None:
    tests = tests_of(load(path))
    os.environ["PARLEY_TEST_NAMES"] = "\n".join(
        names
    )  # so that tests that share a boot share it with these alone
    unittest.TestSuite(tests[name] for name in names).run(Teller())


def main() -> int:
    command, *arguments = sys.argv[1:]
    if command == "list":
        print(json.dumps({path: describe(path) for path in arguments}))
    else:
        run(arguments[0], arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
