# SPDX-License-Identifier: MIT
"""What slowed C.mmp's processors down, in a booted kernel: each part alone is found in a program's times as
long as it was asked for, and in the record. Instruction-counted, so that a boot repeats."""

import unittest
from unittest import mock

from benchmark import boots
from boot_case import Boot, BootCase, Job, for_each_job, needs
from parley_runner import guest, places

import test_semaphores

TICK = 10_000_000  # ns
ALONE = ("APP=rootfinder", "NODES=1", "PROCESSORS=1", "DESIGN=exp4", "SEMAPHORE=kernel", "CLOCK=counted")
EVALUATIONS = "ARGS=--lengths constant --roots 4 --mean 30000"


class SlowedMachine(BootCase):
    def lost(self, boot: Boot) -> float:
        """By how much the longest evaluation took longer than most did."""
        (row,) = boot.rows("evaluation")
        return row["maximum"] - row["median"]

    def test_a_used_up_allotment_of_slices_costs_a_request_and_nothing_before(self):
        boot = self.boot_well(
            *ALONE, EVALUATIONS, "SCHEDULE=timeshared", "SLICE=20ms", "ALLOTMENT=3", "REQUEST=50ms"
        )
        plan, job, process = boot.record["plan"], boot.record["jobs"][0], boot.record["processes"][0]
        self.assertEqual((plan["slice_ms"], plan["allotment"], plan["request_us"]), (20, 3, 50000))
        ticks = process["ticks"]
        self.assertGreater(ticks, 6)
        self.assertEqual(job["slice_requests"], ticks * TICK // 60_000_000)
        self.assertGreater(self.lost(boot), 50e6)
        self.assertLess(self.lost(boot), 51e6)

    def test_ticks_of_programs_are_rare_where_they_are_to_be_and_slices_and_devices_as_they_are(self):
        boot = self.boot_well(
            *(*ALONE, EVALUATIONS, "SCHEDULE=timeshared", "TICK=40ms", "SLICE=40ms", "ALLOTMENT=1"),
            *("REQUEST=50ms", "DEVICE=owner:0", "EVERY=20ms", "SERVICE=1ms"),
        )
        plan, job, process = boot.record["plan"], boot.record["jobs"][0], boot.record["processes"][0]
        self.assertEqual(plan["tick_ms"], 40)
        self.assertGreater(process["ticks"], 0)
        self.assertEqual(job["slice_requests"], process["ticks"])
        (elapsed,) = boot.rows("elapsed")
        computed = elapsed["median"] - job["slice_requests"] * 50_000_000
        self.assertLess(process["ticks"] * 40_000_000, computed + 40_000_000)
        self.assertGreater(job["device_requests"], process["ticks"])

    def test_the_owner_of_a_device_serves_it_and_nobody_else_is_interrupted(self):
        boot = self.boot_well(
            *("APP=rootfinder", "NODES=2", "DESIGN=exp6", "SEMAPHORE=spin", "CLOCK=counted", EVALUATIONS),
            *("DEVICE=owner:1,asker:0", "EVERY=30ms", "SERVICE=5ms"),
        )
        plan, job = boot.record["plan"], boot.record["jobs"][0]
        self.assertEqual((plan["device_owner"], plan["device_asker"], plan["device_every_us"]), (1, 0, 30000))
        self.assertEqual((plan["service_shortest_us"], plan["service_longest_us"]), (5000, 5000))
        owner, asker = sorted(boot.record["processes"], key=lambda process: process["ticks"])
        self.assertGreater(asker["ticks"], 0)  # only who asks is ticked: neither process can be interrupted
        self.assertEqual((owner["ticks"], asker["interrupted_ns"]), (0, 0))
        requests = job["device_requests"]
        self.assertGreater(requests, 1)
        self.assertEqual(owner["interrupted_ns"], job["device_ns"])
        self.assertGreaterEqual(job["device_ns"], requests * 5_000_000)
        self.assertLess(job["device_ns"], requests * 5_000_000 * 1.01)

    @needs("model")
    def test_a_modelled_machine_is_told_the_losses_by_one_word_and_none_of_its_own_again(self):
        boot = self.boot_well(
            *("APP=rootfinder", "NODES=2", "PROCESSORS=12", "DESIGN=exp4", "SEMAPHORE=kernel"),
            *("CLOCK=modelled", "MACHINE=cmmp", "LOSSES=cmmp-1978", "ARGS=--roots 1"),
        )
        self.assertEqual(boot.record["asked"]["losses"], "cmmp-1978")
        plan, job = boot.record["plan"], boot.record["jobs"][0]
        self.assertEqual((plan["slow_processors"], plan["slowdown_percent"], plan["banks"]), (1, 100, 16))
        self.assertEqual((plan["slice_ms"], plan["request_us"], plan["device_asker"]), (500, 150000, 1))
        self.assertEqual((plan["disks"], plan["rotation_us"], job["pages_elsewhere"]), (4, 16670, 0))
        self.assertGreater(job["pages_placed"], 2 * 20)
        self.assertNotIn("bank_samples", job)
        self.assertNotIn("bank_model", job)


class Refusals(unittest.TestCase):
    """Of what the runner never asks for."""

    def refused(self) -> str:
        """What the machine's console says."""
        said = []
        with (
            mock.patch.object(boots.Timed, "take_console", lambda self, data: said.append(data)),
            self.assertRaises(boots.Failed),
        ):
            boots.run(app="ring", nodes=1, speeds="slow:1")
        return b"".join(said).decode()

    def test_the_nucleus_alone_measures_nothing(self):
        with mock.patch.object(guest, "kernel", lambda request: places.kernel("virtual")):
            self.assertIn("this kernel measures nothing, so its machine is as it is", self.refused())

    def test_a_measuring_kernel_knows_what_it_is_told(self):
        with mock.patch.object(guest, "machine", lambda request: ["slow=1", "slice=15"]):
            self.assertIn("slice must be a multiple of 10 up to 10000 milliseconds", self.refused())


PLACED = {"private": {0: 1, 1: 1, 2: 1}, "shared": {0: 3}, "2,1,2": {1: 1, 2: 2}}  # bank -> largest load
WORDS = [(pages, context) for context in ("heavy", "light") for pages in PLACED]


def placed(case: BootCase, words: tuple[str, str]) -> dict:
    pages, context = words
    design = f"exp6,context-switch={context}"
    args = "--lengths constant --roots 2 --mean 30000"
    task = {"app": "rootfinder", "nodes": 3, "semaphore": "spin", "args": args}
    return {**task, "design": design, "pages": pages}


@for_each_job(
    [("policy-1:0s:2", "exp4"), ("policy-1:300ms:2", "exp4")],
    "dirty_pages_take_their_time_under",
    lambda case, words: test_semaphores.pages(case, words, 2_000_000),
    ("PROCESSORS=3", "DISK=fixed-head:2ms"),
    sample=[("policy-1:0s:2", "exp4")],
)
class Disks(BootCase):
    def dirty_pages_take_their_time_under(self, words, job):
        self.well(job)
        self.assertIn(f"dirty_pages {words[0]}: 0 failures", job.text)
        plan = job.boot.record["plan"]
        self.assertEqual((plan["disks"], plan["rotation_us"]), (4, 2000))


@for_each_job(WORDS, "banks", placed, ("BANKS=585x2,671", "CLOCK=counted", "PROCESSORS=3"))
class Banks(BootCase):
    def banks(self, words, job: Job):
        """The kernel finds each program's instructions in the bank that its pages were to lie in."""
        entry = self.well(job).entry
        self.assertEqual(entry["pages_elsewhere"], 0)
        self.assertGreater(entry["pages_placed"], 3 * 20)
        found: dict[int, int] = {}
        for sample in entry["bank_samples"].split():
            bank, load, _ = map(int, sample.split(":"))
            found[bank] = max(load, found.get(bank, 0))
        self.assertEqual(found, PLACED[words[0]])
        model = entry["bank_model"]
        self.assertIn("a model", model["note"])
        contended = max(found.values()) > 1
        self.assertEqual(model["reference_ns"] > model["alone_ns"], contended)
        self.assertIn("Banks (a model", job.boot.text)


if __name__ == "__main__":
    unittest.main()
