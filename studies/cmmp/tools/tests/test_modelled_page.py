# SPDX-License-Identifier: MIT
"""Where the documentation's tables are not those of a run."""

import dataclasses
import unittest

from cmmp import modelled_harpy, modelled_page, modelled_verdicts
from cmmp_printed import harpy, results, told


class Pages(unittest.TestCase):
    def setUp(self):
        self.results, self.searches = results(), harpy()
        for kind, own in self.results.speedups.items():
            self.results.speedups[kind] = {n: told(2.0) for n in (6, 8, 9)} | own
        judged = modelled_verdicts.judge(self.results) + modelled_harpy.judge(self.searches)
        is_open = [dataclasses.replace(one, holds=False, is_open=True) for one in judged[:2]]
        self.judged = [*is_open, *judged[2:]]

    def found(self, text: str) -> list[str]:
        wanted = modelled_page.tables(self.results, self.searches, self.judged)
        return modelled_page.differences(text, wanted, modelled_page.sentences(self.judged))

    def page(self) -> str:
        made = modelled_page.tables(self.results, self.searches, self.judged)
        rows = {title: [modelled_page.line_of(row) for row in own] for title, own in made.items()}
        still_open = ["| verdict | found |", "| --- | --- |", *rows.pop(modelled_page.OPEN)]
        others = [line for own in rows.values() for line in own]
        said = [one.replace(" and ", "\nand ") for one in modelled_page.sentences(self.judged)]
        return "\n".join([*others, *said, f"## {modelled_page.OPEN}", *still_open, "## Another"])

    def test_a_page_of_the_same_run_has_no_difference(self):
        self.assertEqual(self.found(self.page()), [])

    def test_each_row_that_is_another_is_named(self):
        page = self.page()
        for row, line in enumerate(page.splitlines()):
            if line.startswith("| ") and not line.startswith(("| ---", "| verdict")):
                lines = page.splitlines()
                lines[row] = "| another " + line[2:]
                with self.subTest(line):
                    self.assertTrue(any(line in one for one in self.found("\n".join(lines))))

    def test_what_is_not_judged_is_told_in_the_same_words(self):
        one = modelled_verdicts.unjudged()[0]
        self.assertEqual(
            self.found(self.page().replace(one, "another")), [f"The page does not say: * {one}."]
        )

    def test_a_verdict_that_is_no_longer_open_is_named_and_so_is_the_count(self):
        page = self.page()
        self.judged[0] = dataclasses.replace(self.judged[0], holds=True, is_open=False)
        first, second = self.found(page)
        self.assertIn(f"this run has no | {self.judged[0].said} |", first)
        self.assertRegex(second, r"does not say: 1 of \d+ verdicts are `open`, \d+ hold and \d+ do not")


if __name__ == "__main__":
    unittest.main()
