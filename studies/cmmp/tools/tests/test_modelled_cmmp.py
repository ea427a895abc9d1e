# SPDX-License-Identifier: MIT
"""The study on the modelled machine: each verdict holds of what the documents print, and can be broken."""

import contextlib
import dataclasses
import io
import os
import re
import tempfile
import unittest
from unittest import mock

from parley_runner import machine_file, places  # isort: skip
from cmmp import documents, modelled_boots, modelled_drawn, modelled_harpy, modelled_report
from cmmp import modelled_ninth, modelled_reasons, modelled_results, modelled_roots, modelled_stages
from cmmp import modelled_verdicts, traced_costs
from cmmp.modelled_boots import KEPT, POLLED_SELDOM
from cmmp.modelled_roots import Bounds, Estimate
from cmmp.modelled_verdict import Cause, Verdict
from cmmp.modelled_traces import POLICY as POLICY_0
from cmmp.traced_costs import POLICY, SWITCH
from parley_runner.status import BadRequest
from parley_trace.cost import Price
from parley_trace.reading import Record, Trace
from cmmp_printed import LENGTH, curve, harpy, results, roots, told, worse

KINDS = tuple(documents.KINDS)


def change(found, name: str, **changed) -> None:
    """Of a table of frozen ones."""
    found[name] = dataclasses.replace(found[name], **changed)


BREAKS = {
    "C01, C09: stages are those": lambda r: r.right.update({"device 1": False}),
    "two equal boots": lambda r: setattr(r, "repeats", False),
    **{
        f"T4.2: the threshold of {kind}, by the abstract": lambda r, kind=kind: r.computing.update(
            {kind: curve(1.26 * documents.THRESHOLDS[kind])}
        )
        for kind in KINDS
    },
    **{
        f"T4.1: from P until the switch under {kind}": lambda r, kind=kind: change(
            r.traced["traced"], kind, switch=0.7 * r.traced["traced"][kind].switch
        )
        for kind in KINDS
        if kind != "spin"
    },
    **{
        f"T4.1: in policy processes for each that is woken under {kind}": lambda r, kind=kind: change(
            r.traced["traced"], kind, policy=1.3 * r.traced["traced"][kind].policy + 1.0
        )
        for kind in KINDS
        if documents.COSTS[kind][3] is not None
    },
    "C14: what P and V take": lambda r: change(r.single.wakes, "traced kernel", all_run=1e6),
    **{f"T4.1: a V under {kind}": lambda r, kind=kind: change(r.costs, kind, v=9e6) for kind in KINDS},
    **{
        f"T4.1: from V until the process wakes under {kind}": lambda r, kind=kind: change(
            r.single.wakes, f"traced {kind}", first=1.6 * r.single.wakes[f"traced {kind}"].first
        )
        for kind in modelled_boots.BLOCKING
    },
    "T4.1: from V until the process wakes under spin": lambda r: change(r.costs, "spin", wake=0.05e6),
    "F3.8: from V until the first": lambda r: change(r.single.wakes, POLICY_0, first=40e6),
    "F3.8: from V until the last": lambda r: change(r.single.wakes, POLICY_0, last=165e6),
    "C06: pages are written": lambda r: r.counts["kernel"].update({"page writes": 1.0}),
    "C07: policy processes run": lambda r: r.counts["spin"].update({"kernel P and V": 1.0}),
    "F4.2: the speed-up of kernel": lambda r: r.speedups["kernel"].update({8: told(2.65)}),
    "F4.2: the speed-up of policy-1": lambda r: r.speedups["policy-1:300ms"].update({6: told(2.21)}),
    "F4.2: under policy-0": lambda r: setattr(r, "policy_0", told(1.01)),
    "C12: the authentic": lambda r: r.speedups["spin"].update({6: told(1.9)}),
    **{
        f"F4.3: the speed-up of {kind}, constant lengths, at 7": (
            lambda r, kind=kind, other=other: r.constant.update({kind: told(other)})
        )
        for kind, other in (("spin", 3.09), ("policy-0", 1.88))
    },
    "C10: speed-ups of constant": lambda r: r.drawn.speedups.update({"normal": told(2.81)}),
    "C10: speed-ups of exponential": lambda r: r.drawn.speedups.update({"exponential": told(1.21)}),
    "C11: what disturbs": lambda r: r.drawn.longer.update({"exponential": told(1.15)}),
    "C11: what disturbs processes": lambda r: r.drawn.longer.update({"exponential": told(0.95)}),
    "C17: spin is far above": lambda r: r.gaps.update({"exponential": told(1.31)}),
    "C16: at 400 ms": lambda r: r.far.update({"kernel": 421e6}),
    **{
        f"C18: a slow processor as the ninth costs a stage more under spin than under {kind}": (
            lambda r, kind=kind: r.ninth.under_spin.update({kind: told(-1e6)})
        )
        for kind in ("kernel", "policy-1:300ms")
    },
    "C18: without stealing it costs as much": lambda r: r.ninth.under_spin.update({KEPT: told(9e6)}),
    "C18: without stealing it costs more": lambda r: setattr(r.ninth, "kept", told(-1e6)),
    "C22: polling slows": lambda r: r.memory.polled.update({POLLED_SELDOM: 140e6}),
    "C04: the longest": lambda r: r.single.longest.update({"traced kernel": told(1.1)}),
    "T3.5: the mean": lambda r: r.memory.cycles.update({"nine fast spin": 1.3e3, "shared 8": 3.2e3}),
    **{
        f"F4.3: the speed-up of {kind}, constant lengths, at 9": (
            lambda r, kind=kind: r.at_nine.update({kind: told(1.7)})
        )
        for kind in ("spin", "policy-0")
    },
    "4.3.3: by how much later": lambda r: setattr(r.single, "later", 9 * [41e6]),
    "C19: interrupts": lambda r: setattr(r, "interrupted", told(-0.01)),
    "C20: slices' ends": lambda r: r.elapsed.update({"undisturbed 1": 7750e6}),
    "C21: with all pages": lambda r: setattr(r, "slowed", told(1.01)),
    "F3.6: the speed-up of 9": lambda r: setattr(r, "private", told(2.9)),
    "F3.6: the speed-up of 3": lambda r: r.shared.update({3: 1.3}),
    "T3.8: the largest over the smallest of application": lambda r: setattr(r, "varied", 4.3),
    "T3.8: the largest over the smallest of processors": lambda r: r.evaluations.update({"slow 1": 146e6}),
    "T3.8: the largest over the smallest of interrupts": lambda r: r.stages.update({"device 1": 120e6}),
    "T3.8: the largest over the smallest of memories": lambda r: r.evaluations.update(
        {"semiconductor 1": 98e6}
    ),
    "C08: under policy-0": lambda r: change(r.single.wakes, POLICY_0, apart=1.9),
    "C08: under policy-0 the last": lambda r: change(r.single.wakes, "traced kernel", apart=2.1),
    "C26: of the sources": lambda r: change(r.single.wakes, POLICY_0, apart=3.45),
}
# What goes with others: numbers that an order is of, too.
TOGETHER = {
    **{
        f"T4.2: the threshold of {kind}, by figure 4.5": lambda r, kind=kind: r.threshold_roots.update(
            {kind: roots(1.26 * documents.THRESHOLDS[kind])}
        )
        for kind in KINDS
    },
    "C15: the speed-up of 72 ms": lambda r: r.speedups["kernel"].update({8: told(2.8)}),
    "C13: thresholds rise": lambda r: r.shares.update(spin=curve(19.0)),
    "4.4: below 15 ms": lambda r: r.shares.update(kernel=curve(14.0)),
    "F4.2: at 8 processes spin": lambda r: r.order.__setitem__(0, told(0.99)),
    "F4.2: the speed-up of spin": lambda r: r.speedups["spin"].update({8: told(3.2)}),
}


