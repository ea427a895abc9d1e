# SPDX-License-Identifier: MIT
"""The choice of a design for a program, with an emulator in which every class has a known price: the choice
must be the best, or the report must say by how much it is not."""

import json
import os
import subprocess
import sys
import tomllib
import unittest
from types import SimpleNamespace

import made_records
from runner_case import TOOLS, RunnerCase, elf

sys.path.insert(0, TOOLS)

from parley_runner import made, request  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402
from parley_trace.reading import EVENTS, Record, Trace  # noqa: E402
from parley_tune import against, loop_leaves  # noqa: E402
from parley_tune.boots import Unfit, ends_of, way_of  # noqa: E402
from parley_tune.cost_model import Both, Choice, CostModel, Costs, Prices, at  # noqa: E402
from parley_tune.predictions import Predictions  # noqa: E402
from parley_tune.replay import Replay, story_of  # noqa: E402
from parley_tune.traced_runs import TracedRuns  # noqa: E402
from parley_tune.tune import (  # noqa: E402
    TAKEN,
    Tried,
    check,
    judged,
    next_of,
    parse,
    programs,
    time_of,
    trace_other_kind,
)

EVENT = {name: number for number, name in EVENTS.items()}
DESIGNS = """#!/usr/bin/python3
import json, sys
classes = {"location": ["kernel", "user"], "port": ["circular", "quick"],
           "transfer": ["double", "one", "lent", "network"]}
base = {"location": "kernel", "context-switch": "heavy", "interaction": "asynchronous", "port": "circular",
        "transport": "buffered", "synchronization": "spinlock", "transfer": "double"}
if sys.argv[1] == "list":
    flat = [{"factor": factor, "name": name} for factor, names in classes.items() for name in names]
    print(json.dumps({"presets": [{"name": "exp6"}], "classes": flat}))
elif sys.argv[1] == "resolve":
    preset, *changes = sys.argv[2].split(",")
    if preset != "exp6":
        sys.exit(f"There is no design '{preset}'.")
    found = base | dict(change.split("=") for change in changes)
    print(json.dumps(found | {"gives_away": found["transfer"] == "one"}))
"""
# A message of n bytes takes 1000 + n ns; the program sends 30 of 8192 bytes and 10 of 50.
PRICES = """
import re, struct
from parley_runner import frames
open('boots', 'a').write('x')
path = next(word for word in machine.arguments if word.endswith('archive.cpio'))
said = open(path, 'rb').read(4000).decode('latin-1')
def asked(key): return (re.findall(rf'(?m)^{key} (.*)$', said) or [''])[0]
design, app = asked('design'), asked('app')
def price(n):
    first = 400 if 'port=quick' in design else 1000
    first += (WATCHING) * any('traced/kernel' in word for word in machine.arguments)
    first += TOGETHER * ('port=quick' in design and '=one' in design)
    return first - 100 * ('user' in design) + n / (1 + ('=one' in design) + 9 * ('=lent' in design))
start = 50000 + 20000 * ('user' in design)
def life(ns):
    fields = {'job': 0, 'endpoint': 0, 'life': int(ns), 'inside': 0, 'waiting': 0, 'calls': 1}
    machine.frame(frames.TIME, {**fields, 'clock_hertz': 10**9})
machine.plan(clock='counted'); machine.job()
sent = [8192] * 30 + [50] * 10
rows = 0
if asked('trace'):
    head = struct.pack('<IIIIQQQ', 1, 32, 1, 0, 0, 10**9, 0)
    records = [struct.pack('<QQIIHHHBB', 1 + i, n, i, 0, 1, 0, 1, 1, 0) for i, n in enumerate(sent)]
    machine.frame(frames.TRACE, head + b''.join(records))
elif app.endswith('ring'):
    for size in map(int, asked('args').split()[1].split(',')):
        machine.row(size, 2 * price(size))
        rows += 1
    life(start)
else:
    if '=lent' in design:
        machine.job_end(status='failed'); machine.end(failed=1, rows=0); machine.exit(35)
    life(1000000 + start + sum(map(price, sent)) + SURPRISE)
machine.job_end(); machine.end(rows=rows); machine.exit(33)
"""

# Loops take 100 us, less by what leaves take off; the rest of the program's life falls with other leaves.
LOOPS = """
import re, struct
from parley_runner import frames
open('boots', 'a').write('x')
path = next(word for word in machine.arguments if word.endswith('archive.cpio'))
said = (re.findall(r'(?m)^loops (.*)$', open(path, 'rb').read(4000).decode('latin-1')) or [''])[0]
ns = (100 - 30 * ('barrier=tree' in said) - 20 * ('spinning' in said)) * 1000 * LONG
before = 10**6 - 10**5 * ('barrier=central' in said)
machine.plan(clock='counted'); machine.job()
if 'sleeping' in said:
    machine.job_end(status='failed'); machine.end(failed=1, rows=0); machine.exit(35)
head = struct.pack('<IIIIQQQ', 1, 32, 1, 0, 0, 10**9, 0)
events = [(0, SERIAL), (before, SET_UP), (before + ns, SERIAL)] if ns else []
records = [struct.pack('<QQIIHHHBB', 1 + at, 0, 0, 0, 0, 0, 1, event, 0) for at, event in events]
machine.frame(frames.TRACE, head + b''.join(records))
machine.job_end(); machine.end(rows=0); machine.exit(33)
""".replace("SERIAL", str(EVENT["serial"])).replace("SET_UP", str(EVENT["set-up"]))

