# SPDX-License-Identifier: MIT
"""What is judged of gangs that collect their processors, without a boot."""

import contextlib
import io
import random
import statistics
import unittest

import collection as command
from paper import collection
from paper.collection import SLICE_MS, Collected, collect_ms


def as_expected(**changed: Collected) -> list[Collected]:
    """Collect's own times, hardly apart."""
    found = [
        Collected(members, collect_ms(members, collection.PROCESSORS) * 1.01, 1e-4)
        for members in collection.SAMPLES
    ]
    return [changed.get(f"of_{one.members}", one) for one in found]


class Collection(unittest.TestCase):
    def test_each_verdict_holds_of_what_collect_says_and_can_fail_alone(self):
        self.assertEqual({word for _, word in collection.verdicts(as_expected())}, {collection.HOLDS})
        for members, ratio in ((2, 1.15), (4, 0.85), (6, 1.15), (8, 1.15), (12, 0.95), (16, 0.95)):
            mean = ratio * collect_ms(members, collection.PROCESSORS)
            wrong = as_expected(**{f"of_{members}": Collected(members, mean, 1e-4)})
            words = [word for _, word in collection.verdicts(wrong)]
            self.assertEqual(words.count(collection.FAILS), 1)
            self.assertEqual(words.count(collection.HOLDS), 5)
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                self.assertEqual(command.report(wrong), 1)
            self.assertIn(f"{collection.FAILS}: {members} members", said.getvalue())

    def test_what_the_samples_leave_open_is_neither(self):
        mean = 1.05 * collect_ms(8, collection.PROCESSORS)
        found = as_expected(of_8=Collected(8, mean, 0.05 * mean))  # from 0.945 to 1.155
        self.assertEqual([word for _, word in collection.verdicts(found)].count(collection.OPEN), 1)
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(command.report(found), 0)

    def test_uniform_times_are_expected_as_they_are_drawn(self):
        generator = random.Random(1992)
        for members in (2, 8, 16):
            drawn = []
            for _ in range(4000):
                # A time is met at random with a probability that is its length's, at any place of it.
                left = sorted(
                    SLICE_MS * generator.random() * generator.random() ** 0.5
                    for _ in range(collection.PROCESSORS)
                )
                drawn.append(left[members - 1] - left[0])
            self.assertAlmostEqual(
                collection.expected_ms(members) / statistics.mean(drawn), 1.0, delta=0.05, msg=str(members)
            )

    def test_collect_is_not_what_uniform_times_come_to_where_many_are_collected(self):
        """Which is so much more in percent, as the documentation says."""
        below = [
            round(100 * (collection.expected_ms(members) / collect_ms(members, collection.PROCESSORS) - 1))
            for members in (4, 8, 12, 16)
        ]
        self.assertEqual(below, [-3, 6, 19, 51])

    def test_each_number_of_members_is_a_boot_whose_rows_are_read(self):
        records = {
            name: {
                "rows": [
                    {"name": "mean collect, flooded", "median": 2e6},
                    {"name": "error of that mean", "median": 1e5},
                ]
            }
            for name in collection.boots()
        }
        self.assertEqual(collection.of(records)[0], Collected(2, 2.0, 0.1))


if __name__ == "__main__":
    unittest.main()
