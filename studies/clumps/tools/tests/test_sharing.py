# SPDX-License-Identifier: MIT
"""The model of shared network interfaces, beside the thesis's statements, a solution of its Markov chain in
fractions, and values that were computed by somebody else."""

import os
import subprocess
import sys
import unittest
import unittest.mock
from fractions import Fraction

import sharing
from clumps import printed
from clumps.sharing import Coupling, Machine, distribution, of_phases, speeds, subsets

TOOL = os.path.join(os.path.dirname(__file__), "..", "sharing.py")


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for place in range(len(rows)):
        pivot = next(index for index in range(place, len(rows)) if rows[index][place] != 0)
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [value / rows[place][place] for value in rows[place]]
        for index, row in enumerate(rows):
            if index != place and row[place] != 0:
                rows[index] = [value - row[place] * own for value, own in zip(row, rows[place])]
    return [row[-1] for row in rows]


def chain(services: list[Fraction], rests: list[Fraction], interfaces: int, efficiency) -> dict:
    """What the chain of section 8.1 comes to, from the rates of its transitions alone."""
    states = [frozenset(chosen) for chosen in subsets(range(len(services)))]
    place = {state: number for number, state in enumerate(states)}
    balance = [[Fraction(0)] * len(states) for _ in states]
    for state in states:
        for number in range(len(services)):
            if number in state:
                rate = interfaces * efficiency(len(state)) / (len(state) * services[number])
            else:
                rate = 1 / rests[number]
            to = state ^ {number}
            balance[place[to]][place[state]] += rate
            balance[place[state]][place[state]] -= rate
    balance[0] = [Fraction(1)] * len(states)
    found = solve(balance, [Fraction(1)] + [Fraction(0)] * (len(states) - 1))
    return {state: found[place[state]] for state in states}


class Chain(unittest.TestCase):
    def test_the_product_form_is_the_chain_s_solution(self):
        services = [Fraction(1), Fraction(3), Fraction(2), Fraction(5)]
        rests = [Fraction(4), Fraction(1), Fraction(7), Fraction(2)]
        for count in (1, 2, 3, 4):
            for interfaces in (1, 2, 3):
                for efficiency in (lambda active: Fraction(1), lambda active: Fraction(3, 2 + active)):
                    with self.subTest(count=count, interfaces=interfaces):
                        own = [s / (s + r) for s, r in zip(services[:count], rests)]
                        expected = chain(services[:count], rests[:count], interfaces, efficiency)
                        self.assertEqual(distribution(own, interfaces, efficiency), expected)

    def test_processors_that_are_alike_are_a_case_of_those_that_are_not(self):
        for processors, interfaces in ((2, 1), (5, 2), (8, 4)):
            for utilization in (0.0, 0.3, 0.75, 1.0):
                alike = Machine(processors, interfaces).independent(utilization)
                for speed in speeds([utilization] * processors, interfaces):
                    self.assertAlmostEqual(1 / speed, alike)

    def test_who_always_communicates_is_in_every_state_and_who_never_does_in_none(self):
        states = distribution([1.0, 0.5, 0.0], 1)
        self.assertEqual(set(states), {frozenset({0}), frozenset({0, 1})})
        self.assertAlmostEqual(sum(states.values()), 1)
        self.assertEqual(speeds([1.0, 0.0], 1), [1.0, 1.0])


class Closed(unittest.TestCase):
    def test_two_processors_and_one_interface(self):
        """1 + U * U: the weights of the states are 1, 2r and 2rr, with r = U / (1 - U)."""
        for tenth in range(11):
            self.assertAlmostEqual(Machine(2, 1).independent(tenth / 10), 1 + (tenth / 10) ** 2)

    def test_tables(self):
        independent = {
            (8, 1): "1.1254 1.6502 2.4051 3.2005 4.0000 4.8000 5.6000 6.4000 7.2000",
            (8, 2): "0.9754 1.0465 1.2700 1.6131 2.0017 2.4002 2.8000 3.2000 3.6000",
            (8, 4): "0.9306 0.8795 0.8646 0.9110 1.0314 1.2053 1.4005 1.6000 1.8000",
            (8, 6): "0.9190 0.8453 0.7850 0.7503 0.7592 0.8251 0.9367 1.0668 1.2000",
            (8, 8): "0.9138 0.8314 0.7557 0.6928 0.6541 0.6567 0.7110 0.8007 0.9000",
            (8, 9): "0.9121 0.8272 0.7474 0.6771 0.6252 0.6074 0.6389 0.7123 0.8000",
        }
        for machine, values in independent.items():
            found = [f"{Machine(*machine).independent(tenth / 10):.4f}" for tenth in range(1, 10)]
            self.assertEqual(found, values.split(), machine)

    def test_many_processors_are_as_good_as_few(self):
        """So many that hardly one of them ever computes: they share the interface evenly, all the time."""
        for processors, utilization in ((400, 0.5), (200, 0.999), (5000, 1e-6)):
            machine = Machine(processors, 1)
            self.assertAlmostEqual(sum(machine.communicating(utilization)), 1)
            expected = max(1.0, processors * utilization)
            self.assertAlmostEqual(machine.independent(utilization) / expected, 1, 2)

    def test_taking_turns(self):
        found = [round(Machine(8, 4).scheduled(tenth / 10), 4) for tenth in (1, 2, 3, 4, 5, 6, 8, 10)]
        self.assertEqual(found, [0.925, 0.85, 0.775, 0.8, 1.0, 1.2, 1.6, 2.0])
        best = Machine(8, 4).best_scheduled()
        self.assertAlmostEqual(Machine(8, 4).scheduled(best), 1 / (1 + 3 / 8))

    def test_all_at_once(self):
        for tenth in range(11):
            for machine in (Machine(8, 4), Machine(2, 1)):
                self.assertAlmostEqual(machine.correlated(tenth / 10), 1 + tenth / 10)

    def test_one_processor_with_two_interfaces(self):
        for tenth in range(11):
            self.assertAlmostEqual(Machine(1, 2).independent(tenth / 10), 1 - tenth / 20)

    def test_turns_are_best_and_all_at_once_is_worst(self):
        for machine in (Machine(2, 1), Machine(8, 4), Machine(8, 6), Machine(16, 4)):
            for tenth in range(11):
                orders = (machine.scheduled, machine.independent, machine.correlated)
                slowdowns = [round(of(tenth / 10), 9) for of in orders]
                self.assertEqual(slowdowns, sorted(slowdowns))

    def test_all_who_communicate_always_share_alike_whatever_the_order(self):
        for machine in (Machine(8, 4), Machine(3, 1), Machine(2, 5)):
            expected = machine.processors / machine.interfaces
            for order in (machine.independent, machine.correlated, machine.scheduled):
                self.assertAlmostEqual(order(1.0), expected)