PRODUCT = """clock = "counted"
nodes = [2]
profile = 1
[factors]
base = "exp6"
port = ["circular", "quick"]
transfer = ["double", "one"]
[[program]]
app = "other"
args = "-x 3"
[[program]]
app = "other"
args = "-x 4"
"""


def prices(surprise: str = "0", together: str = "0", watching: str = "0") -> str:
    """`together`: ns that a message takes longer with two of the classes, in the program as in null pairs;
    `watching`: where the boot is watched."""
    return PRICES.replace("SURPRISE", surprise).replace("TOGETHER", together).replace("WATCHING", watching)


class Tuning(RunnerCase):
    def setUp(self):
        super().setUp()
        self.write("build/designs", DESIGNS)
        self.write("build/traced/kernel.elf", b"kernel")
        self.write("build/apps/other/other", elf())

    def tune(
        self, *words: str, surprise: str = "0", together: str = "0", watching: str = "0"
    ) -> subprocess.CompletedProcess:
        return self.command("tune", prices(surprise, together, watching), *words)

    def chosen(self) -> dict:
        with open(self.path("other-tuned/best.toml"), "rb") as file:
            return tomllib.load(file)

    def test_the_best_design_is_chosen_and_what_fails_is_left_out_and_all_is_kept(self):
        done = self.tune("APP=other", "ARGS=-x 3", "CHECK=2")
        self.assert_status(done, 0, "40 messages of 1 process, 1 pair, up to 8192 bytes")
        self.assertEqual(
            self.chosen(),
            {"design": "exp6,port=quick,transfer=one", "app": "other", "nodes": 2, "args": "-x 3",
             "clock": "counted"},
        )  # fmt: skip
        self.assertIn("the program does not run with it, or finds something else: transfer=lent", done.stdout)
        self.assertIn("wrong by 0.0% on average", done.stdout)
        self.assertIn("the design predicted best is 0.0% above the best", done.stdout)
        before = os.path.getsize(self.path("boots"))
        self.assert_status(self.tune("APP=other", "ARGS=-x 3", "CHECK=2"), 0, "The best of those tried")
        failing = 2  # are tried again
        self.assertEqual(os.path.getsize(self.path("boots")), before + failing, "the others were kept")
        for name in os.listdir(self.path("other-tuned")):
            if not name.startswith(("trace-", "profile")):
                os.unlink(self.path(f"other-tuned/{name}"))
        before = os.path.getsize(self.path("boots"))
        self.write("build/traced/kernel.elf", b"another kernel")
        self.assert_status(self.tune("APP=other", "ARGS=-x 3", "CHECK=2"), 2, "records of another build")
        self.assertEqual(os.path.getsize(self.path("boots")), before)

    def test_a_design_that_is_worse_than_predicted_is_not_chosen_and_the_error_is_said(self):
        surprise = "1e6 * ('=one' in design and '=quick' in design)"
        done = self.tune("APP=other", "CHECK=3", "FACTORS=port transfer", surprise=surprise)
        self.assert_status(done, 0, "The best of those tried: exp6,transfer=one")
        self.assertEqual(self.chosen()["design"], "exp6,transfer=one")
        self.assertRegex(done.stdout, r"exp6,port=quick,transfer=one .* -4\d\.\d%")
        self.assertRegex(done.stdout, r"the design predicted best is 8\d\.\d% above the best of the 4 tried")

    def test_what_a_check_contradicts_the_next_does_not_try_again(self):
        done = self.tune("APP=other", "CHECK=2", surprise="1e6 * ('=one' in design)")
        self.assert_status(done, 0, "The best of those tried: exp6,")
        rows = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("exp6")]
        self.assertEqual(rows, ["exp6", "exp6,location=user", "exp6,port=quick,transfer=one"])

    def test_two_classes_are_priced_together_before_a_design_with_both_is_tried(self):
        done = self.tune("APP=other", "CHECK=1", "FACTORS=port transfer", together="5000")
        self.assert_status(done, 0, "The best of those tried: exp6,transfer=one,")
        rows = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("exp6")]
        self.assertEqual(rows, ["exp6,transfer=one", "exp6"])
        # All of them are predicted right then.
        done = self.tune("APP=other", "CHECK=1000", "FACTORS=port transfer", together="5000")
        self.assertIn("Predictions were wrong by 0.0% on average, 0.0% at most", done.stdout)

    def test_messages_are_priced_while_they_are_watched_as_the_programs_are(self):
        dear_in_the_kernel = "2000 * ('user' not in design)"
        done = self.tune("APP=other", "CHECK=1000", "FACTORS=location port", watching=dear_in_the_kernel)
        self.assert_status(done, 0, "Predictions were wrong by 0.0% on average, 0.0% at most")
        self.assertIn("The best of those tried: exp6,location=user,port=quick,", done.stdout)

    def test_where_all_designs_are_tried_it_is_said_what_few_checks_would_have_missed(self):
        done = self.tune("APP=other", "CHECK=1000", "FACTORS=port transfer")
        self.assert_status(done, 0, "All 4 designs of the cross product that run were tried")
        done = self.tune("APP=other", "CHECK=3", "FACTORS=port transfer")
        self.assertNotIn("of the cross product", done.stdout)

    def test_a_choice_is_set_beside_a_cross_product_that_was_measured(self):
        self.write("product.toml", PRODUCT)
        swept = self.command("sweep", prices(), "FILE=product.toml", "OUT=product")
        self.assert_status(swept, 0)
        before = os.path.getsize(self.path("boots"))
        against = "AGAINST=product/all.json"
        done = self.tune("APP=other", "ARGS=-x 3", against, "OUT=chosen")
        beside = "Beside the 4 designs of product/all.json that run: what was chosen is 0.0%"
        self.assert_status(done, 0, beside)
        self.assertIn("the best, exp6,port=quick,transfer=one, within 5%", done.stdout)
        self.assertNotIn("user", done.stdout, "no design of the product has it")
        # The base, two classes, and both.
        traced, pairs, starts = 1, 4, 4
        self.assertEqual(os.path.getsize(self.path("boots")), before + traced + pairs + starts)
        with open(self.path("product/all.json"), encoding="utf-8") as file:
            whole = json.load(file)
        best = "port=quick,transfer=one"
        whole["runs"] = [run for run in whole["runs"] if best not in run["asked"]["jobs"][0]["design"]]
        self.write("part.json", json.dumps(whole))
        done = self.tune("APP=other", "ARGS=-x 3", "AGAINST=part.json", "OUT=part")
        self.assert_status(done, 0, "Beside the 3 designs of part.json that run")
        self.assertNotIn(best, done.stdout, "it is no candidate")
        # All programs of the record, where none is named.
        done = self.tune(against, "OUT=all", "CHECK=1")
        self.assert_status(done, 0, "| `other -x 3` | `counted` | 4 | `exp6,port=quick,transfer=one` | ")
        self.assertRegex(done.stdout, r"\| `other -x 4` \| `counted` \| 4 \| .* \| 0\.0% \|  \|")
        needed = self.tune(against, "--needs").stdout
        self.assertEqual(needed.count("APP=other "), 2, needed)
        for words, sentence in (
            (["APP=other", "ARGS=-x 5"], "product/all.json has no boot of other -x 5 with NODES=2"),
            (["APP=other", "ARGS=-x 3", "FACTORS=wait"], "loops' leaves are none"),
            (["NODES=2"], "No program is named"),
            (["AGAINST=none.json"], "none.json"),
        ):
            self.assert_status(self.tune(against, "OUT=other", *words), 2, sentence)
        self.write("build/apps/other/other", elf(kind=2))
        done = self.tune("APP=other", "ARGS=-x 3", against, "OUT=later")
        self.assert_status(done, 2, "is of another build")

    def test_leaves_of_loops_are_tried_by_the_time_of_loops_and_the_best_are_put_together(self):
        words = ("APP=other", "NODES=1", "FACTORS=barrier wait")
        done = self.command("tune", LOOPS.replace("LONG", "1"), *words)
        best = "The best of 8 choices: barrier=tree,wait=spinning, whose loops are 2.000"
        self.assert_status(done, 0, best)
        self.assertEqual(self.chosen()["loops"], "barrier=tree,wait=spinning")
        self.assertIn("something else: wait=sleeping", done.stdout)
        self.assertRegex(done.stdout, r"barrier=tree +70\.000  -30\.0 %")
        before = os.path.getsize(self.path("boots"))
        words = ("APP=other", "NODES=1", "FACTORS=barrier", "LOOPS=wait=spinning", "OUT=again")
        done = self.command("tune", LOOPS.replace("LONG", "1"), *words)
        self.assert_status(done, 0, "The best of 5 choices: barrier=tree, whose loops are 1.600")
        self.assertGreater(os.path.getsize(self.path("boots")), before)
        with open(self.path("again/best.toml"), "rb") as file:
            self.assertEqual(tomllib.load(file)["loops"], "wait=spinning,barrier=tree")
        # A record whose trace is gone is made again.
        for name in os.listdir(self.path("again")):
            if name.endswith(".trace"):
                os.unlink(self.path(os.path.join("again", name)))
        before = os.path.getsize(self.path("boots"))
        done = self.command("tune", LOOPS.replace("LONG", "1"), *words)
        self.assert_status(done, 0, "The best of 5 choices: barrier=tree, whose loops are 1.600")
        self.assertGreater(os.path.getsize(self.path("boots")), before)
        before = os.path.getsize(self.path("boots"))
        self.write("build/traced/kernel.elf", b"another kernel")
        done = self.command("tune", LOOPS.replace("LONG", "7"), *words)
        self.assert_status(done, 2, "again holds records of another build of the kernel")
        self.assertEqual(os.path.getsize(self.path("boots")), before)

    def test_leaves_of_loops_with_which_a_program_finds_something_else_are_left_out(self):
        said = []

        class Times:
            boots = SimpleNamespace(screen=SimpleNamespace(say=said.append))

            @staticmethod
            def of(leaves):
                return (10.0, ["other"]) if leaves == (("wait", "sleeping"),) else (100.0, ["sum"])

        tried = loop_leaves.tune(Times(), ("wait",))
        self.assertEqual({one.measured for one in tried}, {100.0})
        self.assertIn("finds something else: wait=sleeping", said[0])

    def test_a_program_without_loops_has_none_to_tune(self):
        done = self.command("tune", LOOPS.replace("LONG", "0"), "APP=other", "FACTORS=barrier")
        self.assert_status(done, 2, "has no parallel loops")

    def test_bad_words_are_refused_in_one_sentence(self):
        self.write("file", "")
        for words, sentence in (
            ([], "No program is named"),
            (["APP=none"], "none"),
            (["APP=other", "CLOCK=free"], "CLOCK=free measures nothing twice alike"),
            (["APP=other", "CLOCK=modelled"], "needs a MACHINE"),
            (["APP=other", "DESIGN=exp7"], "There is no design 'exp7'"),
            (["APP=other", "DESIGN=exp6,port=quick"], "a named design is what others are set beside"),
            (["APP=other", "FACTORS=prot"], "FACTORS=prot is none of"),
            (["APP=other", "FACTORS=port wait"], "are tuned apart"),
            (["APP=other", "FACTORS=wait", "CHECK=2"], "of loops every leaf is"),
            (["APP=other", "CHECK=0"], "CHECK takes a whole number from 1"),
            (["APP=other", "MINUTES=soon"], "MINUTES takes a whole number"),
            (["APP=other", "NODE=2"], "Did you mean nodes?"),
            (["APP=other", "RECORD=x"], "'RECORD=x' is no word here"),
            (["APP=other", "OUT=file"], "OUT=file is a file, not a folder"),
        ):
            with self.subTest(words=words):
                done = self.tune(*words)
                self.assert_status(done, 2, sentence)
                self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
                self.assertFalse(os.path.exists(self.path("boots")))


