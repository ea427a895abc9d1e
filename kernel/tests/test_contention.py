# SPDX-License-Identifier: MIT
"""APP=contend: a row for every number of parties, under each class they can contend for, and its usage."""

import unittest

from boot_case import BootCase, Job, for_each_job

LEAVES = ("synchronization=mcs", "synchronization=backoff", "port=locked")
SHORT = "--messages 600 --samples 2"  # more than a port holds
SIZES = "--messages 12 --samples 2 --sizes 0,200,5000"


@for_each_job(
    [(row, leaf) for row in ("exp6", "exp2-user") for leaf in LEAVES],
    "contends_under",
    lambda _, words: {"app": "contend", "design": ",".join(words), "nodes": 3, "args": SHORT},
    ("CLOCK=counted",),
)
class Contention(BootCase):
    def contends_under(self, _, job):
        rows = self.well(job).of_kind("rows")
        names = [found["name"] for found in rows]
        expected = [f"{title}, {parties}" for title, parties in (("to one", 1), ("to one", 2))]
        expected += [f"to each other, {parties}" for parties in (2, 3)]
        self.assertEqual(sorted(names), sorted(expected))
        self.assertTrue(all(found["median"] > 0 for found in rows))
        self.assertTrue(all(found["samples"] == 2 for found in rows))


@for_each_job(
    [(row, leaf) for row in ("exp6", "exp6,location=user") for leaf in LEAVES],
    "rings_under",
    lambda _, words: {"design": ",".join(words), "nodes": 2, "args": "--trips 2 --samples 2"},
)
class NewLeaves(BootCase):
    def rings_under(self, _, job):
        """In user location and in the kernel."""
        self.assertIn("round trip", [row["name"] for row in self.well(job).of_kind("rows")])


@for_each_job(
    ("exp6", "exp2", "exp6,transfer=single-copy"),
    "sends_sizes_under",
    lambda _, design: {"app": "contend", "design": design, "nodes": 3, "args": SIZES},
    ("CLOCK=counted",),
)
class Sizes(BootCase):
    def sends_sizes_under(self, design, job):
        """Copied, handed over and lent."""
        rows = self.well(job).of_kind("rows")
        found = {(row["name"], row["bytes"]): row["median"] for row in rows}
        titles = ("to one, 1", "to one, 2", "to each other, 2", "to each other, 3")
        self.assertEqual(set(found), {(title, size) for title in titles for size in (0, 200, 5000)})
        if design == "exp6":
            self.assertGreater(found["to one, 1", 5000], found["to one, 1", 200])


class Usage(BootCase):
    def test_where_csend_awaits_delivery_nodes_send_to_one_only(self):
        boot = self.boot_well("DESIGN=exp1", "APP=contend", "NODES=3", f"ARGS={SHORT}")
        self.assertEqual({row["name"] for row in boot.record["rows"]}, {"to one, 1", "to one, 2"})
        self.assertIn("to each other: not here", boot.text)

    def test_what_it_cannot_do_it_says(self):
        asked = (("alone", 1, ""), ("no-messages", 2, "--messages 0"), ("no-word", 2, "--senders 2"),
                 ("half-a-list", 2, "--sizes 8,"), ("too-long", 2, "--sizes 1048577"))  # fmt: skip
        jobs = "".join(
            f'[[job]]\nname = "{name}"\nnodes = {nodes}\nargs = "{args}"\n' for name, nodes, args in asked
        )
        config = self.write("wrong.toml", f'app = "contend"\n{jobs}')
        boot = self.boot(f"CONFIG={config}")
        self.assertEqual(boot.status, 1)
        self.assertEqual(len(boot.record["jobs"]), len(asked))
        for entry in boot.record["jobs"]:
            with self.subTest(entry["name"]):
                self.assertEqual(entry["status"], "failed")
                self.assertIn("on 2 nodes or more", Job(entry, boot).text)


if __name__ == "__main__":
    unittest.main()
