# SPDX-License-Identifier: MIT
"""tools/mutate: what its rules plant in a small source, what comes of a mutant that hangs, crashes or lives,
that its ledger survives, and its sentences; and a sample of the project's own mutants."""

import os
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

TOOLS = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
ROOT = os.path.dirname(TOOLS)
MUTATE = os.path.join(TOOLS, "mutate")
sys.path[:0] = [TOOLS, os.path.join(ROOT, "testing")]
from mutate import campaign, ledger, named, planting, proofs, report, rules  # noqa: E402
from mutate import sample, source, told, tree, trials  # noqa: E402
from suites.declarations import needs, seldom  # noqa: E402

BUILD = os.environ.get("PARLEY_BUILD") or os.path.join(ROOT, "build")
SMALL = """// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
struct Lock { void acquire() { held = true; } void release() { held = false; } bool held = false; };
struct LockGuard {
    explicit LockGuard(Lock& lock) : lock_(lock) { lock_.acquire(); }
    ~LockGuard() { lock_.release(); }
    Lock& lock_;
};
struct Gate {
    bool lock() { return held = true; }
    void unlock() { held = false; }
    bool held = false;
};
struct Bell {
    void ring() { rung_.store(2, std::memory_order_release); }
    bool is_rung() const { return rung_.load(std::memory_order_acquire) != 0; }
    std::atomic<int> rung_{0}, rings_{0};
};
inline void assert_that(bool) { }
struct Box {
    Box() { word_.store(0, std::memory_order_release); }
    void tell_all()
    {
        assert_that(full_.load(std::memory_order_relaxed) == 0);
        bell_.ring();
        bell_.rings_.fetch_add(1, std::memory_order_relaxed);
    }
    void note(int value)
    {
        noted_.store(value, std::memory_order_relaxed);
        count_ = value;
        full_.store(value, std::memory_order_relaxed);
        full_.store(count_, std::memory_order_release);
    }
    int put(int value)
    {
        value_ = value; // the word says that it is there
        full_.store(1, std::memory_order_release);
        const int seen = full_.load(std::memory_order_acquire);
        return seen;
    }
    bool draw(int& drawn)
    {
        return word_.compare_exchange_strong(drawn, drawn + 1, std::memory_order_acq_rel,
                                             std::memory_order_relaxed);
    }
    bool both() const
    {
        return full_.load(std::memory_order_acquire) == 1 && word_.load(std::memory_order_acquire) == 0;
    }
    bool guarded()
    {
        LockGuard guard(lock_);
        return lock_.held;
    }
    int asked()
    {
        if (!gate_.lock())
            return -1;
        const int was_held = gate_.held;
        gate_.unlock();
        return was_held;
    }
    int counted(int more)
    {
        if (full_.load(std::memory_order_acquire) == 0)
            return -1;
        count_ += more;
        return count_;
    }
    int looked()
    {
        if (const int wanted = 1; full_.load(std::memory_order_acquire) == wanted)
            return 1;
        return 0;
    }
    Box& also()
    {
        word_.fetch_add(1, std::memory_order_relaxed);
        return *this;
    }
    Box& put_also(int value)
    {
        full_.store(value, std::memory_order_release);
        return also();
    }
    void put_and_ring(int value)
    {
        full_.store(value, std::memory_order_release);
        return bell_.ring();
    }
    int plain(int more)
    {
        more += 1;
        return more;
    }
    Lock lock_;
    Gate gate_;
    Bell bell_;
    std::atomic<int> full_{0}, word_{0}, noted_{0};
    int value_ = 0, count_ = 0;
};
"""
PROGRAM = """#include "messaging/small.hpp"
#include <cstdio>
int main()
{
    Box box;
    int drawn = 0;
    const int seen = box.put(7);
    const bool drew = box.draw(drawn), both = box.both(), guarded = box.guarded();
    std::printf("%d %d %d %d %d %d", seen, box.value_, drew, both, guarded, box.asked());
    std::printf(" %d %d\\n", box.counted(2), box.looked());
    box.put_also(2).put_and_ring(3);
}
"""