def eight(version: str, **changed):
    return lambda h: change(h.searches, (version, 8), **changed)


def slow_pruning(found: modelled_harpy.Results, took: float) -> None:
    for version in modelled_boots.HARPY_VERSIONS:
        change(found.searches, (version, 8), pruning=took)


HARPY_BREAKS = {
    "C05: all versions": eight("V2", answer=8.0),
    "6.6: the utilization of V4": eight("V4", utilization=80.0),
    "6.6: the utilization of V3": eight("V3", utilization=62.0),
    "6.6: the utilization of V2": eight("V2", utilization=38.0),
    "6.6: the utilization of V1": eight("V1", utilization=23.0),
    "6.6: the speed-up of V1's": eight("V1", forward=22e9),
    "6.6: the speed-up of V4's": eight("V4", forward=10e9),
    **{
        f"6.6: what {version} takes": lambda h, version=version, took=took: change(
            h.searches, (version, 1), forward=took
        )
        for version, took in (("V2", 62e9), ("V3", 78e9), ("V4", 76e9))
    },
    "6.5: the segments with one candidate": lambda h: setattr(h, "one_candidate", 9.0),
    "6.6: the speed-up of pruning": lambda h: slow_pruning(h, 7.2e9),
    "C24: V4's": lambda h: h.by_beam[160].update({8: 20.0}),
    "C25: processes that take": eight("V3", spread=1.5e6),
    "C25: so do those": eight("V1", pruning_spread=1.3e6),
}
HARPY_TOGETHER = {
    "C23: the utilization": eight("V1", utilization=33.0),
    "C23: eight processes take": eight("V3", forward=15.6e9),
    "6.6: the speed-up of V2's": eight("V2", forward=12e9),
    "6.6: the speed-up of V3's": eight("V3", forward=18.1e9),
    "C23: pruning's": lambda h: slow_pruning(h, 10e9),
    "C23: one process takes": lambda h: change(h.searches, ("V4", 1), forward=52e9),
}


def broken(found) -> list[str]:
    judge = modelled_harpy.judge if isinstance(found, modelled_harpy.Results) else modelled_verdicts.judge
    return [one.said for one in judge(found) if not one.holds]


class Verdicts(unittest.TestCase):
    def test_every_verdict_holds_of_what_is_printed_and_can_be_broken(self):
        for make, alone, together in (
            (results, BREAKS, TOGETHER),
            (harpy, HARPY_BREAKS, HARPY_TOGETHER),
        ):
            self.assertEqual(broken(make()), [])
            for said, spoil in (alone | together).items():
                with self.subTest(said=said):
                    found = make()
                    spoil(found)
                    wrong = broken(found)
                    self.assertTrue(any(one.startswith(said) for one in wrong), wrong)
                    if said in alone:
                        self.assertEqual(len(wrong), 1, wrong)

    def test_each_verdict_is_broken_here(self):
        judged = modelled_verdicts.judge(results()) + modelled_harpy.judge(harpy())
        breaks = tuple(BREAKS | TOGETHER | HARPY_BREAKS | HARPY_TOGETHER)
        self.assertEqual([one.said for one in judged if not one.said.startswith(breaks)], [])

    def test_a_threshold_that_no_length_has_agrees_with_nothing_and_says_where_they_end(self):
        found = results()
        found.shares["policy-0"] = {1e8: 0.1, 2e8: 0.2}
        self.assertIsNone(modelled_results.threshold(found.shares["policy-0"]))
        said = "T4.2: the threshold of policy-0, by figure 4.5"
        (one,) = (one for one in modelled_verdicts.judge(found) if one.said == said)
        self.assertEqual((one.holds, one.is_open), (False, False))
        self.assertIn("200 or more ms, where the lengths end", one.evidence)

    def test_what_fails_without_a_listed_reason_is_the_status_and_what_holds_in_spite_of_one_too(self):
        good, bad = Verdict("a", True, "", ""), Verdict("b", False, "", "")
        for made, known, status in (
            ([good], {}, 0),
            ([bad], {}, 1),
            ([bad], {"b": "Because."}, 1),  # of which no boot is asked
            ([dataclasses.replace(bad, cause=Cause("measured", True))], {"b": "Because."}, 0),
            ([good], {"a": "Because."}, 1),
            ([good], {"c": "Because."}, 1),
            # The reason is not borne out.
            ([Verdict("b", False, "", "", Cause("measured", False))], {"b": "Because."}, 1),
            ([Verdict("b", False, "", "", is_open=True)], {}, 0),
            ([Verdict("b", False, "", "", Cause("measured", False), True)], {"b": "Because."}, 0),
        ):
            self.assertEqual(modelled_verdicts.status(made, known), status, (made, known))

    def test_each_reason_of_the_documentation_is_asked_of_boots(self):
        judged = modelled_verdicts.judge(results()) + modelled_harpy.judge(harpy())
        asked = {one.said for one in judged if one.cause}
        self.assertLessEqual(modelled_verdicts.reasons().keys(), asked)

    def test_thresholds_out_of_order_are_the_disks_only_where_all_others_rise(self):
        found = worse()
        found.shares["policy-1:0s"] = curve(450.0)
        found.threshold_roots["policy-1:0s"] = roots(450.0)
        found.stages["no perturbation policy-1:0s"] = 1e6 * (80 + 430)

        def judged() -> Verdict:
            (one,) = (one for one in modelled_verdicts.judge(found) if one.said.startswith("C13"))
            return one

        self.assertEqual((judged().holds, judged().borne_out), (False, True))
        found.shares["kernel"] = curve(2.5)  # below that of spin
        self.assertFalse(judged().borne_out)
        self.assertIn("the other thresholds do not rise either", judged().cause.text)

    def test_there_is_no_cause_without_an_answer(self):
        with self.assertRaises(TypeError):
            Cause("measured")

    def test_a_reason_of_which_no_boot_is_asked_is_said_to_excuse_nothing(self):
        bad = Verdict("b", False, "", "")
        told_ = "\n".join(modelled_verdicts.lines([bad], {"b": "Because."}))
        self.assertIn("of which nothing is asked of the boots", told_)
        self.assertIn("of the others 1 do not", told_)


def as_printed_undisturbed(cost: str, kind: str):
    """Where nothing disturbs it agrees with what is printed, of which this kernel's own work is half."""
    part = "no perturbation"
    return lambda r: change(r.calm[part], kind, **{cost: 1.6 * getattr(r.calm[part][kind], cost)})


def more_than_printed(cost: str, kind: str):
    """Where nothing disturbs it is more than printed, so that this kernel's own work is not less."""

    def spoil(r) -> None:
        own = {cost: 3.0 * getattr(r.costs[kind], cost)}
        for costs in (r.costs, r.calm["no perturbation"]):
            change(costs, kind, **own)

    return spoil


def waking(kind: str, *parts: str, times: float):
    """From V until the first of a stage wakes, in these boots, so many times what it was."""

    def spoil(r) -> None:
        wakes = r.single.wakes
        for boot in (f"{part} {kind}" for part in parts):
            change(wakes, boot, first=times * wakes[boot].first)

    return spoil


def traced(part: str, kind: str, name: str, times: float):
    return lambda r: change(r.traced[part], kind, **{name: times * getattr(r.traced[part][kind], name)})


