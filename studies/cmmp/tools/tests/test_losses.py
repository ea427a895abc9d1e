# SPDX-License-Identifier: MIT
"""The keys by which losses are injected: what is refused, and what the machine is told."""

import re
import unittest

from cmmp.runner_keys import ADDED
from parley_runner import machine_file, places
from parley_runner.request import Request, make
from parley_runner.status import BadRequest
from runner_case import RunnerCase, elf
from test_requests import SHOW


class Losses(RunnerCase):
    def setUp(self):
        super().setUp()
        self.write("build/measuring/kernel.elf", elf())

    def refuse(self, sentence: str, *words: str):
        self.assert_status(self.run_fake("machine.exit(33)", *words), 2, sentence)

    def test_processors_of_two_speeds_are_refused_where_they_do_not_add_up(self):
        for sentence, *words in (
            ("as fast:3,slow:2; 'medium:3' does not.", "SPEEDS=medium:3"),
            ("as fast:3,slow:2; 'fast:1' does not.", "SPEEDS=fast:2,fast:1"),
            ("speeds=fast:0 are 0 processors; a machine has 1 to 64.", "SPEEDS=fast:0"),
            ("speeds=fast:60,slow:5 are 65 processors", "SPEEDS=fast:60,slow:5"),
            ("are 3 processors and PROCESSORS says 4", "SPEEDS=fast:2,slow:1", "PROCESSORS=4"),
            ("stealing is of a machine with processors of two speeds", "STEALING=off"),
            ("slowdown is of a machine with processors of two speeds", "SLOWDOWN=155"),
            ("slowdown lies between 100 and 1000, not at 99.", "SPEEDS=slow:1", "SLOWDOWN=99"),
            ("stealing is one of on, off, not 'no'", "SPEEDS=slow:1", "STEALING=no"),
        ):
            with self.subTest(words=words):
                self.refuse(sentence, *words)

    def test_the_machine_is_told_of_slow_processors_only_where_there_are_some(self):
        done = self.run_fake(SHOW, "SPEEDS=fast:2,slow:1", "STEALING=off")
        self.assert_status(done, 0)
        for line in ("processors 3", "slow=1", "slowdown=155", "stealing=0", "-smp 4"):
            self.assertIn(line, done.stdout)
        for words in ((), ("SPEEDS=fast:2",)):
            done = self.run_fake(SHOW, *words)
            self.assert_status(done, 0)
            self.assertNotIn("slow", done.stdout)

    def test_time_slices_are_refused_where_nothing_has_them(self):
        for sentence, *words in (
            ("slice takes a span of time, as 500ms or 20us, not '500'.", "SLICE=500"),
            ("slice takes a span of time, as 500ms or 20us, not '-10ms'.", "SLICE=-10ms"),
            ("slice lies between 10ms and 10s, not at 11s.", "SLICE=11s"),
            ("slice lies between 10ms and 10s, not at 0ms.", "SLICE=0ms"),
            ("multiple of the clock's tick of 10 ms, which 25ms is not.", "SLICE=25ms"),
            ("job ring may be a gang, which keeps its processors: say SCHEDULE=timeshared.", "SLICE=500ms"),
            ("allotment lies between 1 and 1000000, not at 0.", "SLICE=500ms", "ALLOTMENT=0"),
            ("allotment is of programs that have time slices: say SLICE=500ms too.", "ALLOTMENT=3"),
            ("request is of programs that have time slices", "REQUEST=1ms"),
            ("request takes a span of time, as 500ms or 20us, not '-1ms'.", "SLICE=10ms", "REQUEST=-1ms"),
        ):
            with self.subTest(words=words):
                self.refuse(sentence, *words)

    def test_the_machine_is_told_of_time_slices_only_where_there_are_some(self):
        done = self.run_fake(SHOW, "SLICE=500ms", "REQUEST=150ms", "SCHEDULE=timeshared")
        self.assert_status(done, 0)
        for line in ("slice=500", "allotment=10", "request=150000"):
            self.assertIn(line, done.stdout)
        done = self.run_fake(SHOW, "SCHEDULE=timeshared")
        self.assert_status(done, 0)
        self.assertNotIn("slice", done.stdout)

    def test_the_clock_interrupts_programs_as_often_as_is_asked(self):
        for sentence, *words in (
            ("tick takes a span of time, as 500ms or 20us, not '500'.", "TICK=500"),
            ("tick lies between 10ms and 1s, not at 9ms.", "TICK=9ms"),
            ("tick lies between 10ms and 1s, not at 2s.", "TICK=2s"),
            ("tick is a multiple of the kernel's own of 10 ms, which 25ms is not.", "TICK=25ms"),
            ("SLICE=500ms is no multiple of TICK=200ms, in which slices are counted.", "TICK=200ms")
            + ("SLICE=500ms", "SCHEDULE=timeshared"),
        ):
            with self.subTest(words=words):
                self.refuse(sentence, *words)
        for told, *words in (
            ("tick=50", "TICK=50ms"),
            ("tick=500", "LOSSES=cmmp-1978"),
            ("tick=20", "LOSSES=cmmp-1978", "SLICE=20ms"),
            ("tick=10", "LOSSES=cmmp-1978", "SLICE=2s"),
            ("tick=10", "LOSSES=cmmp-1978", "TICK=10ms"),
        ):
            with self.subTest(words=words):
                self.assertIn(told, ADDED.machine(make([*words, "NODES=2"])))
        self.assertFalse([word for word in ADDED.machine(make(["NODES=2"])) if word.startswith("tick")])

    def test_a_device_is_refused_that_the_machine_cannot_have(self):
        two = ("NODES=2", "DEVICE=owner:0,asker:1")
        for sentence, *words in (
            ("as owner:0,asker:1; '0' does not.", "DEVICE=0"),
            ("as owner:0,asker:1; 'owner:-1' does not.", "DEVICE=owner:-1"),
            ("device=asker:1 has no owner", "DEVICE=asker:1"),
            ("The device's owner is processor 2, which the machine has not: its processors are 0 to 1.",)
            + ("NODES=2", "DEVICE=owner:2,asker:0"),
            ("The device's asker is processor 9, which the machine has not", "DEVICE=owner:0,asker:9"),
            ("service takes a span of time, as 500ms or 20us, not '-1ms'.", *two, "SERVICE=-1ms"),
            ("service lies between 1us and 1s, not at 0ms.", *two, "SERVICE=0ms"),
            ("has a longest time that is shorter than its shortest.", *two, "SERVICE=5ms:1ms"),
            ("may leave the device's owner no time for anything else", *two, "SERVICE=20ms", "EVERY=20ms"),
            ("every lies between 10ms and 10s, not at 1ms.", *two, "EVERY=1ms"),
            ("every is of a machine with a device: say DEVICE=owner:0,asker:1 too.", "EVERY=20ms"),
            ("service is of a machine with a device", "SERVICE=5ms"),
        ):
            with self.subTest(words=words):
                self.refuse(sentence, *words)

    def test_the_machine_is_told_of_a_device_only_where_there_is_one(self):
        done = self.run_fake(SHOW, "DEVICE=owner:1", "SERVICE=2ms")
        self.assert_status(done, 0)
        for line in ("device_owner=1", "device_asker=1", "device_every=50000", "service_longest=2000"):
            self.assertIn(line, done.stdout)
        done = self.run_fake(SHOW)
        self.assert_status(done, 0)
        self.assertNotIn("device_", done.stdout)

    def test_disks_are_refused_that_there_are_not(self):
        for sentence, word in (
            ("there is no disk 'drum'; say DISK=none or DISK=fixed-head:16670us:4.", "drum"),
            ("there is no disk 'none:3'", "none:3"),
            ("there is no disk 'fixed-head:2ms:4:5'", "fixed-head:2ms:4:5"),
            ("the rotation of DISK=fixed-head takes a span of time", "fixed-head:16.67ms"),
            ("the rotation of DISK=fixed-head lies between 0 and 1s, not at 2s.", "fixed-head:2s"),
            ("is a whole number of microseconds, which 500ns is not.", "fixed-head:500ns"),
            ("DISK=fixed-head has 1 to 64 disks, not '65'.", "fixed-head:20ms:65"),
            ("DISK=fixed-head has 1 to 64 disks, not '-1'.", "fixed-head:20ms:-1"),
        ):
            with self.subTest(word=word):
                self.refuse(sentence, f"DISK={word}")

    def test_the_machine_is_told_of_disks_only_where_there_are_some(self):
        for word, wanted in (
            ("fixed-head", ("disks=4", "rotation=16670")),
            ("fixed-head:20ms:1", ("disks=1", "rotation=20000")),
            ("fixed-head::2", ("disks=2", "rotation=16670")),
        ):
            self.assertLessEqual(set(wanted), set(ADDED.machine(make([f"DISK={word}"]))))
        for words in ([], ["DISK=none"]):
            self.assertEqual(ADDED.machine(make(words)), [])

    def test_banks_and_pages_are_refused_that_the_machine_cannot_have(self):
        for sentence, *words in (
            ("says how many ns each takes for a reference, as 585x11,671x5; '-3' does not.", "BANKS=-3"),
            ("'0x4' does not.", "BANKS=0x4"),
            ("banks=585x17 are 17 banks; a machine has 1 to 16.", "BANKS=585x17"),
            ("pages is private, apart, shared, or a bank for each process", "BANKS=585x2", "PAGES=0,-1"),
            ("pages=0,1,0 places 3 processes, and job ring has 2.", "BANKS=585x2", "PAGES=0,1,0"),
            ("pages=0,2 names bank 2, which the machine has not: its banks are 0 to 1.",)
            + ("BANKS=585x2", "PAGES=0,2"),
            ("pages is of a machine with memory banks: say BANKS=585x16 too.", "PAGES=shared"),
            ("between is of a machine with memory banks", "BETWEEN=870ns"),
            ("between lies between 1ns and 1ms, not at 0ns.", "BANKS=585x2", "BETWEEN=0ns"),
        ):
            with self.subTest(words=words):
                self.refuse(sentence, *words)

    def test_the_machine_is_told_of_banks_only_where_there_are_some(self):
        done = self.run_fake(SHOW, "BANKS=585x11,671x5", "PAGES=15,0")
        self.assert_status(done, 0)
        for line in ("banks=16", "pages 15,0"):
            self.assertIn(line, done.stdout)
        done = self.run_fake(SHOW)
        self.assert_status(done, 0)
        self.assertNotIn("banks", done.stdout)
        self.assertNotIn("pages", done.stdout)

    def test_one_word_says_all_losses_and_each_may_be_said_otherwise(self):
        request = make(["LOSSES=cmmp-1978", "NODES=4", "EVERY=20ms"])
        job = request.jobs[0]
        self.assertEqual((job.schedule, job.added["pages"]), ("timeshared", "apart"))
        told = ADDED.machine(request)
        for word in (
            *("slice=500", "allotment=10", "request=150000", "device_asker=1", "device_every=20000"),
            *("service_shortest=1000", "service_longest=15000", "banks=16", "disks=4", "rotation=16670"),
        ):
            self.assertIn(word, told)
        self.assertFalse([word for word in told if word.startswith("slow=")])
        request = make(["LOSSES=cmmp-1978", "NODES=4", "PROCESSORS=13", "DISK=none"])
        self.assertFalse([word for word in ADDED.machine(request) if word.startswith(("disks", "rotation"))])
        self.assertLessEqual({"slow=2", "slowdown=155", "stealing=1"}, set(ADDED.machine(request)))
        self.assertIn("device_asker=0", ADDED.machine(make(["LOSSES=cmmp-1978", "NODES=1"])))
        self.refuse("losses is one of cmmp-1978, not 'all'.", "LOSSES=all")

    def test_a_file_says_the_same_machine_as_words(self):
        for nodes in (1, 4, 13):
            path = self.write("losses.toml", f'losses = "cmmp-1978"\n[[job]]\nnodes = {nodes}\n')
            from_file, from_words = make([f"CONFIG={path}"]), make(["LOSSES=cmmp-1978", f"NODES={nodes}"])
            self.assertEqual(from_file.values | {"config": None}, from_words.values | {"config": None})
            self.assertEqual(ADDED.machine(from_file), ADDED.machine(from_words))

    def test_a_part_of_the_profile_can_be_left_out(self):
        request = make(["LOSSES=cmmp-1978", "NODES=4", "DEVICE=none", "SLICE=none"])
        ADDED.check(request)
        self.assertEqual(ADDED.machine(request), ["tick=500", "banks=16", "disks=4", "rotation=16670"])
        for left_out, said in (("SLICE", "ALLOTMENT=3"), ("SLICE", "REQUEST=3ms"), ("DEVICE", "EVERY=20ms")):
            with self.subTest(said=said):
                name = said.partition("=")[0].lower()
                self.refuse(f"{name} is of ", "LOSSES=cmmp-1978", "NODES=4", f"{left_out}=none", said)

    def test_a_refusal_says_which_word_implied_what_the_request_does_not_say(self):
        slices = "LOSSES=cmmp-1978 says slice=500ms: SLICE=500ms is for timeshared programs"
        device = "LOSSES=cmmp-1978 says device=owner:0,asker:1: service=60ms every 50ms may leave"
        self.refuse(slices, "LOSSES=cmmp-1978", "SCHEDULE=gang")
        self.refuse(device, "LOSSES=cmmp-1978", "SERVICE=60ms")
        path = self.write("losses.toml", 'losses = "cmmp-1978"\nservice = "60ms"\n')
        self.refuse(f"{path}, line 1: {device}", f"CONFIG={path}")
        said = "LOSSES=cmmp-1978", "DEVICE=owner:0", "SERVICE=60ms"
        with self.assertRaisesRegex(BadRequest, "^service=60ms every"):
            ADDED.check(make(list(said)))

    def modelled(self, *words: str) -> Request:
        return make(["CLOCK=modelled", "LOSSES=cmmp-1978", "NODES=4", *words])

    def test_what_a_modelled_machine_has_is_not_injected_once_more(self):
        request = self.modelled("MACHINE=cmmp", "PROCESSORS=13")
        words = ADDED.machine(request)
        for word in ("slow=2", "slowdown=100", "stealing=1", "banks=16", "samples=0", "slice=500"):
            self.assertIn(word, words)
        own = [word for word in words if word.startswith(("banks", "slow="))]
        self.assertEqual(own, ["slow=2", "banks=16"])
        bound = self.modelled("MACHINE=cmmp", "PROCESSORS=13", "STEALING=off")
        self.assertIn("stealing=0", ADDED.machine(bound))
        ideal = ADDED.machine(self.modelled("MACHINE=ideal"))
        self.assertIn("banks=16", ideal)
        self.assertNotIn("samples=0", ideal)

    def test_a_profile_is_refused_where_it_would_say_what_the_machine_says(self):
        path = self.write("odd.toml", machine_text().replace("[11, 12, 13, 14, 15]", "[0, 4]"))
        for sentence, *words in (
            ("MACHINE=cmmp has banks itself", "MACHINE=cmmp", "BANKS=585x16"),
            ("MACHINE=cmmp has slow processors itself", "MACHINE=cmmp", "SPEEDS=fast:11,slow:1"),
            ("are 64 MiB together, and LOSSES=cmmp-1978 places pages in them", "MACHINE=cmmp", "MEMORY=512"),
            ("whose slow processors come last, and of the 4 of", f"MACHINE={path}"),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(BadRequest, re.escape(sentence)):
                ADDED.check(self.modelled(*words))


def machine_text() -> str:
    return places.read_bounded(machine_file.find("cmmp"), "cmmp", 1 << 20).decode()


if __name__ == "__main__":
    unittest.main()
