# SPDX-License-Identifier: MIT
"""What `make test ONLY=...` runs, and what it says when it finds nothing; and how tests declare what concerns
this."""

import io
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path += [os.path.join(ROOT, "testing"), os.path.join(ROOT, "kernel", "tests")]

import boot_case  # noqa: E402
import test_all  # noqa: E402
from suites import building, catalogue, running, selection, timings  # noqa: E402
from suites.catalogue import Suite, Test  # noqa: E402

SUITES = [
    Suite(
        "boots/ports",
        "python",
        "kernel/tests/test_ports.py",
        [Test("Ports.test_a_port_is_full", "kernel/tests/test_ports.py"),
         Test("Ports.test_a_port_is_empty", "kernel/tests/test_ports.py", extra=True),
         Test("Ports.test_ports_for_hours", "kernel/tests/test_ports.py", extra=True, seldom=True)],
    ),
    Suite("messaging", "host", "build/tests/messaging", [Test("a lock excludes", "messaging/lock_test.cpp")]),
]  # fmt: skip


class Asked(unittest.TestCase):
    def found(self, word: str, scope: str = selection.QUICK) -> set[str]:
        asked = selection.Asked(SUITES, {"ticket": "synchronization"}, ["exp6"], lambda: None)
        chosen = selection.select(SUITES, scope, asked, word)
        return {test.name.rsplit(".", 1)[-1] for tests in chosen.tests.values() for test in tests}

    def test_one_that_is_named_runs_whatever_the_scope(self):
        self.assertEqual(self.found("test_a_port_is_empty"), {"test_a_port_is_empty"})

    def test_several_whose_names_have_the_words_all_run(self):
        both = {"test_a_port_is_full", "test_a_port_is_empty"}
        for words in ("a port is", "A_PORT"):
            self.assertEqual(self.found(words), both)
        self.assertEqual(self.found("boots"), {"test_a_port_is_full"})
        self.assertEqual(self.found("boots", selection.REST), {"test_a_port_is_empty"})
        self.assertEqual(self.found("boots", selection.ALL), both | {"test_ports_for_hours"})

    def test_what_is_left_to_test_all_is_told(self):
        sampled = Test("every design", "messaging/a_test.cpp", samples=True)
        suites = [*SUITES, Suite("tsan/messaging", "host", "m", [sampled])]
        self.assertEqual(
            test_all.left_to_all(selection.select(suites, selection.REST, None, "")),
            [
                "Left to `make test-all', as they take long: boots/ports (1).",
                "Samples are larger in `make test-all': tsan/messaging.",
            ],
        )

    def test_what_is_asked_for_by_name_has_its_whole_bounds(self):
        for scope, given, is_brief in (
            (selection.QUICK, {}, True),
            (selection.QUICK, {"ONLY": "messaging"}, False),
            (selection.REST, {}, False),
            (selection.ALL, {}, False),
        ):
            runner = mock.Mock(**{"run.return_value": {}, "built_at": 0, "targets.return_value": []})
            with (
                tempfile.TemporaryDirectory() as folder,
                mock.patch.object(catalogue, "suites", return_value=SUITES),
                mock.patch.object(running, "Runner", return_value=runner),
                mock.patch("sys.stdout", io.StringIO()),
            ):
                test_all.run(scope, folder, given, [])
            told = {"PARLEY_BRIEF" in call.args[2] for call in runner.add.call_args_list}
            self.assertEqual(told, {is_brief}, (scope, given))

    def test_a_class_and_a_preset_are_told_apart(self):
        suites = [Suite("messaging", "host", "m", [Test("all", "a_test.cpp", factors=frozenset(["design"]))])]
        for word, wanted in (("ticket", ("ticket", "")), ("exp6", ("", "exp6"))):
            asked = selection.Asked(suites, {"ticket": "synchronization"}, ["exp6"], lambda: None)
            chosen = selection.select(suites, selection.QUICK, asked, word)
            self.assertEqual((chosen.leaf, chosen.preset), wanted)

    def test_nothing_found_is_told_with_what_is_near(self):
        for word, hint in (
            ("tiket", "near are: ticket"),
            ("test_a_prt_is_full", "near are: test_a_port_is_full"),
            ("xyz", "the suites are boots/ports, messaging"),
        ):
            with self.assertRaises(selection.NothingFound) as caught:
                self.found(word)
            wanted = f"There is no suite, file, leaf, preset or test '{word}'; {hint}"
            self.assertEqual(str(caught.exception)[: len(wanted)], wanted)

    def test_the_command_refuses_it_with_status_2(self):
        line = [sys.executable, "-B", "testing/test_all.py", "test", "build", "ONLY=sentenzes", "--"]
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("no suite, file, leaf, preset or test 'sentenzes'; near are: sentences", done.stderr)

    def test_help_explains_the_words(self):
        line = [sys.executable, "-B", "testing/test_all.py", "--help"]
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("KEY is ONLY", done.stdout)

    def test_a_command_line_that_lacks_a_part_is_refused_in_a_sentence(self):
        for words, wanted in (
            ([], "Scope, folder of what is built"),
            (["test", "build", "ONLY=ticket"], "Scope, folder of what is built"),
            (["tests", "build", "--"], "There are no tests called 'tests'"),
            (["test", "build", "ONLY", "--"], "ONLY wants a value"),
            (["test", "build", "ONYL=a", "--"], "did you mean ONLY?"),
        ):
            with self.assertRaises(test_all.Refused) as caught:
                test_all.parse(words)
            self.assertIn(wanted, str(caught.exception))