class Against(RunnerCase):
    """Records of cross products, from which a choice takes the boots of its own."""

    now = {"version": "1", "system": "s", "programs": "p"}

    def product(self, *designs: str, **asked) -> str:
        (job,) = (found := request.make(["APP=ring", "NODES=2", "PROFILE=1", "CLOCK=counted"])).jobs
        jobs = [job.asked | {"design": design} for design in designs]
        values = {name: value for name, value in found.values.items() if value is not None}
        values |= {"processors": 2, "order": values.pop("jobs"), **asked}
        runs = [{**made_records.boot([], job["design"]), "asked": {**values, "jobs": [job]}} for job in jobs]
        return made_records.written(self.path("product.json"), *({**run, "made": self.now} for run in runs))

    def of(self, path: str, *words: str) -> against.Product:
        return against.of(path, request.make(["APP=ring", "NODES=2", *words]))

    def test_a_choice_has_the_boots_of_its_own_base(self):
        path = self.product("exp6", "exp6,port=quick", "exp4", "exp4,port=quick")
        for preset in ("exp6", "exp4"):
            found = self.of(path, f"DESIGN={preset}", "CLOCK=counted")
            self.assertEqual([run["asked"]["jobs"][0]["design"] for run in found.runs],
                             [preset, f"{preset},port=quick"])  # fmt: skip
            self.assertIn(f"design={preset}", found.words(TAKEN))

    def test_boots_that_are_asked_for_otherwise_are_no_candidates(self):
        path = self.product("exp4", memory=1024)
        for words, sentence in (
            (("DESIGN=exp6", "CLOCK=counted", "MEMORY=1024"), "what is nearest has DESIGN=exp4."),
            (("DESIGN=exp4", "MEMORY=1024"), "what is nearest has CLOCK=counted."),
            (("DESIGN=exp4", "CLOCK=counted"), "what is nearest has MEMORY=1024."),
            (("DESIGN=exp4", "CLOCK=modelled", "MACHINE=ideal", "MEMORY=1024"), "CLOCK=counted, no MACHINE."),
        ):
            with self.assertRaisesRegex(BadRequest, f"no boot of ring with NODES=2 .*{sentence}$"):
                self.of(path, *words)
        (one,) = against.products(path)
        said = ["app=ring", "args=", "clock=counted", "design=exp4", "memory=1024", "nodes=2"]
        self.assertEqual(sorted(one.words(TAKEN)), said)
        self.assertEqual(self.of(path, *one.words(TAKEN)).runs[0]["asked"]["memory"], 1024)

    def test_boots_that_are_made_of_something_else_are_refused_in_one_sentence(self):
        (one,) = against.products(self.product("exp6", "exp6,port=quick"))
        parts = SimpleNamespace(parts=lambda asked: made.parts(self.now, {}))
        boots = SimpleNamespace(of_program=lambda *words: SimpleNamespace(asked=None), base={},
                                sweep=SimpleNamespace(build=parts))  # fmt: skip
        self.assertEqual(len(one.designs(boots)), 2)
        one.runs[1]["made"] = {**self.now, "programs": "q"}
        with self.assertRaisesRegex(BadRequest, "product.json is of another build of the programs: sweep"):
            one.designs(boots)
        del one.runs[1]["made"]
        with self.assertRaisesRegex(BadRequest, "product.json is of an older version, which did not"):
            one.designs(boots)

    def test_words_that_are_none_do_not_vanish(self):
        for own in programs([f"AGAINST={self.product('exp6')}", "--check", "5"]):
            with self.assertRaisesRegex(BadRequest, "'--check' is no word here"):
                parse(own)


