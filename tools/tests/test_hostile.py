# SPDX-License-Identifier: MIT
"""What programs and files do to the user's machine and terminal: nothing."""

import json
import os
import subprocess
import unittest

from runner_case import RunnerCase, elf

GOOD = "machine.good(); machine.exit(33)"
# What a program may say and call its files: colours, a terminal's title, NUL, a carriage return, C1.
EVIL = b"\x1b[31mred\x1b]0;title\x07\0\rhidden\xc2\x9b1m\xff"
SHOWN = r"\x1b[31mred\x1b]0;title\x07\x00\x0dhidden\x9b1m\xff"
SAYS = f"""
machine.plan(); machine.job()
os.write(machine.consoles, b'program: ' + {EVIL!r} + b'\\r\\nnext\\n')
machine.row(name='evil \\x1b[2J\\x07')
machine.file({EVIL.replace(bytes(1), b'')!r}, b'content')
machine.job_end(); machine.end(); machine.exit(33)"""


class Files(RunnerCase):
    def refuse(self, sentence: str, *words: str):
        self.assert_status(self.run_fake("machine.exit(33)", *words), 2, sentence)

    def test_what_is_no_regular_file_is_refused_at_once(self):
        os.mkfifo(self.path("pipe"))
        self.refuse("APP=./pipe is a pipe; it must be a regular file.", "APP=./pipe")
        self.refuse("INPUT=pipe is a pipe; it must be a regular file.", "INPUT=pipe")
        self.refuse("INPUT=/dev/zero is a device; it must be a regular file.", "INPUT=/dev/zero")
        self.refuse("APP=./ is a folder; it must be a regular file.", "APP=./")

    def test_a_pipe_among_the_files_is_left_out(self):
        os.makedirs(self.path("work"))
        os.mkfifo(self.path("work/pipe"))
        self.assert_status(self.run_fake(GOOD, "FILES=work"), 0)

    def test_a_file_larger_than_the_machine_is_refused_without_being_copied(self):
        self.write("large", "")
        os.truncate(self.path("large"), 3 << 30)
        self.largest_file = 64 << 20
        self.refuse("Programs and files take 3073 MiB, too much for MEMORY=512", "INPUT=large")
        os.truncate(self.path("large"), 5 << 30)
        self.refuse("INPUT=large has 5368709120 bytes, more than the 4294967295", "INPUT=large")

    def test_a_pipe_that_nobody_writes_is_refused_rather_than_waited_for(self):
        os.mkfifo(self.path("pipe.toml"))
        said = "MACHINE=pipe.toml is a pipe; it must be a regular file."
        self.refuse(said, "CLOCK=modelled", "MACHINE=pipe.toml")
        self.refuse("CONFIG=pipe.toml is a pipe that nobody writes", "CONFIG=pipe.toml")

    def test_a_pipe_that_a_command_writes_is_read(self):
        os.mkfifo(self.path("pipe.toml"))
        with subprocess.Popen(["sh", "-c", "echo 'nodes = 2' > pipe.toml"], cwd=self.folder) as writer:
            # Until the writer has opened it, which it can only beside a reader.
            reader = os.open(self.path("pipe.toml"), os.O_RDONLY)
            self.assert_status(self.run_fake(GOOD, "CONFIG=pipe.toml"), 0)
            os.close(reader)
            self.assertEqual(writer.wait(), 0)

    def test_a_device_is_no_configuration_and_no_record(self):
        self.refuse("CONFIG=/dev/zero has more than the 1048576 bytes that are read.", "CONFIG=/dev/zero")

    def test_a_file_that_says_it_is_empty_is_read_nevertheless(self):
        script = "data = open(machine.arguments[machine.arguments.index('-initrd') + 1], 'rb').read()"
        script += f"\nassert b'Linux version' in data\n{GOOD}"
        self.assert_status(self.run_fake(script, "INPUT=/proc/version"), 0)

    def test_a_path_that_no_program_could_name_is_said(self):
        folder = "work/" + "/".join(["d" * 50] * 5)
        self.write(f"{folder}/{'x' * 20}", "text")
        self.refuse("FILES holds a path of 275 bytes, and programs can name 255: ddd", "FILES=work")
        self.write("good/" + "/".join(["d" * 50] * 5), "text")  # 254
        self.assert_status(self.run_fake(GOOD, "FILES=good"), 0)

    def test_a_broken_program_beside_a_host_program_is_left_out(self):
        self.write("bin/host", elf() + b"@(#)parley: this program loads others")
        beside = bytearray(elf())
        beside[32:40] = b"\xff" * 8  # where the program headers lie
        self.write("bin/beside", bytes(beside))
        self.assert_status(self.run_fake(GOOD, "APP=bin/host"), 0)
        self.refuse("APP=bin/beside is cut off", "APP=bin/beside")

    def test_bytes_that_are_no_characters_are_taken_or_refused(self):
        self.refuse("There is no design", "DESIGN=\udcff")
        self.refuse("There is no key", "\udcff=1")
        done = self.run_fake(GOOD, "ARGS=\udcff", "RECORD=record.json")
        self.assert_status(done, 0)
        self.assertEqual(self.record()["asked"]["jobs"][0]["args"], r"\xff")
        self.write("c.toml", b"name = '\xff'\n")
        self.refuse("CONFIG=c.toml is not UTF-8 text", "CONFIG=c.toml")