class HostPrograms(unittest.TestCase):
    def test_a_template_is_a_test_for_each_of_its_types(self):
        text = """
TEST_CASE("a \\"port\\" is "
          "full", "[port]")
TEMPLATE_TEST_CASE("a queue keeps order", "[queue]", Shared,
                   Private)
"""
        wanted = ['a "port" is full', "a queue keeps order - Shared", "a queue keeps order - Private"]
        self.assertEqual(catalogue.case_names(text), wanted)

    def test_a_test_that_the_program_does_not_know_has_failed(self):
        program = """#!/usr/bin/python3
import os
os.write(int(os.environ["PARLEY_TEST_EVENTS"]),
         b'{"event": "start", "name": "known"}\\n{"event": "end", "name": "known", "outcome": "passed"}\\n')
"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            os.chmod(path, 0o755)
            suite = Suite("made", "host", path, [Test("known", ""), Test("unknown", "")])
            kept = timings.Timings(os.path.join(folder, "timings"))
            runner = running.Runner(mock.Mock(), kept, {}, folder, 60)
            runner.add(suite, suite.tests, {})
            (part,) = runner.run()["made"]
        found = [(outcome.test, outcome.outcome) for outcome in part.outcomes]
        self.assertEqual(found, [("known", "passed"), ("unknown", "failed")])
        self.assertIn("it never began", part.outcomes[1].message)


    def test_a_program_that_leaves_a_process_behind_is_not_waited_for_for_ever(self):
        program = """#!/usr/bin/python3
import os, signal
events = int(os.environ["PARLEY_TEST_EVENTS"])
if os.fork() == 0:
    os.setpgid(0, 0)
    signal.pause()
os.write(events, b'{"event": "start", "name": "it"}\\n{"event": "end", "name": "it", "outcome": "passed"}\\n')
"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            os.chmod(path, 0o755)
            suite = Suite("made", "host", path, [Test("it", "")])
            kept = timings.Timings(os.path.join(folder, "timings"))
            runner = running.Runner(mock.Mock(), kept, {}, folder, 1)
            runner.add(suite, suite.tests, {})
            (part,) = runner.run()["made"]
        found = [(outcome.test, outcome.outcome) for outcome in part.outcomes]
        self.assertEqual(found, [("it", "passed"), ("(after its last test)", "failed")])
        self.assertRegex(part.outcomes[1].message, r"^it has left processes behind: \d+ \(.*python3\)")


