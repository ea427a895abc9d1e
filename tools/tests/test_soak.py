# SPDX-License-Identifier: MIT
"""make soak ONLY=modelled: boots that should take the same time, told from those that do not."""

import os
import sys
import tempfile
import unittest

TOOLS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(TOOLS, "soak"))
import soak  # noqa: E402


NO_TIME = 0  # of a boot that has ended well and measured nothing


class Booted(soak.Soak):
    """A soak whose boots take the times that it is given."""

    def __init__(self, folder: str, *times: int):  # without the programs of other parts
        self.ledger = soak.read_ledger()
        self.times = list(times)
        self.processors: list[str] = []
        soak.BUILD = folder
        for path in soak.MODELLED_BY:
            os.makedirs(os.path.join(folder, *path[:-1]), exist_ok=True)
            with open(os.path.join(folder, *path), "w", encoding="utf-8") as file:
                file.write(path[-1])

    def boot(self, words: list[str], refused_too: bool = False) -> dict:
        self.processors.append(next(word for word in words if word.startswith("NODES=")))
        time = self.times.pop(0)
        return {"status": "success", "rows": [{"median": time}] * (time != NO_TIME), "model": {}}


class ModelledSoak(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, soak, "BUILD", soak.BUILD)
        self.addCleanup(setattr, soak, "LEDGER", soak.LEDGER)
        self.folder, soak.LEDGER = folder.name, os.path.join(folder.name, "ledger.json")

    def test_every_number_of_processors_has_its_turn_and_equal_boots_are_counted(self):
        booted = Booted(self.folder, 10, 20, 30, 40, 10, 20)
        said = [booted.modelled() for _ in range(6)]
        self.assertEqual(booted.processors, [f"NODES={n}" for n in (2, 8, 16, 32, 2, 8)])
        self.assertIn("2 processors of multimax: 2 of 2 boots equal", said[4])
        soak.write_ledger(booted.ledger)
        again = Booted(self.folder, 30)
        self.assertIn("16 processors of multimax: 2 of 2", again.modelled())

    def test_another_time_is_found(self):
        booted = Booted(self.folder, 10, 20, 30, 40, 11)
        for _ in range(4):
            booted.modelled()
        both = r"a ring of 2 on multimax took other times(.|\n)*10(.|\n)*11"
        with self.assertRaisesRegex(soak.Found, both):
            booted.modelled()

    def test_a_boot_without_times_is_found_and_nothing_is_compared_with_it(self):
        booted = Booted(self.folder, NO_TIME, 10)
        with self.assertRaisesRegex(soak.Found, "a ring of 2 on multimax has no times: success"):
            booted.modelled()
        self.assertIn("2 processors of multimax: 1 of 1", booted.modelled())

    def test_what_was_built_anew_begins_anew(self):
        booted = Booted(self.folder, 10, 20, 30, 40, 11)
        for _ in range(4):
            booted.modelled()
        with open(os.path.join(self.folder, "kernel.elf"), "a", encoding="utf-8") as file:
            file.write("another")
        self.assertIn("1 of 1", booted.modelled())


if __name__ == "__main__":
    unittest.main()
