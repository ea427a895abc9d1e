# SPDX-License-Identifier: MIT
"""The model of shared network interfaces against the document's statements, and against the chain that it
is of."""

import contextlib
import io
import unittest

import sharing
from sharing import correlated, crowd, in_phases, independent, scheduled, states, tightly_coupled

# share: independent(8, 4), correlated, scheduled(8, 4), independent(2, 1)
TABLE = {
    0.1: (0.9306, 1.1, 0.9250, 1.0100),
    0.2: (0.8795, 1.2, 0.8500, 1.0400),
    0.3: (0.8646, 1.3, 0.7750, 1.0900),
    0.4: (0.9110, 1.4, 0.8000, 1.1600),
    0.5: (1.0314, 1.5, 1.0000, 1.2500),
    0.6: (1.2053, 1.6, 1.2000, 1.3600),
    0.8: (1.6000, 1.8, 1.6000, 1.6400),
    1.0: (2.0, 2.0, 2.0, 2.0),
}
# independent(8, interfaces, 0.1 ... 0.9), figure 8.4
EIGHT = {
    1: "1.1254 1.6502 2.4051 3.2005 4.0000 4.8000 5.6000 6.4000 7.2000",
    2: "0.9754 1.0465 1.2700 1.6131 2.0017 2.4002 2.8000 3.2000 3.6000",
    4: "0.9306 0.8795 0.8646 0.9110 1.0314 1.2053 1.4005 1.6000 1.8000",
    6: "0.9190 0.8453 0.7850 0.7503 0.7592 0.8251 0.9367 1.0668 1.2000",
    8: "0.9138 0.8314 0.7557 0.6928 0.6541 0.6567 0.7110 0.8007 0.9000",
    9: "0.9121 0.8272 0.7474 0.6771 0.6252 0.6074 0.6389 0.7123 0.8000",
}
# crossing: tightly coupled (2, 1) at the price 0.2, for the shares 0.2, 0.4, 0.6, 0.8
COUPLED = {
    0.77: ("0.9878 1.0288 1.1295 1.2978", "1.1172 1.2344 1.3516 1.4688"),
    0.25: ("0.8828 0.7732 0.6752 0.5969", "0.9300 0.8600 0.7900 0.7200"),
}


def lowest(model, *node):
    """Where a model has its minimum, and that."""
    return min((model(*node, share / 10000), share / 10000) for share in range(10001))


