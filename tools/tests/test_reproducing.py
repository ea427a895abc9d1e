# SPDX-License-Identifier: MIT
"""Records that are run again, with an emulator that plays a script: what is the same, and what is refused."""

import json
import os
import struct
import subprocess
import sys
import unittest
from unittest import mock

from runner_case import TOOLS, RunnerCase

sys.path.insert(0, TOOLS)

from parley_report import packages, reproduce  # noqa: E402
from parley_runner import again, contents, made, places, record, request, symbols  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402

try:
    packages.need("scipy")
    MISSING = ""
except BadRequest as problem:
    MISSING = str(problem)
GOOD = "machine.good(); machine.exit(33)"


def story(clock: str, row: str) -> str:
    """A boot with that one measurement."""
    return f"""
        machine.plan(clock={clock!r}); machine.job(); machine.row({row}); machine.job_end(); machine.end()
        machine.exit(33)"""


class Contents(RunnerCase):
    """What a record has as the digest of a program."""

    def digest_of(self, folder: str, text: str, *flags: str) -> str:
        folder = os.path.join(self.folder, folder)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "a.c"), "w", encoding="ascii") as file:
            file.write(text)
        line = ["gcc", "-g", "-Wl,--build-id", *flags, os.path.join(folder, "a.c"), "-o", f"{folder}/a"]
        subprocess.run(line, check=True)
        return contents.digest(f"{folder}/a").hex()

    def test_it_is_of_what_is_loaded_alone(self):
        text = "int main(void) { return 1; }\n"
        for flags in (("-static",), ("-shared", "-fPIC")):
            one = self.digest_of("one", text, *flags)
            with self.subTest(flags):
                self.assertEqual(self.digest_of("a longer name", text, *flags), one)
                self.assertEqual(self.digest_of("three", "// a comment\n\n" + text, *flags), one)
                self.assertNotEqual(self.digest_of("four", text.replace("1", "2"), *flags), one)

    def test_it_is_of_what_else_a_run_takes_from_the_file(self):
        note = (
            '__asm__(".section .note.own,\\"a\\",@note\\n.long 4, 8, 18\\n"\n'
            '        ".asciz \\"Own\\"\\n.quad %d\\n.text");\n'
        )
        text = "void parley_copy(void) {}\nvoid parley_copy_end(void) {}\nint main(void) { return 1; }\n"
        one = self.digest_of("one", note % 4096 + text, "-static")
        self.assertEqual(self.digest_of("two", note % 4096 + text, "-static"), one)
        self.assertNotEqual(self.digest_of("three", note % 8192 + text, "-static"), one)
        renamed = text.replace("parley_copy(", "copy(")
        self.assertNotEqual(self.digest_of("four", note % 4096 + renamed, "-static"), one)

    def test_a_program_whose_tables_lie_has_a_digest_all_the_same(self):
        self.digest_of("one", "int main(void) { return 1; }\n", "-static")
        path = os.path.join(self.folder, "one", "a")
        with open(path, "rb") as file:
            data = bytearray(file.read())
        sections, count = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<H", data, 60)[0]
        for section in range(count):
            struct.pack_into("<I", data, sections + 64 * section + 40, count + 1)  # the section of its names
        with open(path, "wb") as file:
            file.write(data)
        self.assertIsNone(symbols.find(path, "main"))
        self.assertEqual(len(contents.digest(path)), 32)

    def test_it_is_of_all_of_a_file_that_is_no_whole_program(self):
        self.digest_of("one", "int main(void) { return 1; }\n", "-static")
        path = os.path.join(self.folder, "one", "a")
        with open(path, "rb") as file:
            data = file.read()
        for end in (10, 64, 100, 5000):
            for last in (b"1", b"2"):
                with open(path + last.decode(), "wb") as file:
                    file.write(data[:end] + last)
            self.assertNotEqual(contents.digest(path + "1"), contents.digest(path + "2"), end)


