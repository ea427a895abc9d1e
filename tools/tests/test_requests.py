# SPDX-License-Identifier: MIT
"""What is asked for: words, configuration files, programs; and how refusals read."""

import os
import re
import unittest

from runner_case import RunnerCase, elf

SHOW = """
archive = machine.arguments[machine.arguments.index('-initrd') + 1]
with open(archive, 'rb') as file: data = file.read()
machine.say(data[:4000].split(b'TRAILER')[0].decode('latin1'))
machine.say(' '.join(machine.arguments))
machine.good(); machine.exit(33)"""


class Requests(RunnerCase):
    def refuse(self, sentence: str, *words: str):
        self.assert_status(self.run_fake("machine.exit(33)", *words), 2, sentence)

    def test_an_unknown_key_is_refused_with_the_nearest(self):
        self.refuse("Did you mean design?", "DESING=exp1")

    def test_a_value_out_of_range_is_refused_with_the_range(self):
        self.refuse("processors lies between 1 and 64", "PROCESSORS=65")

    def test_a_word_that_is_no_choice_is_refused_with_the_nearest(self):
        self.refuse("Did you mean counted?", "CLOCK=conted")

    def test_numbers_are_written_in_plain_digits(self):
        for number in ("1_0", "٣", "0x10", "1e3", ""):
            with self.subTest(number=number):
                self.refuse("nodes takes a whole number", f"NODES={number} ")

    def test_a_path_of_two_lines_is_refused(self):
        self.refuse("out takes one line of text", "OUT=a\nb")

    def test_too_many_processes_are_refused_with_their_number(self):
        self.refuse("Job ring has 5120 processes (1024 nodes with 5 each)", "NODES=1024", "PIDS=5")

    def test_a_program_of_one_process_a_node_is_refused_more(self):
        program = elf() + b"@(#)parley: this program runs one process a node"
        self.write("build/apps/ring/ring", program)
        self.refuse("APP=ring runs one process a node, so PIDS is 1, not 2.", "PIDS=2")
        self.assert_status(self.run_fake(SHOW, "PIDS=1"), 0)

    def test_a_budget_beyond_memory_is_refused(self):
        self.refuse("do not fit into MEMORY=64 MiB", "MEMORY=64", "BUDGET=67108864")
        self.assert_status(self.run_fake(SHOW, "MEMORY=64", "BUDGET=67108863"), 0)

    def test_all_with_a_factor_changed_is_refused_with_what_to_say(self):
        self.refuse(
            'all stands alone; to change every row say "exp1,port=reuse exp6,port=reuse"',
            "DESIGN=all,port=reuse",
        )

    def test_an_open_quote_in_arguments_is_refused(self):
        self.refuse("not closed", 'ARGS=--access "write')

    def test_an_unknown_design_is_refused_by_the_design_tool(self):
        self.refuse("There is no design 'nonsense'", "DESIGN=nonsense")

    def test_an_unknown_program_is_refused_with_the_nearest(self):
        self.refuse("Did you mean ring?", "APP=rong")

    def test_a_program_that_cannot_run_is_refused_with_its_reason(self):
        for name, content, reason in (
            ("text", b"hello there, this is text" * 9, "not an ELF"),
            ("script", b"#!/bin/sh\n", "script"),
            ("dynamic", elf(interpreter=True), "dynamically linked"),
            ("arm", elf(machine=183), "not for x86-64"),
            ("object", elf(kind=1), "object file"),
            ("short", elf()[:70], "cut off"),
        ):
            with self.subTest(name=name):
                self.write(f"bad/{name}", content)
                self.refuse(reason, f"APP=bad/{name}")

    def test_counted_on_several_threads_is_refused(self):
        self.refuse("exclude each other", "CLOCK=counted", "THREADS=multi")

    def test_a_record_in_a_missing_folder_is_refused_before_the_boot(self):
        self.refuse("there is no folder", "RECORD=nowhere/record.json")

    def test_the_command_line_tells_the_machine_what_to_do(self):
        done = self.run_fake(
            SHOW, "NODES=3", "DESIGN=exp6,port=reuse", 'ARGS=--access "a b"', "TAG=1", "BUDGET=65536"
        )
        self.assert_status(done, 0)
        for line in (
            "processors 3",
            "clock free",
            "checks full",
            "job ring",
            "design exp6,port=reuse",
            "app bin/ring",
            "nodes 3",
            'args --access "a b"',
            "tag 1",
            "budget 65536",
            "-smp 4",
        ):
            self.assertIn(line, done.stdout)

    def test_more_processors_than_cores_run_on_one_thread_and_pause(self):
        done = self.run_fake(SHOW, "PROCESSORS=64")
        self.assertIn("thread=single", done.stdout)
        self.assertIn("pause 1", done.stdout)

    def test_pause_is_left_out_only_where_every_processor_has_a_core(self):
        for processors, pause in ((1, 0), (64, 1)):
            done = self.run_fake(SHOW, f"PROCESSORS={processors}", "THREADS=multi")
            self.assertIn("thread=multi", done.stdout)
            self.assertIn(f"pause {pause}", done.stdout)

    def test_a_counted_run_counts_instructions_on_one_thread(self):
        done = self.run_fake(SHOW, "CLOCK=counted", "PROCESSORS=1")
        for word in ("thread=single", "-icount shift=0,sleep=off", "clock counted", "pause 1"):
            self.assertIn(word, done.stdout)

    def test_files_and_input_travel_in_the_archive(self):
        self.write("work/deep/data.txt", "some data")
        self.write("in.txt", "typed text")
        done = self.run_fake(SHOW, "FILES=work", "INPUT=in.txt")
        for text in ("files/deep/data.txt", "some data", "typed text"):
            self.assertIn(text, done.stdout)

    def test_files_behind_links_travel_too_but_not_for_ever(self):
        self.write("work/own.txt", "own text")
        self.write("elsewhere/deep/far.txt", "far text")
        os.symlink("../elsewhere", self.path("work/link"))
        os.symlink(".", self.path("work/circle"))
        os.symlink("../../work", self.path("elsewhere/deep/back"))
        done = self.run_fake(SHOW, "FILES=work")
        for text in ("files/own.txt", "files/link/deep/far.txt", "far text"):
            self.assertIn(text, done.stdout)
        for text in ("circle", "back"):
            self.assertNotIn(text, done.stdout)

    def test_more_files_than_memory_are_refused_with_what_would_do(self):
        self.write("work/large", "")
        os.truncate(self.path("work/large"), 61 << 20)
        self.refuse("too much for MEMORY=64: say MEMORY=318, or take fewer FILES", "FILES=work", "MEMORY=64")

    def test_no_room_for_the_archive_is_said_with_the_way_out(self):
        self.largest_file = 512
        self.refuse("Cannot write the archive of programs and files in ")
        self.refuse("TMPDIR=folder names another place for it.")

    def test_double_dash_options_mean_the_same(self):
        self.assertIn("nodes 4", self.run_fake(SHOW, "--nodes", "4").stdout)


