# SPDX-License-Identifier: MIT
"""Ranks as groups of processes of their own: what a rank does to its group reaches nobody else, and at a
terminal a job still is one job."""

import os
import pty
import select
import signal
import subprocess
import time
import unittest

from native_case import LONGEST, NXRUN, NativeCase, for_each, lives, ranks_of

KILLS = """
#include <nx.h>
#include <signal.h>
#include <stdlib.h>
int main(int count, char **words)
{
    gsync();
    if (mynode() == 1)
        kill(0, atoi(words[count - 1]));
    crecv(5, 0, 0);
    return 0;
}
"""
READS = """
#include <nx.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    char line[100];
    gsync();
    if (mynode() == 0) {
        puts("ready");
        fflush(stdout);
        while (fgets(line, sizeof line, stdin)) {
            printf("got %s", line);
            fflush(stdout);
        }
    }
    gsync();
    return 0;
}
"""
STARTS = """
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    if (mynode() == 0) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                pause();
        printf("%d\\n", (int)child);
        fflush(stdout);
    }
    for (;;)
        flick();
}
"""
# As a shell does it, for one job: starts it at its terminal, waits until it stops, and continues it.
SHELL = """
set -m
{nxrun} -n 2 {program}
echo "stopped with $?"
fg >/dev/null
echo "ended with $?"
"""


def state(process: int) -> str:
    """As Linux has it: R, S, T ..."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(") ")[2][0]


@for_each(("native", "exp6,light"), "a_rank_that_kills_its_group_is_the_one_that_failed_under")
class Groups(NativeCase):
    def a_rank_that_kills_its_group_is_the_one_that_failed_under(self, design):
        program = self.compiled(KILLS)
        for number in (signal.SIGKILL, signal.SIGTERM):
            script = f"{NXRUN} -n 3 -d {design} {program} {int(number)}; echo $?"
            done = subprocess.run(
                ["/bin/sh", "-c", script],
                capture_output=True,
                text=True,
                timeout=LONGEST,
                start_new_session=True,
                check=False,
            )
            self.assertEqual(done.stdout, "1\n", done)
            self.assertRegex(
                done.stderr,
                rf"^nxrun: The job failed: node 1 was ended by signal {int(number)} \([A-Z]\w+\)\.\n$",
            )

    def test_what_ranks_have_started_ends_with_an_interrupted_job(self):
        process = subprocess.Popen(
            [NXRUN, "-n", "1", self.compiled(STARTS)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        child = int(process.stdout.readline())
        self.assertTrue(lives(child))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(LONGEST), 130)
        end = time.monotonic() + LONGEST
        while lives(child) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertFalse(lives(child))


class AtATerminal(NativeCase):
    def start(self, *words: str) -> None:
        """A program with a terminal of its own, which is its session's."""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            for number in (signal.SIGINT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
                signal.signal(number, signal.SIG_DFL)
            os.execv(words[0], words)
        self.shown = b""
        self.addCleanup(self.end)

    def end(self) -> None:
        os.close(self.terminal)
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def see(self, text: str) -> None:
        end = time.monotonic() + LONGEST
        while text.encode() not in self.shown:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"{text!r} is not in {self.shown!r}")
            try:
                self.shown += os.read(self.terminal, 4096)
            except OSError:
                self.fail(f"{text!r} is not in {self.shown!r}")
        self.shown = self.shown.partition(text.encode())[2]

    def status(self) -> int:
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        return os.waitstatus_to_exitcode(status)

    def test_a_rank_reads_what_is_typed(self):
        self.start(NXRUN, "-n", "2", self.compiled(READS))
        self.see("ready")
        for word in ("one", "two"):
            self.type(f"{word}\n")
            self.see(f"got {word}")
        self.type("\x04")
        self.assertEqual(self.status(), 0)

    def until(self, has_come) -> None:
        end = time.monotonic() + LONGEST
        while not has_come():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)

    def ends_by_ctrl_c(self) -> None:
        self.type("\x03")
        self.see("nxrun: Interrupted; all ranks have been ended.")
        self.assertEqual(self.status(), 130)

    def test_ctrl_c_ends_a_job_that_computes(self):
        self.start(NXRUN, "-n", "2", self.compiled(STARTS))
        self.see("\n")
        self.ends_by_ctrl_c()

    def test_ctrl_c_ends_a_job_while_a_rank_reads(self):
        self.start(NXRUN, "-n", "2", self.compiled(READS))
        self.type("word\n")
        self.see("got word")
        self.ends_by_ctrl_c()

    def test_ctrl_z_stops_all_ranks_and_fg_continues_them(self):
        program = self.compiled(READS)
        self.start("/bin/bash", "-c", SHELL.format(nxrun=NXRUN, program=program))
        self.see("ready")
        self.type("one\n")
        self.see("got one")
        self.type("\x1a")
        self.see("stopped with 1")
        self.type("two\n")
        self.see("got two")
        self.type("\x04")
        self.see("ended with 0")
        self.assertEqual(self.status(), 0)

    def test_ctrl_z_stops_ranks_that_compute(self):
        program = self.compiled(STARTS)
        script = SHELL.format(nxrun=NXRUN, program=program).replace("fg >", "read x\nfg >")
        self.start("/bin/bash", "-c", script)
        self.see("\n")
        self.type("\x1a")
        self.see("stopped with 1")
        with open(f"/proc/{self.process}/task/{self.process}/children", encoding="ascii") as file:
            nxrun = int(file.read().split()[0])
        ranks = ranks_of(nxrun)
        self.assertEqual(len(ranks), 2)
        self.until(lambda: all(state(rank) == "T" for rank in ranks))
        self.type("\n")
        self.until(lambda: all(state(rank) != "T" for rank in ranks))
        self.type("\x03")
        self.see("Interrupted")

    def test_a_rank_that_nobody_can_give_the_terminal_ends_its_job_in_a_sentence(self):
        job = f"(while kill -0 $$ 2>&-; do sleep 0.01; done; exec {NXRUN} -n 2 {self.compiled(READS)}) &"
        self.start("/bin/bash", "-c", f"bash -c 'set -m; {job}'; read x")
        self.see("ready")
        self.see("nxrun: The job failed: node 0 wants the terminal, which belongs to another program: ")
        self.see("\n")


if __name__ == "__main__":
    unittest.main()