class Reproducing(RunnerCase):
    def reproduce(self, script: str, *words: str, **more) -> subprocess.CompletedProcess:
        return self.command("reproduce", script, *words, **more)

    def recorded(self, script: str, *words: str) -> None:
        self.assert_status(self.run_fake(script, "RECORD=old.json", *words), 0)

    def changed(self, name: str, change) -> None:
        """The record once more, with a change."""
        whole = self.record("old.json")
        change(whole)
        self.write(name, json.dumps(whole))

    def test_what_repeats_is_reproduced(self):
        self.recorded(story("counted", ""), "CLOCK=counted")
        done = self.reproduce(story("counted", ""), "RECORD=old.json", "OUT=new.json")
        self.assert_status(done, 0, "1 of 1 measurements the same.\nReproduced.\n")
        self.assertEqual(self.record("new.json")["rows"], self.record("old.json")["rows"])
        self.assertNotIn("another", done.stdout)

    def test_an_exact_figure_that_differs_is_told_and_is_the_status(self):
        self.recorded(story("counted", ""), "CLOCK=counted")
        done = self.reproduce(story("counted", "median=1501"), "old.json")
        self.assert_status(done, 1, "Not reproduced.")
        self.assertRegex(done.stdout, r"round trip, 64 bytes, us +1\.5 +1\.501 +1\.001 +exact +slower")

    def test_so_is_a_single_sample_of_a_clock_that_repeats(self):
        self.recorded(story("counted", ""), "CLOCK=counted")
        one_sample = """
        from parley_runner import frames
        pack = frames.ROW_BODY.pack
        class OneMore: pack = staticmethod(lambda *values: pack(*values[:-1], values[-1] + 1))
        frames.ROW_BODY = OneMore"""
        done = self.reproduce(one_sample + story("counted", ""), "old.json")
        self.assert_status(done, 1, "round trip, 64 bytes: single samples differ")

    @unittest.skipIf(MISSING, MISSING)
    def test_times_of_the_free_clock_are_compared_by_their_spread(self):
        self.recorded(story("free", ""))
        self.assert_status(self.reproduce(story("free", "median=1550"), "old.json"), 0, "Reproduced.")
        done = self.reproduce(story("free", "median=9000"), "old.json")
        self.assert_status(done, 1, "Changed: 1 slower")

    def test_another_end_is_a_difference(self):
        self.recorded(story("counted", ""), "CLOCK=counted")
        panics = "machine.plan(); machine.frame(8, b'oh'); machine.exit(37)"
        done = self.reproduce(panics, "old.json")
        self.assert_status(done, 1, "it ended with success, and now with panic")

    def test_an_end_that_is_bad_in_another_way_is_a_difference(self):
        def failing(node: int, status: int) -> str:
            said = {"job": 0, "node": node, "status": status, "reason": ""}
            return f"""
                from parley_runner import frames
                machine.plan(clock="counted"); machine.job(); machine.frame(frames.PROCESS, {said})
                machine.job_end(status='failed'); machine.end(failed=1, rows=0); machine.exit(35)"""

        self.assert_status(self.run_fake(failing(1, 3), "RECORD=old.json", "CLOCK=counted"), 1)
        self.assert_status(self.reproduce(failing(1, 3), "old.json"), 0, "Reproduced.")
        done = self.reproduce(failing(1, 4), "old.json")
        self.assert_status(done, 1, "the end of the process of job 0, node 1: 3 and 4")
        done = self.reproduce(failing(0, 3), "old.json")
        self.assert_status(done, 1, "the end of the process of job 0, node 0: None and 3")
        deadlock = """
            machine.plan(clock="counted"); machine.job(); machine.job_end(status='deadlock')
            machine.end(failed=1, rows=0); machine.exit(35)"""
        self.assert_status(self.reproduce(deadlock, "old.json"), 1, "the end of job 0: failed and deadlock")

    def test_programs_without_a_measurement_are_compared_by_how_they_end(self):
        silent = "machine.plan(); machine.job(); machine.job_end(); machine.end(rows=0); machine.exit(33)"
        self.recorded(silent)
        self.assert_status(self.reproduce(silent, "old.json"), 0, "how they end is compared")
        failed = """
            machine.plan(); machine.job(); machine.job_end(status='failed'); machine.end(failed=1, rows=0)
            machine.exit(35)"""
        self.assert_status(self.reproduce(failed, "old.json"), 1, "Not reproduced.")

    def test_another_version_and_another_build_are_said(self):
        self.recorded(story("counted", ""), "CLOCK=counted")
        self.changed("other.json", lambda whole: whole["made"].update(version="0ld"))
        done = self.reproduce(story("counted", ""), "other.json")
        self.assert_status(done, 0, "other.json is of another version, 0ld, and this is ")
        self.changed("older.json", lambda whole: whole.pop("made"))
        done = self.reproduce(story("counted", ""), "older.json")
        self.assert_status(done, 0, "older.json is of an older version, which did not write down")
        self.changed("host.json", lambda whole: whole["host"].update(emulator="QEMU 1"))
        done = self.reproduce(story("counted", ""), "host.json")
        self.assert_status(done, 0, "measured in another emulator, QEMU 1, and here is fake emulator")
        self.changed("older.json", lambda whole: whole["host"].update(firmware="another"))
        done = self.reproduce(story("counted", ""), "older.json")
        self.assert_status(done, 0, "measured with other firmware, another, and here is ")
        self.write("build/kernel.elf", b"another kernel")
        done = self.reproduce(story("counted", ""), "old.json")
        self.assert_status(done, 0, "with another build of the kernel or message library.")

    def test_what_cannot_be_run_again_is_refused_in_one_sentence_before_a_boot(self):
        self.recorded(story("free", ""))

        def modelled(whole):
            whole["asked"].update(clock="modelled", machine="ideal")
            whole["model"] = {"machine_digest": "other", "parameters": {"instruction.plain": 1}}

        for name, change in (
            ("format", lambda whole: whole.update(format="parley-record-0")),
            ("later", lambda whole: whole.update(schema=99)),
            ("word", lambda whole: whole["asked"].update(colour="red")),
            ("value", lambda whole: whole["asked"].update(clock="sundial")),
            ("program", lambda whole: whole["asked"]["jobs"][0].update(app="nonsense")),
            ("none", lambda whole: whole["asked"].update(jobs=[])),
            ("stopped", lambda whole: whole.update(status="interrupted")),
            ("native", lambda whole: whole.update(clock="native")),
            ("order", lambda whole: (whole["asked"].pop("order"), whole["asked"]["jobs"].append(JOB))),
            ("threads", lambda whole: whole["host"].update(threads="neither")),
            ("machine", modelled),
        ):
            self.changed(f"{name}.json", change)
        self.write("text.json", "no record")
        for words, sentence in (
            ([], "No record is named"),
            (["none-such.json"], "There is no record none-such.json"),
            (["text.json"], "text.json is not a record: it is not JSON"),
            (["format.json"], "format.json is not a record of this version"),
            (["later.json"], "later.json is of a later version, whose records have schema 99"),
            (["word.json"], "asks for 'colour', which this version does not know"),
            (["value.json"], "value.json cannot be run again: clock is one of free"),
            (["program.json"], "nonsense"),
            (["none.json"], "asks for no job"),
            (["stopped.json"], "of a run that was interrupted"),
            (["native.json"], "native.json is of nxrun, which boots nothing: give its command again"),
            (["order.json"], "do not say whether several jobs ran together"),
            (["threads.json"], "threads.json was measured on another machine"),
            (["machine.json"], "machine.json is of another machine: MACHINE=ideal has other values now of"),
            (["old.json", "OTU=x"], "'OTU=x' is no word here."),
            (["old.json", "OUT=none/new.json"], "there is no folder"),
        ):
            with self.subTest(words=words):
                done = self.reproduce("open('booted', 'w')", *words)
                self.assert_status(done, 2, sentence)
                self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
                self.assertFalse(os.path.exists(self.path("booted")))

    def test_what_has_to_be_built_is_named(self):
        self.recorded(GOOD)
        self.changed("old.json", lambda whole: whole["asked"].update(trace="t.trace"))
        done = self.reproduce(GOOD, "--needs", "old.json")
        self.assertEqual(done.stdout, "APP=ring DISPATCH=virtual CHECKED=0 Q=0 CLOCK=free PROFILE=1\n")


