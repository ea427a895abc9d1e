# SPDX-License-Identifier: MIT
"""What is told of processors' time follows from what the kernel has sent."""

import os
import re
import sys
import unittest

TOOLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
sys.path.append(TOOLS)

from parley_runner import processor_time  # noqa: E402


def fields(cluster: int = 0, **cycles: int) -> dict[str, str]:
    """Of a cluster of four processors in 1000 cycles of 2 ns, that are idle but for these."""
    spent = dict.fromkeys(processor_time.ACTIVITIES, 0) | cycles
    spent["idle"] = 4000 - sum(spent.values())
    times = [7 if cycles else 0 for cycles in spent.values()]
    return {
        **{"job": "0", "cluster": str(cluster), "processors": "4", "elapsed": "1000"},
        **{"clock_hertz": "500000000", "cycles": " ".join(map(str, spent.values())) + " "},
        "times": " ".join(map(str, times)) + " ",
    }


class Told(unittest.TestCase):
    def test_activities_are_the_kernels_in_its_order(self):
        with open(os.path.join(TOOLS, "..", "base", "activity.hpp"), encoding="utf-8") as file:
            text = file.read()
        names = re.findall(r"^    (\w+),", text[text.index("enum class Activity") :], re.M)
        self.assertEqual(tuple(names), processor_time.ACTIVITIES)

    def test_cycles_become_times_of_user_system_interrupt_and_spin(self):
        entry = processor_time.of_fields(
            fields(user=1000, call=100, switching=200, tick=30, cross_interrupt=20, lock_wait=50)
        )
        (cluster,) = processor_time.clusters([entry], 0)
        self.assertEqual(
            (cluster.user, cluster.system, cluster.interrupt, cluster.spin), (2000, 600, 100, 100)
        )
        self.assertEqual((cluster.elapsed, cluster.concurrency), (2000, 1.4))
        self.assertEqual(processor_time.clusters([entry], 1), [])

    def test_every_activity_but_idling_is_one_of_the_four(self):
        for name in processor_time.ACTIVITIES[:-1]:
            (cluster,) = processor_time.clusters([processor_time.of_fields(fields(**{name: 1000}))], 0)
            found = (cluster.user, cluster.system, cluster.interrupt, cluster.spin)
            self.assertEqual(sorted(found), [0, 0, 0, 2000], name)
            self.assertEqual(cluster.concurrency, 1)

    def test_a_table_has_a_row_a_cluster_and_one_for_what_the_system_did(self):
        entries = [processor_time.of_fields(fields(at, user=1000, fault=40 * at)) for at in (0, 1)]
        lines = processor_time.table(entries, 0, "flo52")
        self.assertRegex(lines[2], r"^ +0 +4 +1.00 +25.00 +0.00 +0.00 +0.00$")
        self.assertRegex(lines[3], r"^ +1 +4 +1.04 +25.00 +1.00 +0.00 +0.00$")
        self.assertRegex(lines[-1], r"^ *sequential page faults +7 +0.1 +0.50$")
        self.assertEqual(processor_time.table(entries, 1, "other"), [])

    def test_waits_for_locks_are_told_by_function_the_longest_first(self):
        def waits(waiter: str, cycles: int, times: int, job: int = 0) -> dict:
            sent = {"job": job, "cycles": cycles, "times": times, "clock_hertz": 500000000, "waiter": waiter}
            return processor_time.lock_wait_of_fields({name: str(value) for name, value in sent.items()})

        entries = [waits("take", 1000, 3), waits("add", 9000, 1), waits("take", 500, 2), waits("", 7, 7, 1)]
        lines = processor_time.lock_table(entries, 0)
        self.assertRegex(lines[1], r"^ *add +1 +18.0$")
        self.assertRegex(lines[2], r"^ *take +5 +3.0$")
        self.assertEqual(len(lines), 3)
        self.assertIn("(not known)", processor_time.lock_table(entries, 1)[1])
        self.assertEqual(processor_time.lock_table(entries, 2), [])


if __name__ == "__main__":
    unittest.main()
