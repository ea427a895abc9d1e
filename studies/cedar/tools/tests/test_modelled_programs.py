# SPDX-License-Identifier: MIT
"""What is asked of the five programs on the modelled Cedar, of runs made by hand: each statement holds where
it should, and fails where it should."""

import dataclasses
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from cedar import document, memory_time, modelled_tables, proposals, reasons, system_time  # noqa: E402
from cedar import modelled_statements as statements  # noqa: E402
from cedar.modelled_runs import CLUSTERS, PROGRAMS  # noqa: E402
from parley_report import packages  # noqa: E402
from parley_runner.processor_time import ACTIVITIES, Cluster  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from parley_study.statements import listed  # noqa: E402

try:
    packages.need("matplotlib", "jinja2")
    MISSING = ""
except BadRequest as problem:
    MISSING = str(problem)
SDOALL, XDOALL = {"sdoall/set_up": 1.0, "sdoall/pick_up": 2.0}, {"xdoall_within/pick_up": 10.0}


def run(completion: float, concurrency: float, clusters: int, loops: float, **parts) -> statements.Told:
    """One whose cluster's first threads all spend so much; `wait` is the helpers' for work."""
    wait, serial = parts.pop("wait", 0.0), parts.pop("serial", 0.0)
    threads = [
        {
            **{"inner": 0, "outer": at, "parts": parts["parts"]},
            "ns": {"work_wait": wait if at else 0.0, "serial": serial},
        }
        for at in range(clusters)
    ]
    each = {"loop_concurrency": concurrency / clusters, "spread_ns": loops, "alone_ns": 0.0}
    return statements.Told(
        {
            **{"completion_ns": completion, "average_concurrency": concurrency, "threads": threads},
            **{"clusters": [each] * clusters, "took_ns": completion},
        }
    )


def good() -> dict[str, dict[int, statements.Told]]:
    runs = {
        processors: run(
            1000 / processors + 20,
            0.98 * processors,
            clusters,
            1000 / processors + 2,
            parts={**SDOALL, **XDOALL, "sdoall/barrier": 10.0},
            wait=5.0,
        )
        for processors, clusters in CLUSTERS.items()
    }
    runs[1] = run(1000, 1.0, 1, 900, parts={})
    return {name: dict(runs) for name in PROGRAMS}