class Coupled(unittest.TestCase):
    def test_tables(self):
        """V = 0.2 on a machine of two processors and one interface."""
        independent, correlated = Machine(2, 1).independent, Machine(2, 1).correlated
        for crossing, of, values in (
            (0.77, independent, "0.9878 1.0288 1.1295 1.2978"),
            (0.77, correlated, "1.1172 1.2344 1.3516 1.4688"),
            (0.25, independent, "0.8828 0.7732 0.6752 0.5969"),
            (0.25, correlated, "0.9300 0.8600 0.7900 0.7200"),
        ):
            coupling = Coupling(crossing, 0.2)
            found = [f"{coupling.slowdown(tenth / 10, of):.4f}" for tenth in (2, 4, 6, 8)]
            self.assertEqual(found, values.split(), (crossing, of))

    def test_a_program_that_all_crosses_is_as_without_coupling(self):
        machine = Machine(8, 4)
        self.assertAlmostEqual(Coupling(1, 0.2).slowdown(0.4, machine.independent), machine.independent(0.4))

    def test_phases_weigh_by_their_time(self):
        self.assertAlmostEqual(of_phases([(0.0, 3.0), (1.0, 1.0)], Machine(2, 1).independent), 1.25)


class Tool(unittest.TestCase):
    def run_tool(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True)

    def test_the_thesis_s_statements_hold_and_are_told_with_what_was_found(self):
        done = self.run_tool("printed")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertEqual(done.stdout.count("holds: "), 6, done.stdout)
        self.assertIn("0.7273", done.stdout)
        self.assertIn("0.8635", done.stdout)

    def test_a_statement_that_does_not_hold_is_told_and_makes_the_status_1(self):
        """Each of the first five fails on some other machine, the last of another model."""
        thesis = (Machine(8, 4), Machine(8, 6), Machine(1, 2))
        other = printed.statements(Machine(8, 2), Machine(8, 4), thesis[2])
        self.assertEqual([verdict.holds for verdict in other], [False] * 5 + [True])
        near = printed.statements(Machine(10, 5), Machine(8, 5), thesis[2])
        self.assertFalse(any(verdict.holds for verdict in near[:3]), near)
        self.assertFalse(near[4].holds)
        with unittest.mock.patch.object(Machine, "scheduled", Machine.correlated):
            self.assertFalse(printed.of_the_thesis()[0].holds)
            self.assertFalse(printed.of_the_thesis()[5].holds)
            held = unittest.mock.Mock(return_value=None)
            with unittest.mock.patch("builtins.print", held):
                self.assertEqual(sharing.judge(None), 1)
        self.assertIn("DOES NOT HOLD: ", str(held.call_args_list))

    def test_a_machine_s_slowdowns_are_a_table(self):
        done = self.run_tool("slowdowns", "--utilizations", "0.3,0.5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line.split() for line in done.stdout.splitlines()]
        self.assertIn(["0.30", "0.8646", "1.3000", "0.7750", "1.0900"], rows)
        self.assertIn(["0.50", "1.0314", "1.5000", "1.0000", "1.2500"], rows)

    def test_what_cannot_be_divided_evenly_has_no_such_column(self):
        done = self.run_tool("slowdowns", "--processors", "8", "--interfaces", "3", "--utilizations", "0.5")
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("divided", done.stdout.splitlines()[1])

    def test_bad_words_are_refused_in_one_sentence(self):
        for words, sentence in (
            (("slowdowns", "--utilizations", "1.5"), "a utilization lies in 0 to 1; 1.5 does not"),
            (("slowdowns", "--utilizations", "nan"), "a utilization lies in 0 to 1; nan does not"),
            (("slowdowns", "--utilizations", "half"), "utilizations are numbers with commas between them"),
            (("slowdowns", "--processors", "0"), "at least one of its processors, not 0"),
            (("slowdowns", "--crossing", "2"), "part that crosses the network lies in 0 to 1; 2 does not"),
            (("slowdowns", "--local-cost", "0.5"), "say --crossing, too"),
        ):
            with self.subTest(words=words):
                done = self.run_tool(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(sentence, done.stderr)
                self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
