# SPDX-License-Identifier: MIT
"""What follows from the thesis alone, asked of runs made by hand: it holds of what follows, and fails where
it should."""

import os
import sys
import unittest
import unittest.mock
from dataclasses import replace

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "..", "..", "tools")]

from clumps import document, exact  # noqa: E402
from clumps.modelled_runs import Told  # noqa: E402
from parley_study.statements import Verdict  # noqa: E402

PRINTED = document.read()
LOOKS = {
    "no message": [1, 5, 9, 13],
    "near messages": [1, 65, 129, 193, 257],
    "far messages": [1, 5, 9, 13],
    "near, then far messages": [49, 82, 100, 114, 126, 136, 145, 153, 161, 168, 175],
    "as many of both": list(range(1, 42, 4)),
    "ten near messages to a far one": list(range(1, 442, 40)),
}


def of(**figures: float) -> Told:
    return Told({name: (value, 0.01) for name, value in figures.items()}, [], 100)


def wrong(verdicts: list[Verdict]) -> list[str]:
    return [verdict.sentence for verdict in verdicts if not verdict.holds]


class Exact(unittest.TestCase):
    def statements(self, **changes: object) -> list[str]:
        """Those that do not hold, of what the thesis says but for these."""
        alone = replace(of(time=500), bulk=changes.get("bulk", 56))
        divided = replace(of(time=600), bulk=56, remote=changes.get("remote", 0.57))
        polled = replace(of(), looks=LOOKS | changes.get("looks", {}))
        rows = (alone, divided)
        return wrong(exact.statements(polled, rows, changes.get("printed", PRINTED)))

    def fails(self, word: str, **changes: object) -> None:
        found = self.statements(**changes)
        self.assertEqual(len(found), 1, found)
        self.assertIn(word, found[0])

    def test_all_hold_of_what_the_thesis_says(self):
        self.assertEqual(self.statements(), [])

    def test_another_poll_is_found(self):
        self.fails("adaptive polling looks in", looks={"near messages": [1, 65, 129, 192, 257]})
        self.fails("adaptive polling looks in", looks={"near, then far messages": [49, 82, 101]})
        self.fails("adaptive polling looks in", looks={"far messages": []})

    def test_messages_that_do_not_follow_are_found(self):
        self.fails("the blocks that follow", bulk=57)
        self.fails("leaves a multiprocessor", remote=0.5)

    def test_numbers_that_do_not_add_up_are_found(self):
        send = PRINTED.send | {"several protocols": (45, 357)}
        self.fails("the parts of a send", printed=replace(PRINTED, send=send))
        projected = PRINTED.projected | {"Ultra 10": PRINTED.projected["Ultra 10"] | {"cycles": 400}}
        self.fails("a send is projected", printed=replace(PRINTED, projected=projected))

    def test_a_weight_that_is_another_is_found(self):
        with unittest.mock.patch.dict(exact.WEIGHED, {16: 36}):
            self.fails("what a damping weighs")


if __name__ == "__main__":
    unittest.main()