class Refining(unittest.TestCase):
    def test_what_two_classes_do_together_is_said_of_all_designs_with_both_and_asked_once(self):
        a, b, c = ("f", "a"), ("g", "b"), ("h", "c")
        model = CostModel(flat(10), {a: flat(9), b: flat(9), c: flat(9)})
        asked = []

        def price(pair: Choice) -> Prices | None:
            asked.append(pair)
            return flat(20) if pair == (a, b) else None

        choices = [(), (a,), (a, b), (a, b, c), (b, c)]
        found = Predictions(model, lambda choice: 100 + model.change(choice, 0), price, choices)
        self.assertEqual(found.of, dict(zip(choices, (100, 99, 98, 97, 98))))
        self.assertEqual([found.refine((a,)), asked], [True, []])
        self.assertEqual([found.refine((a, b)), found.refine((a, b))], [True, False])
        self.assertEqual(found.of, dict(zip(choices, (100, 99, 110, 109, 98))))
        self.assertTrue(found.refine((a, b, c)))
        self.assertEqual(asked, [(a, b), (a, c), (b, c)])
        self.assertTrue(found.refine((b, c)))
        self.assertEqual((len(asked), found.of[b, c], found.of[a, b, c]), (3, 98, 109))


class Trying(unittest.TestCase):
    def test_of_designs_that_are_predicted_alike_one_with_a_class_that_none_had_is_next(self):
        a, b, c = ("f", "a"), ("g", "b"), ("h", "c")
        believed = {(a,): 100.0, (a, b): 101.0, (a, c): 101.9, (b, c): 102.1}
        self.assertEqual(next_of(believed, set()), (a,))
        self.assertEqual(next_of(believed, {a}), (a, b))
        self.assertEqual(next_of(believed, {a, b}), (a, c))
        self.assertEqual(next_of(believed, {a, b, c}), (a,))
        self.assertEqual(next_of({(a,): 100.0, (b, c): 102.1}, {a}), (a,), "that is not alike")