OWN = [kind for kind in modelled_boots.BLOCKING if kind not in modelled_boots.WRITING]
CALM = "traced no perturbation"
# What a reason of tables 4.1 and 4.2, and figure 3.8, is of -> what boots find that it is not.
COSTS_NOT_SO = [
    *(
        (f"T4.1: a V under {kind}", spoil("v", kind))
        for kind in KINDS
        for spoil in (as_printed_undisturbed, more_than_printed)
    ),
    *(
        ("T4.1: from V until the process wakes under spin", spoil("wake", "spin"))
        for spoil in (as_printed_undisturbed, more_than_printed)
    ),
    *(
        (f"T4.1: from V until the process wakes under {kind}", waking(kind, *parts, times=times))
        for kinds, spoils in (
            # Where nothing disturbs it agrees; or it is more than printed.
            (OWN, (((CALM,), 1.6), (("traced", CALM), 3.0))),
            # It is much longer than where nothing disturbs; or as long without the disks.
            (modelled_boots.WRITING, ((("traced",), 1.5), (("traced no disk",), 10.0))),
        )
        for kind in kinds
        for parts, times in spoils
    ),
    ("C14", lambda r: change(r.single.wakes, f"{CALM} kernel", explained=0.8)),
    *(
        (f"F3.8: from V until the {which} of five processes wakes under policy-0",
         lambda r, boot=boot, which=which: change(r.single.wakes, boot, **{which: 400e6}))
        for which in ("first", "last")
        for boot in (POLICY_0, "traced no disk policy-0")
    ),
    *(
        (f"T4.1: from P until the switch under {kind}", traced(part, kind, "switch", times))
        for kind in modelled_boots.BLOCKING
        for part, times in (("traced", 4.0), (CALM, 1.6))
    ),
    *(
        (f"T4.1: in policy processes for each that is woken under {kind}",
         traced(part, kind, "policy", times))
        for kind in modelled_boots.WRITING
        for part, times in (("traced", 1.3), ("traced no disk", 6.0))
    ),
    *(
        (f"T4.2: the threshold of {kind}, {by}", spoil)
        for by in ("by figure 4.5", "by the abstract")
        for kind, spoil in (
            ("spin", lambda r: r.stages.update({"no perturbation spin": 3.9e6})),
            ("spin", lambda r: r.stages.update({"no perturbation spin": 8e6})),
            ("spin", lambda r: r.threshold_roots.update(spin=roots(300.0))),
            ("spin", lambda r: r.stages.update({"device 8": 0.9 * r.stages["undisturbed 8"]})),
            ("policy-1:300ms", lambda r: r.stages.update({"no perturbation policy-1:300ms": 70e6})),
            ("policy-1:300ms", lambda r: r.counts["policy-1:300ms"].update({"page writes": 0.0})),
            ("policy-1:300ms", lambda r: r.beside.written.update({"policy-1:300ms": 1.0})),
            ("policy-1:300ms", lambda r: r.threshold_roots.update({"policy-1:300ms": roots(9.0)})),
            *(
                (kind, lambda r, kind=kind, name=name, times=times: r.stages.update(
                    {f"{name} {kind}": times * r.stages[f"{name} {kind}"]}))
                for kind in modelled_boots.WRITING
                for name, times in (("no disk", 2.0), ("no perturbation", 0.6))
            ),
            *(
                (kind, lambda r, kind=kind: r.threshold_roots.update({kind: roots(9000.0)}))
                for kind in modelled_boots.WRITING
            ),
        )
    ),
    *(
        (f"F4.2: the speed-up of {kind}, at {n} processes",
         lambda r, kind=kind: r.undisturbed.update({kind: 0.8 * r.undisturbed[kind]}))
        for kind, (_, n) in documents.AUTHENTIC.items()
    ),
    ("C15", lambda r: r.undisturbed.update({"spin": 2.2})),
    ("C15", lambda r: r.stages.update({"no perturbation kernel": 130e6})),
    ("C15", lambda r: setattr(r, "policy_0", told(1.3))),
    ("C22", lambda r: setattr(r.memory, "looks", 0.1)),
]  # fmt: skip
# What another reason is of -> what boots find that it is not.
NOT_SO = {
    "C26": lambda b: b.varied.update({"ten roots unfixed": 3.0}),
    "C06": lambda b: b.written.update({"policy-1:300ms": 1.0}),
    "C07": lambda b: b.requests.update({"policy-0": 0.0}),
    "C16": lambda b: setattr(b, "far_no_disk", 1.06),
    "C16: at 400": lambda b: b.far.update({"policy-1:300ms": 1.06}),
    "F4.2: at 8": lambda b: b.at_eight.update({"kernel": 2.2}),
    "F4.3: the speed-up of spin, constant lengths, at 7": lambda b: b.long.update({"spin": 2.4}),
    "F4.3: the speed-up of policy-0, constant lengths, at 7": lambda b: b.long.update({"policy-0": 1.8}),
    "C17": lambda b: b.long.update({"spin": 1.3}),
    "F3.6: the speed-up of 3": lambda b: setattr(b, "fetches", 1.0),
    "F3.6: the speed-up of 9": lambda b: setattr(b, "fetches", 0.99),
    "T3.8: the largest over the smallest of application": lambda b: b.varied.update({"ten roots": 3.5}),
    "T3.8: the largest over the smallest of processors": lambda b: setattr(b, "idle", 0.9),
}


NOT_BROKEN = [
    # By starts, which the speed-up is of.
    "4.3.3: by how much later each of seven processes starts than the one before under policy-0",
    "C13: thresholds rise from spin over kernel and policy-1 to policy-0",  # by that of policy-1:0s
    "T4.1: in policy processes for each that is woken under policy-1:300ms",
    "T4.2: the threshold of kernel, by figure 4.5",
    "T4.2: the threshold of kernel, by the abstract",
]


