# SPDX-License-Identifier: MIT
"""Figures 3.7 and 3.8, of a trace that is made up."""

import os
import tempfile
import unittest
from types import SimpleNamespace

from cmmp import modelled_figures, modelled_traces
from parley_trace import reading

MS = 1_000_000
JOB = 1
JOBS = [{"job": 0, "name": "rootfinder", "nodes": 3, "pids": 1, "endpoints": 3}]


def record(ms: float, event: str, process: int, processor: int, kind: int = 0, job: int = JOB):
    return reading.Record(ms * MS, event, job, process, processor, None, kind, 0, 0)


def nobody(ms: float, processor: int):
    return record(ms, "switch", 0, processor, job=0)


def stage(start: float, waker: int) -> list:
    """Three processes on processors of their own. The waker has just posted; 3 is the policy process."""
    first, second = (process for process in range(3) if process != waker)
    return [
        record(start, "V", waker, waker, first),
        record(start + 2, "V", waker, waker, second),
        record(start + 1, "switch", 3, 3),
        record(start + 5, "switch", first, first),
        record(start + 9, "switch", second, second),
        record(start + 10, "block", 3, 3),
        nobody(start + 10, 3),
        record(start + 20, "P", first, first, first),
        record(start + 21, "block", first, first),
        nobody(start + 21, first),
        record(start + 22, "P", second, second, second),
        record(start + 23, "block", second, second),
        nobody(start + 23, second),
    ]


def kept(*more) -> SimpleNamespace:
    """Four stages of 40 ms, before which one process does V of one semaphore again and again."""
    records = [record(1, "switch", 0, 0)]
    records += [record(1 + turn / 10, "V", 0, 0, 0) for turn in range(9)]
    for number in range(4):
        records += stage(100 + 40 * number, 0)
    records += [*more, record(300, "ended", 0, 0)]
    trace = reading.Trace(sorted(records, key=lambda one: one.ns))
    return SimpleNamespace(trace=trace, jobs=JOBS)


class Stages(unittest.TestCase):
    def shown(self, *more) -> modelled_traces.Stage:
        return modelled_traces.stage_of(kept(*more), 3)

    def test_it_is_the_one_in_the_middle_from_its_first_v_to_the_next_stages(self):
        shown = self.shown()
        self.assertEqual((shown.begin, shown.end), (180 * MS, 220 * MS))

    def test_it_is_one_that_an_interrupt_meets_where_there_is_any(self):
        interrupt = record(150, "interrupt", 0, 0), record(157, "returned", 0, 0)
        shown = self.shown(*interrupt)
        self.assertEqual(shown.begin, 140 * MS)
        self.assertEqual(modelled_traces.services(shown), [(150 * MS, 157 * MS, 0)])

    def test_who_has_a_processor_and_when(self):
        runs = {run.process: (run.processor, run.begin / MS, run.end / MS) for run in self.shown().runs}
        self.assertEqual(runs, {0: (0, 180, 220), 3: (3, 181, 190), 1: (1, 185, 201), 2: (2, 189, 203)})

    def test_p_v_and_context_switches_are_told_with_whose_they_are(self):
        lines = modelled_traces.lines(self.shown())
        self.assertIn(["0.000", "0", "process 1", "V", "of semaphore 1"], lines)
        self.assertIn(["1.000", "3", "policy process 1", "CSW", "to policy process 1"], lines)
        self.assertIn(["10.000", "3", "policy process 1", "CSW", "to nobody"], lines)
        self.assertIn(["20.000", "1", "process 2", "P", "of semaphore 1"], lines)

    def test_wake_ups_are_from_each_v(self):
        shown = self.shown()
        self.assertEqual(shown.woken, {1: 5 * MS, 2: 7 * MS})
        self.assertIn("the soonest 5.0 ms, the latest 7.0", modelled_traces.wake_ups(shown))

    def test_a_trace_without_stages_is_told(self):
        few = SimpleNamespace(trace=reading.Trace(stage(100, 0), lost=4), jobs=JOBS)
        with self.assertRaisesRegex(ValueError, "1 whole stages: 4 records were lost"):
            modelled_traces.stage_of(few, 3)

    def test_the_picture_and_its_table_have_all_of_it(self):
        interrupt = record(182, "interrupt", 0, 0), record(188, "returned", 0, 0)
        chart = modelled_figures.trace_chart("a.svg", "A stage", "Told.", self.shown(*interrupt))
        self.assertIn("0.000 ms: process 1 on processor 0: V of semaphore 1", chart.alternative)
        self.assertEqual([line[3].text for line in chart.table.lines].count("CSW"), 6)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.svg")
            with open(path, "w", encoding="utf-8") as file:
                file.write(chart.pictures.wide)
            for word in ("service routine", "policy process", "process of the program"):
                self.assertIn(word, chart.pictures.wide)


if __name__ == "__main__":
    unittest.main()