class Refused(unittest.TestCase):
    def test_what_is_wrong_with_the_folder_is_not_laid_to_a_design(self):
        def refuse(problem: Exception):
            raise problem

        boots = SimpleNamespace(time=lambda choice: refuse(choice))
        self.assertIsNone(time_of(boots, Unfit("It does not run."), []))
        with self.assertRaises(BadRequest):
            time_of(boots, BadRequest("There is no room."), [])


class OtherKind(unittest.TestCase):
    """Of two classes whose sends give blocks away, beside one whose do not."""

    classes = keeps, gives, gives_too = ("f", "a"), ("f", "b"), ("f", "c")
    story = [Record(0, "send", 1, 0, 0, 1, 0, 8, 1), Record(70, "receive", 1, 1, 1, 0, 0, 8, 1)]

    def traced(self, lives: dict, failing: str = "", every: tuple = classes) -> tuple[dict, TracedRuns, list]:
        said = []

        def trace(choice: Choice) -> Trace:
            if choice == ((failing and ("f", failing)),):
                raise Unfit("It is too long.")
            return Trace(self.story)

        boots = SimpleNamespace(
            gives_away=lambda choice: bool({self.gives, self.gives_too} & set(choice)),
            time=lambda choice: (lives.get(choice[0]), ["digest"]),
            trace=trace,
            traced_prices=lambda choice, longest: flat(100, 40, 20),
            design=lambda choice: choice[0][1],
            screen=SimpleNamespace(say=said.append),
        )
        model = CostModel(flat(100, 40, 20), {one: flat(90, 40, 20) for one in self.classes})
        runs = TracedRuns(model, 600.0, self.story, flat(100, 40, 20))
        known = trace_other_kind(boots, runs, [(one,) for one in every], ["digest"], 8)
        return known, runs, said

    def test_the_first_class_of_the_other_kind_is_traced_and_known(self):
        known, runs, _ = self.traced({self.gives: 900.0, self.gives_too: 800.0})
        self.assertEqual(known, {(self.gives,): Tried("b", 590.0, 900.0)})
        self.assertEqual(runs.other.choice, (self.gives,))
        self.assertEqual(runs.predict((self.gives_too,)), 900.0, "as the other of its kind")

    def test_with_what_fails_or_is_no_candidate_or_cannot_be_traced_the_next_is(self):
        both = {self.gives: 900.0, self.gives_too: 800.0}
        for case in (({self.gives_too: 800.0},), (both, "b"), (both, "", (self.gives_too,))):
            known, _, said = self.traced(*case)
            self.assertEqual(list(known), [(self.gives_too,)])
            self.assertEqual(said, ["b is not traced: It is too long."] if case[1:] == ("b",) else [])
        known, runs, _ = self.traced({})
        self.assertEqual((known, runs.other), ({}, None))

    def test_what_is_known_is_not_tried_again_nor_its_class_new(self):
        a, b, c = ("f", "a"), ("g", "b"), ("h", "c")
        ns = {(): 100.0, (a,): 97.0, (b,): 98.0, (a, b): 99.0, (c,): 99.5}
        boots = SimpleNamespace(time=lambda choice: (ns[choice], []), design=lambda choice: choice)

        def tried(most: int, known: list[Choice]) -> list[Choice]:
            model = CostModel(flat(10), dict.fromkeys((a, b, c), flat(9)))
            found = Predictions(model, ns.__getitem__, lambda pair: None, list(ns))
            return [one.design for one in check(boots, found, [], most, known)]

        self.assertEqual(tried(2, [(), (a,)]), [(b,), (c,)])
        self.assertEqual(tried(1000, [(), (a,)]), [(b,), (c,), (a, b)])
        self.assertEqual(tried(1000, list(ns)), [])


