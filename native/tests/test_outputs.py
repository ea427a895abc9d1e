# SPDX-License-Identifier: MIT
"""What nxrun writes: records into links, devices and pipes, tagged lines that nobody reads, tables of what
programs report; and what cannot be written is found out before the job starts."""

import json
import os
import resource
import signal
import stat
import subprocess
import threading
import unittest

from native_case import LONGEST, NXRUN, NativeCase, app

BEGUN = '#include <stdio.h>\nint main(void) { puts("begun"); return 0; }\n'
WRITES = """
#include <nx.h>
#include <stdio.h>
int main(int count, char **words)
{
    for (long i = 0; count == 1 || i < 20000; i++)
        printf("line %ld of node %ld, as long as one may well be on a terminal\\n", i, mynode());
    (void)words;
    return 0;
}
"""
# Both wait for a message that nobody sends, so nxrun ends them.
PRINTS_AND_WAITS = {
    ".c": """
#include <nx.h>
#include <stdio.h>
int main(void)
{
    char byte;
    printf("printed by %ld\\n", mynode());
    crecv(1, &byte, 1);
    return 0;
}
""",
    ".f": """
      PROGRAM WAITS
      WRITE (6, 1) MYNODE()
    1 FORMAT ('printed by ', I1)
      CALL CRECV(1, I, 4)
      END
""",
}
REPORTS = """
#include <nx.h>
#include <stdlib.h>
int main(int count, char **words)
{
    const double one[1] = {1};
    for (long i = 0; i < atol(words[1]); i++)
        nx_report(words[count - 1], 8, words[count - 1], words[count - 1], one, 1);
    return 0;
}
"""