class Statements(unittest.TestCase):
    def verdicts(self, told) -> dict[str, bool]:
        return {verdict.sentence: verdict.holds for verdict in statements.of_programs(told)}

    def fails(self, name: str, told: statements.Told, processors: int, *words: str) -> None:
        """With that run in place of a good one, the statements that have these words fail, and no other."""
        changed = good()
        changed[name][processors] = told
        wrong = [sentence for sentence, holds in self.verdicts(changed).items() if not holds]
        self.assertEqual(len(wrong), len(words), wrong)
        for word in words:
            self.assertTrue(any(word in sentence for sentence in wrong), (word, wrong))

    def test_all_hold_of_runs_as_the_document_has_them(self):
        self.assertEqual({s for s, holds in self.verdicts(good()).items() if not holds}, set())

    def test_a_speed_up_above_the_concurrency_is_found(self):
        parts = {**SDOALL, **XDOALL, "sdoall/barrier": 10.0}
        self.fails("MDG", run(100, 8, 2, 100, parts=parts, wait=5.0), 16, "speed-up", "contention")

    def test_an_overhead_that_does_not_grow_is_found(self):
        parts = {**XDOALL, "sdoall/barrier": 0.01}
        told = run(1000 / 32 + 20, 31.36, 4, 1000 / 32 + 2, parts=parts, wait=5.0)
        self.fails("ADM", told, 32, "overhead grows with the clusters")

    def test_another_cause_is_found(self):
        told = run(1000 / 32 + 20, 31.36, 4, 1000 / 32 + 2, parts={"sdoall/set_up": 40.0}, wait=5.0)
        self.fails("FLO52", told, 32, "most of the main task's", "most of the helpers'")

    def test_helpers_that_do_not_wait_are_found(self):
        told = run(1000 / 32 + 20, 31.36, 4, 1000 / 32 + 2, parts=good()["MDG"][32].leads()[0]["parts"])
        self.fails("MDG", told, 32, "helpers' overhead, with their wait")

    def test_grain_decides_between_the_two_forms(self):
        def sweep(nested: float, flat: float) -> statements.Sweep:
            """What both take of time in ns, of 2000 of which 1000 are serial, at a length of 100 %."""
            return {
                length: tuple(
                    run(2000, 28, 4, 900, parts={part: ns * 100 / length}, serial=1000)
                    for part, ns in (("sdoall/set_up", nested), ("xdoall/set_up", flat))
                )
                for length in (50, 100, 400)
            }

        def holds(found: statements.Sweep) -> list[bool]:
            return [verdict.holds for verdict in statements.of_grain(found)]

        self.assertEqual(holds(sweep(4, 60)), [True, True, True, True])
        self.assertEqual(holds(sweep(6, 60)), [True, True, True, False])
        self.assertEqual(holds(sweep(50, 49)), [True, False, False, False])
        even = sweep(4, 120)
        self.assertEqual(holds({length: even[100] for length in even})[0], False)
        found = sweep(6, 60)
        self.assertEqual((statements.flat_reaches(found), statements.nested_stays(found)), (50, 100))
        (told,) = (line for line in modelled_tables.of_grain(found) if line.startswith("Flat"))
        self.assertIn("up to a length of 50 %, and between clusters it stays under 1 % from 100 % on", told)

    def test_what_watching_takes_and_a_run_that_differs_are_found(self):
        one = run(1000, 28, 4, 900, parts={})

        def holds(unwatched: int) -> list[bool]:
            found = statements.of_instruments({"FLO52 on 32": statements.Watched(one, unwatched)})
            return [verdict.holds for verdict in found]

        self.assertEqual(holds(990), [True, True])
        self.assertEqual(holds(900), [False, False])
        self.assertEqual(holds(1100), [True, False])
        self.assertEqual([verdict.holds for verdict in statements.of_instruments({})], [False, False])
        self.assertTrue(statements.of_repeated(one, one).holds)
        self.assertFalse(statements.of_repeated(one, run(1001, 28, 4, 900, parts={})).holds)


def account(processors: int = 8, elapsed: float = 1000.0, **ns: float) -> system_time.SystemTime:
    """One cluster's, the rest of whose time is the program's own; each activity, once in 10 ns."""
    spent = {**dict.fromkeys(ACTIVITIES, 0.0), **ns}
    spent["user"] = processors * elapsed - sum(spent.values())
    times = {name: int(value / 10) for name, value in spent.items()}
    return system_time.SystemTime([Cluster(0, processors, elapsed, spent, times)])


def steps(processors: int, **changed: float) -> system_time.SystemTime:
    """Of time steps, each activity as a part of it: more for the system, the more processors there are."""
    spent = {"call": 0.002, "critical": 0.03 + 0.001 * processors, "tick": 0.01, "lock_wait": 0.001}
    spent.update(changed)
    return account(processors, **{name: 1000 * processors * part for name, part in spent.items()})


def faults(alone: float = 100.0, together: float = 120.0) -> system_time.SystemTime:
    found = account(fault=alone, shared_fault=together)
    times = {**found.main.times, "fault": 10, "shared_fault": 10}
    main = found.main
    return system_time.SystemTime([Cluster(0, main.processors, main.elapsed, main.ns, times)])