class CrossProduct(unittest.TestCase):
    def test_the_best_of_three_checks_and_the_base_is_beside_the_best_of_all(self):
        def tried(*times: float) -> list[Tried]:
            return [Tried("design", 1.0, time) for time in times]

        for times, sentence in (
            ((100.0, 99.0, 98.0, 97.0, 99.0), "0.0% above the best, within 5%. {} 0.0%."),
            ((104.0, 110.0, 110.0, 110.0, 100.0), "4.0% above the best, within 5%. {} 16.0%."),
            ((106.0, 110.0, 110.0, 110.0, 100.0), "6.0% above the best, not within 5%. {} 24.0%."),
        ):
            beside = "Of what it takes from its first message on, that is"
            self.assertIn(f"All 5 designs of the cross product that run were tried: what CHECK=3 would have"
                          f" chosen is {sentence.format(beside)}", judged(tried(*times), 1, 75))  # fmt: skip
        two_known = judged(tried(104.0, 110.0, 110.0, 110.0, 100.0), 2, 75.0)
        self.assertIn("CHECK=3 would have chosen is 0.0%", two_known)
        self.assertNotIn("first message", judged(tried(106.0, 100.0), 1, 100.0))


def record(ns: float, event: str, process: int, peer: int, message: int = 0, length: int = 8) -> Record:
    return Record(ns, event, 1, process, process, peer, 0, length, message)


def flat(way: float, send: float = 0, receive: float = 0, start: float = 0.0) -> Prices:
    """Alike at all lengths. Without `receive` csend awaits deliveries."""
    curves = [[(0, ns), (1000, ns)] if ns else [] for ns in (send, receive)]
    return Prices([(0, way), (1000, way)], start, *curves)