class Roots(unittest.TestCase):
    """What two boots differ in by the same roots of both."""

    def record(self, *stages: float, nodes: int = 1) -> dict:
        rows = [
            {"name": f"{modelled_roots.OF_ROOT}{9 * root}", "median": stage}
            for root, stage in enumerate(stages)
        ]
        return {"nodes": nodes, "rows": rows[::-1]}

    def test_roots_that_differ_tell_by_what_they_have_in_common(self):
        one, other = self.record(99.0, 10.0, 20.0, 30.0), self.record(1.0, 5.0, 10.0, 15.0)
        self.assertEqual(modelled_roots.over(one, other), Estimate(2.0, 0.0))
        self.assertEqual(modelled_roots.longer((one, other), (other, other)).mean, 10.0)
        self.assertEqual(modelled_roots.more(one, other), Estimate(10.0, 5 / 3**0.5))
        # 54 stages of one process, 17 of eight.
        eight = self.record(1.0, 10.0, 20.0, 30.0, nodes=8)
        self.assertAlmostEqual(modelled_roots.speedup(one, eight).mean, 54 / 17)

    def test_a_ratio_is_of_the_times_of_all_roots_and_its_error_of_what_each_is_off_it(self):
        # The mean of 10 / 5 and of 10 / 20 is 1.25, and the 20 are of 25 below 0.8.
        found = modelled_roots.over(self.record(1.0, 10.0, 10.0), self.record(1.0, 5.0, 20.0))
        self.assertEqual(found.mean, 0.8)
        self.assertAlmostEqual(found.error, (2 * (10 - 0.8 * 5) ** 2 * 2) ** 0.5 / 25)
        one = modelled_roots.over(self.record(1.0, 10.0), self.record(1.0, 5.0))
        self.assertEqual(one, Estimate(2.0, float("inf")))

    def test_a_mean_and_its_error_are_those_of_the_roots(self):
        found = modelled_roots.estimate([1.0, 2.0, 3.0, 6.0])  # squares of 4, 1, 0 and 9 beside the mean
        self.assertEqual(found.mean, 3.0)
        self.assertAlmostEqual(found.error, (14 / 3 / 4) ** 0.5)
        self.assertIsNone(modelled_roots.estimate([3.0]).is_above(1.0))
        self.assertIn("its roots do not say", f"{modelled_roots.estimate([3.0]):.2f}")

    def drawn(self, lengths: str, disturbed: float, calm: tuple[float, ...]) -> dict[str, dict]:
        """One process's two roots take twice as long, and where something disturbs all times as much more."""
        found = {}
        for nodes in (1, 7):
            own = [(2 if nodes == 1 else 1) * one for one in calm]
            boot = f"brief {lengths}"
            found[f"{boot} undisturbed {nodes}"] = self.record(1.0, *own, nodes=nodes)
            found[f"{boot} {nodes}"] = self.record(1.0, *(disturbed * one for one in own), nodes=nodes)
        return found

    def test_drawn_lengths_are_told_by_their_roots_and_an_end_of_slices_more_or_less(self):
        records = self.drawn("normal", 1.5, (1e9, 1e9))
        found = modelled_drawn.speedup(records, "normal")
        self.assertAlmostEqual(found.mean, 2 * 54 / 18)
        # 150 ms of one process's 54 stages of 2 roots of 3 s; seven times that of 18 of 1.5; two errors.
        one, several = 0.15 / (54 * 2 * 3) / 2, 7 * 0.15 / (18 * 2 * 1.5) / 2
        self.assertAlmostEqual(found.error / found.mean, (one**2 + several**2) ** 0.5)
        longer = modelled_drawn.longer(records, "normal")
        self.assertAlmostEqual(longer.mean, 1.5)
        self.assertAlmostEqual(longer.error / 1.5, several)
        # Ends of slices that meet one root and not another are the same; lengths that differ are not.
        records["brief normal 7"] = self.record(1.0, 1e9, 2e9, nodes=7)
        self.assertAlmostEqual(modelled_drawn.speedup(records, "normal").error, found.error)
        records["brief normal undisturbed 1"] = self.record(1.0, 3e9, 1e9, nodes=1)
        calm = modelled_drawn.calm(records, "normal")
        self.assertGreater(calm.error / calm.mean, 0.4)
        drawn, more = calm.error / calm.mean, modelled_drawn.speedup(records, "normal")
        self.assertAlmostEqual(more.error / more.mean, (drawn**2 + one**2 + several**2) ** 0.5)

    def test_each_boot_of_drawn_lengths_is_read_as_what_it_is(self):
        records = {}
        for number, lengths in enumerate(modelled_boots.LENGTHS):
            records |= self.drawn(lengths, 1.5 + number, (1e9, 1e9))
        found = modelled_drawn.of(records)
        self.assertEqual([round(one.mean, 6) for one in found.longer.values()], [1.5, 2.5, 3.5])
        for lengths in modelled_boots.LENGTHS:
            self.assertEqual(found.calm[lengths].error, 0.0)
            self.assertGreater(found.speedups[lengths].error, 0.0)

    def test_a_ninth_processor_is_read_beside_nine_fast_ones_of_its_kind(self):
        took = {
            "authentic spin 9": 100.0, "nine fast spin": 60.0,
            "authentic kernel 9": 95.0, "nine fast kernel": 80.0, KEPT: 117.0,
            "authentic policy-1:300ms 9": 99.0, "nine fast policy-1:300ms": 90.0,
        }  # fmt: skip
        records = {name: self.record(1.0, one, one) for name, one in took.items()}
        for name, record in records.items():
            record["rows"].append({"name": modelled_results.STAGE, "median": took[name]})
        found = modelled_ninth.of(records)
        self.assertEqual(found.kept, Estimate(22.0, 0.0))
        under_spin = {kind: one.mean for kind, one in found.under_spin.items()}
        self.assertEqual(under_spin, {"kernel": 25.0, "policy-1:300ms": 31.0, KEPT: 3.0})
        self.assertEqual((found.stages[KEPT], found.fast["kernel"]), (117.0, 80.0))

    def test_two_errors_on_both_sides_are_within_or_beyond_or_do_not_tell(self):
        found = Estimate(2.0, 0.25)
        self.assertIs(found.is_within(1.5, 2.5), True)
        self.assertIs(found.is_within(2.6, 3.0), False)
        self.assertIs(found.is_within(0.0, 1.4), False)
        self.assertIsNone(found.is_within(1.6, 3.0))
        self.assertIsNone(found.is_above(2.4))
        self.assertIs(found.is_above(1.4), True)
        self.assertIs(found.is_above(2.5), False)

    def test_equal_records_are_not_above_each_other(self):
        one = self.record(99.0, 10.0, 20.0, 30.0)
        self.assertIs(modelled_roots.more(one, one).is_above(0), False)
        self.assertIs(modelled_roots.over(one, one).is_above(1), False)
        found = results()
        found.ninth.kept = modelled_roots.more(one, one)
        (wrong,) = (one for one in modelled_verdicts.judge(found) if not one.holds)
        self.assertEqual(wrong.said, "C18: without stealing it costs more under kernel than with it")
        self.assertFalse(wrong.is_open)
        self.assertEqual(Estimate(2.0, 0.3) - Estimate(1.0, 0.4), Estimate(1.0, 0.5))
        self.assertEqual([modelled_roots.all_of(one) for one in ((True, None), (None, False), (True,))],
                         [None, False, True])  # fmt: skip

    def test_a_threshold_of_each_root_is_found_or_lies_beyond_where_the_lengths_end(self):
        def record(*stages: float) -> dict:
            return self.record(1.0, *stages)

        # By root the overhead is 10 and 20 ms: thresholds as long.
        length = modelled_boots.Length(1e6, 1e6)
        records = {
            f"threshold kernel {length.steps(one * 1e6)}": record((one + 10) * 1e6, (one + 20) * 1e6)
            for one in (5, 10, 20, 40)
        }
        found = modelled_results.threshold_roots(records, length, "kernel")
        self.assertEqual(
            [(round(one.low), round(one.high)) for one in found], [(10**7, 10**7), (2 * 10**7, 2 * 10**7)]
        )
        for longer in (20e6, 40e6):
            del records[f"threshold kernel {length.steps(longer)}"]
        _, longer = modelled_results.threshold_roots(records, length, "kernel")
        self.assertEqual(longer, Bounds(10e6, float("inf")))
        self.assertEqual(modelled_results.bounds({2e6: 0.5, 4e6: 0.6}), Bounds(0.0, 2e6))
        self.assertEqual(modelled_results.bounds({2e6: 0.6, 4e6: 0.4}), Bounds(0.0, float("inf")))
        self.assertEqual([f"{one:g}" for one in (longer, Bounds(0.0, 2.0), Bounds(0.0, float("inf")))],
                         ["1e+07 or more", "2 or less", "not found"])  # fmt: skip

    def test_the_median_of_roots_lies_between_some_in_their_order(self):
        # Of four it lies beyond all of them once in eight times; of ten, beyond the third of either end.
        self.assertEqual([modelled_roots.rank_of(n) for n in (4, 6, 7, 10, 12)], [1, 1, 2, 3, 3])
        values = [Bounds(one, one) for one in (3.0, 1.0, 2.0)] + [Bounds(9.0, float("inf"))]
        self.assertEqual(modelled_roots.median_of(values), Bounds(1.0, float("inf")))
        self.assertEqual(modelled_roots.median_of(2 * values), Bounds(1.0, float("inf")))
        self.assertEqual(modelled_roots.median_of(values + [Bounds(one, one) for one in (1.0, 2.0, 3.0)]),
                         Bounds(1.0, 3.0))  # fmt: skip

    def test_a_root_that_was_not_found_is_beyond_the_limit_or_fails(self):
        def told_of(*values: Bounds | float) -> bool | None:
            each = [one if isinstance(one, Bounds) else Bounds(one, one) for one in values]
            return modelled_roots.median_is_within(each, 10.0, 20.0)

        infinite = float("inf")
        self.assertIs(told_of(11.0, 12.0, 13.0, 19.0), True)
        self.assertIs(told_of(21.0, 22.0, 23.0, Bounds(24.0, infinite)), False)
        self.assertIs(told_of(1.0, 2.0, 3.0, Bounds(0.0, 4.0)), False)
        self.assertIsNone(told_of(11.0, 12.0, 13.0, 21.0))
        # Beyond the limits it is known well enough; within them no further root could tell.
        self.assertIsNone(told_of(11.0, 12.0, 13.0, Bounds(21.0, infinite)))
        self.assertIs(told_of(11.0, 12.0, 13.0, Bounds(19.0, infinite)), False)
        self.assertIsNone(told_of(Bounds(0.0, 9.0), 12.0, 13.0, 14.0))
        self.assertIs(told_of(Bounds(0.0, 11.0), 12.0, 13.0, 14.0), False)
        self.assertIs(told_of(Bounds(0.0, infinite), 12.0, 13.0, 14.0), False)
        self.assertIsNone(told_of(11.0, 12.0, 13.0))  # too few

    def test_roots_whose_thresholds_lie_apart_leave_it_open(self):
        uncertain = results()
        uncertain.threshold_roots["kernel"] = roots(17.0, 40.0)
        open_ones = [one for one in modelled_verdicts.judge(uncertain) if one.is_open]
        wanted = ["T4.2: the threshold of kernel,"] * 2 + ["C15: the speed-up of 72 ms is "]
        self.assertEqual([one.said[:30] for one in open_ones], wanted)
        self.assertIn("by the median root 17 to 40 ms; printed 18 ms, ratio 1.00", open_ones[0].evidence)
        uncertain.threshold_roots["kernel"][0] = Bounds(19e6, float("inf"))
        failing = [one for one in modelled_verdicts.judge(uncertain) if not one.holds]
        self.assertEqual([one.is_open for one in failing], [False, False, True])
        self.assertIn("by the median root 17 or more ms", failing[0].evidence)

    def test_speed_ups_of_drawn_lengths_that_chance_may_have_brought_are_open(self):
        for lengths, error, said in (
            ("normal", 0.4, "C10: speed-ups of constant"),  # 2.8 and 2.1
            ("exponential", 0.06, "C10: speed-ups of exponential"),  # 1.1, and 1.2 is the limit
        ):
            found = results()
            found.drawn.speedups[lengths] = Estimate(found.drawn.speedups[lengths].mean, error)
            (one,) = (one for one in modelled_verdicts.judge(found) if not one.holds)
            self.assertTrue(one.is_open and one.said.startswith(said), one)

    def test_what_roots_do_not_tell_is_open_and_said(self):
        found = results()
        found.speedups["kernel"][8] = Estimate(2.6, 0.1)  # 2.4 to 2.8; agreed is up to 2.64
        judged = modelled_verdicts.judge(found)
        said = [one.said[:28] for one in judged if one.is_open]
        self.assertEqual(said, ["F4.2: the speed-up of kernel", "C15: the speed-up of 72 ms i"])
        self.assertEqual(sum(one.holds for one in judged), len(judged) - len(said))
        text = "\n".join(modelled_verdicts.lines(judged, {}))
        self.assertIn("  open: F4.2: the speed-up of kernel, at 8 processes: 2.60 ± 0.20, printed 2.4", text)
        self.assertIn("2 are open", text)
        self.assertEqual(modelled_verdicts.status(judged, {}), 0)


