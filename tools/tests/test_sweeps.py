# SPDX-License-Identifier: MIT
"""Sweeps with an emulator that plays a script: what is booted, what is kept, and what is refused."""

import os
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

from runner_case import FAKE_EMULATOR, RUNNER, TOOLS, RunnerCase, elf

sys.path.insert(0, TOOLS)

from parley_runner import made, places, request, sweep  # noqa: E402

GOOD = "machine.good(); machine.exit(33)"
FILE = """
designs = ["exp1", "exp6"]
nodes = [1, 2]
sizes = [0, 128]
repeat = 2
clock = "counted"
"""


class SweepCase(RunnerCase):
    def sweep(self, script: str, *words, **more) -> subprocess.CompletedProcess:
        command = [sys.executable, "-B", RUNNER, "sweep", *words]
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            timeout=120,
            env=self.environment(f"open('boots', 'a').write('x'); {script}", **more),
        )

    def booted(self) -> int:
        """Since the last call."""
        try:
            count = os.path.getsize(self.path("boots"))
            os.unlink(self.path("boots"))
            return count
        except FileNotFoundError:
            return 0


class Sweeps(SweepCase):
    def test_every_combination_is_booted_and_recorded_with_the_time_left(self):
        self.write("s.toml", FILE)
        done = self.sweep(GOOD, "FILE=s.toml")
        self.assert_status(done, 0)
        self.assertEqual(self.booted(), 8)
        records = sorted(os.listdir(self.path("s-records")))
        self.assertIn("ring-exp1-1-nodes-round-1.json", records)
        self.assertIn("ring-exp6-2-nodes-round-2.json", records)
        whole = self.record("s-records/all.json")["runs"]
        asked = [(run["asked"]["jobs"][0]["design"], run["asked"]["jobs"][0]["nodes"]) for run in whole]
        self.assertEqual(asked, [("exp1", 1), ("exp6", 1), ("exp1", 2), ("exp6", 2)] * 2)
        self.assertEqual({run["asked"]["jobs"][0]["args"] for run in whole}, {"--sizes 0,128"})
        self.assertEqual({run["asked"]["clock"] for run in whole}, {"counted"})
        self.assertRegex(
            done.stdout, r"\[1/8\] ring exp1, 1 node, round 1: success, [0-9.]+ s; about \d+ s left"
        )
        self.assertIn("8 of 8 boots succeeded: s-records/all.json", done.stdout)

    def test_what_is_finished_is_skipped_and_what_failed_is_tried_again(self):
        self.write("s.toml", FILE)
        fails = f"""
if os.path.getsize('boots') > 5: machine.plan(); machine.frame(8, b'oh'); machine.exit(37)
{GOOD}"""
        done = self.sweep(fails, "s.toml")
        self.assert_status(done, 1, "the same command tries them again")
        self.booted()
        done = self.sweep(GOOD, "s.toml")
        self.assert_status(done, 0, "5 of 8 boots are measured already")
        self.assertEqual(self.booted(), 3)
        self.assert_status(self.sweep(GOOD, "s.toml"), 0, "8 of 8 boots succeeded, 8 of them before")
        self.assertEqual(self.booted(), 0)

    def test_a_cross_product_leaves_out_what_does_not_go_together(self):
        self.write(
            "s.toml",
            '[factors]\nbase = "exp4"\nport = "all"\ntransport = ["buffered", "process"]\n'
            'synchronization = ["spinlock", "semaphore"]\n',
        )
        done = self.sweep(GOOD, "s.toml")
        self.assert_status(done, 0, "6 of 6 boots succeeded")
        self.assertIn("2 of 8 are designs whose classes do not go together, and left out.", done.stdout)
        self.assertRegex(done.stdout, r"\n    2: \S.*\.\n")
        self.assertEqual(self.booted(), 6)
        name = "ring-exp4,port=lanes,transport=buffered,synchronization=semaphore-2-nodes.json"
        self.assertIn(name, os.listdir(self.path("s-records")))

    def test_every_boot_is_made_on_every_machine(self):
        data = {"clock": "modelled", "machines": ["ideal", "multimax"], "designs": ["exp1", "exp6"]}
        with mock.patch.object(places, "BUILD", self.build):
            found = sweep.sweep_of(self.path("s.toml"), "", data).boots
        self.assertEqual([boot.asked.values["machine"] for boot in found], ["ideal"] * 2 + ["multimax"] * 2)
        self.assertEqual(found[3].name, "ring-exp6-2-nodes-multimax.json")
        self.assertEqual(found[3].label, "ring exp6, 2 nodes, multimax")

    def test_a_job_of_a_cross_product_that_the_kernel_refuses_is_a_result(self):
        refuses = """
machine.plan(); machine.job(); machine.job_end(status='refused'); machine.end(failed=1, rows=0)
machine.exit(35)"""
        self.write("s.toml", '[factors]\nport = ["lanes", "circular"]\n')
        done = self.sweep(refuses, "s.toml")
        self.assert_status(done, 0, "2 of 2 boots ended: s-records/all.json. The kernel refused 2.")
        self.assertRegex(done.stdout, r"\[1/2\] ring exp6,port=lanes, 2 nodes: refused")
        self.booted()
        self.assert_status(self.sweep(GOOD, "s.toml"), 0, "2 of 2 boots are measured already")
        self.assertEqual(self.booted(), 0)
        self.write("s.toml", 'designs = ["exp1"]\n')
        self.assert_status(self.sweep(refuses, "s.toml"), 1, "the same command tries them again")

    def test_wrong_factors_and_machines_are_refused_with_one_sentence(self):
        for text, sentence in (
            ("[factors]\n", "factors are written as a table"),
            ('designs = ["exp1"]\n[factors]\nport = "all"\n', "not both"),
            ('[factors]\nports = "all"\n', "there is no factor 'ports'. Did you mean port?"),
            ('[factors]\nport = "lane"\n', "port has no class 'lane'. Did you mean lanes?"),
            ("[factors]\nport = 3\n", "port takes a list of names, not 3"),
            ('[factors]\nbase = 3\nport = "all"\n', "base takes the name of a design"),
            ('machine = "ideal"\nmachines = ["ideal"]\n', "machines are a list, or machine is one"),
            ('clock = "modelled"\nmachines = ["idel"]\n', "idel"),
            (
                '[factors]\ntransport = "process"\nsynchronization = "spinlock"\n',
                "no design of the cross product runs: a transport with delivery processes",
            ),
        ):
            with self.subTest(text):
                self.write("s.toml", text)
                done = self.sweep(GOOD, "s.toml")
                self.assert_status(done, 2, sentence)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertEqual(self.booted(), 0)

    def test_an_interrupted_sweep_says_what_it_keeps_and_goes_on(self):
        self.write("s.toml", FILE)
        slow = f"if os.path.getsize('boots') > 2: machine.plan(); time.sleep(60)\n{GOOD}"
        process = subprocess.Popen(
            [sys.executable, "-B", RUNNER, "sweep", "s.toml"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=self.environment(f"open('boots', 'a').write('x')\n{slow}"),
            preexec_fn=self.before_exec,
        )
        deadline = time.monotonic() + 60
        while not (os.path.exists(self.path("boots")) and os.path.getsize(self.path("boots")) > 2):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, out + errors)
        self.assertIn("2 of 8 boots are kept in s-records; the same command goes on", errors)
        self.booted()
        self.assert_status(self.sweep(GOOD, "s.toml"), 0)
        self.assertEqual(self.booted(), 6)

    def test_a_file_that_changed_measures_what_it_changed(self):
        self.write("s.toml", "nodes = [1, 2]\n")
        self.sweep(GOOD, "s.toml", "OUT=out")
        self.assertEqual(self.booted(), 2)
        self.write("s.toml", "sizes = [0, 256]\n")
        self.assert_status(self.sweep(GOOD, "s.toml", "OUT=out"), 0)
        self.assertEqual(self.booted(), 1)
        self.write("build/apps/fft/fft", elf() + b"fft")
        self.write("s.toml", 'programs = ["ring", "fft"]\nnodes = [1, 2]\n')
        done = self.sweep(GOOD, "s.toml", "OUT=out")
        self.assert_status(done, 0, "4 of 4 boots succeeded, 1 of them before")
        self.assertEqual(self.booted(), 3)

    def test_a_record_that_cannot_be_written_ends_it_and_what_was_measured_is_kept(self):
        self.write("s.toml", 'designs = ["exp1", "exp6"]\n')
        os.makedirs(self.path("s-records/ring-exp6-2-nodes.json"))  # in a record's place
        done = self.sweep(GOOD, "s.toml")
        self.assert_status(done, 2, "is kept, and with room there the same command goes on")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(self.booted(), 2)
        os.rmdir(self.path("s-records/ring-exp6-2-nodes.json"))
        self.assert_status(self.sweep(GOOD, "s.toml"), 0, "2 of 2 boots succeeded, 1 of them before")
        self.assertEqual(self.booted(), 1)

    def test_records_of_another_build_are_not_continued(self):
        def swept(designs: str, status: int, sentence: str) -> None:
            self.write("s.toml", f'designs = [{designs}]\ninput = "input"\n')
            done = self.sweep(GOOD, "s.toml")
            self.assert_status(done, status, sentence)
            self.assertEqual(done.stderr.count("\n"), status // 2, done.stderr)
            self.assertEqual(self.booted(), 1 - status // 2)

        self.write("input", "one")
        swept('"exp1"', 0, "1 of 1 boots succeeded")
        self.write("build/kernel.elf", b"another kernel")
        of_another = "s-records holds records of another build of the kernel or message library, as ring-exp1"
        swept('"exp1"', 2, of_another)
        swept('"exp6"', 0, "1 of 1 boots succeeded")
        swept('"exp1", "exp6"', 2, of_another)
        self.write("input", "two")
        swept('"exp6"', 2, "s-records holds records of other contents of INPUT, of FILES or of what a host")

    def test_what_is_built_meanwhile_ends_it_and_what_was_measured_is_kept(self):
        self.write("s.toml", 'designs = ["exp1", "exp6"]\n')
        done = self.sweep(f"open('build/kernel.elf', 'a').write('x'); {GOOD}", "s.toml")
        self.assert_status(done, 2, "ring exp6, 2 nodes was booted with another build of the kernel")
        self.assertEqual((self.booted(), os.listdir(self.path("s-records"))), (2, ["ring-exp1-2-nodes.json"]))

    def test_records_of_another_machine_or_model_are_not_continued(self):
        machine = self.write("own.toml", 'title = "t"\nprocessors = 4\n[instruction]\nplain = "1 ns"\n')
        self.write("build/machine_model/plugin.so", b"")
        emulator = self.write(
            "emulator", f'#!/bin/sh\n[ "$1" = -help ] && echo -plugin && exit\nexec {FAKE_EMULATOR} "$@"\n'
        )
        os.chmod(emulator, 0o755)
        self.write("s.toml", f'designs = ["exp1"]\nclock = "modelled"\nmachine = "{machine}"\n')
        again = ("FILE=s.toml",)
        report = 'next(word for word in machine.arguments if "report=" in word).partition("report=")[2]'
        good = f"open({report}, 'w').write('end\\n'); {GOOD}"
        self.assert_status(self.sweep(good, *again, PARLEY_EMULATOR=emulator), 0)
        self.assertEqual(self.booted(), 1)
        self.write("own.toml", 'title = "t"\nprocessors = 4\n[instruction]\nplain = "2 ns"\n')
        self.assert_status(self.sweep(GOOD, *again, PARLEY_EMULATOR=emulator), 2, "another machine file")
        self.write("own.toml", 'title = "t"\nprocessors = 4\n[instruction]\nplain = "1 ns"\n')
        self.write("build/machine_model/plugin.so", b"another")
        self.assert_status(self.sweep(GOOD, *again, PARLEY_EMULATOR=emulator), 2, "the machine model")
        self.assertEqual(self.booted(), 0)

    def test_what_is_named_twice_is_booted_once(self):
        self.write("s.toml", 'designs = ["exp1", "exp6", "exp1"]\nnodes = [2, 2]\n')
        done = self.sweep(GOOD, "s.toml")
        self.assert_status(done, 0, "2 of 2 boots succeeded")
        self.assertIn("4 boots are named again, and made once", done.stdout)
        self.assertEqual(self.booted(), 2)

    def test_the_records_of_all_are_of_this_sweep_or_not_there(self):
        self.write("s.toml", 'designs = ["exp1"]\n')
        self.assert_status(self.sweep(GOOD, "s.toml"), 0)
        self.write("s.toml", 'designs = ["exp6"]\n')
        fails = "machine.plan(); machine.frame(8, b'oh'); machine.exit(37)"
        self.assert_status(self.sweep(fails, "s.toml"), 1)
        self.assertNotIn("all.json", os.listdir(self.path("s-records")))

    def test_a_size_each_is_a_boot_each_and_programs_have_their_own(self):
        self.write("build/apps/other/other", elf())
        self.write(
            "s.toml",
            """
            designs = "exp6"
            [[program]]
            app = "other"
            args = "--bytes {size} -v"
            sizes = [1, 2, 4]
            nodes = 1
            [[program]]
            app = "ring"
            designs = ["exp1"]
            """,
        )
        self.assert_status(self.sweep(GOOD, "s.toml"), 0)
        jobs = [run["asked"]["jobs"][0] for run in self.record("s-records/all.json")["runs"]]
        found = [(job["app"], job["design"], job["nodes"], job["args"]) for job in jobs]
        others = [("other", "exp6", 1, f"--bytes {size} -v") for size in (1, 2, 4)]
        self.assertEqual(found, [*others, ("ring", "exp1", 2, "")])

    def test_bad_files_are_refused_in_one_sentence_before_the_first_boot(self):
        for text, sentence in (
            ("designs = [", "Invalid"),
            ("design = 'exp1'", "Did you mean designs?"),
            ("designs = []", "designs takes a list of names"),
            ("designs = [1]", "designs takes a list of names"),
            ("designs = ['exp1 exp6']", "is not one design"),
            ("designs = ['nonsense']", "There is no design 'nonsense'"),
            ("programs = ['nonsense']", "nonsense"),
            ("programs = 'ring'\n[[program]]\napp = 'ring'", "not both"),
            ("[[program]]\nsizes = [1]", "needs its app"),
            ("[[program]]\napp = 'ring'\ncolour = 1", "no key 'colour' in a [[program]]"),
            ("program = 3", "[[program]] tables"),
            ("nodes = [0]", "nodes takes whole numbers from 1"),
            ("nodes = [true]", "nodes takes whole numbers"),
            ("nodes = ['two']", "nodes takes a list of whole numbers"),
            ("sizes = [-1]", "sizes takes whole numbers from 0"),
            ("sizes = []", "sizes takes a list"),
            ("repeat = 0", "repeat takes whole numbers from 1 to 1000"),
            ("clock = 'sundial'", "clock is one of free, counted"),
            ("clok = 'free'", "Did you mean clock?"),
            ("record = 'x.json'", "no key 'record'"),
            ("repeat = 1000\nnodes = [" + ",".join(["1"] * 20) + "]", "at most 10000"),
            ("[[program]]\napp = 'ring'\nargs = '--sizes {sizes}'", "no sizes are given"),
            ("[[program]]\napp = './none'\nsizes = [1]", "not known to take sizes"),
            ("out = 3", "out is a folder's name"),
        ):
            with self.subTest(text=text):
                self.write("bad.toml", text + "\n")
                done = self.sweep(GOOD, "bad.toml")
                self.assert_status(done, 2, sentence)
                self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
                self.assertEqual(self.booted(), 0)
                self.assertFalse(os.path.exists(self.path("bad-records")))

    def test_bad_words_and_paths_are_refused(self):
        self.write("s.toml", FILE)
        self.write("file", "")
        self.write("raw.toml", b"\xff\xfe")
        for words, sentence in (
            ([], "No file is named"),
            (["none.toml"], "No such file"),
            (["raw.toml"], "not UTF-8"),
            (["s.toml", "NODES=2"], "There is no key 'NODES' here"),
            (["s.toml", "OUT=file"], "OUT=file is a file, not a folder"),
            (["s.toml", "OUT=/proc/x"], "cannot be made"),
        ):
            with self.subTest(words=words):
                done = self.sweep(GOOD, *words)
                self.assert_status(done, 2, sentence)
                self.assertEqual(self.booted(), 0)

    def test_what_has_to_be_built_is_named(self):
        self.write("s.toml", FILE + "dispatch = 'static'\n")
        done = self.sweep(GOOD, "--needs", "s.toml")
        self.assertEqual(done.stdout, "APP=ring DISPATCH=static CHECKED=0 Q=0 CLOCK=counted\n")

    def test_the_example_is_a_good_file(self):
        example = os.path.join(places.ROOT, "configs", "sweep.toml")
        found = sweep.read(example, "")
        self.assertEqual(len(found.boots), 9)

    def test_the_page_tells_how_many_boots_the_projects_own_sweeps_are(self):
        page, configs = (os.path.join(places.ROOT, *path) for path in (("docs", "reports.md"), ("configs",)))
        with open(page, encoding="utf-8") as file:
            told = " ".join(file.read().split())
        product = sweep.read(os.path.join(configs, "cross-product.toml"), "").boots
        designs = {boot.design: boot for boot in product}
        refused = [design for design, boot in designs.items() if sweep.refusal_of(boot)]
        left_out = sum(boot.design in refused for boot in product)
        self.assertIn(f"{len(product):,} boots, of which {left_out} are left out", told)
        self.assertIn(f"the classes of {len(refused)} designs do not go together", told)
        programs = sweep.read(os.path.join(configs, "program-designs.toml"), "").boots
        self.assertIn(f"each program twice: {len(programs)} boots", told)


class MadeOf(RunnerCase):
    def files(self, *words: str) -> str | None:
        with mock.patch.object(places, "BUILD", self.build):
            return made.files(request.make([f"APP={self.path('programs/host')}", *words]))

    def test_what_else_the_machine_is_given_is_told_by_names_and_contents(self):
        self.write("programs/host", elf())
        self.write("programs/node", elf() + b"node")
        self.assertIsNone(self.files("HOSTED=0"))
        self.write("files/inner/a", "one")
        own = (f"FILES={self.path('files')}", "HOSTED=0")
        seen = [self.files(*own)]
        self.write("files/inner/a", "three")
        seen.append(self.files(*own))
        os.chmod(self.path("files/inner/a"), 0o755)
        seen.append(self.files(*own))
        os.rename(self.path("files/inner/a"), self.path("files/inner/b"))
        seen.append(self.files(*own))
        seen.append(self.files("HOSTED=1"))
        self.write("programs/node", elf(kind=2))
        seen.append(self.files("HOSTED=1"))
        self.assertEqual(len(set(seen)), 6, seen)
        self.assertEqual(self.files("HOSTED=1"), seen[-1])

    def test_what_a_record_is_made_of_otherwise_is_said(self):
        now = {"version": "2", "system": "s", "programs": "p"}
        modelled = {"plugin": "m", "machine_digest": "d", "lookahead_ps": 500}
        wanted = made.parts(now, modelled)
        self.assertEqual(made.others({"made": {**now, "version": "1"}, "model": modelled}, wanted), [])
        for run, part in (
            ({"made": {**now, "programs": "q"}, "model": modelled}, "programs"),
            ({"made": {**now, "files": "f"}, "model": modelled}, "files"),
            ({"made": now, "model": {**modelled, "plugin": "n"}}, "plugin"),
            ({"made": now, "model": {**modelled, "machine_digest": "e"}}, "machine"),
            ({"made": now, "model": {**modelled, "lookahead_ps": 0}}, "machine"),
        ):
            self.assertEqual(made.others(run, wanted), [made.PARTS[part]])
        for run in ({}, {"made": None}):
            self.assertEqual(made.others(run, wanted), [made.OLDER])
        with_files = made.parts({**now, "files": "f"}, {})
        self.assertEqual(made.others({"made": now, "model": None}, with_files), [made.WITHOUT_FILES])


# As much of Dask's package as a sweep uses, whose workers make one task after the other; no scheduler answers
# at tcp://lost:1, and the workers of tcp://dying:1 die.
DISTRIBUTED = """
import os, subprocess, threading, time
class LocalCluster:
    def __init__(self, **options):
        assert not options["processes"] and options["dashboard_address"] is None
        open("workers", "w").write(str(options["threads_per_worker"]))
class Future:
    def __init__(self, result, problem):
        self.result, self.exception = lambda: result, lambda: problem
class Client:
    def __init__(self, cluster=None, scheduler_file=None, timeout=None):
        if cluster == "tcp://lost:1":
            raise OSError("timed out")
        self.dying = cluster == "tcp://dying:1"
        if scheduler_file:
            open("workers", "w").write(open(scheduler_file).read())
    def submit(self, function, *arguments, pure, **options):
        if self.dying:
            return Future(None, RuntimeError("it was killed"))
        return Future(function(*arguments, **options), None)
    def cancel(self, futures):
        assert not os.path.exists("closed")
    def close(self):
        open("closed", "w").close()
def as_completed(futures):
    for future in reversed(list(futures)):
        yield future
        if "END" in os.environ:
            running = subprocess.Popen(["sleep", "20"])
            threading.Thread(target=lambda: open("ended", "w").write(str(running.wait()))).start()
            os.kill(os.getpid(), int(os.environ["END"]))
            time.sleep(20)
"""
FEW = 'designs = ["exp1", "exp6"]\nclock = "counted"\n'


class HandedToDask(SweepCase):
    """With a package of the test's own in the place of Dask's."""

    def setUp(self):
        super().setUp()
        self.write("s.toml", FEW)
        self.write("packages/distributed.py", DISTRIBUTED)

    def handed(self, *words, script: str = GOOD, **more) -> subprocess.CompletedProcess:
        return self.sweep(script, "s.toml", *words, PYTHONPATH=self.path("packages"), **more)

    def workers(self) -> str:
        with open(self.path("workers"), encoding="utf-8") as file:
            return file.read()

    def test_workers_make_the_boots_and_the_records_are_as_ever(self):
        done = self.handed("DASK=local")
        self.assert_status(done, 0, "2 of 2 boots succeeded: s-records/all.json")
        self.assertEqual(self.booted(), 2)
        self.assertEqual(self.workers(), str(len(os.sched_getaffinity(0))))
        self.assertTrue(os.path.exists(self.path("closed")))
        self.assertRegex(done.stdout, r"\[2/2\] ring exp6, 2 nodes: success, [0-9.]+ s; about")
        asked = [run["asked"]["jobs"][0]["design"] for run in self.record("s-records/all.json")["runs"]]
        self.assertEqual(asked, ["exp1", "exp6"])

    def test_records_of_workers_with_another_build_are_not_kept(self):
        kernel = self.path("build/kernel.elf")
        with open(kernel, "rb") as file:
            before = file.read()
        done = self.handed("DASK=local", script=f"open('build/kernel.elf', 'a').write('x'); {GOOD}")
        self.assert_status(done, 2, "was booted with another build of the kernel")
        self.assertEqual(os.listdir(self.path("s-records")), [])
        self.write("build/kernel.elf", before)
        self.assert_status(self.handed("DASK=local"), 0, "2 of 2 boots succeeded")

    def test_one_that_is_asked_to_end_gives_up_what_has_not_begun_and_ends_what_runs(self):
        done = self.handed("DASK=local", END=str(int(signal.SIGTERM)))
        self.assert_status(done, 130, "1 of 2 boots are kept in s-records; the same command goes on")
        self.assertNotIn("Traceback", done.stderr)
        with open(self.path("ended"), encoding="utf-8") as file:
            self.assertEqual(file.read(), str(-signal.SIGTERM))

    def test_what_is_left_is_given_up_as_long_as_there_is_a_client(self):
        order = []

        def ended(*_):
            try:
                yield "first"
            finally:
                order.append("given up")

        client = mock.Mock(close=lambda: order.append("closed"))
        with (
            mock.patch.object(sweep.dask_engine, "open_client", lambda *_: client),
            mock.patch.object(sweep, "handed_over", ended),
            mock.patch.object(sweep, "follow", lambda one, done, booted, screen: next(booted)),
        ):
            sweep.measure(sweep.Sweep("s.toml", self.folder, 1), "local")
        self.assertEqual(order, ["given up", "closed"])

    def test_boots_under_the_free_clock_are_made_one_by_one(self):
        self.write("s.toml", "")
        self.assert_status(self.handed("DASK=local"), 0)
        self.assertEqual(self.workers(), "1")

    def test_a_scheduler_is_named_by_the_file_that_it_has_written(self):
        self.write("scheduler.json", "its address")
        self.assert_status(self.handed("DASK=scheduler.json"), 0)
        self.assertEqual(self.workers(), "its address")

    def test_what_fails_says_why_and_is_tried_again(self):
        done = self.handed("DASK=tcp://dying:1")
        self.assert_status(done, 1, "its worker failed (RuntimeError: it was killed)")
        self.assertIn("0 of 2 boots succeeded.", done.stdout)
        fails = f"""
if os.path.getsize('boots') > 1: machine.plan(); machine.frame(8, b'oh'); machine.exit(37)
{GOOD}"""
        self.assert_status(self.handed("DASK=local", script=fails), 1, "the same command tries them again")
        self.booted()
        self.assert_status(self.handed("DASK=local"), 0, "2 of 2 boots succeeded, 1 of them before")
        self.assertEqual(self.booted(), 1)

    def test_without_dask_or_its_scheduler_nothing_is_booted(self):
        for word, sentence in (
            ("DASK=tcp://lost:1", "No scheduler of Dask answers at DASK=tcp://lost:1"),
            ("DASK=nowhere", "is neither `local', nor an address"),
            ("--record=none.json", "has no boot whose record is none.json"),
        ):
            with self.subTest(word=word):
                self.assert_status(self.handed(word), 2, sentence)
        self.write("packages/distributed.py", "raise ImportError")
        self.assert_status(self.handed("DASK=local"), 2, "apt install python3-distributed")
        self.assertEqual(self.booted(), 0)


class TimeLeft(unittest.TestCase):
    def test_it_goes_by_boots_of_the_same_program_and_nodes(self):
        one, two = (sweep.Boot("ring", "exp6", nodes, "", None, 1, []) for nodes in (1, 2))
        other = sweep.Boot("fft", "exp6", 2, "", None, 1, [])
        seconds = {("ring", 1): [1.0, 3.0], ("ring", 2): [10.0]}
        self.assertAlmostEqual(sweep.time_left([one, two, other], seconds), 2 + 10 + 14 / 3)

    def test_it_is_said_in_words(self):
        self.assertEqual([sweep.words_of(s) for s in (5, 65, 3700)], ["5 s", "1 min 05 s", "1 h 01 min"])


if __name__ == "__main__":
    unittest.main()