class Outputs(NativeCase):
    def refused(self, path: str, why: str) -> None:
        ran = self.nxrun("-n", "1", "--record", path, self.compiled(BEGUN))
        self.assertEqual((ran.status, ran.out), (2, ""), path)
        self.assertRegex(ran.errors, rf"^nxrun: The record cannot be written to .*: {why}\.\n$")

    def test_a_record_that_cannot_be_written_is_refused_before_the_job(self):
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        self.refused("/not/there/record.json", "No such file or directory")
        self.refused(self.folder, "Is a directory")
        self.refused(self.path("file") + "/record.json", "Not a directory")
        os.symlink(self.path("not/there"), self.path("astray"))
        self.refused(self.path("astray"), "No such file or directory")
        self.refused("/proc/record.json", "No such file or directory")
        self.refused(self.path("r" * 300), "File name too long")

    def test_a_record_and_a_trace_in_one_file_are_refused(self):
        os.mkdir(self.path("folder"))
        path, same = self.path("both.json"), self.path("folder") + "/../both.json"
        ran = self.nxrun("-n", "1", "--record", path, "--trace", same, self.compiled(BEGUN))
        self.assertEqual((ran.status, ran.out), (2, ""))
        self.assertEqual(
            ran.errors,
            f"nxrun: --record and --trace name one file, {same}: one of them needs another name.\n",
        )

    def test_a_device_stays_what_it_is(self):
        device = self.path("null")
        try:
            os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            with open(device, "wb"):
                pass
        except PermissionError:
            device = "/dev/null"  # such a user cannot replace it
        self.well("-n", "1", "--record", device, app("hello_c"))
        self.assertTrue(stat.S_ISCHR(os.stat(device).st_mode))

    def test_a_full_device_is_told(self):
        full = self.path("full")
        try:
            os.mknod(full, stat.S_IFCHR | 0o666, os.makedev(1, 7))
            with open(full, "wb"):
                pass
        except PermissionError:
            full = "/dev/full"
        ran = self.nxrun("-n", "1", "--record", full, app("hello_c"))
        self.assertEqual(ran.status, 1)
        told = f"nxrun: the record cannot be written to {full}: No space left on device\n"
        self.assertEqual(ran.errors, told)
        self.assertTrue(stat.S_ISCHR(os.stat(full).st_mode))

    def redirected(self, how: str, *words: str) -> subprocess.CompletedProcess:
        command = ["sh", "-c", f'exec "$0" "$@" {how}', NXRUN, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    def test_output_that_cannot_be_written_is_told(self):
        why = "No space left on device"
        told = f"nxrun: what the job prints cannot be written, and some of it is lost: {why}\n"
        for words in (("--tag",), ("--profile",)):
            ran = self.redirected(">/dev/full", *words, "-n", "2", app("hello_c"))
            self.assertEqual((ran.returncode, ran.stderr), (1, told), words)

    def test_a_job_runs_without_standard_files(self):
        for how, out in (("<&-", 2), (">&-", 0), ("<&- >&- 2>&-", 0)):
            ran = self.redirected(how, "-n", "2", app("hello_c"))
            self.assertEqual((ran.returncode, len(ran.stdout.splitlines())), (0, out), (how, ran))

    def test_links_stay_and_their_file_is_replaced(self):
        os.mkdir(self.path("folder"))
        target, link, second = (self.path(name) for name in ("folder/record.json", "link", "second"))
        os.symlink("folder/record.json", link)  # which is not there yet
        os.symlink(link, second)
        for _ in range(2):
            self.well("-n", "1", "--record", second, app("hello_c"))
            self.assertTrue(os.path.islink(link) and os.path.islink(second))
            with open(target, encoding="utf-8") as file:
                self.assertEqual(json.load(file)["status"], "success")
        self.assertEqual(os.listdir(self.path("folder")), ["record.json"])

    def test_a_trace_keeps_links_too(self):
        link = self.path("link.trace")
        os.symlink("real.trace", link)
        self.well("-n", "1", "--trace", link, app("hello_c"))
        self.assertTrue(os.path.islink(link))
        self.assertGreater(os.path.getsize(self.path("real.trace")), 0)

    def test_a_pipe_gets_the_record(self):
        pipe, found = self.path("pipe"), []

        def read():
            with open(pipe, encoding="utf-8") as file:
                found.append(file.read())

        os.mkfifo(pipe)
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        self.well("-n", "1", "--record", pipe, app("hello_c"))
        reader.join(LONGEST)
        self.assertTrue(found, "nobody has written to the pipe")
        self.assertEqual(json.loads(found[0])["status"], "success")
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))

    def test_standard_output_may_be_the_record(self):
        own = self.path("own")  # as /dev/stdout, which no test should put at risk
        os.symlink("/proc/self/fd/1", own)
        with open(self.path("out"), "w+", encoding="utf-8") as out:
            done = subprocess.run(
                [NXRUN, "-n", "1", "--record", own, self.compiled(BEGUN)],
                stdout=out,
                check=True,
                timeout=LONGEST,
            )
            self.assertEqual(done.returncode, 0)
        with open(self.path("out"), encoding="utf-8") as file:
            begun, record = file.read().split("\n", 1)
        self.assertEqual((begun, json.loads(record)["status"]), ("begun", "success"))

    def test_what_ranks_have_printed_is_there_though_they_are_ended(self):
        for end, text in PRINTS_AND_WAITS.items():
            program = self.compiled(text, "waits", end)
            for words in ((), ("--design", "exp5,context-switch=light"), ("-t",)):
                path = self.path("out")
                with self.subTest(end=end, words=words), open(path, "w+", encoding="utf-8") as out:
                    done = subprocess.run(
                        [NXRUN, "-n", "2", *words, program],
                        stdout=out,
                        stderr=subprocess.PIPE,
                        text=True,
                        check=False,
                        timeout=LONGEST,
                    )
                    self.assertIn("wait", done.stderr)
                    out.seek(0)
                    lines = sorted(line[-12:] for line in out.read().splitlines())
                    self.assertEqual(lines, ["printed by 0", "printed by 1"])

    def unread(self, *words: str) -> subprocess.Popen:
        """A job whose output nobody reads: its pipe is full."""
        ends = os.pipe()
        self.addCleanup(os.close, ends[0])
        self.addCleanup(os.close, ends[1])
        os.set_blocking(ends[1], False)
        try:
            while True:
                os.write(ends[1], b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(ends[1], True)
        line = [NXRUN, "-n", "2", "-t", *words]
        process = subprocess.Popen(line, stdout=ends[1], stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_tagged_lines_that_nobody_reads_leave_the_limit(self):
        for words in ((), ("some",)):
            process = self.unread("--limit", "1", self.compiled(WRITES), *words)
            self.assertEqual(process.wait(LONGEST), 6)
            self.assertIn("has reached its limit of 1 s", process.stderr.read())

    def test_tagged_lines_that_nobody_reads_leave_an_interrupt(self):
        for words in ((), ("some",)):
            process = self.unread(self.compiled(WRITES), *words)
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(0.7)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(LONGEST), 130)

    def test_tagged_lines_come_whole_and_all(self):
        line = [NXRUN, "-n", "2", "-t", self.compiled(WRITES), "some"]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
            text = process.stdout.read()
        for node in (0, 1):
            tail = "as long as one may well be on a terminal"
            lines = [one for one in text.splitlines() if one.startswith(f"[{node}] ")]
            self.assertEqual(lines, [f"[{node}] line {i} of node {node}, {tail}" for i in range(20000)])

    def test_rows_are_bounded_and_the_rest_is_counted(self):
        ran, record = self.record("-n", "1", self.compiled(REPORTS), "65600", "name")
        self.assertEqual(ran.status, 0)
        self.assertEqual((len(record["rows"]), record["rows_left_out"]), (65536, 64))
        self.assertEqual(
            ran.errors, "nxrun: The job has reported more than 65536 rows: 64 are left out.\n"
        )

    def test_control_characters_reach_no_terminal(self):
        ran = self.well("-n", "1", self.compiled(REPORTS), "1", "\x1b[2J\x07\u009b")
        self.assertEqual([c for c in ran.text if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160], [])
        self.assertIn("\\x1b[2J\\x07\\xc2\\x9b", ran.out)
        for words in (("./\x1b[2J",), ("-n", "\x1b[2J", "true"), ("-r", "/no/\x1b[2J", app("hello_c"))):
            ran = self.nxrun(*words)
            self.assertEqual(ran.status, 2)
            self.assertIn("\\x1b[2J", ran.errors)
            self.assertNotIn("\x1b", ran.errors)

    def test_little_memory_is_no_crash(self):
        """Of its own data nxrun needs less than a mebibyte."""
        few = lambda: resource.setrlimit(resource.RLIMIT_DATA, (1000 << 10, 1000 << 10))
        ran = self.nxrun("--version", preexec_fn=few)
        self.assertEqual(ran.status, 0, ran.text)
        ran = self.nxrun("-n", "2", app("hello_c"), preexec_fn=few)
        self.assertIn(ran.status, (0, 1, 2), ran.text)
        self.assertTrue(ran.text)


if __name__ == "__main__":
    unittest.main()