class Costing(unittest.TestCase):
    def test_what_classes_change_is_added_by_length(self):
        model = CostModel(Prices([(0, 10.0), (100, 20.0)], 5.0))
        for name, more in (("a", 1.0), ("b", -3.0)):
            way = [(0, 10.0 + more), (100, 20.0 + 2 * more)]
            model.changed["f", name] = Prices(way, 5.0 + 7 * more)
        self.assertEqual(at(model.base.way, 50), 15.0)
        self.assertEqual(at(model.base.way, 300), 40.0)
        choice = (("f", "a"), ("f", "b"))
        self.assertEqual(model.counted(1000.0, {0: 2, 100: 1}, choice), 1000 - 14 - 2 * 2 - 4)

    def test_a_way_is_split_into_both_ends_and_the_transit(self):
        base = Prices([(0, 100.0), (10, 160.0)], 0.0, [(0, 40.0), (10, 60.0)], [(0, 20.0), (10, 50.0)])
        found = Costs(base, []).of(10)
        # One end of each message lies between two of a process, and what the sender copies.
        self.assertEqual((found.between, found.copied, found.transit), (30.0, 20.0, 110.0))
        self.assertEqual((found.send, found.receive, found.after_receive()), (60.0, 50.0, 50.0))
        self.assertEqual(found.taken_after_send(Costs(base, []).of(0)), 30.0 + 50.0 - 20.0)
        self.assertIsNone(found.answer)

    def test_classes_change_the_ends_that_they_are_measured_at(self):
        base = flat(100, 40, 20)
        found = Costs(base, [flat(90, 30, 20), flat(120, 40, 44)]).of(500)
        self.assertEqual((found.way, found.send, found.receive), (110.0, 30.0, 44.0))
        self.assertEqual(found.between, 30 - 5 + 12)
        streamless = Costs(base, [flat(90)]).of(500)
        self.assertEqual((streamless.send, streamless.receive, streamless.between), (35.0, 15.0, 25.0))

    def test_a_sender_that_waits_is_told_by_its_stream(self):
        base = flat(100, 40, 20)
        waiting = Costs(base, [flat(104, 115)]).of(0)
        # Of 115 ns from one to the next, 70 pass until the message is there.
        self.assertEqual((waiting.answer, waiting.send), (45.0, 40.0))
        self.assertEqual(waiting.receive, 24.0)
        # The base may be one, which a class makes none.
        waits = flat(104, 115)
        self.assertEqual(Costs(waits, []).of(0).answer, 115.0 - 52)
        self.assertEqual(Costs(waits, [flat(108, 121)]).of(0).answer, 121.0 - 52)
        self.assertIsNone(Costs(waits, [flat(100, 40, 20)]).of(0).answer)
        # Its own part takes 10 less, and the answer's transit 5 less.
        quick = Costs(base, [flat(104, 115), flat(90, 30, 20)]).of(0)
        self.assertEqual(quick.answer, 30.0)

    def test_what_two_classes_change_otherwise_together_is_added(self):
        base, one, other = flat(100, 40, 20, 5), flat(90, 30, 20, 6), flat(120, 40, 44, 9)
        both, third = flat(130, 20, 60, 30), flat(101, 41, 20, 7)
        of = {("f", "a"): one, ("g", "b"): other, ("h", "c"): third}
        pair = (("f", "a"), ("g", "b"))
        model = CostModel(base, of, {pair: both})
        found = model.of_design(pair).of(500)
        self.assertEqual((found.way, found.send, found.receive, found.between), (130.0, 20.0, 60.0, 40.0))
        self.assertEqual((model.start(pair), model.change(pair, 500)), (25.0, 30.0))
        three = (*pair, ("h", "c"))
        found = model.of_design(three).of(500)
        self.assertEqual((found.way, found.send, found.receive), (131.0, 21.0, 60.0))
        self.assertEqual((model.start(three), model.change(three, 500)), (27.0, 31.0))
        self.assertEqual(model.start((*pair[:1], ("h", "c"))), 3.0, "these two have not been measured")

    def test_so_is_how_long_a_sender_waits(self):
        base, waits, quick, slow = flat(100, 40, 20), flat(104, 115), flat(90, 30, 20), flat(120, 40, 44)
        # Beside `quick`, whose message takes 65 ns until it is there.
        for classes in ([waits, quick], [quick, waits]):
            found = Costs(base, classes, [Both(*classes, flat(94, 85))]).of(0)
            self.assertEqual((found.answer, found.send, found.receive), (20.0, 30.0, 24.0))
        # What two others change together changes the answer's way, too.
        alone = Costs(base, [waits, quick, slow]).of(0).answer
        both = Both(quick, slow, flat(113, 31, 44))
        self.assertEqual(Costs(base, [waits, quick, slow], [both]).of(0).answer, alone + 1 + 3 - 0.5)
        self.assertIsNone(Costs(base, [quick, slow], [both]).of(0).answer)

    def test_the_ends_come_from_streams_to_one_and_to_each_other(self):
        def rows(*of: tuple[str, int, float]) -> dict:
            found = [{"name": name, "bytes": length, "median": ns} for name, length, ns in of]
            return {"exit_status": 0, "rows": found}

        both = rows(("to each other, 2", 8, 90.0), ("to one, 1", 8, 50.0), ("to one, 1", 0, 30.0),
                    ("to each other, 2", 0, 40.0))  # fmt: skip
        self.assertEqual(ends_of(both), ([(0, 30.0), (8, 50.0)], [(0, 10.0), (8, 40.0)]))
        self.assertEqual(ends_of(rows(("to one, 1", 0, 30.0))), ([(0, 30.0)], []))
        self.assertEqual(ends_of(None), ([], []))
        self.assertEqual(ends_of({**both, "exit_status": 1}), ([], []))
        self.assertEqual(way_of(rows(("round trip", 8, 50.0), ("round trip", 0, None))), [(8, 25.0)])