# Stands in for make: `one` is there at once, `two` when the test of `one` has run, `three` never.
MAKE = """#!/bin/sh
case "$*" in *--dry-run*) exit ;; esac
echo 'ready: one'
until test -e FOLDER/one-has-run; do sleep 0.05; done
echo 'ready: two'
echo 'three.cpp:1: error: nonsense' >&2
echo "make: Target 'announce/three' not remade because of errors." >&2
exit 2
"""
PROGRAM = """#!/bin/sh
printf '{"event": "start", "name": "it"}\\n{"event": "end", "name": "it", "outcome": "passed"}\\n' \\
    >&"$PARLEY_TEST_EVENTS"
touch FOLDER/NAME-has-run
"""


class Building(unittest.TestCase):
    def test_tests_begin_when_theirs_are_built_and_only_those_that_cannot_be_are_lost(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("one", "two", "three", "make"):
                text = (MAKE if name == "make" else PROGRAM).replace("FOLDER", folder).replace("NAME", name)
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
                os.chmod(file.name, 0o755)
            said = mock.Mock()
            runner = running.Runner(said, timings.Timings(os.path.join(folder, "times")), {}, folder, 60)
            for name in ("three", "two", "one"):
                suite = Suite(name, "host", os.path.join(folder, name), [Test("it", "")])
                runner.add(suite, suite.tests, {}, lambda suite, tests: {suite.name})
            with mock.patch.dict(os.environ, {"MAKE": os.path.join(folder, "make")}):
                done = runner.run(building.Builder(runner.targets(), said))
        found = {name: [outcome.outcome for outcome in parts[0].outcomes] for name, parts in done.items()}
        self.assertEqual(found, {"one": ["passed"], "two": ["passed"], "three": ["failed"]})
        self.assertEqual(done["three"][0].outcomes[0].message, "not built, see above: three")
        lines = [call.args[0] for call in said.say.call_args_list]
        self.assertIn("three.cpp:1: error: nonsense", lines)

    def test_what_is_asked_for_by_name_says_soonest_what_is_broken(self):
        known = (("tsan/plain", "host", 5), ("python", "python", 9), ("plain", "host", 1))
        by_time = ["python", "tsan/plain", "plain"]
        for only, wanted in ((True, ["plain", "python", "tsan/plain"]), (False, by_time)):
            runner = running.Runner(mock.Mock(), mock.Mock(), {}, "", 0, only)
            for name, kind, seconds in known:
                runner.timings.of.return_value = seconds
                suite = Suite(name, kind, name, [Test("it", "")])
                runner.add(suite, suite.tests, {}, lambda suite, tests: {suite.name})
            self.assertEqual(runner.targets(), wanted)


class Declarations(unittest.TestCase):
    def declared(self, mark, sample) -> dict[str, bool]:
        class Case(boot_case.BootCase):
            def tries(self, value, job):
                pass

        Case.tries = mark(Case.tries)
        decorate = boot_case.for_each_job(("exp4", "exp6"), "tries", lambda case, value: {}, sample=sample)
        case = decorate(Case)
        return {name: getattr(case, f"test_tries_{name}").extra for name in ("exp4", "exp6")}

    def test_a_sample_leaves_the_others_out(self):
        self.assertEqual(self.declared(lambda test: test, ("exp4",)), {"exp4": False, "exp6": True})
        self.assertEqual(self.declared(lambda test: test, None), {"exp4": False, "exp6": False})

    def test_what_is_seldom_run_is_so_but_for_the_sample(self):
        class Case(boot_case.BootCase):
            @boot_case.seldom
            def tries(self, value):
                pass

        case = boot_case.for_each(("exp4", "exp6"), "tries", sample=("exp4",))(Case)
        told = {name: getattr(case, f"test_tries_{name}").seldom for name in ("exp4", "exp6")}
        self.assertEqual(told, {"exp4": False, "exp6": True})

    def test_what_its_method_declares_holds_for_each(self):
        self.assertEqual(self.declared(boot_case.extra, None), {"exp4": True, "exp6": True})
        self.assertEqual(self.declared(boot_case.extra, ("exp4",)), {"exp4": True, "exp6": True})


if __name__ == "__main__":
    unittest.main()
