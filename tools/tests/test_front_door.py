# SPDX-License-Identifier: MIT
"""What make hands to the runner."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))

from parley_runner import completion, key_help, keys  # noqa: E402

# Words of make's own commands, besides those of a run.
OTHERS = """A B BASE BYTES CHECK DESTDIR FACTORS FILE FULL JSON LEAVES MINUTES ONLY OUT RECORD
    ROUNDS SEED STUDY prefix""".split()


class FrontDoor(unittest.TestCase):
    def words(self, *given: str) -> list[str]:
        """The words that `make run` would pass on, one a line."""
        return self.shown("$(run_words)", *given)

    def shown(self, what: str, *given: str, **exported: str) -> list[str]:
        rule = f"show: ; @printf '%s\\n' {what}"
        done = self.make("--silent", "--eval", rule, "show", *given, **exported)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split("\n")[:-1]

    def make(self, *words: str, **exported: str) -> subprocess.CompletedProcess:
        others = ("PARLEY_BUILD", "LEAVES")
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("MAKE") and name not in others
        } | exported
        line = ["make", *words]
        return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)

    def test_a_misspelt_word_reaches_the_runner_which_refuses_it(self):
        self.assertIn("DESING=exp1", self.words("DESING=exp1"))

    def test_the_runner_is_told_where_make_builds(self):
        other = os.path.join(ROOT, "build", "other")
        self.assertEqual(self.shown('"$$PARLEY_BUILD"', "BUILD=build/other"), [other])
        self.assertEqual(self.shown('"$$PARLEY_BUILD"'), [""])

    def test_classes_from_outside_have_a_build_of_their_own(self):
        leaves, apart = "LEAVES=testing/own_leaves", "build/leaves/testing-own_leaves"
        self.assertEqual(self.shown("$(BUILD)", leaves), [apart])
        self.assertEqual(self.shown('"$$PARLEY_BUILD"', leaves), [os.path.join(ROOT, apart)])
        self.assertEqual(self.shown("$(BUILD)", leaves, "BUILD=build/mine"), ["build/mine"])
        done = self.make(leaves, "build/tests/leaves")
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"that program is {apart}/tests/leaves.", done.stderr)
        asked = self.make("--dry-run", leaves, f"{apart}/tests/asan/leaves")
        self.assertEqual((asked.returncode, asked.stderr), (0, ""))

    def test_headers_are_compiled_anew_for_another_compiler(self):
        """What a compiler has made of them is refused by any other, and by another version of itself."""
        with tempfile.TemporaryDirectory() as build:
            kinds = ("objects", "lib/objects", "tests/asan/objects")
            made = [f"{build}/{kind}/first/standard_headers.hpp.gch" for kind in kinds]
            made.append(f"{build}/tests/objects/first/testing/catch.hpp.gch")
            words = [f"BUILD={build}", *made]
            self.assertEqual(self.make(f"{build}/compiled_by", words[0]).returncode, 0)
            for path in made:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                open(path, "wb").close()
            for again in ([], ["WERROR=1"]):
                done = self.make("--dry-run", *words, *again)
                self.assertEqual((done.returncode, done.stdout.count("up to date")), (0, 4), done.stdout)
            done = self.make("--dry-run", *words, "CXX=g++ -D_GLIBCXX_ASSERTIONS")
            self.assertEqual(done.stdout.count("-x c++-header"), 4, done.stdout + done.stderr)
            with open(f"{build}/compiled_by", "w", encoding="utf-8") as file:
                file.write("g++ g++ (Debian 1.2.3) 1.2.3")
            done = self.make("--dry-run", *words)
            self.assertEqual(done.stdout.count("-x c++-header"), 4, done.stdout + done.stderr)

    def test_neither_build_undoes_the_other(self):
        """What a build with such classes writes outside its folder is no list of classes, and sees none."""
        done = self.make("--dry-run", "LEAVES=testing/own_leaves", "run-system")
        self.assertIn("-o build/leaves/testing-own_leaves/kernel.elf", done.stdout)
        for name in re.findall(r"(?:list_leaves\.py \w+|-o) (build/(?!leaves/)\S+)", done.stdout):
            self.assertRegex(name, r"^build/(lib/)?objects/")
            self.assertNotRegex(name, r"composition|design/(design|traits|semaphores)|system_bytes|_kind\b")

    def test_a_study_refuses_words_that_it_does_not_take(self):
        for words, sentence in (
            ("STUDY=papper", "there is no STUDY=papper; there are cedar clumps cmmp paper,"),
            ("STUDY=paper cmmp", "there is no STUDY=paper cmmp;"),
            ("CLOCK=modeled", "CLOCK is modelled, or left out;"),
            ("FULL=1", "FULL=1 goes with CLOCK=modelled."),
            ("STUDY=clumps FULL=1", "FULL=1 goes with either, and DISPATCH=static"),
            ("STUDY=clumps DISPATCH=static", "CLOCK is modelled or native, or left out;"),
            ("STUDY=clumps CLOCK=native DISPATCH=static", "CLOCK is modelled or native, or left out;"),
            ("STUDY=clumps CLOCK=free", "CLOCK is modelled or native, or left out;"),
            ("CLCOK=modelled", "STUDY=paper takes no CLCOK; it takes"),
            ("STUDY=cmmp NODES=2", "STUDY=cmmp takes no NODES; it takes"),
            ("STUDY=cmmp CLOCK=counted", "CLOCK is modelled, or left out"),
        ):
            given = [words] if words == "STUDY=paper cmmp" else words.split()
            # A dry run shows what would be done, and does nothing if it is not refused.
            done = self.make("--dry-run", "paper", *given)
            with self.subTest(words):
                self.assertRegex(done.stdout, f'^echo "make paper: .*{re.escape(sentence)}')
                self.assertNotIn("tools/install.sh", done.stdout)

    def test_words_inside_a_value_are_no_words_of_their_own(self):
        given = "ARGS=--sizes 0 FOO=bar"
        self.assertEqual(self.words(given, "WERROR=1"), [given])

    def test_make_knows_every_key_that_the_runner_knows(self):
        known = self.shown("$(RUN_KEYS)")
        self.assertEqual(known, [name.upper() for name in keys.KEYS if name != "name"])

    def test_a_key_in_the_environment_counts_but_for_a_name_that_others_set(self):
        exported = {"SEMAPHORE": "spin", "BANKS": "585x16", "NAME": "this-host"}
        self.assertEqual(self.shown("$(run_words)", **exported), ["SEMAPHORE=spin", "BANKS=585x16"])

    def test_make_alone_explains_every_word(self):
        done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in keys.KEYS:
            self.assertRegex(done.stdout, rf"(?m)^  {name.upper()} +\S")
        build_words = self.shown("$(BUILD_WORDS)")
        self.assertIn("WERROR", build_words)
        for word in (*OTHERS, *build_words):
            self.assertRegex(done.stdout, rf"\b{word}=", word)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 112, line)

    def test_the_list_tells_meaning_values_and_default(self):
        said = " ".join(" ".join(key_help.lines()).split())
        for key in keys.KEYS.values():
            self.assertIn(f"{key.name.upper()} {key.meaning}", said)
        for line in (
            "NODES how many nodes the job has (1 to 1024) [2]",
            "DISPATCH calls inside the message system (virtual, static) [virtual]",
        ):
            self.assertIn(line, said)

    def test_the_table_of_the_docs_is_that_of_the_keys(self):
        with open(os.path.join(ROOT, "docs", "running.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(key_help.markdown(), text, "put what `tools/parley keys --markdown` prints into it")

    def test_completion_offers_every_key(self):
        offered = completion.answers(("run",), ["run", ""])
        self.assertEqual(offered, sorted(f"{name.upper()}=" for name in keys.KEYS))

    def test_a_word_that_no_list_tells_is_used_by_no_recipe(self):
        """Words that makefiles ask for, as $(if $(MINUTES), ...)."""
        with open(os.path.join(ROOT, "tools", "tools.mk"), encoding="utf-8") as file:
            asked = set(re.findall(r"\$\(if \$\(([A-Z_]+)\)", file.read()))
        known = {name.upper() for name in keys.KEYS} | set(OTHERS)
        self.assertLessEqual(asked, known)


if __name__ == "__main__":
    unittest.main()
