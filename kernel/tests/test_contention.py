# SPDX-License-Identifier: MIT
"""APP=contend: a row for every number of parties, under each class they can contend for, and its usage."""

import unittest

from boot_case import BootCase, for_each

LEAVES = ("synchronization=mcs", "synchronization=backoff", "port=locked")
SHORT = "ARGS=--messages 600 --samples 2"  # more than a port holds


@for_each([(row, leaf) for row in ("exp6", "exp2-user") for leaf in LEAVES], "contends_under")
class Contention(BootCase):
    def contends_under(self, words):
        row, leaf = words
        boot = self.boot_well(f"DESIGN={row},{leaf}", "APP=contend", "NODES=3", "CLOCK=counted", SHORT)
        names = [found["name"] for found in boot.record["rows"]]
        expected = [f"{title}, {parties}" for title, parties in (("to one", 1), ("to one", 2))]
        expected += [f"to each other, {parties}" for parties in (2, 3)]
        self.assertEqual(sorted(names), sorted(expected))
        self.assertTrue(all(found["median"] > 0 for found in boot.record["rows"]))
        self.assertTrue(all(found["samples"] == 2 for found in boot.record["rows"]))


@for_each(LEAVES, "rings_under")
class NewLeaves(BootCase):
    def rings_under(self, leaf):
        """In user location and in the kernel."""
        for row in ("exp6", "exp6,location=user"):
            with self.subTest(row=row):
                boot = self.boot_well(f"DESIGN={row},{leaf}", "NODES=2", "ARGS=--trips 2 --samples 2")
                self.assertTrue(boot.rows("round trip"))


@for_each(("exp6", "exp2", "exp6,transfer=single-copy"), "sends_sizes_under")
class Sizes(BootCase):
    def sends_sizes_under(self, design):
        """Copied, handed over and lent."""
        words = "ARGS=--messages 12 --samples 2 --sizes 0,200,5000"
        boot = self.boot_well(f"DESIGN={design}", "APP=contend", "NODES=3", "CLOCK=counted", words)
        found = {(row["name"], row["bytes"]): row["median"] for row in boot.record["rows"]}
        titles = ("to one, 1", "to one, 2", "to each other, 2", "to each other, 3")
        self.assertEqual(set(found), {(title, size) for title in titles for size in (0, 200, 5000)})
        if design == "exp6":
            self.assertGreater(found["to one, 1", 5000], found["to one, 1", 200])


class Usage(BootCase):
    def test_where_csend_awaits_delivery_nodes_send_to_one_only(self):
        boot = self.boot_well("DESIGN=exp1", "APP=contend", "NODES=3", SHORT)
        self.assertEqual({row["name"] for row in boot.record["rows"]}, {"to one, 1", "to one, 2"})
        self.assertIn("to each other: not here", boot.text)

    def test_what_it_cannot_do_it_says(self):
        for words in (["NODES=1"], ["NODES=2", "ARGS=--messages 0"], ["NODES=2", "ARGS=--senders 2"],
                      ["NODES=2", "ARGS=--sizes 8,"], ["NODES=2", "ARGS=--sizes 1048577"]):  # fmt: skip
            with self.subTest(words=words):
                boot = self.boot("APP=contend", *words)
                self.assertEqual(boot.status, 1)
                self.assertIn("on 2 nodes or more", boot.text)


if __name__ == "__main__":
    unittest.main()