class Reasons(unittest.TestCase):
    def borne_out(self, found) -> dict[str, bool]:
        return {one.said: one.borne_out for one in modelled_verdicts.judge(found) if not one.holds}

    def test_each_reason_is_borne_out_by_its_boots_and_can_be_refuted(self):
        before = self.borne_out(worse())
        self.assertEqual(set(before.values()), {True}, before)
        caused = {one.said for one in modelled_verdicts.judge(worse()) if one.cause}
        spoils = [
            *COSTS_NOT_SO,
            *((said, lambda r, spoil=spoil: spoil(r.beside)) for said, spoil in NOT_SO.items()),
        ]
        self.assertEqual([one for one in before if not one.startswith(tuple(said for said, _ in spoils))], [])
        # What cannot be broken here without others that have no reason, and is not to be listed.
        self.assertEqual(sorted(caused - before.keys()), NOT_BROKEN)
        for said, spoil in spoils:
            with self.subTest(said=said):
                found = worse()
                spoil(found)
                refuted = [one for one, is_so in self.borne_out(found).items() if not is_so]
                self.assertTrue(any(one.startswith(said) for one in refuted), refuted)
                judged = modelled_verdicts.judge(found)
                known = dict.fromkeys(before, "Because.")
                self.assertEqual(modelled_verdicts.status(judged, known), 1)
                text = "\n".join(modelled_verdicts.lines(judged, known))
                self.assertIn("which is not what would explain it", text)
        judged = modelled_verdicts.judge(worse())
        self.assertEqual(modelled_verdicts.status(judged, dict.fromkeys(before, "Because.")), 0)

    def test_a_threshold_below_what_is_printed_is_not_for_ends_of_slices(self):
        said = "T4.2: the threshold of policy-1:300ms, by the abstract"
        for overhead, is_so in ((16.0, True), (34.0, False), (5.0, False)):  # ms, of stages without both
            found = worse()
            found.threshold_roots["policy-1:300ms"] = roots(20.0)
            found.stages["no perturbation policy-1:300ms"] = 1e6 * (33.0 + overhead)
            (one,) = (one for one in modelled_verdicts.judge(found) if one.said == said)
            self.assertEqual((one.holds, one.borne_out), (False, is_so))

    def test_starts_that_bring_the_printed_speed_up_are_why_they_are_not_as_printed(self):
        found = results()
        found.single.later = [33e6, 37e6]
        self.assertTrue(modelled_reasons.of_starts(found).is_so)
        # 54 stages of 462 ms over 18 of 660 - 210 + 330.
        self.assertIn("of 210 in the mean of stages", modelled_reasons.of_starts(found).text)
        self.assertIn("would be 1.78 here; 2.10 was found", modelled_reasons.of_starts(found).text)
        found.constant["policy-0"] = told(1.7)
        self.assertFalse(modelled_reasons.of_starts(found).is_so)
        # They are later, and the speed-up with the printed ones would be 2.45.
        found.single.later, found.constant["policy-0"] = [71e6], told(2.1)
        self.assertFalse(modelled_reasons.of_starts(found).is_so)

    def test_a_wake_up_under_spin_is_the_mean_of_the_processes_medians(self):
        """One process's may be far from the others', by where its word lies."""
        rows = [{"name": "wake-up", "median": one} for one in (23e3, 30e3, 37e3)]
        rows += [{"name": name, "median": 9e3} for name in ("V alone", "clock alone", "FIND")]
        self.assertEqual(modelled_results.costs_of({"rows": rows}, "spin").wake, 30e3)

    def test_what_v2_takes_alone_is_not_said_to_be_printed(self):
        evidence = {one.said: one.evidence for one in modelled_harpy.judge(harpy())}
        alone = [evidence[f"6.6: what {version} takes with one process, over V1"] for version in ("V2", "V3")]
        self.assertIn("; 0.998 follows from its printed speed-up, ratio 1.00", alone[0])
        self.assertNotIn("printed 0.998", alone[0])
        self.assertIn(", printed 1.26, ratio", alone[1])

    def test_searches_less_apart_than_an_end_of_slices_are_not_told_apart(self):
        self.assertIs(modelled_harpy.falling([3000.0, 2800.0, 2600.0]), True)
        self.assertIsNone(modelled_harpy.falling([3000.0, 2990.0, 2600.0]))
        self.assertIsNone(modelled_harpy.falling([3000.0, 3010.0, 2600.0]))
        self.assertIs(modelled_harpy.falling([3000.0, 2990.0, 3200.0]), False)

    def test_harpys_reasons_are_borne_out_by_its_boots_and_can_be_refuted(self):
        def slower() -> modelled_harpy.Results:
            found = harpy()
            for version in ("V1", "V2"):
                change(found.searches, (version, 8), forward=1.5 * found.searches[version, 8].forward)
            change(found.searches, ("V1", 8), pruning=12e9, utilization=33.0)
            change(found.searches, ("V4", 8), forward=0.83 * found.searches["V4", 8].forward)
            change(found.searches, ("V4", 1), forward=0.92 * found.searches["V4", 1].forward)
            change(found.searches, ("V3", 1), forward=1.05 * found.searches["V1", 1].forward)
            change(found.searches, ("V3", 8), utilization=42.0)
            found.uncontended.update(V1=2.14, V2=2.4)
            found.one_candidate = 9.0
            return found

        def refuted(found) -> list[str]:
            judged = modelled_harpy.judge(found)
            return [one.said for one in judged if one.cause and not one.holds and not one.borne_out]

        self.assertEqual(refuted(slower()), [])
        for said, spoil in (
            ("6.6: the speed-up of V1's", lambda h: h.uncontended.update(V1=1.8)),
            ("6.6: the utilization of V1", eight("V1", utilization=50.0)),
            # What is below the printed speed-up's is not excused by boots that nothing disturbs.
            ("6.6: the utilization of V1", eight("V1", utilization=20.0)),
            ("6.6: the utilization of V3", eight("V3", utilization=64.0)),
            ("6.6: the speed-up of V2's", lambda h: h.uncontended.update(V2=3.1)),
            ("6.6: the utilization of V3", lambda h: h.uncontended.update(V3=3.1)),
            ("6.6: the speed-up of pruning", lambda h: setattr(h, "uncontended_pruning", 3.9)),
            ("6.6: the speed-up of V4's", lambda h: change(h.searches, ("V4", 1), forward=90e9)),
            ("6.6: what V3 takes", lambda h: setattr(h, "stored", 0.3)),
            ("6.5: the segments", lambda h: setattr(h, "few_candidates", 50.0)),
        ):
            with self.subTest(said=said):
                found = slower()
                spoil(found)
                self.assertEqual([one[: len(said)] for one in refuted(found)], [said])

    def test_references_that_meet_in_one_bank_take_longer_by_mean_value_analysis(self):
        self.assertEqual(modelled_reasons.stretched(1, 1.0), 1.0)
        self.assertEqual(modelled_reasons.stretched(9, 0.0), 1.0)
        # Of two, the other is there for the part of the time that it is when it is alone.
        alone = modelled_reasons.BANK / (modelled_reasons.BANK + modelled_reasons.BETWEEN)
        wanted = (modelled_reasons.BETWEEN + modelled_reasons.BANK * (1 + alone)) / 1455
        self.assertAlmostEqual(modelled_reasons.stretched(2, 1.0), wanted)
        self.assertAlmostEqual(modelled_reasons.there(1, 1.0), alone)
        self.assertEqual(modelled_reasons.there(6, 0.0), 0.0)
        # Of many, the bank serves one after the other.
        self.assertAlmostEqual(modelled_reasons.stretched(100, 1.0), 100 * 585 / 1455, delta=0.05)

    def test_what_its_boots_say_is_read_from_their_records(self):
        form = modelled_boots.QUICK
        records = {name: made(cell) for name, cell in modelled_reasons.boots(form, LENGTH).items()}
        for kind in KINDS:
            records[f"no perturbation {kind}"] = made(modelled_boots.threshold(kind, 100))
        for row in records["no perturbation kernel"]["rows"]:
            row["median"] *= {"page writes": 0}.get(row["name"], 1)
        for name in ("undisturbed 1", "undisturbed kernel 8", "shared 1", "shared 8"):
            records[name] = made(modelled_boots.Cell("kernel", int(name[-1]), modelled_boots.authentic()))
        work = {"fetches": 600, "reads": 250, "writes": 150}
        records["shared 1"]["model"] = {"processors": [{"fetches": 9, "reads": 1, "writes": 9}, work]}
        waits = {"clock": 900, "asleep": 100, "bus_waiting": 200}
        idle = {"fetches": 500, "reads": 500, "writes": 500}
        for name in ("slow 1", "undisturbed 1"):
            records.setdefault(name, made(modelled_boots.Cell("spin", 1, modelled_boots.authentic())))
            records[name]["model"] = {"processors": [work | waits, idle, idle]}
        slow = records["far undisturbed kernel"]["rows"][0]
        self.assertEqual(slow["name"], modelled_results.STAGE)
        slow["median"] *= 1.02
        found = modelled_reasons.of(records)
        self.assertEqual(found.fetches, 0.6)
        self.assertEqual((found.waits["slow 1"], found.idle), (0.25, 3.0))
        self.assertAlmostEqual(found.far["kernel"], 1.02)
        self.assertAlmostEqual(found.long["spin"], 54 / 18)
        self.assertEqual((found.written["kernel"], found.written["policy-0"]), (0.0, 1.0))


