# SPDX-License-Identifier: MIT
"""The rootfinder on Linux: the same stages and roots, whatever carries them; and what is wrong with it."""

import json
import unittest

from cmmp import measured
from native_case import NativeCase, app, for_each

PRESETS = ("exp1", "exp2", "exp3", "exp4", "exp5", "exp6", "exp2-user", "native")
KINDS = ("spin", "kernel", "queue", "combining", "policy-0", "policy-1:0s:1", "policy-1:300ms")
STAGES = {1: 54, 2: 34, 3: 27}


@for_each(PRESETS, "messages_carry_the_stages_in")
class Rootfinder(NativeCase):
    def messages_carry_the_stages_in(self, design):
        for ranks, stages in STAGES.items():
            words = ("-n", str(ranks), "-d", design, app("rootfinder"), "--carry", "messages", "--roots", "3")
            self.assertIn(f"3 roots right to 1e-15, {stages} stages each\n", self.well(*words).out)

    def test_a_collective_call_carries_the_same_stages(self):
        for ranks, stages in STAGES.items():
            words = ("-n", str(ranks), app("rootfinder"), "--carry", "collective", "--roots", "3")
            self.assertIn(f"3 roots right to 1e-15, {stages} stages each\n", self.well(*words).out)

    def test_every_kind_of_semaphores_carries_the_same_stages(self):
        for kind in KINDS:
            words = ("-n", "3", "--semaphore", kind, app("rootfinder"), "--roots", "3")
            self.assertIn(f"3 roots right to 1e-15, {STAGES[3]} stages each\n", self.well(*words).out, kind)

    def test_records_say_what_carried_the_stages(self):
        paths = []
        for carry in ("semaphores", "messages", "collective"):
            words = (app("rootfinder"), "--carry", carry, "--roots", "2", "--lengths", "constant")
            _, record = self.record("-n", "2", "-d", "exp6", *words)
            paths.append(self.path(f"{carry}.json"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(record, file)
        runs = measured.runs_of(paths)
        carried = sorted(run.semaphore.split(",")[0] for run in runs)
        self.assertEqual(carried, ["collective", "kernel", "messages"])
        self.assertEqual([run.median("stages") for run in runs], [68, 68, 68])

    def test_what_is_wrong_is_one_sentence(self):
        for words, sentence in (
            (("--carry", "pigeons"), "--carry pigeons: semaphores, messages or collective"),
            (("--roots", "51"), "--roots 51: a number from 1 to 50"),
        ):
            ran = self.nxrun("-n", "2", app("rootfinder"), *words)
            said = [line for line in ran.errors.splitlines() if line.startswith("rootfinder: ")]
            self.assertEqual((ran.status, said), (1, [f"rootfinder: {sentence}"]), ran.text)


if __name__ == "__main__":
    unittest.main()