class TheSystem(unittest.TestCase):
    WHOLE = {name: {n: faults() for n in system_time.PROCESSORS} for name in PROGRAMS}
    TABLED = tuple(document.read().system)

    def steps(self) -> dict[str, dict[int, system_time.SystemTime]]:
        return {name: {n: steps(n) for n in system_time.PROCESSORS} for name in PROGRAMS}

    def fails(self, told, whole=None) -> list[str]:
        verdicts = system_time.statements(told, whole or self.WHOLE, self.TABLED)
        return [verdict.sentence for verdict in verdicts if not verdict.holds]

    def fails_with(self, name: str, processors: int, **changed: float) -> list[str]:
        told = self.steps()
        told[name][processors] = steps(processors, **changed)
        return self.fails(told)

    def test_all_hold_of_runs_as_the_document_has_them(self):
        self.assertEqual(self.fails(self.steps()), [])

    def test_a_system_that_takes_no_more_on_more_processors_is_found(self):
        (wrong,) = self.fails_with("MDG", 32, critical=0.035)
        self.assertIn("a larger part of the time steps", wrong)

    def test_more_interrupts_than_system_time_are_found(self):
        (wrong,) = self.fails_with("ADM", 32, tick=0.1)
        self.assertIn("system time is the largest part", wrong)

    def test_spinning_is_found(self):
        (wrong,) = self.fails_with("OCEAN", 32, lock_wait=0.0101, tick=0.011)
        self.assertIn("spinning for the kernel's locks stays under 1 %", wrong)

    def test_calls_that_are_a_tenth_are_found_where_table_2_has_the_program(self):
        (wrong,) = self.fails_with("ARC2D", 32, call=0.01)
        self.assertIn("are over 90 % of what table 2 lists", wrong)
        self.assertEqual(self.fails_with("OCEAN", 32, call=0.01), [])

    def test_cheap_concurrent_faults_and_no_faults_are_found(self):
        for wrong in (faults(together=90.0), account()):
            whole = {**self.WHOLE, "FLO52": {**self.WHOLE["FLO52"], 32: wrong}}
            (sentence,) = self.fails(self.steps(), whole)
            self.assertIn("a concurrent page fault takes longer", sentence)

    def test_time_steps_are_what_the_longer_run_has_more(self):
        longer = account(elapsed=3000.0, call=50.0, tick=90.0) - account(elapsed=1000.0, call=50.0, tick=30.0)
        self.assertEqual(longer.main.elapsed, 2000)
        self.assertAlmostEqual(longer.share("interrupt"), 100 * 60 / 16000)
        self.assertEqual((longer.share("system"), longer.main.times["tick"]), (0, 6))

    def test_a_record_is_read_cluster_by_cluster(self):
        entry = {"job": 3, "processors": 8, "elapsed": 10.0, "ns": {}, "times": {}}
        found = system_time.of_accounts([{**entry, "cluster": 0}, {**entry, "cluster": 1}])
        self.assertEqual([cluster.number for cluster in found.clusters], [0, 1])

    def test_tables_have_the_printed_numbers_beside_ours(self):
        lines = modelled_tables.of_system(self.steps(), self.WHOLE)
        (switches,) = (line for line in lines if line.split()[:2] == ["context", "switches"])
        self.assertIn("0.00 0.00 (2.30)", switches)

    @unittest.skipIf(MISSING, MISSING)
    def test_a_page_has_a_picture_of_each_figure(self):
        from cedar import pictures

        with tempfile.TemporaryDirectory(prefix="parley-test-") as folder:
            verdicts = system_time.statements(self.steps(), self.WHOLE, self.TABLED)
            path = pictures.write(folder, good(), self.steps(), verdicts, {})
            with open(path, encoding="utf-8") as file:
                page = file.read()
            found = sorted(name for name in os.listdir(folder) if name.endswith(".svg"))
        self.assertEqual(found, ["figure-3.svg", *(f"figure-{n}.svg" for n in range(5, 10))])
        for name in found:
            self.assertIn(f'<a href="{name}">', page)
        self.assertIn(verdicts[0].sentence, page)