class Traces(unittest.TestCase):
    """Five processes, of which a stage's last to post wakes two that wait, and policy processes 5 and 6."""

    def record(self, ns: float, event: str, process: int, **other) -> Record:
        own = {"processor": process, "peer": None, "type": 0, "length": 0, "message": 0}
        return Record(ns, event, traced_costs.JOB, process, **(own | other))

    def wait(self, process: int, ns: float, processor: int) -> list[Record]:
        """P takes 2 ms until its processor is idle, which the kernel's own process is then."""
        blocks = self.record(ns + 1.5e6, "block", process, processor=processor)
        idle = self.record(ns + 2e6, "switch", 0, processor=processor)._replace(job=0)
        return [self.record(ns, "P", process, processor=None), blocks, idle]

    def posts(self, ns: float, process: int = 0) -> list[Record]:
        return [
            self.record(ns + 1e6 * other, "V", process, type=other) for other in range(5) if other != process
        ]

    def test_p_lasts_until_its_processor_is_anothers_and_one_that_waits_for_nobody_has_no_switch(self):
        records = [
            *self.wait(1, 10e6, 3),
            self.record(20e6, "P", 2), self.record(21e6, "V", 2, type=4), self.record(22e6, "block", 2),
            self.record(23e6, "switch", 2),
            *self.wait(2, 30e6, 4),
        ]  # fmt: skip
        found = traced_costs.switches(records, Price(100e3))
        self.assertEqual(found, [1.8e6, 1.8e6])

    def test_policy_processes_are_busy_from_the_first_v_but_where_they_wait_for_a_request(self):
        records = sorted([
            self.record(10e6, "V", 0, type=0),  # of its own semaphore, as it measures a V alone
            *self.posts(100e6),
            # 5 has been asked by 0, hands it on, and waits again; 6 sleeps until a timer, for a disk.
            self.record(50e6, "block", 5), self.record(102e6, "wake", 5, peer=0),
            self.record(112e6, "block", 5),
            self.record(60e6, "block", 6), self.record(110e6, "wake", 6, peer=5),
            self.record(120e6, "block", 6), self.record(150e6, "wake", 6),
            self.record(160e6, "wake", 1, peer=6), self.record(180e6, "wake", 2, peer=6),
            # A stage in which nobody had waited, and one whose process is woken by its like.
            *self.posts(200e6), *self.posts(300e6), self.record(303e6, "wake", 3, peer=0),
        ], key=lambda one: one.ns)  # fmt: skip
        stages = traced_costs.stages(records, 5)
        self.assertEqual([len(stage.woken) for stage in stages], [2, 0, 1])
        found = traced_costs.in_policy_processes(records, stages, 5)
        self.assertEqual(found, [(10e6 + 70e6) / 2, 0.0])

    def test_the_first_root_is_left_out_and_a_trace_that_lost_records_is_refused(self):
        records = []
        for stage in range(25):
            records += [*self.wait(1, 1e9 * stage, 3), *self.posts(1e9 * stage + 5e8)]
            records.append(self.record(1e9 * stage + 6e8, "wake", 1, peer=0))
        kept = mock.Mock(trace=Trace(records), jobs=[{"record_picoseconds": 0}])
        boot = {"nodes": 5, "trace": ""}
        with mock.patch.object(traced_costs, "Kept", lambda *_: kept):
            found = traced_costs.of(boot)
            # A root has 21 stages.
            self.assertEqual([len(found[name]) for name in (SWITCH, POLICY)], [3, 4])
            kept.trace.lost = 1
            with self.assertRaisesRegex(BadRequest, "does not tell all: 1 record was lost"):
                traced_costs.of(boot)
            kept.trace = Trace(records[:50])
            with self.assertRaisesRegex(BadRequest, "no stage of a second root"):
                traced_costs.of(boot)
        with self.assertRaisesRegex(BadRequest, "a traced boot's record is no whole file of a trace"):
            traced_costs.of(boot)