class Results(RunnerCase):
    def test_thousands_of_rows_are_printed_at_once(self):
        script = """
            machine.plan(); machine.job(); machine.row(0, 500.0, 'bare ping-pong')
            for size in range(9000): machine.row(size)
            machine.job_end(); machine.end(rows=9001); machine.exit(33)"""
        before = os.times()
        done = self.run_fake(script, "RECORD=record.json")
        used = os.times().children_user - before.children_user
        self.assert_status(done, 0)
        self.assertEqual(len(self.record()["rows"]), 9001)
        self.assertEqual(done.stdout.count("x3.00\n"), 9000)
        self.assertLess(used, 9, "seconds of processor time; it took 18 when each cell looked at each row")

    def test_what_is_no_number_is_null_and_said(self):
        done = self.run_fake(
            """
            machine.plan(); machine.job(); machine.row(8, float('nan')); machine.row(16)
            machine.job_end(); machine.end(rows=2); machine.exit(33)""",
            "RECORD=record.json",
        )
        self.assert_status(done, 0, "1 measurement has no number: the program reported NaN or infinity")
        self.assertRegex(done.stdout, r" 8 +no number\n")
        with open(self.path("record.json"), encoding="utf-8") as file:
            rows = json.load(file, parse_constant=self.fail)["rows"]
        self.assertEqual([row["median"] for row in rows], [None, 1500.0])


class Terminals(RunnerCase):
    def test_a_terminal_shows_control_bytes_and_obeys_none(self):
        text = self.terminal(SAYS, "RECORD=record.json").decode()
        self.assertIn(f"program: {SHOWN}\r\nnext\r\n", text)
        self.assertIn(r"evil \x1b[2J\x07, access none", text)
        self.assertIn("The program wrote the file \\x1b[31mred", text)
        for evil in ("\x1b[31mred", "\x1b]0", "\x1b[2J", "\x07", "\0", "\x9b"):
            self.assertNotIn(evil, text)

    def test_a_refusal_shows_them_too(self):
        self.assertIn(rb"'\x1b[2J'", self.terminal("", "DESIGN=\x1b[2J"))

    def test_records_of_others_are_shown_so_too(self):
        self.run_fake(SAYS, "RECORD=record.json")
        with open(self.path("record.json"), encoding="utf-8") as file:
            text = file.read()
        self.write("other.json", text.replace("1500.0", "9000.0"))
        for command, words in (
            ("record", ("show", "record.json")),
            ("compare-runs", ("record.json", "other.json")),
        ):
            with self.subTest(command=command):
                shown = self.terminal("", *words, command=command)
                self.assertIn(rb"evil \x1b[2J\x07", shown)
                self.assertNotIn(b"\x1b[2J", shown)

    def test_a_pipe_gets_every_byte_as_it_is(self):
        process = self.start(SAYS, "OUT=out")
        out, _ = process.stdout.buffer.read(), process.communicate(timeout=60)
        self.assertIn(b"program: " + EVIL + b"\r\nnext\n", out)
        self.assertEqual(os.listdir(os.fsencode(self.path("out"))), [EVIL.replace(b"\0", b"")])

    def test_a_character_in_two_pieces_stays_one(self):
        script = """
            machine.plan(); machine.job(); machine.job_end(); machine.end(rows=0)
            os.write(machine.consoles, 'é'.encode()[:1]); time.sleep(0.2)
            os.write(machine.consoles, 'é'.encode()[1:] + b'\\r'); time.sleep(0.2)
            os.write(machine.consoles, b'\\n'); machine.exit(33)"""
        self.assertIn("é\r\n", self.terminal(script).decode())


if __name__ == "__main__":
    unittest.main()