@unittest.skipIf(source.cindex is None, "libclang's Python binding is not installed")
class Planting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="parley-mutants-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        os.makedirs(os.path.join(cls.folder, "messaging"))
        cls.write("messaging/small.hpp", SMALL)
        reader = source.Reader(cls.folder, "none", ["messaging/small.hpp"], cls.folder)
        cls.functions = reader.functions()
        cls.mutants = rules.all_mutants(rules.Sources(cls.functions, reader.text))
        cls.names = [one.name for one in cls.mutants]

    @classmethod
    def write(cls, name: str, text: str) -> None:
        with open(os.path.join(cls.folder, name), "w", encoding="latin-1") as file:
            file.write(text)

    def test_each_rule_finds_its_places_by_class_function_and_words(self):
        acquire = "full_.load(std::memory_order_acquire)"
        for name in (
            "Box::put | order weakened | full_.store(1, std::memory_order_release) -> release to relaxed",
            f"Box::put | order weakened | {acquire} -> acquire to relaxed",
            "Box::put | signal left out | full_.store(1, std::memory_order_release) -> left out",
            "Box::put | store left out | value_ = value -> left out",
            "Box::put | swapped | value_ = value // full_.store(1, std::memory_order_release) "
            "-> the second before the first",
            "Box::guarded | lock not taken | LockGuard guard(lock_) -> not taken",
            f"Box::counted | look left out | {acquire} == 0 -> not looked",
            "Box::counted | store left out | count_ += more -> left out",
            f"Box::both | look left out | {acquire} == 1 && word_.load(std::memory_order_acquire) == 0 "
            f"-> without {acquire} == 1",
        ):
            self.assertIn(name, self.names)
        draw = [name for name in self.names if name.startswith("Box::draw")]
        self.assertEqual(
            [name.rsplit("-> ", 1)[1] for name in draw],
            ["a load and a store", "acq_rel to acquire", "acq_rel to release", "acq_rel to relaxed"],
        )

    def test_what_stands_before_a_condition_is_no_part_of_it(self):
        looked = [(one.rule, one.words) for one in self.mutants if one.function.name == "looked"]
        condition = "full_.load(std::memory_order_acquire) == wanted"
        self.assertEqual([it for it in looked if it[0] != "order weakened"], [("look left out", condition)])

    def test_an_answer_that_is_a_reference_or_none_may_be_found_early(self):
        swapped = [one for one in self.mutants if one.rule == "swapped"]
        found = {one.words.split(" // ")[1] for one in swapped if one.function.name.startswith("put_")}
        self.assertEqual(found, {"return also()", "return bell_.ring()"}, "one program has them compiled")

    def test_what_only_the_function_sees_is_no_place(self):
        self.assertEqual([name for name in self.names if name.startswith("Box::plain")], [])

    def test_a_signal_is_what_another_party_waits_for_and_no_other_action(self):
        told = [name for name in self.names if name.startswith("Box::tell_all") and "left out |" in name]
        self.assertEqual(
            told,
            [
                "Box::tell_all | signal left out | bell_.ring() -> left out",
                "Box::tell_all | action left out | bell_.rings_.fetch_add(1, std::memory_order_relaxed) "
                "-> left out",
            ],
        )
        noted = [name for name in self.names if name.startswith("Box::note") and "left out |" in name]
        self.assertEqual(
            [name.split(" | ")[1] for name in noted],
            ["action left out", "store left out", "signal left out", "signal left out"],
            "also a relaxed store, of a word that is read with acquire, is a signal",
        )

    def test_what_a_constructor_writes_nobody_else_sees(self):
        self.assertEqual([name for name in self.names if name.startswith("Box::Box")], [])

    def test_two_stores_that_order_no_memory_may_stand_either_way(self):
        proved = {
            one.words: one.lemma != ""
            for one in self.mutants
            if one.function.name == "note" and one.rule == "swapped"
        }
        relaxed = "store(value, std::memory_order_relaxed)"
        self.assertEqual(
            proved,
            {
                f"noted_.{relaxed} // count_ = value": True,
                f"count_ = value // full_.{relaxed}": True,
                f"full_.{relaxed} // full_.store(count_, std::memory_order_release)": False,
            },
        )

    def test_what_did_not_compile_is_tried_again_when_its_file_is_another(self):
        function = types.SimpleNamespace(file="sched/a.hpp")
        one = types.SimpleNamespace(name="one", rule="swapped", function=function)

        def build(text: str, may_compile: bool) -> set[int]:
            made = object.__new__(tree.Tree)
            made.texts, made.folder, written = {"sched/a.hpp": text}, "", []
            made.write = lambda left: written.append(left)
            made.make = lambda words: (may_compile or not written[-1], "sched/a.hpp:1:1: error: no")
            made.named = lambda left, pattern, said: {number for number, _ in left}
            known = os.path.join(self.folder, "unchosen")
            return made.build([(1, one)], ["program"], known, lambda text: None)

        self.assertEqual(build("a", False), {1})
        self.assertEqual(build("a", True), {1}, "it is not tried again as it was")
        self.assertEqual(build("b", True), set())

    def test_a_tree_keeps_the_plays_that_are_asked_for(self):
        made = object.__new__(tree.Tree)
        made.folder = self.folder
        made.files = ["sched/a.hpp", "sched/a_explored.cpp", "messaging/b_explored.cpp"]
        made.keep_plays(["sched/"])
        self.assertEqual(made.files, ["sched/a.hpp", "sched/a_explored.cpp"])

    def test_a_copy_has_what_the_project_has_and_no_test_that_has_moved(self):
        made = object.__new__(tree.Tree)
        made.folder, made.files = os.path.join(self.folder, "a copy"), ["sched/new/a_test.cpp"]
        made.texts = {"sched/new/a_test.cpp": "new"}
        for name in ("sched/a_test.cpp", "build/kept.o"):
            planting.write_if_new(os.path.join(made.folder, name), "old")
        made.write([])
        here = {os.path.relpath(path, made.folder) for path in self.files_of(made.folder)}
        self.assertEqual(here, {"sched/new/a_test.cpp", "build/kept.o"})

    @staticmethod
    def files_of(top: str) -> list[str]:
        return [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]

    def test_numbers_of_a_file_stay_when_another_changes(self):
        first, other = (types.SimpleNamespace(function=types.SimpleNamespace(file=file)) for file in "ab")
        numbers = [number for number, _ in campaign.numbered([first, other])]
        self.assertEqual([number for number, _ in campaign.numbered([first, first, other])][2], numbers[1])

    def test_names_do_not_change_when_code_is_moved(self):
        self.write("messaging/moved.hpp", SMALL.replace("struct Box", "\n\n// Something new.\nstruct Box"))
        reader = source.Reader(self.folder, "none", ["messaging/moved.hpp"], self.folder)
        moved = rules.all_mutants(rules.Sources(reader.functions(), reader.text))
        self.assertEqual([one.name for one in moved], self.names)

    def test_one_program_has_them_all_and_plants_the_chosen_one(self):
        numbered = list(enumerate(self.mutants, 1))
        text = planting.with_choices(SMALL, numbered)
        self.assertEqual(text.count("\n"), SMALL.count("\n"), "a message would name another line")
        for number, one in numbered:  # also where one mutant's place lies in another's
            self.assertRegex(text, rf"(planted\({number}\)|order\({number},)", one.name)
        tree = os.path.join(self.folder, "tree")
        os.makedirs(os.path.join(tree, "messaging"))
        for name, content in (("messaging/small.hpp", text), ("main.cpp", PROGRAM)):
            planting.write_if_new(os.path.join(tree, name), content)
        program = os.path.join(tree, "program")
        line = ["g++", "-std=c++23", f"-I{tree}", f"-I{ROOT}", os.path.join(tree, "main.cpp"), "-o", program]
        subprocess.run(line, check=True)

        def said(number: int) -> str:
            environment = {**os.environ, "PARLEY_MUTANT": str(number)}
            done = subprocess.run([program], capture_output=True, text=True, check=True, env=environment)
            return done.stdout.strip()

        self.assertEqual(said(0), "1 7 1 0 1 1 2 1")
        expected = {
            "Box::put | store left out": "1 0 1 0 1 1 2 1",
            "Box::put | signal left out": "0 7 1 0 1 1 -1 0",
            "Box::guarded | lock not taken": "1 7 1 0 0 1 2 1",
            "Box::asked | lock not taken": "1 7 1 0 1 0 2 1",
            "Box::counted | store left out": "1 7 1 0 1 1 0 1",
            "Box::looked | look left out": "1 7 1 0 1 1 2 0",
        }
        for start, words in expected.items():
            number = next(number for number, one in numbered if one.name.startswith(start))
            self.assertEqual(said(number), words, start)
        swapped = next(
            number for number, one in numbered if one.rule == "swapped" and "const int seen" in one.words
        )
        self.assertEqual(said(swapped), "0 7 1 0 1 1 2 1", "the look came before the store")

    def test_one_by_itself_reads_as_it_would_be_written(self):
        name = "Box::put | order weakened | full_.store(1"
        one = next(one for one in self.mutants if one.name.startswith(name))
        text = planting.rewritten(SMALL, one.direct)
        wanted = SMALL.replace("1, std::memory_order_release", "1, std::memory_order_relaxed")
        self.assertEqual(text, wanted)

    @seldom
    def test_identical_code_is_a_proof_where_the_place_is_compiled(self):
        self.write(
            "messaging/orders.hpp",
            """// SPDX-License-Identifier: MIT
#include <atomic>
inline std::atomic<int> word;
inline int looks() { return word.load(std::memory_order_acquire); }
inline void stores() { word.store(1, std::memory_order_seq_cst); }
template <class T> int never(T& other) { return other.load(std::memory_order_acquire); }
""",
        )
        reader = source.Reader(self.folder, "none", ["messaging/orders.hpp"], self.folder)
        found = rules.all_mutants(rules.Sources(reader.functions(), reader.text))
        copy = os.path.join(self.folder, "copy")
        tree = types.SimpleNamespace(text=reader.text, root=self.folder, folder=copy)
        found = [one for one in found if one.rule == "order weakened"]
        code = proofs.ObjectCode(tree, "none", found)
        proved = [(one.function.name, one.into, code.is_identical(one)) for one in found]
        self.assertEqual(
            sorted(proved),
            [
                ("looks", "acquire to relaxed", True),
                ("never", "acquire to relaxed", False),
                ("stores", "seq_cst to relaxed", False),
                ("stores", "seq_cst to release", False),
            ],
        )

    def test_a_lemma_names_a_mutant_and_argues(self):
        path = os.path.join(self.folder, "lemmas.toml")

        def read(words: str, lemma: str):
            self.write(
                "lemmas.toml",
                f'[[equivalent]]\nclass = "Box"\nfunction = "guarded"\nrule = "lock not taken"\n'
                f'words = "{words}"\ninto = "not taken"\nlemma = "{lemma}"\n',
            )
            return proofs.lemmas(self.mutants, [path])

        argument = "Nobody else can have the box, since it is made by its only user and never lent."
        self.assertEqual(
            list(read("LockGuard guard(lock_)", argument)),
            ["Box::guarded | lock not taken | LockGuard guard(lock_) -> not taken"],
        )
        with self.assertRaisesRegex(proofs.BadLemma, "there is no mutant .*; its code has changed"):
            read("LockGuard other(lock_)", argument)
        with self.assertRaisesRegex(proofs.BadLemma, "is no argument"):
            read("LockGuard guard(lock_)", "It is.")
        self.write("lemmas.toml", "[[equivalent]]\nclass = 1\n")
        with self.assertRaisesRegex(told.Unusable, "has no class and no function"):
            proofs.lemmas(self.mutants, [path])

    def test_a_named_fault_is_told_whole_once_and_in_source_that_is_there(self):
        file = "messaging/small.hpp"
        fault = {"name": "late", "file": file, "source": "count_ += more", "chosen": "PLANTED"}

        def text_of(fault: dict[str, str]) -> str:
            return "[[named]]\n" + "".join(f"{key} = '{value}'\n" for key, value in fault.items())

        def read(*faults: dict[str, str]):
            self.write("named.toml", "".join(map(text_of, faults)))
            return named.faults([os.path.join(self.folder, "named.toml")])

        made = named.mutants(read(fault), self.functions, lambda file: SMALL)
        self.assertEqual([(one.words, one.function.full_name) for one in made], [("late", "Box::counted")])
        with self.assertRaisesRegex(told.Unusable, "an entry has no source and no chosen"):
            read({"name": "late", "file": file})
        with self.assertRaisesRegex(named.Lost, "there is another fault late"):
            read(fault, fault)
        with self.assertRaisesRegex(named.Lost, "late .*named.toml. is to be written again"):
            named.mutants(read({**fault, "source": "count_ -= more"}), self.functions, lambda file: SMALL)

    def test_a_file_of_faults_that_cannot_be_used_is_refused_in_a_sentence(self):
        fault = "name = 'late'\nfile = 'messaging/small.hpp'\nsource = 'count_ += more'\nchosen = 'PLANTED'\n"
        for text, sentence in (
            ("[[named]\n", "named.toml cannot be read: "),
            (f"[named]\n{fault}", "'named' is not known; every entry begins with \\[\\[named\\]\\]"),
            (f"[[nmaed]]\n{fault}", "'nmaed' is not known"),
            (f"[[named]]\n{fault}why = 'x'\n", "a field that is not known, why"),
            (f"[[named]]\n{fault.replace('count_ += more', '')}", "the fault late needs a source"),
            (f"[[named]]\n{fault.replace('PLANTED', 'other')}", "and PLANTED in what is chosen"),
        ):
            self.write("named.toml", text)
            with self.subTest(text), self.assertRaisesRegex((told.Unusable, named.Lost), sentence):
                named.faults([os.path.join(self.folder, "named.toml")])
        with self.assertRaisesRegex(told.Unusable, "cannot be read"):
            named.faults([os.path.join(self.folder, "not-there.toml")])

    def test_a_change_chooses_the_mutants_of_its_functions(self):
        line = next(at for at, text in enumerate(SMALL.split("\n"), 1) if "count_ += more" in text)
        chosen = sample.choose(self.mutants, [], self.functions, {"messaging/small.hpp": {line}})
        self.assertEqual({one.function.full_name for one in chosen}, {"Box::counted"})
        self.assertEqual(sample.choose(self.mutants, [], self.functions, {"messaging/other.hpp": {line}}), [])

    def test_every_named_fault_is_in_the_sources(self):
        faults = named.faults(planting.called(ROOT, named.FILE))
        files = sorted({fault.file for fault in faults.values()})
        with tempfile.TemporaryDirectory() as folder:
            reader = source.Reader(ROOT, os.path.join(BUILD, "generated"), files, folder)
            found = named.mutants(faults, reader.functions(), reader.text)
        self.assertEqual([one.words for one in found], list(faults))
        self.assertGreater(len(found), 20)


