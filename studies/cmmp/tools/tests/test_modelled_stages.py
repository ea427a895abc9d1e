# SPDX-License-Identifier: MIT
"""What all stages of a trace say, of one that is made up: four stages of three processes."""

import unittest
from unittest import mock

from cmmp import modelled_boots, modelled_stages, theory, traced_costs
from cmmp.modelled_roots import Estimate
from cmmp.modelled_stages import Stages, WakeUps
from parley_runner.status import BadRequest
from parley_trace.reading import Trace
from test_modelled_traces import MS, kept, record


class Evaluations(unittest.TestCase):
    def of(self, records) -> list[list[float]]:
        return [[one / MS for one in stage] for stage in modelled_stages.evaluations(records, 3)]

    def test_they_last_from_the_processor_to_p_and_the_last_to_posts_until_its_first_v(self):
        # Of the last stage nobody knows how long the last to post has computed.
        self.assertEqual(self.of(kept().trace.records), 3 * [[15, 13, 38]])

    def test_who_had_not_slept_when_its_v_came_computes_from_then_on(self):
        records = [
            one
            for one in kept().trace.records
            if not (one.event == "switch" and one.process == 1 and one.ns < 120 * MS)
        ]
        self.assertEqual(self.of(records)[0], [20, 13, 38])

    def test_a_stage_in_which_a_process_does_not_call_p_is_left_out(self):
        records = [one for one in kept().trace.records if not (one.event == "P" and one.ns == 160 * MS)]
        self.assertEqual(self.of(records), 2 * [[15, 13, 38]])

    def test_their_longest_is_told_over_the_bound_for_all_of_them(self):
        # A mean of 1.5 and a deviation of 0.5: the bound of two is 1.5 + 0.5 / sqrt(3).
        found = modelled_stages.over_the_bound([[1.0, 2.0], [2.0, 1.0]])
        self.assertAlmostEqual(found.mean, 2 / (1.5 + 0.5 / 3**0.5))
        self.assertEqual((found.error, found.is_within(0, 1)), (0.0, False))
        alike = modelled_stages.over_the_bound([[1.0, 1.0], [2.0, 2.0]])
        self.assertAlmostEqual(alike.mean, 1.5 / (1.5 + 0.5 / 3**0.5))

    def test_its_error_is_what_each_stage_does_to_it(self):
        stages = [[1.0, 1.0], [1.0, 1.0], [1.0, 4.0]]
        found = modelled_stages.over_the_bound(stages)
        # Without the last both are 1; without one of the others 2.5 and 1.75 + 1.299 / sqrt(3).
        others = [2.5 / (1.75 + 1.6875**0.5 / 3**0.5)] * 2 + [1.0]
        mean = sum(others) / 3
        self.assertAlmostEqual(found.error, (2 / 3 * sum((one - mean) ** 2 for one in others)) ** 0.5)

    def test_wake_ups_are_as_far_apart_as_those_of_the_median_stage(self):
        found = modelled_stages.wake_ups(kept().trace.records, 3)
        # The last has a processor 9 ms after the first V, and the longest evaluation lasts 38 of 40.
        self.assertEqual(found, WakeUps(5 * MS, 7 * MS, 7 / 5, 9 * MS, 47 / 40))

    def test_a_stage_in_which_not_all_are_woken_has_no_wake_ups(self):
        """As process 2 has not slept, its next switch is of another stage."""
        records = [
            one
            for one in kept().trace.records
            if not (one.event == "switch" and one.process == 2 and 140 * MS < one.ns < 180 * MS)
        ]
        stages = modelled_stages.stages(records, 3)
        self.assertEqual([len(one.woken) for one in stages], [2, 1, 2])
        self.assertEqual(stages[1].starts, [5 * MS, 2 * MS, 2 * MS])
        with self.assertRaisesRegex(BadRequest, "has 1 stages in which all are woken, and wants 2"):
            modelled_stages.wake_ups(records, 3)

    def test_processes_start_one_after_the_other_in_the_stages_of_later_roots(self):
        """Of three, the one who gives the Vs starts after 2 ms and the last to be woken after 9."""
        with mock.patch.object(theory, "stages", lambda _: 1):
            self.assertEqual(modelled_stages.later(kept().trace.records, 3), 2 * [3.5 * MS])
            with self.assertRaisesRegex(BadRequest, "has 1 stages of later roots, and wants 2"):
                modelled_stages.later(kept().trace.records[:40], 3)

    def test_starts_are_judged_by_the_median_stage_and_can_be_open(self):
        for later, holds, is_open in (
            (9 * [42.0], True, False),
            (9 * [41.0], False, False),
            (9 * [69.0], False, False),
            # Of seven the median lies between the second and the sixth.
            ([20.0, 42.0, 50.0, 50.0, 50.0, 68.0, 90.0], True, False),
            ([20.0, 41.0, 50.0, 50.0, 50.0, 68.0, 90.0], False, True),
        ):
            one = modelled_stages.starts([1e6 * each for each in later])
            self.assertEqual((one.holds, one.is_open), (holds, is_open), later)
        self.assertIn("41 to 68 ms by the median of 7 stages, printed 55 ms, limit 25 %", one.evidence)
        self.assertEqual(one.boots, "traced constant policy-0 7")

    def test_in_each_stage_another_may_be_the_last(self):
        """By the processes' own medians none is late: each of three is it in one stage, and soon in two."""
        records = []
        for number, late in enumerate((1, 1, 2, 3, 1)):
            start = 100 * number
            records += [record(start, "V", 0, 0, other) for other in (1, 2, 3)]
            for other in (1, 2, 3):
                records.append(record(start + (30 if other == late else 10), "switch", other, other))
                records.append(record(start + 90, "P", other, other, other))
        found = modelled_stages.wake_ups(sorted(records, key=lambda one: one.ns), 4)
        self.assertEqual((found.first, found.last, found.apart), (10 * MS, 30 * MS, 3.0))

    def test_too_few_stages_and_lost_records_are_refused(self):
        one = kept().trace.records[:30]
        for of in (modelled_stages.wake_ups, modelled_stages.longest):
            with self.assertRaisesRegex(BadRequest, "^A traced boot has [01] stages .*, and wants 2.$"):
                of(one, 3)
        lost = mock.Mock(trace=Trace(kept().trace.records, lost=2))
        names = (*modelled_stages.BOUNDED, *modelled_stages.WAKING, modelled_boots.STARTING)
        boots = {name: {"nodes": 3, "trace": ""} for name in names}
        with mock.patch.object(traced_costs, "Kept", lambda *_: lost):
            with self.assertRaisesRegex(BadRequest, "does not tell all: 2 records were lost"):
                modelled_stages.of(boots)

    def test_each_boot_is_to_be_within_the_bound(self):
        for traced, nine, holds, is_open in (
            (Estimate(0.9, 0.01), Estimate(0.8, 0.1), True, False),
            (Estimate(0.9, 0.1), Estimate(0.8, 0.1), False, True),
            (Estimate(0.9, 0.1), Estimate(1.1, 0.01), False, False),
        ):
            one, _ = modelled_stages.judge(
                Stages({"traced kernel": traced, "trace kernel 9": nine}, {}, 9 * [55e6])
            )
            self.assertEqual((one.holds, one.is_open), (holds, is_open))
        self.assertIn("traced kernel 0.90 ± 0.20, trace kernel 9 1.10 ± 0.02 of it", one.evidence)


if __name__ == "__main__":
    unittest.main()
