# SPDX-License-Identifier: MIT
"""What a run leaves behind: table, record, files."""

import json
import os
import resource
import stat
import subprocess
import sys
import unittest
from types import SimpleNamespace

from runner_case import RUNNER, TOOLS, RunnerCase

sys.path.insert(0, TOOLS)
from parley_runner import boot, cluster, frames, places, request  # noqa: E402
from parley_runner.screen import Screen  # noqa: E402
from parley_trace import reading  # noqa: E402

GOOD = "machine.good(); machine.exit(33)"


class Versions(RunnerCase):
    def git(self, *words: str) -> str:
        line = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", self.folder, *words]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()

    def version(self, **environment: str) -> str:
        """As a command that may write no file has it."""
        body = (
            f"import sys; sys.path.insert(0, {TOOLS!r}); from parley_runner import places; "
            f"places.ROOT = {self.folder!r}; print(places.version())"
        )
        done = subprocess.run(
            [sys.executable, "-B", "-c", body],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PARLEY_VERSION": "", **environment},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
        )
        return done.stdout.strip()

    def test_a_version_is_the_commit_and_asking_for_it_leaves_the_repository_alone(self):
        self.git("init", "--quiet")
        self.write("a", "one\n")
        self.git("add", "a")
        self.git("commit", "--quiet", "-m", "first")
        os.utime(os.path.join(self.folder, "a"), (1, 1))  # git has to look into it again
        commit = self.git("rev-parse", "--short", "HEAD")
        self.assertEqual(self.version(), commit)
        self.write("a", "two\n")
        self.assertEqual(self.version(), f"{commit}-dirty")
        self.assertNotIn("index.lock", os.listdir(os.path.join(self.folder, ".git")))

    def test_who_starts_many_commands_asks_git_for_them(self):
        self.assertEqual(self.version(PARLEY_VERSION="asked before"), "asked before")


class Tables(RunnerCase):
    def test_several_designs_make_one_table_side_by_side(self):
        done = self.run_fake(GOOD, "DESIGN=exp1 exp6", "RECORD=record.json")
        self.assert_status(done, 0)
        self.assertRegex(done.stdout, r"bytes +exp1 +exp6\n +64 +1.50 \(1.40..1.60\) +1.50 \(1.40..1.60\)")
        self.assertEqual(
            [run["asked"]["jobs"][0]["design"] for run in self.record()["runs"]], ["exp1", "exp6"]
        )

    def test_the_heading_names_every_job(self):
        self.write("c.toml", "[[job]]\n[[job]]\n")
        done = self.run_fake(
            """
            machine.plan(jobs=2); machine.job(0, "one"); machine.job_end(0)
            machine.job(1, "two"); machine.row(job=1); machine.job_end(1)
            machine.end(jobs=2); machine.exit(33)""",
            "CONFIG=c.toml",
        )
        self.assertIn("one + two: 2 nodes", done.stdout)

    def test_all_means_every_row(self):
        self.assertRegex(self.run_fake(GOOD, "DESIGN=all").stdout, "exp1 +exp6")

    def test_ratios_are_to_the_bare_ping_pong_of_the_same_boot(self):
        done = self.run_fake("""
            machine.plan(); machine.job(); machine.row(0, 500.0, "bare ping-pong"); machine.row()
            machine.job_end()
            machine.end(rows=2); machine.exit(33)""")
        self.assertIn("x3", done.stdout)

    def test_the_first_failure_gives_the_status_and_the_rest_still_run(self):
        done = self.run_fake(
            """
            archive = machine.arguments[machine.arguments.index('-initrd') + 1]
            if b'design exp1' in open(archive, 'rb').read(): machine.frame(8, b'oh dear'); machine.exit(37)
            machine.good(); machine.exit(33)""",
            "DESIGN=exp1 exp6",
        )
        self.assert_status(done, 3, "exp1: panic")
        self.assertIn("round trip", done.stdout)

    def test_a_pipe_gets_neither_colours_nor_progress(self):
        done = self.run_fake("machine.plan(); time.sleep(0.6); machine.exit(0)")
        self.assertNotIn("\033", done.stdout + done.stderr)

    def drawn(self, **more) -> str:
        script = "machine.plan(); time.sleep(0.6); machine.exit(0)"
        return self.terminal(script, **more).decode()

    def test_a_terminal_gets_progress_and_colours(self):
        text = self.drawn()
        self.assertIn("exp6: 0 s", text)
        self.assertIn("\033[31m", text)

    def test_no_color_is_respected(self):
        self.assertNotIn("\033[31m", self.drawn(NO_COLOR="1"))