class Configurations(RunnerCase):
    def refuse(self, text: str, sentence: str):
        self.write("c.toml", text)
        self.assert_status(self.run_fake("machine.exit(33)", "CONFIG=c.toml"), 2, sentence)

    def test_a_file_holds_everything(self):
        self.write(
            "c.toml", 'processors = 3\nchecks = "reduced"\napp = "ring"\nnodes = 3\nargs = "--trips 9"\n'
        )
        done = self.run_fake(SHOW, "CONFIG=c.toml")
        for line in ("processors 3", "checks reduced", "nodes 3", "args --trips 9"):
            self.assertIn(line, done.stdout)

    def test_words_win_over_the_file(self):
        self.write("c.toml", "nodes = 3\n")
        self.assertIn("nodes 4", self.run_fake(SHOW, "CONFIG=c.toml", "NODES=4").stdout)

    def test_several_jobs_have_a_design_each(self):
        self.write("c.toml", '[[job]]\ndesign = "exp1"\n[[job]]\ndesign = "exp6"\nnodes = 4\n')
        done = self.run_fake(
            SHOW.replace(
                "machine.good()",
                """machine.plan(jobs=2)
for n in (0, 1): machine.job(n); machine.row(job=n); machine.job_end(n)
machine.end(jobs=2, rows=2)""",
            ),
            "CONFIG=c.toml",
        )
        self.assert_status(done, 0)
        for line in ("job ring\ndesign exp1", "job ring-2\ndesign exp6", "processors 4"):
            self.assertIn(line, done.stdout)

    def test_programs_of_one_name_get_different_ones(self):
        for names in (("c/x-2", "a/x", "b/x"), ("a/x", "b/x", "c/x-1")):
            for name in names:
                self.write(name, elf())
            self.write("c.toml", "".join(f'[[job]]\napp = "./{name}"\n' for name in names))
            said = self.run_fake(SHOW, "CONFIG=c.toml").stdout
            self.assertEqual(len(set(re.findall("^app (bin/x.*)$", said, re.MULTILINE))), 3, said)

    def test_an_unknown_key_is_refused_with_line_and_nearest(self):
        self.refuse(
            "# first\nnodes = 2\nprocesors = 3\n", "c.toml, line 3: There is no key 'procesors'. Did you mean"
        )

    def test_an_unknown_key_of_a_later_job_is_refused_with_its_own_line(self):
        self.refuse("[[job]]\nnodes = 2\n[[job]]\nnodes = 3\nnods = 4\n", "line 5")

    def test_a_wrong_value_is_refused_with_its_line(self):
        self.refuse('\nclock = "fast"\n', "line 2: clock is one of free, counted")
        self.refuse("nodes = 2.5\n", "line 1: nodes takes a whole number")

    def test_an_unknown_class_or_program_is_refused_with_its_line(self):
        self.refuse('nodes = 2\ndesign = "nonsense"\n', "c.toml, line 2: There is no design 'nonsense'")
        self.refuse('[[job]]\n[[job]]\ndesign = ["nonsense"]\n', "c.toml, line 3: There is no design")
        self.refuse('[[job]]\napp = "rong"\n', "c.toml, line 2: APP=rong is neither")
        self.refuse('design = ""\n', "c.toml, line 1: design is empty")
        self.refuse("design = [1]\n", "c.toml, line 1: design takes text")
        self.refuse("[[job]]\n" * 65, "c.toml, line 65: a boot runs at most 64 jobs, and these are 65.")
        self.refuse('files = "nowhere"\n', "c.toml, line 1: FILES=nowhere is not a folder")

    def test_the_place_in_the_file_is_not_blamed_for_a_word(self):
        self.write("c.toml", 'nodes = 2\ndesign = "exp1"\n')
        done = self.run_fake("machine.exit(33)", "CONFIG=c.toml", "DESIGN=nonsense")
        self.assert_status(done, 2, "parley: There is no design 'nonsense'")

    def test_what_a_file_cannot_hold_is_refused(self):
        self.refuse('config = "d.toml"\n', "line 1: 'config' belongs to the command line")
        self.refuse("[run]\nnodes = 2\n", "line 1: There is no table [run]")
        self.refuse("nodes = 2\nnodes = 3\n", "c.toml, line 2, column 10: This key is set already.")
        self.refuse('app = ""\n', "line 1: app is empty")

    def test_a_run_key_in_a_job_is_refused(self):
        self.refuse("[[job]]\nprocessors = 2\n", "line 2: 'processors' belongs to the whole run")

    def test_broken_toml_is_refused_with_its_line(self):
        self.refuse("nodes = = 2\n", "line 1")

    def test_paths_are_taken_from_the_folder_of_the_file(self):
        self.write("deep/c.toml", 'input = "in.txt"\n')
        self.write("deep/in.txt", "typed text")
        self.assertIn("typed text", self.run_fake(SHOW, "CONFIG=deep/c.toml").stdout)


if __name__ == "__main__":
    unittest.main()