class Trying(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-mutants-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def made(self, body: str, **more) -> trials.Test:
        path = os.path.join(self.folder, "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{body}\n")
        os.chmod(path, 0o755)
        return trials.Test(path, "made", "a test", **more)

    def test_a_test_that_fails_crashes_or_never_ends_has_found_it(self):
        for body, how in (
            ("exit 1", "ended with status 1"),
            ("kill -SEGV $$", "ended with status -11"),
            ("while :; do :; done", "ended with status -(9|24)"),
        ):
            done = trials.run([self.made(body)], self.folder, 1, limit=0.5)
            self.assertTrue(done.failed, body)
            self.assertRegex(done.how, how)

    def test_a_program_without_tests_finds_nothing_and_says_so(self):
        program = self.made('echo "error: a test is there twice" >&2; exit 1').program
        with self.assertRaisesRegex(trials.FailsSound, "made lists no tests: error: a test is there twice"):
            trials.tests_of(program, "made")

    def test_a_test_of_which_nothing_moves_has_found_it_and_one_that_works_has_not(self):
        still, trials.STILL_SECONDS = trials.STILL_SECONDS, 1.5
        self.addCleanup(setattr, trials, "STILL_SECONDS", still)
        done = trials.run([self.made("sleep 1000")], self.folder, 1, limit=5)
        self.assertEqual((done.failed, done.how), (True, "nothing moved any more"))
        done = trials.run([self.made("for i in 1 2 3 4 5 6; do sleep 0.6; done")], self.folder, 1, limit=5)
        self.assertFalse(done.failed, done.how)

    def test_the_number_comes_to_the_program_and_only_tests_that_come_to_the_place_run(self):
        one = self.made('[ "$PARLEY_MUTANT" != 2 ]')
        trial = trials.Trials(self.folder, [], 3, self.folder)
        trial.tests = [one]
        one.reached = bytes((0, 1, 1, 0))
        self.assertEqual(trial.attempt(1, "f", "")[0], ledger.SURVIVED)
        self.assertEqual(trial.attempt(2, "f", "")[:2], (ledger.DIED, "made: a test"))
        self.assertEqual(trial.attempt(3, "f", "")[0], ledger.NOT_REACHED)

    def test_an_order_is_proved_where_the_explorer_lets_it_live_before_threads_are_tried(self):
        thread, explored = self.made("exit 1"), self.made('[ "$PARLEY_MUTANT" != 2 ]')
        thread.program = os.path.join(self.folder, "thread")
        with open(thread.program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 1\n")
        os.chmod(thread.program, 0o755)
        explored.suite = trials.EXPLORER
        trial = trials.Trials(self.folder, [], 3, self.folder)
        trial.tests = [thread, explored]
        thread.reached = explored.reached = bytes((0, 1, 1, 1))
        self.assertEqual(trial.attempt(1, "f", "", lambda: True)[0], ledger.EQUIVALENT)
        self.assertEqual(trial.attempt(2, "f", "", lambda: True)[:2], (ledger.DIED, "explorer: a test"))
        self.assertEqual(trial.attempt(3, "f", "", lambda: False)[:2], (ledger.DIED, "made: a test"))

    def test_an_order_is_proved_before_longer_tests_but_for_one_that_has_found_it(self):
        longer = self.made('[ "$PARLEY_MUTANT" != 1 ]')
        longer.suite, longer.seconds = trials.EXPLORER, trials.BEFORE_A_PROOF_SECONDS + 1
        longer.reached = bytes((0, 1))
        trial = trials.Trials(self.folder, [], 1, self.folder)
        trial.tests = [longer]
        proved = trial.attempt(1, "f", "", lambda: True)
        self.assertEqual(proved[:3], (ledger.EQUIVALENT, ledger.SAME_CODE, ""), "a play is left")
        self.assertEqual(trial.attempt(1, "f", longer.full_name, lambda: True)[0], ledger.DIED)
        self.assertEqual(trial.attempt(1, "f", "", lambda: False)[0], ledger.DIED)
        self.assertEqual(trial.attempt_longer(1, "f")[:2], (ledger.DIED, longer.full_name))
        longer.reached, longer.seconds = bytes((0, 1, 1)), trials.BEFORE_A_PROOF_SECONDS + 1
        self.assertEqual(
            trial.attempt_longer(2, "f")[:3], (ledger.EQUIVALENT, ledger.SAME_CODE, trials.ALL_PLAYS)
        )
        longer.seconds = 0
        self.assertEqual(trial.attempt(2, "f", "", lambda: True)[2], trials.ALL_PLAYS, "none is left")

    def test_what_a_test_takes_is_found_out_once_for_a_program(self):
        test = self.made("echo one >> runs")
        for count in (1, 1, 2):
            if count == 2:
                with open(test.program, "a", encoding="utf-8") as file:
                    file.write("# another program\n")
            trial = trials.Trials(self.folder, [], 3, self.folder)
            self.assertEqual(trial.measure(test), "")
            self.assertEqual(len(test.reached), 4)
            with open(os.path.join(self.folder, "runs"), encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), count)

    def test_a_run_that_is_ended_while_it_measures_loses_one_test_at_most(self):
        first = self.made("echo run >> runs")
        second = trials.Test(first.program, "made", "another test")
        for test in (first, second):
            self.assertEqual(trials.Trials(self.folder, [], 3, self.folder).measure(test), "")
        path = f"{self.folder}.measured"
        self.addCleanup(os.unlink, path)
        os.truncate(path, os.path.getsize(path) - 3)
        for _ in range(2):
            for test in (first, second):
                self.assertEqual(trials.Trials(self.folder, [], 3, self.folder).measure(test), "")
        with open(os.path.join(self.folder, "runs"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 3)

    def test_what_no_program_has_any_more_is_forgotten(self):
        test = self.made("true")
        trial = trials.Trials(self.folder, [], 3, self.folder)
        self.addCleanup(os.unlink, f"{self.folder}.measured")
        trial.measure(test)
        trials.Trials(self.folder, [], 3, self.folder).measured.forget()
        self.assertEqual(trials.Trials(self.folder, [], 3, self.folder).measured.known, {})

    def test_what_leaves_out_other_work_stands_below_the_rate(self):
        def one(rule: str, verdict: str):
            return types.SimpleNamespace(rule=rule), ledger.Entry(rule, verdict, "state")

        results = [
            one("signal left out", ledger.DIED),
            one("store left out", ledger.SURVIVED),
            one("swapped", ledger.DIED),
        ]
        lines = report.table(results).splitlines()
        self.assertEqual([line.split("  ")[0] for line in lines[1:4]], ["signal left out", "swapped", "all"])
        self.assertRegex(lines[3], r"100\.0 %$")
        self.assertEqual(set(lines[4]), {"-"})
        self.assertRegex(lines[5], r"^store left out .* 0\.0 %$")
        self.assertEqual(report.living(report.concurrent(results)), [])

    def test_a_ledger_that_was_cut_off_goes_on(self):
        path = os.path.join(self.folder, "ledger.jsonl")
        first = ledger.Ledger(path)
        first.keep(ledger.Entry("one", ledger.DIED, "state", "made: a test"))
        first.keep(ledger.Entry("two", ledger.SURVIVED, "state"))
        first.file.close()
        with open(path, "a", encoding="utf-8") as file:
            file.write('{"name": "three", "verd')
        second = ledger.Ledger(path)
        self.assertEqual(sorted(second.entries), ["one", "two"])
        self.assertEqual(second.known("one").by, "made: a test")
        self.assertIsNone(second.known("three"))
        self.assertEqual(second.hint("one"), "made: a test")
        second.keep(ledger.Entry("three", ledger.DIED, "state"))
        second.file.close()
        third = ledger.Ledger(path)
        self.addCleanup(third.file.close)
        self.assertEqual(sorted(third.entries), ["one", "three", "two"])

    def test_what_has_died_is_dead_until_its_file_or_its_tests_changes_and_what_lives_until_any_does(self):
        texts = {"messaging/a.hpp": "a", "messaging/b.hpp": "b"}
        texts |= {"messaging/a_test.cpp": 'TEST_CASE("finds "\n    "it") {}', "messaging/b_test.cpp": ""}
        one = types.SimpleNamespace(function=types.SimpleNamespace(file="messaging/a.hpp"))

        def campaign_of() -> campaign.Campaign:
            made = object.__new__(campaign.Campaign)
            made.tree = object.__new__(tree.Tree)
            made.tree.files, made.tree.texts, made.tree.joined_texts = list(texts), dict(texts), {}
            made.state = made.tree.state()
            return made

        def entry(verdict: str, by: str = "") -> ledger.Entry:
            return ledger.Entry("one", verdict, campaign_of().state_of(one, verdict, by), by, "tried")

        known = {
            "died": entry(ledger.DIED, "made: finds it"),
            "died of many": entry(ledger.DIED, "made: one of 3 tests"),
            "proved": entry(ledger.EQUIVALENT),
            "lives": entry(ledger.SURVIVED),
        }
        for file, holding in (
            ("", {*known}),
            ("messaging/a.hpp", set()),
            ("messaging/b.hpp", {"died", "proved"}),
            ("messaging/a_test.cpp", {"proved"}),
            ("messaging/b_test.cpp", {"died", "proved"}),
        ):
            before = dict(texts)
            if file:
                texts[file] += " "
            now = campaign_of()
            left = {name for name, it in known.items() if now.holds(it, one, "tried")}
            self.assertEqual(left, holding, file)
            texts.update(before)
        self.assertFalse(campaign_of().holds(known["lives"], one, "other tests"))
        self.assertFalse(campaign_of().holds(entry(ledger.NOT_BUILT), one, "tried"), "the build says it anew")

    def test_a_rate_is_of_those_that_are_not_proved_equivalent(self):
        row = dict.fromkeys(report.COLUMNS, 0) | {ledger.DIED: 3, ledger.SURVIVED: 1}
        self.assertEqual(report.rate(row | {ledger.LEMMA: 5, ledger.SAME_CODE: 2}), "75.0 %")
        self.assertEqual(report.rate(row | {ledger.NOT_BUILT: 1}), "60.0 %")
        self.assertEqual(report.rate(dict.fromkeys(report.COLUMNS, 0)), "-")

    def test_what_is_proved_by_the_same_code_alone_is_counted_by_itself_and_listed(self):
        def proved(name: str, by: str):
            return types.SimpleNamespace(rule="order weakened", name=name), ledger.Entry(
                name, ledger.EQUIVALENT, "state", by
            )

        results = [proved("one", ledger.LEMMA), proved("two", ledger.SAME_CODE)]
        row = report.counts(results)["order weakened"]
        self.assertEqual((row[ledger.LEMMA], row[ledger.SAME_CODE]), (1, 1))
        self.assertEqual(report.of_the_same_code(results).splitlines()[-1:], ["- two"])


class Words(unittest.TestCase):
    def refused(self, *words: str) -> str:
        line = [sys.executable, "-B", MUTATE, *words]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        return done.stderr.strip()

    def test_bad_words_get_a_sentence(self):
        suite = ("--", "explorer|build/tests/explorer|one.cpp")
        self.assertEqual(
            self.refused("--suites", "exploder", *suite),
            "mutate: there is no host suite 'exploder'; there are: explorer.",
        )
        self.assertEqual(
            self.refused("--suites", "explorer", "--rules", "swaped", *suite),
            "mutate: there is no rule 'swaped'; did you mean 'swapped'?",
        )

    @seldom
    @unittest.skipIf(source.cindex is None, "libclang's Python binding is not installed")
    def test_a_folder_without_mutants_gets_a_sentence(self):
        self.assertEqual(
            self.refused("--build", BUILD, "--files", "userlib/"),
            "mutate: no source with a mutant begins with 'userlib/'.",
        )

    @seldom
    @unittest.skipIf(source.cindex is None, "libclang's Python binding is not installed")
    def test_plays_without_files_get_a_sentence(self):
        self.assertEqual(
            self.refused("--build", BUILD, "--plays", "sched/"),
            "mutate: --plays is for the mutants of --files.",
        )

    def test_a_folder_that_cannot_be_written_gets_a_sentence(self):
        said = self.refused("--build", "/dev/full", "--sample", "1")
        self.assertRegex(said, "mutate: .*; what is known is kept")


@unittest.skipIf(source.cindex is None, "libclang's Python binding is not installed")
class Sample(unittest.TestCase):
    @seldom
    @needs("explorer")
    def test_the_explorer_finds_a_sample_of_the_mutants_that_a_change_concerns(self):
        line = [sys.executable, "-B", MUTATE, "--build", BUILD, "--sample", "10"]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