class Records(RunnerCase):
    def test_a_record_says_what_was_in_force_and_not_what_was_asked(self):
        self.run_fake(
            """
            machine.plan(processors=7, clock="counted"); machine.job(); machine.job_end(); machine.end(rows=0)
            machine.exit(33)""",
            "PROCESSORS=3",
            "RECORD=record.json",
        )
        record = self.record()
        self.assertEqual((record["processors"], record["clock"]), (7, "counted"))
        self.assertEqual(record["asked"]["processors"], 3)

    def test_a_failed_run_has_a_record_too(self):
        self.run_fake("machine.plan(); machine.frame(8, b'oh'); machine.exit(37)", "RECORD=record.json")
        self.assertEqual((self.record()["status"], self.record()["exit_status"]), ("panic", 3))

    def test_a_full_disk_leaves_the_old_record_and_says_so(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        self.write("record.json", "old")
        done = subprocess.run(
            ["/bin/sh", "-c", f"ulimit -f 0; trap '' XFSZ; exec {sys.executable} -c '{FULL}'"],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": os.path.dirname(RUNNER)},
        )
        self.assertIn(
            "Cannot write record.json: File too large; nothing was written", done.stdout + done.stderr
        )
        with open(self.path("record.json"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith(".parley")])

    def test_what_is_no_file_is_written_and_not_replaced(self):
        os.mkfifo(self.path("pipe"))
        reader = os.open(self.path("pipe"), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.assert_status(self.run_fake(GOOD, "RECORD=pipe"), 0)
        self.assertEqual(json.loads(os.read(reader, 1 << 16))["status"], "success")
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.path("pipe")).st_mode))
        self.assertTrue(places.is_device("/dev/null"))  # which a test had better not try

    def test_a_link_stays_a_link(self):
        os.symlink("real.json", self.path("link.json"))
        self.assert_status(self.run_fake(GOOD, "RECORD=link.json"), 0)
        self.assertEqual(os.readlink(self.path("link.json")), "real.json")
        self.assertEqual(self.record("real.json")["status"], "success")

    def test_a_trace_that_cannot_be_written_leaves_table_and_record(self):
        self.write("build/traced/kernel.elf", b"kernel")
        os.mkdir(self.path("gone"))
        done = self.run_fake(f"os.rmdir('gone'); {GOOD}", "TRACE=gone/t.json", "RECORD=record.json")
        self.assert_status(
            done, 2, "Cannot write gone/t.json: No such file or directory; nothing was written."
        )
        self.assertIn("round trip", done.stdout)
        self.assertEqual(self.record()["status"], "success")

    def test_lost_trace_records_are_said_again_at_the_very_end(self):
        self.write("build/traced/kernel.elf", b"kernel")
        heads = [
            reading.HEAD.pack(reading.VERSION, reading.RECORD.size, job, 0, lost, 1_000_000_000, 0)
            for job, lost in ((0, 77), (1, 5))
        ]
        done = self.run_fake(
            f"""
            machine.plan(); machine.job(); machine.row(); machine.frame(10, {heads[0]!r})
            machine.frame(10, {heads[1]!r}); machine.job_end(); machine.end(); machine.exit(33)""",
            "TRACE=t.json",
            "TRACE_RECORDS=1000",
        )
        self.assert_status(done, 0)
        self.assertEqual(
            done.stdout.splitlines()[-1],
            "t.json lacks 82 records, which were lost for want of room: 1000 of each processor are kept, and "
            "TRACE_RECORDS=4000 keeps more; 5 were a process's own, of which the first 8190 are kept: a "
            "smaller run has fewer.",
        )

    def test_record_show_prints_the_table_again(self):
        self.run_fake(GOOD, "RECORD=record.json")
        done = subprocess.run(
            [RUNNER, "record", "show", self.path("record.json")], capture_output=True, text=True, check=False
        )
        self.assertIn("round trip", done.stdout)

    def test_record_show_refuses_what_is_no_record(self):
        for text, sentence in (
            ("text", "is not JSON"),
            ("{}", "not a record of this version"),
            ('{"format": "parley-record-1"}', "not a whole record"),
            ('{"format": "parley-record-1", "runs": [1]}', "not a whole record"),
        ):
            with self.subTest(text=text):
                path = self.write("record.json", text)
                done = subprocess.run(
                    [RUNNER, "record", "show", path], capture_output=True, text=True, check=False
                )
                self.assert_status(done, 2, sentence)


FULL = (
    "from parley_runner import places, status\n"
    'try: places.write_atomically("record.json", b"new" * 9999)\n'
    "except status.BadRequest as problem: print(problem)\n"
)


