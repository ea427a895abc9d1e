# SPDX-License-Identifier: MIT
"""The programs of the study of clusters of multiprocessors, booted: under every claim of a queue all messages
come once; and on the modelled machine a number is the same in every boot."""

import re

from boot_case import BootCase, extra, for_each, needs, seldom

CLAIMS = (
    *("fifo", "lock-free", "test-and-set", "test-and-test-and-set", "ticket-claim", "anderson"),
    "preemption-safe",
)
# Each with its sequential form.
SUMMED = (
    ("sample_sort", "--keys 200", "--keys 400 --sequential 1"),
    ("con", "--side 8", "--side 8 --sequential 1 --blocks 2"),
    ("em3d", "--values 20 --steps 2", "--values 20 --steps 2 --sequential 1 --blocks 2"),
    ("fft_3d", "--side 8", "--side 8 --sequential 1"),
)
JOB = '[[job]]\napp = "{app}"\nnodes = {nodes}\nargs = "{words}"\n'


# Processors that share a core of the host wait for each other's turns in every queue of a lock, so they are
# few, and the claims under locks are for `make test-all'.
@seldom
@for_each(CLAIMS, "all_messages_come_once_under", sample=("lock-free",))
class ClumpsPrograms(BootCase):
    def all_messages_come_once_under(self, claim):
        loggp = JOB.format(app="loggp", nodes=2, words="--samples 1 --trips 5 --burst 5 --blocks 1")
        many = JOB.format(app="many_to_one", nodes=3, words="--samples 1 --messages 20")
        summed = ""
        for app, words, alone in SUMMED:
            summed += JOB.format(app=app, nodes=2, words=f"--samples 1 {words}")
            summed += JOB.format(app=app, nodes=1, words=f"--samples 1 {alone}") + f'name = "{app}, alone"\n'
        text = ""
        # Two nodes have a core each on any host with two.
        for name, jobs, processors in (("two", loggp + summed, 2), ("three", many, 3)):
            config = self.write(f"{name}.toml", jobs)
            words = (f"DESIGN=native,port={claim}", f"PROCESSORS={processors}")
            text += self.boot_well(f"CONFIG={config}", *words, limit=300).text
        self.assertEqual(text.count("all messages right"), 2 + 2 * len(SUMMED))
        for app, _, _ in SUMMED:
            together, alone = re.findall(rf"{app}: sum ([0-9a-f]{{16}})", text)
            self.assertEqual(together, alone, app)
        for name in ("RTT", "G", "1 writer", "2 writers"):
            self.assertIn(name, text)


BEGUN = r"(\S+): from ([0-9.]+) to ([0-9.]+) us of the machine's clock"


class SeveralJobs(BootCase):
    def together(self, start):
        jobs = JOB.format(app="sample_sort", nodes=2, words=f"--samples 1 --keys 200 --start {start}")
        jobs += JOB.format(app="em3d", nodes=2, words=f"--samples 1 --values 20 --start {start}")
        jobs += JOB.format(app="sequential", nodes=2, words=f"--milliseconds 100 --start {start}")
        config = self.write("together.toml", 'jobs = "together"\nschedule = "timeshared"\n' + jobs)
        words = ("DESIGN=native,synchronization=two-phase,port=lock-free", "PROCESSORS=2")
        return self.boot(f"CONFIG={config}", *words, limit=120)

    @extra
    def test_jobs_begin_at_the_time_that_they_are_told(self):
        boot = self.together(5000)
        self.assertEqual(boot.status, 0, boot.text)
        found = {program: (float(begin), float(end)) for program, begin, end in re.findall(BEGUN, boot.text)}
        self.assertEqual(set(found), {"sample_sort", "em3d", "sequential"}, boot.text)
        self.assertGreaterEqual(min(begin for begin, _ in found.values()), 5e6, found)
        begin, end = found["sequential"]
        self.assertGreaterEqual(end - begin, 1e5)
        self.assertEqual(boot.text.count("all messages right"), 2)
        self.assertIn("sequential: 2 processes, all words right", boot.text)

    @extra
    def test_a_job_that_is_ready_too_late_says_so(self):
        boot = self.together(1)
        self.assertNotEqual(boot.status, 0)
        self.assertIn("a later --start is wanted", boot.text)


@needs("model")
class OnTheModelledMachine(BootCase):
    @extra
    def test_two_boots_find_the_same(self):
        words = ("APP=loggp", "NODES=2", "DESIGN=native,port=fifo", "CLOCK=modelled", "MACHINE=enterprise")
        arguments = "ARGS=--samples 2 --trips 10 --burst 10 --blocks 1"
        told = set()
        for _ in range(2):
            boot = self.boot_well(*words, arguments, "QUIET=1", limit=300)
            told.add(tuple(re.findall(r"^loggp: (\S+ \S+) \+-", boot.text, re.M)))
        self.assertEqual(len(told), 1, told)
        self.assertGreater(len(told.pop()), 5)
