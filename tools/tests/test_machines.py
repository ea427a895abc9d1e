# SPDX-License-Identifier: MIT
"""What is asked of CLOCK=modelled and makes no sense, and machine files that say nothing or too much: each
ends in a sentence, before anything is booted. And what the runner and the model must have in common."""

import os
import re
import subprocess
import sys
import textwrap
import unittest

from runner_case import FAKE_EMULATOR, TOOLS, RunnerCase, elf

sys.path[:0] = [TOOLS, os.path.join(os.path.dirname(TOOLS), "testing")]
from parley_runner import back_end, executable, guest, machine_file, model, places, request  # noqa: E402
from parley_runner import trace_command  # noqa: E402
from parley_trace import memory  # noqa: E402
from suites.declarations import needs  # noqa: E402

MODEL = os.path.join(TOOLS, "machine_model")
IDEAL = 'title = "t"\nprocessors = 4\n[instruction]\nplain = "1 ns"\n'
REPORT = """
plugin = next(word for word in machine.arguments if "report=" in word)
with open(plugin.partition("report=")[2], "w") as file:
    file.write({!r})
"""
INTERVALS = "length=10000000\nprocessor=0 clock=90000000\n3 1 2 3 4 50000\nend\n"
KEEPS = """
plugin = ",".join(machine.arguments)
if ",intervals=" in plugin:
    with open(plugin.partition(",intervals=")[2].partition(",")[0], "w") as file:
        file.write({!r})
"""
with open(machine_file.find("cedar"), encoding="utf-8") as cedar:
    CEDAR = cedar.read()


def source(name: str) -> str:
    with open(os.path.join(MODEL, name), encoding="utf-8") as file:
        return file.read()