class Boots(unittest.TestCase):
    def test_a_length_is_found_from_two_evaluations_of_one_process(self):
        def record(took: float) -> dict:
            return {"rows": [{"name": "evaluation", "median": took, "maximum": took}]}

        length = modelled_results.length_of(record(1e6), record(1e6 + 1950 * 36e3), modelled_boots.STEPS)
        self.assertEqual((length.base, length.step), (LENGTH.base, LENGTH.step))
        self.assertAlmostEqual(length.of(length.steps(72e6)), 72e6, delta=36e3)
        self.assertEqual(length.steps(0.05e6), modelled_boots.FEWEST)

    def test_looks_at_a_threshold_end_on_both_sides_of_it(self):
        for overhead in (9.0, 250.0):  # ms
            for part in (0.0, 0.1, 0.2):  # of the length, by which overhead grows with it
                looks, steps = {}, modelled_boots.first_steps("kernel", LENGTH)
                while steps is not None and len(looks) < 1 + modelled_boots.LOOKS:
                    length = LENGTH.of(steps)
                    looks[steps] = [length + overhead * 1e6 + part * length] * 2
                    steps = modelled_boots.next_steps(looks, LENGTH)
                shares = [LENGTH.of(steps) / stage for steps, (stage, _) in looks.items()]
                self.assertTrue(min(shares) < 0.5 <= max(shares), (overhead, part, looks))

    def test_looks_go_beyond_all_others_until_the_threshold_lies_between_two(self):
        """From those at half of the printed length and at all of it, as the study begins."""
        first = [modelled_boots.first_steps("kernel", LENGTH, part) for part in (0.5, 1.0)]
        for overhead in (3.0, 6.0, 25.0, 60.0):  # ms, of which the stages have some more each time
            looks = {steps: [LENGTH.of(steps) + overhead * 1e6] for steps in first}
            for further in range(1, modelled_boots.LOOKS + 1):
                steps = modelled_boots.next_steps(looks, LENGTH)
                if steps is None:
                    break
                self.assertNotIn(steps, looks)
                more = 1 + 0.2 * further if overhead > 18 else 1 - 0.2 * further
                looks[steps] = [LENGTH.of(steps) + more * overhead * 1e6]
            shares = [LENGTH.of(steps) / stage for steps, (stage,) in looks.items()]
            self.assertTrue(min(shares) < 0.5 <= max(shares), (overhead, looks))

    def test_a_look_that_would_be_one_of_the_last_goes_farther_aside(self):
        half, whole = (modelled_boots.first_steps("kernel", LENGTH, part) for part in (0.5, 1.0))
        # By chance the shorter one's overhead is nearer to half; aside of it lies the other.
        nearer = LENGTH.of(whole) / modelled_boots.ASIDE
        looks = {half: [LENGTH.of(half) + nearer], whole: [LENGTH.of(whole) + 30e6]}
        steps = modelled_boots.next_steps(looks, LENGTH)
        self.assertIsNotNone(steps)
        self.assertGreater(steps, whole)

    def test_looks_go_on_until_each_root_has_its_threshold_between_two(self):
        half, whole = (modelled_boots.first_steps("kernel", LENGTH, part) for part in (0.5, 1.0))

        def looked(*overheads: float) -> dict[int, list[float]]:
            return {n: [LENGTH.of(n) + one * 1e6 for one in overheads] for n in (half, whole)}

        self.assertIsNone(modelled_boots.next_steps(looked(12.0, 14.0), LENGTH))
        longer = modelled_boots.next_steps(looked(5.0, 12.0, 27.0), LENGTH)  # the mean is there
        self.assertAlmostEqual(LENGTH.of(longer), modelled_boots.ASIDE * 27e6, delta=LENGTH.step)
        self.assertLess(modelled_boots.next_steps(looked(5.0, 14.0), LENGTH), half)

    def test_looks_do_not_go_on_for_roots_that_the_bounds_of_the_median_leave_out(self):
        steps = [modelled_boots.first_steps("kernel", LENGTH, part) for part in (0.5, 1.0)]
        left_out = modelled_roots.rank_of(24) - 1
        self.assertGreater(left_out, 2)
        for aside in (3.0, 30.0):  # ms: of roots whose threshold is shorter, or longer, than both looks
            for more, ends in ((0, True), (1, False)):
                beyond = left_out + more
                overheads = [aside] * beyond + [13.0] * (24 - beyond)
                looks = {n: [LENGTH.of(n) + one * 1e6 for one in overheads] for n in steps}
                found = modelled_boots.next_steps(looks, LENGTH)
                self.assertEqual(found is None, ends, (aside, beyond))
                if not ends:
                    self.assertEqual(found > max(steps), aside > 13)

    def test_the_machine_has_so_many_fast_processors_and_is_otherwise_cmmp(self):
        own = places.read_bounded(machine_file.find("cmmp"), "cmmp", 1 << 20).decode().splitlines()
        changed = modelled_boots.machine_text(8).splitlines()
        (line,) = (new for old, new in zip(own, changed) if old != new)
        self.assertTrue(line.startswith("processors = [8, 9, 10, 11, 12, 13, 14, 15]"), line)

    def test_a_machine_of_wide_banks_differs_in_these_alone(self):
        own, wide = (modelled_boots.machine_text(8, wide=one).splitlines() for one in (False, True))
        changed = [new.partition("#")[0].strip() for old, new in zip(own, wide) if old != new]
        self.assertEqual(changed, ['width = "8 MiB"'])
        for cell in modelled_boots.of_polling(LENGTH).values():
            self.assertEqual((cell.wide, cell.words[-1]), (True, "MEMORY=128"))

    def test_a_machine_without_contention_differs_in_what_its_banks_take_alone(self):
        contended, free = (modelled_boots.machine_text(8, one).splitlines() for one in (True, False))
        changed = [new.partition("#")[0].strip() for old, new in zip(contended, free) if old != new]
        self.assertEqual(changed, ['bank = "1 ns"', 'slow_bank = "1 ns"'])

    def test_records_are_read_row_by_row(self):
        form = modelled_boots.QUICK
        cells = {
            f"threshold {kind} {steps}": modelled_boots.threshold(kind, steps)
            for kind in KINDS
            for steps in (100, modelled_boots.first_steps(kind, LENGTH))
        }
        for part in (*modelled_boots.of_study(form, LENGTH), modelled_reasons.boots(form, LENGTH)):
            cells |= part
        records = {name: made(cell) for name, cell in cells.items()}
        first = modelled_boots.first_steps("kernel", LENGTH)
        records["again"] = records[f"threshold kernel {first}"]
        patch = mock.patch.object(traced_costs, "of", lambda _: {SWITCH: [1e6, 2e6, 9e6], POLICY: [3e6]})
        patch.start()
        self.addCleanup(patch.stop)
        single = mock.patch.object(modelled_stages, "of", lambda traces: traces["single"])
        single.start()
        self.addCleanup(single.stop)
        found = modelled_results.of(records, LENGTH, form, {"single": "stages"})
        self.assertEqual(found.single, "stages")
        self.assertAlmostEqual(found.memory.cycles["shared 8"], 600.0)
        self.assertAlmostEqual(found.memory.elsewhere, 1 / 3)
        self.assertAlmostEqual(found.memory.looks, 1 / 4 / (1 - 37.5 / 100))
        self.assertEqual(found.traced["traced no disk"]["policy-0"], modelled_results.Traced(2e6, 3e6))
        self.assertTrue(found.repeats and all(found.right.values()))
        self.assertAlmostEqual(found.speedups["spin"][8].mean, 54 / 17)
        searches = modelled_harpy.of(records, form, 1e5)
        self.assertEqual(modelled_harpy.speedup(searches, "V4"), 1.0)
        records["again"] = made(cells["again"])
        records["again"]["rows"][0]["median"] += 1
        self.assertFalse(modelled_results.of(records, LENGTH, form, {"single": "stages"}).repeats)