class Reasons(unittest.TestCase):
    PAGE = os.path.join(HERE, "..", "..", "docs", "cedar.md")

    def test_each_that_the_page_lists_is_asked_of_the_runs(self):
        told = {name: {n: steps(n) for n in system_time.PROCESSORS} for name in PROGRAMS}
        self.assertEqual(set(listed(self.PAGE)), set(reasons.asked(good(), told, {})))

    def test_the_clock_has_to_take_more_than_the_rest_of_the_system(self):
        told = {name: {n: steps(n) for n in system_time.PROCESSORS} for name in PROGRAMS}
        self.assertTrue(reasons.of_clock(told).holds)
        told["MDG"][32] = steps(32, call=0.006, switching=0.005)
        self.assertFalse(reasons.of_clock(told).holds)

    def test_another_cause_has_to_be_of_a_program_without_xdoalls(self):
        told = good()
        self.assertFalse(reasons.of_causes(told).holds, "there is no other cause, so nothing is explained")
        for sdoall, xdoall, barrier, holds in (
            (20.0, 0.0, 0.1, True),
            (20.0, 1.0, 0.1, False),
            (20.0, 0.0, 1.0, False),
            (22.4, 10.0, 1.0, True),  # of 1000: a quarter of a percent more, at most
            (22.6, 10.0, 1.0, False),
        ):
            parts = {"sdoall/set_up": sdoall, "xdoall/set_up": xdoall, "sdoall/barrier": barrier * 10}
            told["FLO52"][32] = run(1000, 31, 4, 900, parts=parts)
            self.assertEqual(reasons.of_causes(told).holds, holds)

    def test_an_overhead_that_falls_has_to_fall_by_little_and_to_grow_in_all(self):
        def told(on_16: float, on_32: float, waits: float = 0.0) -> dict[str, dict[int, statements.Told]]:
            """Percent of the main task's time; 10 on 8. `waits`: so much of it on 16 at finish barriers."""
            found = good()
            for n, clusters, percent in ((8, 1, 10.0), (16, 2, on_16), (32, 4, on_32)):
                waited = waits if n == 16 else 0.0
                parts = {"sdoall/set_up": 10 * (percent - waited), "sdoall/barrier": 10 * waited}
                found["FLO52"][n] = run(1000, 7, clusters, 900, parts=parts)
            return found

        self.assertFalse(reasons.of_growth(good()).holds, "all grow, so nothing is explained")
        self.assertTrue(reasons.of_growth(told(9.95, 12.0)).holds)
        self.assertFalse(reasons.of_growth(told(9.5, 12.0)).holds)
        self.assertFalse(reasons.of_growth(told(9.95, 9.99)).holds)
        self.assertTrue(reasons.of_growth(told(14.0, 12.0, waits=2.0)).holds)
        self.assertFalse(reasons.of_growth(told(14.0, 12.0, waits=1.8)).holds)
        self.assertFalse(reasons.of_growth(told(14.0, 9.9, waits=4.5)).holds, "it grows in all")

    def test_contention_that_does_not_grow_has_to_be_the_systems_time(self):
        def told(*percents: float) -> dict[str, dict[int, mock.Mock]]:
            def one(percent: float) -> mock.Mock:
                return mock.Mock(contention=lambda _: percent)

            growing = {1: one(0.0), 4: one(0.0), 8: one(1.0), 16: one(2.0), 32: one(3.0)}
            return {name: growing for name in PROGRAMS} | {
                "MDG": growing | {n: one(percent) for n, percent in zip((8, 16, 32), percents, strict=True)}
            }

        system = {name: {n: steps(n) for n in system_time.PROCESSORS} for name in PROGRAMS}
        on_8, on_32 = (system["MDG"][n].overhead for n in (8, 32))
        self.assertFalse(reasons.of_contention(told(1.0, 2.0, 3.0), system).holds, "all grow")
        self.assertTrue(reasons.of_contention(told(on_8, 20.0, 1.3 * on_32), system).holds)
        self.assertFalse(reasons.of_contention(told(on_8, 20.0, 1.4 * on_32), system).holds)
        self.assertFalse(reasons.of_contention(told(1.4 * on_8, 20.0, on_32), system).holds)

    def test_a_system_that_takes_no_more_has_to_be_the_clock(self):
        told = {name: {n: steps(n) for n in system_time.PROCESSORS} for name in PROGRAMS}
        self.assertFalse(reasons.of_system(told).holds, "all grow, so nothing is explained")
        told["ADM"] = {n: steps(n, call=0.0, critical=0.001, tick=0.02) for n in system_time.PROCESSORS}
        self.assertTrue(reasons.of_system(told).holds)
        told["ADM"][32] = steps(32, call=0.01, critical=0.001, tick=0.01)
        self.assertFalse(reasons.of_system(told).holds)

    def test_making_a_loop_known_has_to_take_over_a_percent_where_flat_is_dear(self):
        def sweep(set_up: float) -> statements.Sweep:
            parts = {"sdoall/set_up": set_up, "sdoall/pick_up": 2.0}
            flat = run(100, 28, 4, 90, parts={"xdoall/set_up": 20.0})
            return {10: (run(100, 28, 4, 90, parts=parts), flat)}

        self.assertTrue(reasons.of_short_loops(sweep(3.0)).holds)
        self.assertFalse(reasons.of_short_loops(sweep(1.0)).holds)
        self.assertFalse(reasons.of_short_loops({}).holds)