class Replays(unittest.TestCase):
    """In the base, whose run is traced, a message takes 70 ns from its being put to its being received, the
    next is put 40 ns after another and 30 ns after a receive, and one that has come is received in 20 ns."""

    base = flat(100, 40, 20)

    def lasts(self, story: list[Record], *changed: Prices) -> float:
        traced = Costs(self.base, [])
        return Replay(story_of(story, traced), Costs(self.base, list(changed))).run()

    def test_what_is_waited_for_comes_earlier_with_a_shorter_way(self):
        story = [
            record(0, "send", 0, 1, 1),
            record(70, "receive", 1, 0, 1),
            record(100, "send", 1, 0, 2),
            record(170, "receive", 0, 1, 2),
            record(175, "ended", 0, 0),
            Record(990, "freed", 0, 0, 0, None, 0, 2, 0),  # the kernel's
        ]
        self.assertEqual(self.lasts(story), 175)
        self.assertEqual(self.lasts(story, flat(80, 40, 20)), 135)

    def test_what_nobody_waits_for_costs_its_receiver_only_what_it_does(self):
        story = [
            record(0, "send", 0, 1, 1),
            record(0, "send", 1, 1, 9),  # to itself
            record(1000, "receive", 1, 0, 1),
        ]
        self.assertEqual(self.lasts(story), 1000)
        self.assertEqual(self.lasts(story, flat(80, 40, 20)), 1000, "nothing is said of its way")
        self.assertEqual(self.lasts(story, flat(100, 40, 25)), 1002.5, "one end of each")

    def test_a_receiver_that_waited_long_is_late_where_its_message_is(self):
        story = [
            record(0, "send", 1, 0, 1),
            record(50, "wait", 1, 0),
            record(500, "send", 0, 1, 1),
            record(570, "receive", 1, 0, 1),
        ]
        self.assertEqual(self.lasts(story), 570)
        self.assertEqual(self.lasts(story, flat(150, 40, 20)), 620)

    def test_what_comes_while_its_receiver_works_is_received_when_that_is_done(self):
        story = [
            record(0, "send", 1, 0, 1),
            record(500, "send", 0, 1, 1),
            record(560, "wait", 1, 0),
            record(570, "receive", 1, 0, 1),
        ]
        self.assertEqual(self.lasts(story), 570)
        self.assertEqual(self.lasts(story, flat(40, 40, 20)), 560)

    def test_a_sender_waits_for_a_receiver_that_works(self):
        story = [
            record(0, "send", 0, 1, 1),
            record(40, "send", 0, 1, 2),
            record(1000, "receive", 1, 0, 1),
            record(1020, "receive", 1, 0, 2),
            record(45, "ended", 0, 0),
        ]
        story.sort(key=lambda one: one.ns)
        self.assertEqual(self.lasts(story), 1020)
        # The second is put 45 ns after the first has come, and takes 70.
        self.assertEqual(self.lasts(story, flat(100, 115)), 1000 + 45 + 70 + 45 + 5 - 40)

    def test_what_comes_before_the_first_message_is_no_part_of_the_replay(self):
        story = [record(500, "send", 0, 1, 1), record(570, "receive", 1, 0, 1)]
        model = CostModel(self.base, {("f", "a"): flat(130, 40, 20)})
        runs = TracedRuns(model, 600.0, story, self.base)
        self.assertEqual((runs.before, runs.predict(()), runs.predict((("f", "a"),))), (530.0, 600.0, 630.0))
        self.assertEqual(TracedRuns(model, 60.0, story, self.base).before, 0.0)

    def test_a_design_is_predicted_by_the_run_of_its_own_kind(self):
        gives, slow = ("f", "a"), ("g", "b")
        model = CostModel(self.base, {gives: flat(90, 40, 20, start=7), slow: flat(130, 40, 20)})
        in_the_base = [record(0, "send", 0, 1, 1), record(70, "receive", 1, 0, 1)]
        runs = TracedRuns(model, 600.0, in_the_base, self.base)
        self.assertEqual(runs.predict((gives,)), 600 - 10 + 7)
        # There it takes a block first and gives back two, and what a message costs while it is traced is told
        # of that design.
        its_own = [record(0, "send", 0, 1, 1), record(60, "receive", 1, 0, 1),
                   record(260, "send", 1, 0, 2), record(320, "receive", 0, 1, 2)]  # fmt: skip
        predicted = runs.add(gives, 900.0, its_own, flat(90, 40, 20), [gives, ("f", "c")])
        self.assertEqual(predicted, 530 + 320 + 7)
        self.assertEqual(runs.predict((gives,)), 900.0)
        self.assertEqual(runs.predict((gives, slow)), 900 + 2 * 30)
        self.assertEqual((runs.predict((slow,)), runs.predict(())), (630.0, 600.0))

    def test_a_wait_that_the_trace_tells_of_is_one_however_late_its_message_is(self):
        story = [
            record(0, "send", 1, 0, 1),
            record(50, "wait", 1, 0),
            record(500, "send", 0, 1, 1),
            record(600, "resume", 1, 0),
            record(620, "receive", 1, 0, 1),
        ]
        self.assertEqual(self.lasts(story), 620)
        self.assertEqual(self.lasts(story, flat(150, 40, 20)), 670, "50 later than it comes now")
        # It waited for something else before, and worked when this one was put.
        story[3] = record(400, "resume", 1, 0)
        story.sort(key=lambda one: one.ns)
        self.assertEqual(self.lasts(story, flat(150, 40, 20)), 620)

    def test_a_broadcast_is_one_call(self):
        def story(gap: float) -> list[Record]:
            found = [record(0, "send", 0, 1, 1), record(gap, "send", 0, 2, 2), record(gap + 5, "ended", 0, 0),
                     record(500, "receive", 1, 0, 1), record(530, "receive", 2, 0, 2)]  # fmt: skip
            return sorted(found, key=lambda one: one.ns)

        waits = flat(100, 115)  # an answer takes 45
        # Of the first message nothing is awaited before the second is put.
        self.assertEqual(self.lasts(story(20), waits), 530 + 45 + 5 - 40)
        # Its further messages cost a part of a send.
        lasting = story(20)[:2] + [record(30, "ended", 0, 0)]
        self.assertEqual((self.lasts(lasting), self.lasts(lasting, flat(100, 60, 20))), (30, 40))
        # These are two calls: the second is put when the first has been received.
        self.assertEqual(self.lasts(story(35), waits), 500 + 45 + 70 + 45 + 5 - 40)

    def test_who_would_wait_for_each_other_has_sent_by_isend(self):
        story = [
            record(0, "send", 0, 1, 1),
            record(1, "send", 1, 0, 2),
            record(70, "receive", 1, 0, 1),
            record(71, "receive", 0, 1, 2),
            record(72, "send", 0, 0, 3),  # to itself
            record(92, "receive", 0, 0, 3),
            record(132, "send", 0, 1, 4),  # nobody receives it
            record(140, "ended", 0, 0),
        ]
        self.assertEqual(self.lasts(story, flat(100, 115)), self.lasts(story))
        self.assertEqual(self.lasts([]), 0.0)


if __name__ == "__main__":
    unittest.main()
