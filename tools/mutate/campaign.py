# SPDX-License-Identifier: MIT
"""All mutants, the programs that have them, and what is known of each."""

import concurrent.futures
import hashlib
import os
import random
import threading

from . import named, planting, proofs, report, rules, sample, source
from .ledger import DIED, EQUIVALENT, LEMMA, NOT_BUILT, SAME_CODE, Entry, Ledger
from .tree import Numbered, Tree, concerned
from .trials import ALL_PLAYS, FailsSound, Trials

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
TOLD_EVERY = 50
ORDERS = "order weakened"
# Numbers of one file's mutants begin with a multiple of this, so that a change to one file leaves what is
# built of others as it is.
NUMBERS_OF_A_FILE = 500


def say(text: str) -> None:
    print(text, flush=True)


def numbered(mutants: list[rules.Mutant]) -> Numbered:
    """Numbers begin with 1."""
    files = sorted({one.function.file for one in mutants})
    firsts = {file: at * NUMBERS_OF_A_FILE + 1 for at, file in enumerate(files)}
    found: Numbered = []
    for one in mutants:
        found.append((firsts[one.function.file], one))
        firsts[one.function.file] += 1
    if len({number for number, _ in found}) != len(found):
        raise ValueError(f"a file has more than {NUMBERS_OF_A_FILE} mutants")
    return found


