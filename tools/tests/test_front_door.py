# SPDX-License-Identifier: MIT
"""What make hands to the runner."""

import os
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


class FrontDoor(unittest.TestCase):
    def words(self, *given: str) -> list[str]:
        """The words that `make run` would pass on, one a line."""
        return self.shown("$(run_words)", *given)

    def shown(self, what: str, *given: str) -> list[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        environment.pop("PARLEY_BUILD", None)
        rule = f"show: ; @printf '%s\\n' {what}"
        line = ["make", "--silent", "--eval", rule, "show", *given]
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True, env=environment)
        return done.stdout.split("\n")[:-1]

    def test_a_misspelt_word_reaches_the_runner_which_refuses_it(self):
        self.assertIn("DESING=exp1", self.words("DESING=exp1"))

    def test_the_runner_is_told_where_make_builds(self):
        other = os.path.join(ROOT, "build", "other")
        self.assertEqual(self.shown('"$$PARLEY_BUILD"', "BUILD=build/other"), [other])
        self.assertEqual(self.shown('"$$PARLEY_BUILD"'), [""])

    def test_words_inside_a_value_are_no_words_of_their_own(self):
        given = "ARGS=--sizes 0 FOO=bar"
        self.assertEqual(self.words(given, "WERROR=1"), [given])


if __name__ == "__main__":
    unittest.main()