def crossing_of(low, high, difference):
    """Where a function that rises through 0 between the two does so."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if difference(middle) < 0 else (low, middle)
    return low


def solved(interfaces, shares, efficiency):
    """The probabilities of the chain's states by its rates alone: time runs until they stay as they are. A
    processor computes for a mean time of 1, so it asks at the rate 1."""
    count = len(shares)
    service = [share / (1 - share) for share in shares]
    chances = [1 / 2**count] * 2**count
    step = 0.5 / (count + sum(interfaces * count / time for time in service))
    for _ in range(200000):
        change = [0.0] * len(chances)
        for state, chance in enumerate(chances):
            active = state.bit_count()
            for p in range(count):
                busy = state >> p & 1
                rate = interfaces * efficiency(active) / (active * service[p]) if busy else 1
                change[state] -= rate * chance
                change[state ^ 1 << p] += rate * chance
        chances = [chance + step * flow for chance, flow in zip(chances, change)]
        if max(abs(flow) for flow in change) < 1e-10:
            break
    return chances


class Sharing(unittest.TestCase):
    def test_the_table_of_eight_processors_and_four_interfaces(self):
        for share, (alone, together, in_turns, two) in TABLE.items():
            with self.subTest(share=share):
                self.assertAlmostEqual(independent(8, 4, share), alone, delta=5.1e-5)
                self.assertAlmostEqual(correlated(8, 4, share), together, places=9)
                self.assertAlmostEqual(correlated(2, 1, share), together, places=9)
                self.assertAlmostEqual(scheduled(8, 4, share), in_turns, delta=5.1e-5)
                self.assertAlmostEqual(independent(2, 1, share), two, delta=5.1e-5)

    def test_the_curves_of_figure_8_4(self):
        for interfaces, line in EIGHT.items():
            for tenths, expected in enumerate(line.split(), start=1):
                with self.subTest(interfaces=interfaces, share=tenths / 10):
                    self.assertAlmostEqual(
                        independent(8, interfaces, tenths / 10), float(expected), delta=5.1e-5
                    )

    def test_tight_coupling(self):
        for part, lines in COUPLED.items():
            for model, line in zip((independent, correlated), lines):
                for share, expected in zip((0.2, 0.4, 0.6, 0.8), line.split()):
                    found = tightly_coupled(model, 2, 1, share, part, 0.2)
                    self.assertAlmostEqual(found, float(expected), delta=5.1e-5, msg=f"{part} {share}")
        self.assertEqual(tightly_coupled(correlated, 2, 1, 1, 0, 0), 0)

    def test_what_the_document_says_of_minima_and_crossings(self):
        time, share = lowest(scheduled, 8, 4)
        self.assertAlmostEqual(time, 0.7273, delta=1e-4)
        self.assertAlmostEqual(share, 4 / 11, delta=1e-4)
        self.assertAlmostEqual(scheduled(8, 4, 4 / 11), 1 / (1 + 3 / 8), places=9)
        time, share = lowest(independent, 8, 4)
        self.assertAlmostEqual(time, 0.8635, delta=1e-4)
        self.assertAlmostEqual(share, 0.281, delta=2e-3)
        self.assertAlmostEqual(crossing_of(0.3, 0.9, lambda u: independent(8, 4, u) - 1), 0.4786, delta=1e-4)
        # six interfaces for eight processors, against two for each
        six = crossing_of(0.1, 0.9, lambda u: independent(8, 6, u) - independent(1, 2, u))
        self.assertAlmostEqual(six, 0.49, delta=0.01)
        # a fixed assignment loses about half of what sharing gains
        gain = correlated(8, 4, 0.5) - independent(8, 4, 0.5)
        self.assertAlmostEqual((correlated(8, 4, 0.5) - independent(2, 1, 0.5)) / gain, 0.53, delta=0.01)

    def test_closed_forms(self):
        for tenths in range(11):
            self.assertAlmostEqual(independent(2, 1, tenths / 10), 1 + (tenths / 10) ** 2, places=9)
            self.assertAlmostEqual(independent(1, 2, tenths / 10), 1 - tenths / 20, places=9)

    def test_turns_are_best_and_all_at_once_is_worst(self):
        for processors, interfaces in ((2, 1), (8, 4), (8, 6), (16, 4)):
            for tenths in range(11):
                models = (scheduled, independent, correlated)
                times = [round(model(processors, interfaces, tenths / 10), 9) for model in models]
                self.assertEqual(times, sorted(times))

    def test_the_product_form_is_the_chains_solution(self):
        for interfaces, shares, efficiency in (
            (1, (0.3, 0.6), sharing.full_efficiency),
            (2, (0.2, 0.5, 0.7), sharing.full_efficiency),
            (1.5, (0.4, 0.5, 0.25), lambda active: 1 / (1 + 0.1 * active)),
        ):
            found = states(interfaces, shares, efficiency)
            for state, chance in enumerate(solved(interfaces, shares, efficiency)):
                members = frozenset(p for p in range(len(shares)) if state >> p & 1)
                self.assertAlmostEqual(found[members], chance, delta=1e-6)

    def test_equal_shares_are_a_case_of_the_product_form(self):
        chances = [0.0] * 6
        for members, chance in states(2, [0.35] * 5).items():
            chances[len(members)] += chance
        for found, expected in zip(chances, crowd(5, 2, 0.35)):
            self.assertAlmostEqual(found, expected, places=12)

    def test_phases_are_weighed_by_their_times(self):
        self.assertAlmostEqual(in_phases(correlated, 8, 4, [(0, 3), (1, 1)]), (3 + 2) / 4)

    def test_nodes_that_cannot_be_are_refused(self):
        for node in ((0, 1, 0.5), (1, 0, 0.5), (1, 1, -0.1), (1, 1, 1.1)):
            for model in sharing.MODELS:
                self.assertRaises(ValueError, model, *node)
        self.assertRaises(ValueError, tightly_coupled, independent, 2, 1, 0.5, 1.1, 0)

    def test_the_tool_prints_the_table(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(sharing.main(["--processors", "8", "--interfaces", "4"]), 0)
        self.assertIn("  0.3      0.8646     1.3000    0.7750", out.getvalue())
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as told:
            sharing.main(["--processors", "0"])
        self.assertIn("a node has at least 1 processor", told.getvalue())


if __name__ == "__main__":
    unittest.main()