class Campaign:
    def __init__(self, build: str, suites: list[str], longest: float):
        self.suites, self.longest = suites, longest
        self.folder = os.path.join(build, "mutants")
        os.makedirs(self.folder, exist_ok=True)
        self.generated = os.path.join(build, "generated")
        self.tree = Tree(ROOT, os.path.join(self.folder, "tree"))
        self.state = self.tree.state()
        files = concerned(self.tree.files)
        self.functions = source.Reader(ROOT, self.generated, files, self.folder).functions()
        self.by_rule = rules.all_mutants(rules.Sources(self.functions, self.tree.text))
        faults = named.faults(planting.called(ROOT, named.FILE))
        self.by_name = named.mutants(faults, self.functions, self.tree.text)
        told = planting.called(ROOT, proofs.FILE)
        self.lemmas = proofs.lemmas([*self.by_rule, *self.by_name], told)
        self.ledger = Ledger(os.path.join(self.folder, "ledger.jsonl"))
        weakened = [one for one in self.by_rule if one.rule == ORDERS]
        self.code = proofs.ObjectCode(self.tree, self.generated, weakened)
        self.lock = threading.Lock()

    def run(self, wanted: list[str], only: str, files: list[str], plays: list[str]) -> report.Results:
        """`wanted`: rules by their first words, none: all; `only`: words of the mutants' names; `files` and
        `plays`: the beginnings of their paths and of those of the explorer's tests, none: all. With these two
        there is a copy of the sources of its own, which has those mutants and tests alone."""

        def is_wanted(one: rules.Mutant) -> bool:
            return (
                only in one.name
                and (not wanted or any(one.rule.startswith(rule) for rule in wanted))
                and (not files or one.function.file.startswith(tuple(files)))
            )

        results: report.Results = []
        apart = "-".join(path.strip("/").replace("/", "_") for path in (*files, *plays) if plays)
        # The named ones are few.
        for mutants, place in ((self.by_name, "named"), (self.by_rule, "tree")):
            if any(map(is_wanted, mutants)):
                planted = numbered(mutants)
                if plays:
                    planted = [item for item in planted if item[1].function.file.startswith(tuple(files))]
                results += self.try_all(planted, f"{place}-{apart}" if plays else place, is_wanted, plays)
        return results

    def try_all(self, mutants: Numbered, place: str, is_wanted, plays: list[str]) -> report.Results:
        tree = Tree(ROOT, os.path.join(self.folder, place))
        if plays:
            tree.keep_plays(plays)
            tree.write(mutants)
            build = os.path.dirname(self.folder)
            sample.seed(tree, build, {one.function.file for _, one in mutants})
        say(f"{len(mutants)} mutants in {len({one.function.file for _, one in mutants})} files.")
        targets = [f"build/tests/{name}" for name in self.suites]
        lost = tree.build(mutants, targets, os.path.join(self.folder, f"{place}.unchosen"), say)
        programs = [(name, tree.program(name)) for name in self.suites]
        trials = Trials(tree.folder, programs, max(number for number, _ in mutants), self.folder)
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            measured = pool.map(lambda test: trials.measure(test, self.longest), trials.tests)
            for test, why in zip(trials.tests, measured):
                if why:
                    raise FailsSound(f"{test.full_name} fails without a mutant: {why}.")
            trials.measured.forget()
            if self.longest:
                trials.tests = [test for test in trials.tests if test.seconds <= self.longest]
            say(f"{len(trials.tests)} tests take {sum(test.seconds for test in trials.tests):.0f} s.")
            names = "\n".join(sorted(test.full_name for test in trials.tests))
            tried = hashlib.sha256(names.encode()).hexdigest()[:16]
            chosen = [item for item in mutants if is_wanted(item[1])]
            # What a run that is ended has tried is a sample of all, of concurrency faults first.
            random.Random(len(chosen)).shuffle(chosen)
            chosen.sort(key=lambda item: item[1].rule in rules.SEQUENTIAL_NAMES)

            def attempt(item: tuple[int, rules.Mutant]) -> Entry:
                return self.attempt(trials, *item, item[0] in lost, tried)

            def attempt_longer(item: tuple[int, rules.Mutant]) -> Entry:
                return self.attempt_longer(trials, *item)

            results = dict(self.in_turn(pool, attempt, chosen, "tried"))
            if not self.longest and not plays:
                left = [item for item in chosen if self.has_plays_left(results[item[0]])]
                results |= self.in_turn(pool, attempt_longer, left, "orders tried by longer plays")
        return [(one, results[number]) for number, one in chosen]

    @staticmethod
    def in_turn(pool, attempt, items: Numbered, done: str):
        """(number, what came of it) of each, in that order."""
        attempts = [pool.submit(attempt, item) for item in items]
        try:
            for at, (item, future) in enumerate(zip(items, attempts), 1):
                yield item[0], future.result()
                if at % TOLD_EVERY == 0:
                    say(f"{at} of {len(items)} {done}.")
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise

    @staticmethod
    def has_plays_left(entry: Entry) -> bool:
        """What is the same code on this host may be a fault that a play finds which is not tried yet."""
        return entry.by == SAME_CODE and entry.how != ALL_PLAYS

    def attempt(self, trials: Trials, number: int, one: rules.Mutant, is_lost: bool, tried: str) -> Entry:
        lemma = one.lemma or self.lemmas.get(one.name)
        if lemma:
            return Entry(one.name, EQUIVALENT, self.state, LEMMA, lemma)
        known = self.ledger.known(one.name)
        if known is not None and self.holds(known, one, tried):
            return known
        if is_lost:
            entry = Entry(one.name, NOT_BUILT, self.state, how=tried)
        else:
            hint = self.ledger.hint(one.name)
            verdict, by, how, seconds = trials.attempt(
                number, one.function.full_name, hint, self.proof(one) if one.rule == ORDERS else None
            )
            state = self.state_of(one, verdict, by)
            how = how if verdict in (DIED, EQUIVALENT) else tried
            entry = Entry(one.name, verdict, state, by, how, round(seconds, 2))
        return self.keep(entry)

    def attempt_longer(self, trials: Trials, number: int, one: rules.Mutant) -> Entry:
        verdict, by, how, seconds = trials.attempt_longer(number, one.function.full_name)
        state = self.state_of(one, verdict, by)
        return self.keep(Entry(one.name, verdict, state, by, how, round(seconds, 2)))

    def keep(self, entry: Entry) -> Entry:
        with self.lock:
            self.ledger.keep(entry)
        return entry

    def holds(self, known: Entry, one: rules.Mutant, tried: str) -> bool:
        """What was not built may be now: the build says it anew."""
        return known.state == self.state_of(one, known.verdict, known.by) and (
            known.verdict in (DIED, EQUIVALENT) or (known.verdict != NOT_BUILT and known.how == tried)
        )

    def state_of(self, one: rules.Mutant, verdict: str, by: str) -> str:
        """The sources that a verdict is about. Any change may have a test find what has lived; what is proved
        or has died is so until its file changes, or that of the test that found it."""
        if verdict == EQUIVALENT:
            return self.tree.state([one.function.file])
        test = self.tree.file_of_test(by.split(": ", 1)[-1]) if verdict == DIED else ""
        return self.tree.state([one.function.file, test]) if test else self.state

    def sample(self, seconds: float) -> tuple[list[rules.Mutant], report.Results]:
        """Those that were chosen, and what came of those that were tried."""
        by_rule = [one for one in self.by_rule if one.name not in self.lemmas and not one.lemma]
        chosen = sample.choose(by_rule, self.by_name, self.functions, sample.changed_lines(ROOT))
        tree = Tree(ROOT, os.path.join(self.folder, "sample"))
        build = os.path.dirname(self.folder)
        return chosen, sample.run(tree, build, chosen, self.state, seconds, say)

    def proof(self, one: rules.Mutant):
        """Whether the compiler makes the same code of it: then no thread of the host can see it."""
        return lambda: self.code.is_identical(one)