JOB = {"app": "ring", "design": "exp6", "name": "second"}


class Asked(RunnerCase):
    def test_a_request_comes_back_from_its_record_as_it_was(self):
        self.write(
            "two.toml",
            'jobs = "together"\nprocessors = 4\n[[job]]\napp = "ring"\n'
            '[[job]]\napp = "ring"\ndesign = "exp1"\n',
        )
        for words in (
            ["APP=ring"],
            ["APP=ring", "NODES=4", "ARGS=--sizes 0,128", "BUDGET=65536", "SEMAPHORE=spin", "TAG=1"],
            ["APP=ring", "CLOCK=modelled", "MACHINE=multimax", "LOOKAHEAD=0"],
            [f"CONFIG={self.path('two.toml')}"],
        ):
            with self.subTest(words=words):
                (asked,) = request.make(words).boots(lambda: [])
                kept = json.loads(record.text(record.asked(asked)))
                run = {"asked": kept, "host": {}}
                found = again.request_of("r.json", run)
                without = ("config", "console")
                said = [
                    {name: value for name, value in record.asked(one).items() if name not in without}
                    for one in (asked, found)
                ]
                self.assertEqual(*said)


    def test_a_note_says_that_what_programs_read_has_changed(self):
        self.write("input", "one")
        asked = request.make([f"INPUT={self.path('input')}"])
        with mock.patch.object(places, "BUILD", self.build):
            run = {"made": made.of(asked)}
            self.assertEqual(again.notes("r.json", run, asked), [])
            self.write("input", "another")
            (note,) = again.notes("r.json", run, asked)
            self.assertIn("r.json was measured with other contents of INPUT, of FILES or of what", note)
            del run["made"]["files"]
            (note,) = again.notes("r.json", run, asked)
            self.assertIn("an older version, which did not write down what INPUT and FILES held", note)


class WhatTheModelCounted(unittest.TestCase):
    def differences(self, *counts: dict) -> list[str]:
        return reproduce.differences(
            *(
                {"status": "success", "clock": "modelled", "model": {"processors": [{"processor": 0, **one}]}}
                for one in counts
            )
        )

    def test_what_an_older_version_did_not_count_is_not_compared(self):
        self.assertEqual(self.differences({"reads": 4}, {"reads": 4, "copying": 7}), [])
        for now in ({"reads": 5}, {"copying": 7}):
            self.assertEqual(len(self.differences({"reads": 4}, now)), 1)


if __name__ == "__main__":
    unittest.main()