class Memory(unittest.TestCase):
    @staticmethod
    def run_of(times: int) -> memory_time.MemoryTime:
        counts = {"reads": 100, "read_misses": 25, "atomic": 3}
        counts |= {"memory_time": 400_000, "bus_waiting": 100_000}
        one = {"processor": 0, "clock": 7, **dict.fromkeys(memory_time.COUNTS, 0)}
        one.update({name: n * times for name, n in counts.items()})
        return memory_time.of_processors(memory_time.kept({"processors": [{**one, "processor": 1}, one]}))

    def test_time_steps_are_what_the_longer_run_has_more(self):
        steps = self.run_of(3) - self.run_of(1)
        self.assertEqual((steps.share("memory_time", 1000), steps.share("bus_waiting", 1000)), (80, 20))
        self.assertEqual(steps.locked, 12)
        lines = memory_time.lines({"MDG": {8: steps}}, {"MDG": {8: 1000}})
        (row,) = (line for line in lines if "MDG" in line)
        self.assertEqual(row.split(), ["MDG", "8", "0.0", "80.00", "20.00", "100", "0", "0", "12"])


class Proposals(unittest.TestCase):
    def test_each_differs_from_what_it_is_beside_in_one_thing(self):
        for one in proposals.proposals():
            differ = [
                field.name
                for field in dataclasses.fields(one.without)
                if getattr(one.without, field.name) != getattr(one.with_it, field.name)
            ]
            self.assertEqual(len(differ), 1, one.what)
            self.assertNotEqual(one.without.name, one.with_it.name)

    def test_the_table_has_the_change_of_each(self):
        took = {run: 2e6 if run.merged else 4e6 for run in proposals.runs()}
        told = proposals.lines(took)
        merged = [line for line in told if line.endswith("-50.00")]
        self.assertEqual(len(merged), len([one for one in proposals.proposals() if one.with_it.merged]))
        self.assertTrue(all(line.endswith(("-50.00", "+0.00")) for line in told[3:]))


class Command(unittest.TestCase):
    def make(self, *words: str) -> subprocess.CompletedProcess:
        line = ["make", "--dry-run", "paper", "STUDY=cedar", *words]
        root = os.path.join(HERE, "..", "..", "..", "..")
        # Words of the make that runs these tests are none of this one's.
        own = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "ONLY")}
        return subprocess.run(line, capture_output=True, text=True, check=False, cwd=root, env=own)

    def test_it_finds_all_that_it_builds(self):
        for words in (["CLOCK=modelled"], ["CLOCK=modelled", "EFFECTS=1"]):
            done = self.make(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("effects.py" if "EFFECTS=1" in words else "modelled.py", done.stdout)

    def test_effects_are_of_the_modelled_machine(self):
        for words in (["EFFECTS=1"], ["CLOCK=modelled", "EFFECTS=2"]):
            self.assertIn("EFFECTS=1 goes with CLOCK=modelled", self.make(*words).stdout)


if __name__ == "__main__":
    unittest.main()