class OutFolders(RunnerCase):
    def files(self, body: str, *words: str):
        return self.run_fake(
            f"""
            machine.plan(); machine.job()
            {body}
            machine.job_end(); machine.end(rows=0); machine.exit(33)""",
            "OUT=out",
            *words,
        )

    def content(self, name: str) -> bytes:
        with open(self.path(f"out/{name}"), "rb") as file:
            return file.read()

    def test_files_arrive_whole_and_in_their_folders(self):
        self.assert_status(self.files("machine.file(b'a/b.txt', b'text'); machine.file(b'empty', b'')"), 0)
        self.assertEqual((self.content("a/b.txt"), self.content("empty")), (b"text", b""))

    def test_pieces_are_put_together(self):
        self.files("machine.file(b'x', b'one', size=6); machine.file(b'x', b'two', size=6, offset=3)")
        self.assertEqual(self.content("x"), b"onetwo")

    def test_half_a_file_is_not_written(self):
        self.assert_status(self.files("machine.file(b'x', b'one', size=6)"), 8, "did not arrive completely")
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_a_full_disk_is_said_as_the_hosts_and_leaves_no_half_file(self):
        self.largest_file = 32768  # the archive is smaller
        body = "for n in range(10): machine.file(b'x', bytes(10000), size=100000, offset=10000 * n)"
        done = self.files(body, "RECORD=record.json")
        self.assert_status(done, 2, "bad-request: 'x' could not be written to out: File too large.")
        self.assertEqual(os.listdir(self.path("out")), [])
        self.assertEqual(self.record()["status"], "bad-request")

    def test_a_folder_that_cannot_be_written_is_refused_before_the_boot(self):
        self.assert_status(
            self.run_fake("machine.exit(33)", "OUT=/proc"), 2, "OUT=/proc: the folder /proc cannot"
        )
        self.write("file", "text")
        self.assert_status(self.run_fake("machine.exit(33)", "OUT=file"), 2, "OUT=file cannot be made")

    def test_a_name_that_leaves_the_folder_is_refused(self):
        for name in ("../x", "/tmp/x", "a/../../x", ""):
            with self.subTest(name=name):
                self.assert_status(
                    self.files(f"machine.file({name.encode()!r}, b'evil')"), 8, "leaves the output"
                )
                self.assertFalse(os.path.exists(self.path("x")))

    def test_a_link_out_of_the_folder_is_refused(self):
        os.makedirs(self.path("out"))
        os.symlink(self.folder, self.path("out/link"))
        self.assert_status(self.files("machine.file(b'link/x', b'evil')"), 8, "through a link")

    def test_machines_that_write_one_name_do_not_mix_their_pieces(self):
        asked = request.make(["BOOTS=2", "NODES=2", f"OUT={self.path('out')}"])
        whole = boot.Boot(asked, Screen(), False, "ring")
        machine = SimpleNamespace(process=SimpleNamespace(pid=os.getpid()))
        other = cluster.Other(asked, 1, machine, whole.take_frame, None)
        for take, offset, content, found in (
            (whole.take_frame, 0, b"one", None),
            (other.take_frame, 0, b"two", None),
            (whole.take_frame, 3, b"ONE", b"oneONE"),
            (other.take_frame, 3, b"TWO", b"twoTWO"),
        ):
            take(frames.Frame(frames.FILE, frames.FILE_HEAD.pack(0, 1, 6, offset) + b"x" + content))
            self.assertEqual(whole.out.problems, [])
            if found:
                self.assertEqual(self.content("x"), found)

    def test_a_machine_whose_file_comes_before_the_jobs_are_told_writes_into_its_jobs_folder(self):
        self.write("two.toml", 'boots = 2\n[[job]]\nname = "one"\n[[job]]\nname = "two"\n')
        asked = request.make([f"CONFIG={self.path('two.toml')}", f"OUT={self.path('out')}"])
        whole = boot.Boot(asked, Screen(), False, "ring")
        machine = SimpleNamespace(process=SimpleNamespace(pid=os.getpid()))
        other = cluster.Other(asked, 1, machine, whole.take_frame, None)
        other.take_frame(frames.Frame(frames.FILE, frames.FILE_HEAD.pack(1, 1, 3, 0) + b"x" + b"two"))
        self.assertEqual(whole.out.problems, [])
        self.assertEqual(self.content("two/x"), b"two")

    def test_several_designs_have_a_folder_each(self):
        self.files("machine.file(b'x', b'y')", "DESIGN=exp1 exp6")
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["exp1", "exp6"])


if __name__ == "__main__":
    unittest.main()