class Report(unittest.TestCase):
    """What is printed and drawn of results, without a boot."""

    def report(self, found, searches, known: dict[str, str], folder: str) -> tuple[int, str]:
        form = modelled_boots.QUICK
        for kind, own in found.speedups.items():
            own.update({n: own.get(n, told(2.0)) for n in form.processes[kind]})
        found.evaluations.update({name: 1e6 for name in found.stages if name not in found.evaluations})
        said = io.StringIO()
        with (
            mock.patch.object(modelled_harpy, "of", lambda *_: searches),
            mock.patch.object(modelled_verdicts, "reasons", lambda: known),
            contextlib.redirect_stdout(said),
        ):
            return modelled_report.report(found, {}, form, folder), said.getvalue()

    def test_the_studys_status_is_1_for_each_verdict_that_is_broken(self):
        self.assertEqual(self.report(results(), harpy(), {}, "")[0], 0)
        for of_harpy, breaks in ((False, BREAKS | TOGETHER), (True, HARPY_BREAKS | HARPY_TOGETHER)):
            for said, spoil in breaks.items():
                with self.subTest(said=said):
                    found, searches = results(), harpy()
                    spoil(searches if of_harpy else found)
                    status, text = self.report(found, searches, {}, "")
                    self.assertEqual(status, 1)
                    self.assertIn(f"  DOES NOT HOLD: {said}", text)

    def test_verdicts_are_printed_and_drawn_with_evidence_and_the_status_follows_from_them(self):
        with tempfile.TemporaryDirectory() as folder:
            searches = harpy()
            found = dataclasses.replace(results(), private=told(2.9))
            status, said = self.report(found, searches, {}, folder)
            self.assertEqual(status, 1)
            (wrong,) = (line for line in said.splitlines() if "DOES NOT HOLD: F3.6" in line)
            because = {wrong.split("HOLD: ")[1].partition(": 2.90")[0]: "Because."}
            status, said = self.report(found, searches, because, folder)
            self.assertEqual(status, 0)
            self.assertIn("a stage of 18 ms has 22 ms more without device and slices' ends", said)
            with open(os.path.join(folder, "cmmp-modelled.html"), encoding="utf-8") as file:
                page = file.read()
            for wanted in ("does not hold", "Because.", "authentic spin 8", "Figure 4.2", "HARPY"):
                self.assertIn(wanted, page)
            # Tables have their columns, each with a name.
            cells = "</td><td>".join(("18", "18", "18", "1"))
            self.assertIn(f'<tr><th scope="row">kernel</th><td>{cells}</td>', page)
            heads = re.findall(r'<th scope="col"[^>]*>[^<]*</th>', page)
            self.assertIn('<th scope="col">utilization, %</th>', heads)
            wrong = [one for one in heads if not re.fullmatch(r'<th scope="col">[^<]+</th>', one)]
            self.assertEqual(wrong, [])
            pictures = [name for name in os.listdir(folder) if name.endswith(".svg")]
            self.assertEqual(len(pictures), 6)


def made(cell) -> dict:
    """A record whose times are all the same."""
    if cell.app == "harpy":
        names = ("forward", "pruning", "utilization", "forward spread", "pruning spread", "answer", "pairs")
        names += ("CHECKSTATE, none", "CHECKSTATE, update", "SAVESTATES, kept", "push alone", "pop alone")
        names += ("one candidate", "candidates 1-10")
    else:
        names = (modelled_results.STAGE, "evaluation", "kernel P and V", "P that waited", "policy requests")
        names += ("page writes", "V alone", "clock alone", "V of all others", "FIND", "wake-up")
        names += ("stages", "stage", "elapsed")
        words = cell.args.split()
        many, every = (
            int(words[words.index(word) + 1]) if word in words else 1 for word in ("--roots", "--every")
        )
        names += tuple(f"{modelled_roots.OF_ROOT}{root * every}" for root in range(many))
    roots = 0 if cell.app == "harpy" else int(cell.args.split("--roots ")[1].split()[0])
    stages = roots * documents.STAGES[cell.processes - 1]
    same = dict.fromkeys(("minimum", "lower_quartile", "median", "upper_quartile", "maximum"), 100e6)
    same["samples"] = 4
    own = {"node": 0, **same}
    rows = [{"name": name, **own} | ({"median": stages} if name == "stages" else {}) for name in names]
    asked = {"jobs": [{"args": cell.args}]}
    worked = {"fetches": 2, "reads": 1, "writes": 1, "clock": 9, "asleep": 1, "bus_waiting": 0}
    worked |= {"memory_time": 4 * 600_000, "call": 1}
    return {
        **{"nodes": cell.processes, "model": {"processors": [worked]}, "rows": rows, "asked": asked},
        "jobs": [{"slice_requests": 1, "pages_placed": 2, "pages_elsewhere": 1}],
        **({"trace": "of a boot"} if cell.traced else {}),
    }


if __name__ == "__main__":
    unittest.main()