class MeasuredHosts(unittest.TestCase):
    @needs("model")
    def test_on_one_processor_there_is_nothing_to_measure_between_two(self):
        program = os.path.join(places.BUILD, "machine_model", "measure_host")
        processor = min(os.sched_getaffinity(0))
        done = subprocess.run(
            [program], capture_output=True, text=True, check=False, timeout=20,
            preexec_fn=lambda: os.sched_setaffinity(0, {processor}),
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^measure_host: .*: write its machine file by hand\.\n$")


class Machines(RunnerCase):
    def refused(self, sentence: str, *words: str, text: str | None = None) -> None:
        machine = [] if text is None else [f"MACHINE={self.write('own.toml', text)}"]
        done = self.run_fake("machine.good(); machine.exit(33)", *machine, *words)
        self.assert_status(done, 2, sentence)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_a_machine_that_is_none(self):
        self.refused("Did you mean multimax?", "CLOCK=modelled", "MACHINE=multimacs")
        names = "cedar, cmmp, enterprise, ideal, modern, multimax"
        self.refused(f"needs a MACHINE: {names}, or", "CLOCK=modelled")
        self.refused("No such file", "CLOCK=modelled", "MACHINE=nowhere.toml")

    def test_words_that_do_not_go_together(self):
        self.refused("MACHINE goes with CLOCK=modelled only", "MACHINE=ideal")
        self.refused("LOOKAHEAD goes with CLOCK=modelled only", "CLOCK=counted", "LOOKAHEAD=0")
        self.refused("exclude each other", "CLOCK=modelled", "MACHINE=ideal", "THREADS=multi")
        self.refused("between 0 and 500", "CLOCK=modelled", "MACHINE=ideal", "LOOKAHEAD=501")

    def test_the_kernel_is_told_of_what_colours_page_frames_are(self):
        program, path = self.write("program", elf()), self.path("archive")
        for machine, told in (("enterprise", b"\ncolours 128\n"), ("multimax", b"")):
            words = (f"APP={program}", "CLOCK=modelled", f"MACHINE={machine}")
            guest.make_archive(request.make(list(words)), path, table=False)
            with open(path, "rb") as file:
                self.assertEqual(b"".join(re.findall(rb"\ncolours .*\n", file.read())), told, machine)

    def test_more_processors_than_the_machine_has(self):
        self.refused("at most 16 processors", "CLOCK=modelled", "MACHINE=multimax", "PROCESSORS=17")
        self.refused("at most 32 processors", "CLOCK=modelled", "MACHINE=cedar", "PROCESSORS=33")

    def test_more_clusters_than_the_machine_has(self):
        for processors, clusters, has in ((8, 2, "1 cluster"), (32, 5, "4 clusters")):
            most = has.partition(" ")[0]
            self.refused(
                f"LOOPS=clusters={clusters}: MACHINE=cedar has {has} with PROCESSORS={processors}: "
                f"say {most} at most, or leave clusters= out.",
                *("CLOCK=modelled", "MACHINE=cedar", f"LOOPS=barrier=tree,clusters={clusters}"),
                *("NODES=1", f"PROCESSORS={processors}"),
            )

    def test_files_that_are_wrong(self):
        for text, sentence in (
            (IDEAL + 'multipli = "2 ns"\n', "Did you mean instruction.multiply?"),
            (IDEAL.replace("1 ns", "1 KiB"), "it takes ps, ns, us, ms"),
            (IDEAL.replace('"1 ns"', "1"), 'a time, as "320 ns"'),
            (IDEAL.replace("1 ns", "0.0001 ns"), 'a time, as "320 ns"'),
            (IDEAL.replace("= 4", '= "4"'), "a whole number"),
            (IDEAL.replace("= 4", "= 0"), "at least one processor"),
            (IDEAL.replace("= 4", "= 65"), "and at most 64, not 65"),
            (IDEAL.replace("processors = 4\n", ""), "'processors'"),
            (IDEAL + "[pages]\ncolours = 0\n", "1 to 128 colours, not 0"),
            (IDEAL + "[pages]\ncolours = 129\n", "1 to 128 colours, not 129"),
            (CEDAR + "[pages]\ncolours = 16\n", "machine with clusters have no colours"),
            (IDEAL.replace('title = "t"\n', ""), "needs a title"),
            ('title = "t"\nprocessors = 1\n', "'instruction.plain'"),
            ('lookahead = "501 ns"\n' + IDEAL, "at most 500 ns"),
            (IDEAL + '[cache]\nbytes = "64 KiB"\n', "'cache.line', too"),
            (IDEAL + '[bus]\ntransfer = "8 ns"\n', "'cache.bytes', too"),
            (IDEAL + '[level1]\nbytes = "64 KiB"\n', "'level1.ways', too"),
            (IDEAL + '[level2]\nways = 2\n[level1]\nways = 2\n', "'level1.bytes', too"),
            (IDEAL + '[level1]\nways = 2\n[instructions]\nways = 2\n', "'level1.bytes', too"),
            (IDEAL + '[instructions]\nways = 2\n', "instructions.ways is no parameter of"),
            (IDEAL + '[memory]\nbanks = 2\n', "'memory.bank', too"),
            (IDEAL + '[memory]\nbanks = 2\n[coherence]\nline = "8 B"\n', "with banks behind a crossbar"),
            (IDEAL + "[clusters]\nnumber = 4\n", "'clusters.processors', too"),
            (CEDAR.replace('"680 ns"', '"4 B"'), "global.module has the unit 'B'; it takes ps, ns, us, ms"),
            (CEDAR.replace("ways = 1", "wais = 1"), "Did you mean clusters.ways?"),
            (CEDAR.replace("ways = 1", ""), "clusters of processors needs the parameter 'clusters.ways'"),
            (CEDAR + '[bus]\ntransfer = "8 ns"\n', "bus.transfer is no parameter of a machine with clusters"),
            (IDEAL + '[cache]\nbytes = "8 B"\n[level1]\nways = 2\n', "level1.ways is no parameter of"),
            (IDEAL + "[slow]\npercent = 155\n", "two speeds needs the parameter 'slow.processors'"),
            (IDEAL + "[slow]\npercent = 155\nprocessors = [1, 63]\n", "numbers from 0 to 62"),
            (IDEAL + "[slow]\npercent = 155\nprocessors = [1, 1]\n", "different numbers"),
            (IDEAL + "[slow]\npercent = 155\nprocessors = 1\n", "as [0, 4, 8]"),
            (IDEAL + "[slow]\npercent = 155\nprocessors = [1, 62]\n", "no processor 62 that could be slow"),
            (IDEAL.replace("title = ", 'title = "a\\nb" #'), "one line of text"),
            (IDEAL.replace("1 ns", "1000.001 ms"), "instruction.plain is at most a second"),
            (IDEAL + "[", "is no TOML file"),
        ):
            with self.subTest(text=text):
                self.refused(sentence, "CLOCK=modelled", text=text)

    def test_the_model_is_asked_whether_there_can_be_such_a_machine(self):
        judge = self.write("build/machine_model/judge", "#!/bin/sh\necho \"$@: $(cat)\"\nexit 64\n")
        os.chmod(judge, 0o755)
        words = ("CLOCK=modelled", "NODES=2", "PROCESSORS=2", "MULTIPROCESSORS=2")
        self.refused("own.toml: 2 2: instruction.plain 1000", *words, text=IDEAL)
        self.write("build/machine_model/judge", "#!/bin/sh\nexit 3\n")
        self.refused("judge failed with status 3; `make run' builds it.", *words, text=IDEAL)

    def test_an_emulator_without_plugins(self):
        self.write("build/machine_model/plugin.so", b"")
        emulator = self.write("emulator", "#!/bin/sh\necho '-machine and no more'\n")
        os.chmod(emulator, 0o755)
        done = self.run_fake("", "CLOCK=modelled", "MACHINE=ideal", PARLEY_EMULATOR=emulator)
        self.assert_status(done, 2, "was built without plugins")

    def test_a_plugin_that_is_not_built(self):
        self.refused("plugin.so is not built yet", "CLOCK=modelled", "MACHINE=ideal")


class ModelledCase(RunnerCase):
    def setUp(self):
        super().setUp()
        self.write("build/machine_model/plugin.so", b"")

    def played(self, script: str, *words: str, report: str | None = "end\n", **environment: str):
        """By an emulator that has plugins, whose model leaves this report."""
        if report is not None:
            script = REPORT.format(report) + textwrap.dedent(script)
        emulator = self.write(
            "emulator", f'#!/bin/sh\n[ "$1" = -help ] && echo -plugin && exit\nexec {FAKE_EMULATOR} "$@"\n'
        )
        os.chmod(emulator, 0o755)
        words = ("CLOCK=modelled", "MACHINE=ideal", *words)
        return self.run_fake(script, *words, PARLEY_EMULATOR=emulator, **environment)


class Intervals(ModelledCase):
    """TRACE_INTERVAL, and what a trace has when the disk is full."""

    def setUp(self):
        super().setUp()
        self.write("build/traced/kernel.elf", b"kernel")

    def traced(self, intervals: str | None, *words: str):
        """Under a model that leaves this file of intervals, or none."""
        leaves = "" if intervals is None else KEEPS.format(intervals)
        return self.played(f"{leaves}machine.good()\nmachine.exit(33)", *words)

    def test_a_time_that_is_none_is_refused(self):
        wrong = ("0us", "0ns", "10", "us", "10s", "1.5us", "-1us", "10 us", "1001ms", "9" * 11 + "us", "1US")
        for text in wrong:
            with self.subTest(text=text):
                words = ("CLOCK=modelled", "MACHINE=ideal", "TRACE=a.trace", f"TRACE_INTERVAL={text}")
                done = self.run_fake("machine.good(); machine.exit(33)", *words)
                told = f"TRACE_INTERVAL={text}: it is a time in ns, us or ms, from 1ns to 1000ms, as 10us."
                self.assert_status(done, 2, told)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_where_nothing_is_traced_or_modelled_it_says_nothing(self):
        done = self.run_fake("", "TRACE=a.trace", "TRACE_INTERVAL=10us")
        self.assert_status(done, 2, "TRACE_INTERVAL goes with CLOCK=modelled only.")
        done = self.run_fake("", "CLOCK=modelled", "MACHINE=ideal", "TRACE_INTERVAL=10us")
        self.assert_status(done, 2, "TRACE_INTERVAL goes with TRACE=FILE only.")

    def test_the_model_counts_by_intervals_only_for_a_trace(self):
        for words, told in (
            ("", None),
            ("TRACE=a.trace", (10_000_000, 16384)),
            ("TRACE=a.json TRACE_INTERVAL=250ns", (250_000, 16384)),
            ("TRACE=a.svg TRACE_INTERVAL=1ms TRACE_RECORDS=99", (1_000_000_000, 99)),
            ("TRACE=a.svg TRACE_RECORDS=1000000", (10_000_000, 65536)),
        ):
            with self.subTest(words=words):
                asked = request.make(["CLOCK=modelled", "MACHINE=ideal", *words.split()])
                arguments = model.options(asked, self.folder, [])[-1].split(",")
                found = [word for word in arguments if "interval" in word]
                if told is None:
                    self.assertEqual(found, [])
                else:
                    length, most = told
                    file = f"intervals={self.path('model-intervals')}"
                    self.assertEqual(found, [f"interval={length}", f"most_intervals={most}", file])

    def test_what_they_say_comes_into_the_trace(self):
        done = self.traced(INTERVALS, "TRACE=a.trace")
        self.assert_status(done, 0)
        kept = trace_command.load(self.path("a.trace"))
        self.assertEqual(kept.trace.memory, memory.read(INTERVALS))

    def test_a_full_disk_takes_them_and_nothing_else(self):
        for text, why in (
            (None, "No such file or directory"),
            *((text, "is cut off: is the disk full?") for text in ("", INTERVALS[:-1], INTERVALS[:-20])),
        ):
            with self.subTest(text=text):
                done = self.traced(text, "TRACE=a.trace", f"RECORD={self.path('record.json')}")
                self.assert_status(done, 2, "The trace is without cache misses and waiting for the bus: ")
                self.assertIn(why, done.stderr)
                self.assertIn("name another folder by TMPDIR.", done.stderr)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
                self.assertEqual(self.record("record.json")["status"], "success")
                kept = trace_command.load(self.path("a.trace"))
                self.assertIsNone(kept.trace.memory)

    def test_a_trace_for_which_there_is_no_room_is_not_there_by_half(self):
        self.write("a.json", "as before")
        many = INTERVALS.replace("3 1 2 3 4 50000\n", "".join(f"{at} 1 2 3 4 50000\n" for at in range(600)))
        self.largest_file = 100_000
        done = self.traced(many, "TRACE=a.json", f"RECORD={self.path('record.json')}")
        self.assert_status(done, 2, "Cannot write a.json: File too large; nothing was written.")
        self.assertEqual(self.record("record.json")["status"], "success")
        with open(self.path("a.json"), encoding="ascii") as file:
            self.assertEqual(file.read(), "as before")


class BackEnds(ModelledCase):
    def test_an_emulator_with_other_functions_is_run_by_the_public_back_end_with_a_sentence(self):
        script = """
            if "back_end=fast" in " ".join(machine.arguments):
                os._exit(68)
            assert "memory-backend=memory" in machine.arguments and "tcg,thread=multi" in machine.arguments
            machine.good()
            machine.exit(33)
        """
        done = self.played(script, f"RECORD={self.path('record.json')}")
        self.assert_status(done, 0, back_end.TAKEN)
        with open(self.path("record.json"), encoding="utf-8") as file:
            self.assertIn('"back_end": "public"', file.read())

    def test_a_report_that_a_full_disk_cuts_off_is_not_taken_as_whole(self):
        script = "machine.good(); machine.exit(33)"
        lines = "back_end=fast\nswitches=3\nprocessor=0 clock=70 reads=4\n"
        for text in ("", lines, lines + "en", lines[:-8], lines.replace("=70", "") + "end\n"):
            done = self.played(script, report=text)
            self.assert_status(done, 8, "report, ")
            self.assertIn("is cut off: is the disk full?", done.stderr)
        done = self.played(script, f"RECORD={self.path('record.json')}", report=lines + "end\n")
        self.assert_status(done, 0)
        self.assertEqual(self.record("record.json")["model"]["processors"][0]["reads"], 4)

    def test_a_boot_without_a_report_is_no_success(self):
        done = self.played("machine.good(); machine.exit(33)", report=None)
        self.assert_status(done, 8, "report, ")
        self.assertIn("cannot be read: No such file or directory. Make room there", done.stderr)

    def test_what_sleeps_is_not_run_by_it(self):
        done = self.played("os._exit(68)", "DESIGN=exp4")
        self.assert_status(done, 9, "and DESIGN=exp4 has processes that sleep, whose waking BACK_END=public")
        self.assertIn("take synchronization=spinlock, or QEMU 7.2 as Debian builds it.", done.stderr)
        self.assertNotIn(back_end.TAKEN, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_the_fast_one_where_that_is_asked_for(self):
        done = self.played("os._exit(68)", "BACK_END=fast")
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn(back_end.TAKEN, done.stderr)

    def test_what_cannot_be_run_without_ticks(self):
        for words, sentence in (
            (["DESIGN=exp4"], "take synchronization=spinlock, or BACK_END=fast."),
            (["NODES=3", "PROCESSORS=2"], "give each a processor (PROCESSORS=3)"),
            (["SCHEDULE=timeshared"], "by which processes take turns"),
            (["GANG=slots"], "by which jobs and gangs take turns"),
            (["MACHINE=ideal", "CLOCK=counted"], "goes with CLOCK=modelled only"),
        ):
            for one in (back_end.PUBLIC, back_end.WITHOUT_TICKS):
                with self.subTest(words=words, back_end=one):
                    done = self.played("", f"BACK_END={one}", *words)
                    self.assert_status(done, 2, sentence)
                    self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_a_kernel_without_ticks_is_answered_in_memory_that_is_a_file(self):
        script = """
            words = " ".join(machine.arguments)
            assert "back_end=fast-without-ticks" in words and "memory-backend=memory" in words
            assert "tcg,thread=single" in words
            machine.good()
            machine.exit(33)
        """
        self.assert_status(self.played(script, "BACK_END=fast-without-ticks"), 0)

    def test_where_it_hangs_the_sentence_says_what_hangs_no_other(self):
        for words, told in ((("BACK_END=public",), True), (("BACK_END=fast",), False)):
            with self.subTest(words=words):
                done = self.played("time.sleep(60)", *words, PARLEY_HANG_SECONDS="0.1")
                self.assert_status(done, 5, "gave no sign of life")
                self.assertIs(back_end.HANGS in done.stderr, told)

    def test_a_program_that_waits_at_semaphores_is_run_by_it_where_these_spin(self):
        self.assert_status(self.played("machine.good(); machine.exit(33)", "BACK_END=public"), 0)
        with open(self.path("build/apps/ring/ring"), "ab") as ring:
            ring.write(executable.SEMAPHORES_MARK)
        for kind, sentence in (("kernel", "SEMAPHORE=kernel processes sleep"), ("spin:3", "")):
            done = self.played("machine.good(); machine.exit(33)", "BACK_END=public", f"SEMAPHORE={kind}")
            self.assert_status(done, 2 if sentence else 0, sentence)

    def test_a_program_that_measures_gangs_is_not_run_by_it(self):
        with open(self.path("build/apps/ring/ring"), "ab") as ring:
            ring.write(executable.GANGS_MARK)
        done = self.played("", "BACK_END=public")
        self.assert_status(done, 2, "APP=ring measures gangs, which need ticks")


class InCommon(unittest.TestCase):
    def test_every_parameter_is_known_to_the_model_and_no_other(self):
        listed = re.search(r"> parameters = \{([^}]*)\}", source("memory_kinds.cpp"))[1]
        for name in ("of_overlap", "with_overlap"):
            listed += re.search(rf"> {name} = \{{([^}}]*)\}}", source("machine.cpp"))[1]
        names = set(re.findall(r'"(\w+\.\w+)"', listed))
        names |= set(re.findall(r'name == "([a-z]+\.[a-z]+)"', source("machine.cpp")))
        instructions = {f"instruction.{name}" for name in machine_file.INSTRUCTIONS}
        ours = machine_file.PARAMETERS.keys() - machine_file.KERNELS.keys()
        self.assertEqual(names | instructions, ours)
        names = re.search(r"class_names\[[a-z_]+\] = \{([^}]*)\}", source("instruction.hpp"))[1]
        self.assertEqual(tuple(re.findall(r'"(\w+)"', names)), machine_file.INSTRUCTIONS)

    def test_a_time_is_exact(self):
        for text, picoseconds in (
            ("1.001 ns", 1001),
            ("1.005 us", 1_005_000),
            ("0.067 ms", 67_000_000),
            ("1000 ms", 10**12),
        ):
            found = machine_file.amount("own.toml", "instruction.plain", text)
            self.assertEqual(found, picoseconds, text)

    def test_the_colours_of_pages_are_the_kernels(self):
        enterprise = machine_file.read("enterprise")
        self.assertEqual(enterprise.colours, 128)
        self.assertNotIn("pages", enterprise.text)
        self.assertEqual(machine_file.read("multimax").colours, 0)

    def test_every_machine_can_be_read(self):
        self.assertIn("ideal", machine_file.known())
        for name in machine_file.known():
            self.assertEqual(machine_file.read(name).name, name)

    def test_the_model_refuses_by_the_statuses_that_the_runner_knows(self):
        statuses = dict(re.findall(r"constexpr int (\w+) = (\d\d);", source("plugin/plugin.cpp")))
        self.assertEqual(
            {name: int(value) for name, value in statuses.items()},
            {
                "bad_machine": model.BAD_MACHINE,
                "no_fast_back_end": back_end.NO_FAST,
                "bad_emulator": model.BAD_EMULATOR,
            },
        )


if __name__ == "__main__":
    unittest.main()
