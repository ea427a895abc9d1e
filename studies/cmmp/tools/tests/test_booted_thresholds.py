# SPDX-License-Identifier: MIT
"""Thresholds of booted kernels, from records that are made up: what is found and predicted, and the order;
and what the record that is kept says of the model."""

import json
import unittest

from cmmp import advice, booted


def of_overhead(overhead: float, *lengths: float, v: float = 0, wake: float = 0, find: float = 0) -> dict:
    """A round in which every stage is that much longer than its evaluation."""
    stages = [[length, length + overhead] for length in lengths]
    return {"v": v, "wake": wake, "find": find, "stages": stages}


def kept(**kinds: list[dict]) -> dict:
    """In the documents' order; kinds that are not given have a round without anything to be told of."""
    silent = of_overhead(1e9, 1000)
    names = dict(zip(("spin", "kernel", "delayed", "eager", "first"), booted.KINDS))
    rounds = max(map(len, kinds.values()), default=1)
    made = {name: kinds.get(short, [silent] * rounds) for short, name in names.items()}
    return {"kinds": made, "cores": 2, "measured": "2026-01-01", "rounds": rounds, "others": 0.0}


class Rounds(unittest.TestCase):
    def one(self, **values) -> booted.Round:
        return booted.of_record(kept(kernel=[of_overhead(4000, 1000, 2000, 8000, **values)]))["kernel"][0]

    def test_the_threshold_is_where_half_of_a_stage_is_overhead(self):
        # Shares are 1/3 and 2/3: half is halfway between them on a logarithmic scale.
        self.assertAlmostEqual(self.one().found, 4000)

    def test_the_model_adds_what_comes_before_the_other_begins(self):
        self.assertEqual(self.one(v=500, wake=2000, find=250).predicted, 2750)

    def test_lengths_that_are_all_long_bound_the_threshold(self):
        one = booted.of_record(kept(spin=[of_overhead(10, 24_000)]))["spin"][0]
        self.assertEqual((one.found, one.at_most, one.threshold), (None, 24_000, 24_000))

    def test_lengths_that_are_all_short_tell_nothing(self):
        one = booted.of_record(kept(spin=[of_overhead(90_000, 24_000)]))["spin"][0]
        self.assertEqual((one.found, one.at_most, one.threshold), (None, None, None))


class Kept(unittest.TestCase):
    def test_advice_knows_how_far_the_model_is_from_what_was_found(self):
        with open(booted.KEPT, encoding="utf-8") as file:
            rounds = booted.of_record(json.load(file))
        errors = [abs(off) for kind in booted.KINDS if (off := booted.error(rounds[kind])) is not None]
        self.assertEqual(len(errors), len(booted.KINDS) - 1)  # spin's is only bounded
        self.assertLessEqual(max(errors), advice.NEAR)
        self.assertGreater(max(errors), advice.NEAR - 0.05)


class Orders(unittest.TestCase):
    def order(self, **kinds) -> list[str]:
        return [said.strip() for said in booted.order(booted.of_record(kept(**kinds)))]

    def rounds(self, *overheads: float) -> list[dict]:
        return [of_overhead(over, over / 2, over * 2) for over in overheads]

    def test_an_order_holds_when_it_does_in_every_round(self):
        # The second round is slower as a whole, beyond the first one's higher kind.
        order = self.order(kernel=self.rounds(1000, 5000), delayed=self.rounds(2000, 6000))
        self.assertEqual(order[1], "kernel < policy-1:300ms: holds (1.60 (1.20 to 2.00) times)")

    def test_what_differs_from_round_to_round_is_inside_the_noise(self):
        order = self.order(kernel=self.rounds(1000, 2000), delayed=self.rounds(2000, 1000))
        self.assertEqual(order[1], "kernel < policy-1:300ms: inside the noise (1.25 (0.50 to 2.00) times)")

    def test_the_other_order_is_told(self):
        order = self.order(kernel=self.rounds(2000, 2000), delayed=self.rounds(1000, 1600))
        self.assertEqual(order[1], "kernel < policy-1:300ms: does not hold (0.65 (0.50 to 0.80) times)")

    def test_a_bounded_kind_is_lower_by_at_least_that(self):
        order = self.order(spin=[of_overhead(10, 1000)], kernel=self.rounds(3000))
        self.assertEqual(order[0], "spin < kernel: holds (at least 3.00 (3.00 to 3.00) times)")

    def test_kinds_without_thresholds_cannot_be_told(self):
        self.assertEqual(self.order()[2], "policy-1:300ms < policy-1:0s: cannot be told")


class Tables(unittest.TestCase):
    def test_each_kind_is_beside_the_model(self):
        near = of_overhead(4000, 2000, 8000, v=1000, wake=2000, find=600)
        far = of_overhead(4000, 2000, 8000, v=1000, wake=1000, find=600)
        spin = of_overhead(10, 24_000)
        lines = booted.table(kept(spin=[spin], kernel=[near], delayed=[far]))
        text = "\n".join(" ".join(line.split()) for line in lines)
        beside = "the shortest evaluation; overhead beside it 0.0 (0.0 to 0.0)"
        self.assertIn(f"spin below 24.0 0.0 (0.0 to 0.0) {beside}", text)
        self.assertIn("kernel 4.0 (4.0 to 4.0) 3.6 (3.6 to 3.6) -10%\n", text)
        self.assertIn("policy-1:300ms 4.0 (4.0 to 4.0) 2.6 (2.6 to 2.6) -35% beyond 25 %\n", text)
        self.assertIn("policy-0 no length has half of its time as overhead", text)
        self.assertNotIn("busy", text)

    def test_a_busy_host_is_told(self):
        self.assertIn("The host was busy: others took 40%", booted.table(kept() | {"others": 0.4})[-1])


if __name__ == "__main__":
    unittest.main()
