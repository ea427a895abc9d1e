# SPDX-License-Identifier: MIT
"""Every check of `make check` finds what it is for: an offence is planted in a small project, and is seen."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LICENCE = "// SPDX-License-Identifier: MIT\n"
CLEAN = LICENCE + "// A number.\n#pragma once\n\ninline int number() { return 1; }\n"
PAGE = "# A page\n"
PYTHON = "# SPDX-License-Identifier: MIT\n"
GATE = '{"gates": [{"name": "none", "object": "o.o", "functions": "%s", "indirect_calls": 0}]}'
ASSERTING = "inline void f(int i) { assert_that([&] { return i == 1; }); }\n"


class Checks(unittest.TestCase):
    def setUp(self):
        """A project of one header, with the checks and what they read."""
        self.folder = tempfile.mkdtemp(prefix="parley-checks-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        shutil.copytree(os.path.join(ROOT, "tools", "checks"), os.path.join(self.folder, "tools", "checks"))
        os.mkdir(os.path.join(self.folder, "tools", "parley_runner"))
        os.mkdir(os.path.join(self.folder, "docs"))
        for name in (
            ".clang-format",
            "base/hosted_headers.hpp",
            "base/standard_headers.hpp",
            "docs/adding-a-subclass.md",
            "tools/list_leaves.py",
            "tools/parley_runner/ending.py",
            "tools/parley_runner/standard_files.py",
        ):
            os.makedirs(os.path.dirname(os.path.join(self.folder, name)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, name), os.path.join(self.folder, name))
        self.write("Makefile", PYTHON)
        self.write("base/number.hpp", CLEAN)
        subprocess.run(["git", "init", "--quiet", self.folder], check=True)

    def write(self, name: str, content: str) -> None:
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)

    def check(self, name: str) -> subprocess.CompletedProcess:
        line = [sys.executable, "-B", os.path.join(self.folder, "tools/checks/check_all.py"), "build", name]
        return subprocess.run(line, capture_output=True, text=True, check=False, cwd=self.folder)

    def finds(self, check: str, sentence: str, name: str, content: str) -> None:
        """The check passes, and fails with the sentence once the file is there."""
        before = self.check(check)
        self.assertEqual(before.returncode, 0, before.stdout + before.stderr)
        self.write(name, content)
        after = self.check(check)
        self.assertEqual(after.returncode, 1, after.stdout + after.stderr)
        self.assertIn(sentence, after.stdout)
        self.assertIn("0 passed, 1 failed", after.stdout)

    def include(self, name: str) -> str:
        return f'{LICENCE}// An include.\n#pragma once\n\n#include "{name}"\n'

    def asks(self, sentence: str, line: str, name: str = "messaging/asking.hpp") -> None:
        leaf = "class CarryingPort final : public Port {};\n"
        self.write("messaging/port/carrying.hpp", f"{LICENCE}// A port.\n#pragma once\n\n{leaf}")
        self.finds("leaves", sentence, name, f"{LICENCE}// A question.\n#pragma once\n\n{line}\n")

    def test_a_link_that_leads_nowhere(self):
        self.write("docs/adding-a-subclass.md", PAGE)
        self.write("docs/page.md", PAGE + "[A part](#a-page), [`it`](page.md#a-page), [all](../docs)\n")
        sentence = "docs/other.md: links to number.hpp, and there is no docs/number.hpp"
        self.finds("links", sentence, "docs/other.md", "[A number](number.hpp)\n")
        self.write("docs/other.md", "[No part](page.md#another)\n")
        self.assertIn("docs/page.md has no such heading", self.check("links").stdout)

    def test_the_core_names_no_leaf(self):
        self.asks("messaging/asking.hpp:5: names a leaf", "inline void put(CarryingPort&) {}")

    def test_the_core_knows_no_leaf_by_what_a_design_calls_it(self):
        self.asks("names a leaf", 'inline bool carries(const char* name) { return is(name, "carrying"); }')

    def test_the_core_includes_no_leaf(self):
        self.asks("includes a leaf", '#include "messaging/port/carrying.hpp"')

    def test_the_core_asks_no_type_what_it_states(self):
        self.asks("asks what a type states", "template <class S> bool f() { return requires { S::spins; }; }")

    def test_the_core_asks_for_no_constant_of_a_leaf(self):
        self.asks("asks for marks_waiters", "template <class S> bool f() { return S::marks_waiters; }")

    def test_the_core_does_not_branch_by_the_type_of_a_factor(self):
        self.asks(
            "branches by a factor's type",
            "template <class F> void f() { if constexpr (F::Port::is_fast) { } }",
        )

    def test_the_core_asks_for_no_constant_of_a_factors_type(self):
        question = "asks for a constant of a factor's type"
        for line in (
            "template <class P> bool f() { return P::is_fast; }",
            "template <class P> struct Mailbox { static constexpr bool is_fast = P::is_fast; };",
            "template <class F> bool f(F& self) { return decltype(self.mailbox)::is_fast; }",
        ):
            with self.subTest(line):
                self.asks(question, line)
                os.remove(os.path.join(self.folder, "messaging/asking.hpp"))
        line = "template <class S> bool f() { return S::sleeps; }"
        self.asks(question, line, "sched/synchronization/lock.hpp")

    def test_the_core_does_not_ask_what_the_type_of_a_factor_is(self):
        line = "template <class P> bool f() { return std::is_final_v<P>; }"
        self.asks("asks what a factor's type is", line)

    def test_the_core_asks_no_leaf_by_a_function_what_it_is(self):
        port = "class Port {\npublic:\n    virtual bool is_fast() const = 0;\n};\n"
        self.write("messaging/port.hpp", f"{LICENCE}// A port.\n#pragma once\n\n{port}")
        self.asks("asks a leaf for is_fast()", "inline bool f(Port& port) { return port.is_fast(); }")

    def test_what_is_bound_once_is_asked_where_it_is_bound(self):
        port = (
            "class Port {\npublic:\n    virtual bool shows_draws() const = 0;\n};\n\n"
            "inline bool bound(const Port& port) { return port.shows_draws(); }\n"
        )
        self.write("messaging/port.hpp", f"{LICENCE}// A port.\n#pragma once\n\n{port}")
        self.asks("asks a leaf for shows_draws()", "inline bool f(Port& port) { return port.shows_draws(); }")

    def test_the_core_asks_for_no_capability(self):
        self.asks("asks for capabilities", "inline bool lends(int bits) { return bits & NX_LENT; }")

    def test_what_composes_a_system_may_see_its_leaves(self):
        line = '#include "messaging/port/carrying.hpp"\n'
        self.asks("names a leaf", "inline CarryingPort* port;")
        os.remove(os.path.join(self.folder, "messaging/asking.hpp"))
        self.write("messaging/assembly.hpp", f"{LICENCE}// Composes.\n#pragma once\n\n{line}")
        self.assertIn("(0 in the 0 files of the core)", self.check("leaves").stdout)

    def test_layers_find_an_include_that_points_upwards(self):
        self.write("messaging/port.hpp", CLEAN)
        text = self.include("messaging/port.hpp")
        self.finds("layers", 'may not include "messaging/port.hpp"', "base/up.hpp", text)

    def test_layers_say_on_which_floors_such_an_include_lies(self):
        self.write("messaging/port.hpp", CLEAN)
        sentence = "which does not lie below it: messaging/ is on floor 4, sched/ on 3"
        self.finds("layers", sentence, "sched/up.hpp", self.include("messaging/port.hpp"))

    def test_layers_find_an_include_between_two_folders_of_one_floor(self):
        self.write("kernel/user_copy.hpp", CLEAN)
        sentence = "which does not lie below it: kernel/ is on floor 6, userlib/ on 6"
        self.finds("layers", sentence, "userlib/aside.hpp", self.include("kernel/user_copy.hpp"))

    def test_layers_let_a_test_look_up(self):
        self.write("messaging/port.hpp", CLEAN)
        self.write("sched/up_test.cpp", f'{LICENCE}#include "messaging/port.hpp"\n')
        done = self.check("layers")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_layers_find_a_folder_on_no_floor(self):
        self.finds("layers", "attic/: is on no floor", "attic/number.hpp", CLEAN)

    def test_layers_find_an_include_of_a_study_from_outside(self):
        self.write("studies/one/apps/x/x.h", CLEAN.replace("inline ", ""))
        self.finds("layers", "may not include", "apps/y/y.h", self.include("studies/one/apps/x/x.h"))

    def test_the_house_is_drawn_as_it_is(self):
        line = [sys.executable, "-B", os.path.join(ROOT, "tools", "checks", "layers.py")]
        drawn = subprocess.run(line, capture_output=True, text=True, check=True).stdout
        with open(os.path.join(ROOT, "docs", "design.md"), encoding="utf-8") as file:
            self.assertIn(drawn, file.read(), "put what tools/checks/layers.py prints into it")

    def test_the_goals_of_the_house_are_what_the_checks_count(self):
        line = [sys.executable, "-B", os.path.join(ROOT, "tools", "checks", "check_all.py"), "build"]
        said = subprocess.run(
            [*line, "leaves", "leaf-folders", "layers"], capture_output=True, text=True, check=False
        ).stdout
        with open(os.path.join(ROOT, "docs", "design.md"), encoding="utf-8") as file:
            page = file.read()
        for tool, counted in (
            ("leaves", r"\((\d+) in the \d+ files of the core\)"),
            ("leaf_folders", r"folders, (\d+) files outside"),
            ("layers", r"arrows between folders, (\d+) of them up"),
        ):
            with self.subTest(tool):
                row = re.search(rf"^\| .*\(`tools/checks/{tool}\.py`\) \|.*\| (\d+) \|$", page, re.M)
                self.assertEqual(row[1], re.search(counted, said)[1], said)

    def uses_a_leaf(self, name: str, content: str) -> None:
        """A folder of a leaf has a port, and the file needs it."""
        leaf = "class CarryingPort final : public Port {};\n"
        path = "messaging/port/carrying/carrying.hpp"
        self.write(path, f"{LICENCE}// A port.\n#pragma once\n\n{leaf}")
        self.finds("leaf-folders", f"{name}:", name, content)

    def test_nobody_includes_a_file_of_a_leafs_folder(self):
        self.uses_a_leaf("kernel/uses.hpp", self.include("messaging/port/carrying/carrying.hpp"))

    def test_nobody_includes_one_from_where_it_lies_itself(self):
        self.uses_a_leaf("messaging/port/uses.hpp", self.include("carrying/carrying.hpp"))

    def test_nobody_includes_one_by_way_of_a_folder_above(self):
        self.uses_a_leaf("messaging/transport/uses.hpp", self.include("../port/carrying/carrying.hpp"))

    def test_nobody_names_a_class_of_a_leafs_folder(self):
        self.uses_a_leaf("sched/uses_test.cpp", LICENCE + "static CarryingPort* port;\n")

    def test_no_line_of_the_build_has_the_path_of_a_leafs_folder(self):
        self.uses_a_leaf("Makefile", PYTHON + "SOURCES := messaging/port/carrying/carrying.cpp\n")

    def test_a_design_may_say_the_word_of_a_leaf_with_a_folder(self):
        leaf = "class CarryingPort final : public Port {};\n"
        path = "messaging/port/carrying/carrying.hpp"
        self.write(path, f"{LICENCE}// A port.\n#pragma once\n\n{leaf}")
        self.write("native/nxrun/design.hpp", CLEAN + 'inline auto port = "port=carrying"; // CarryingPort\n')
        self.assertIn("(1 folders, 0 files outside; 0 bring", self.check("leaf-folders").stdout)

    def asserts(self, condition: str) -> None:
        content = CLEAN + f"inline void f(int i) {{ assert_that([&] {{ return {condition}; }}); }}\n"
        self.write("sched/f.hpp", content)
        self.trips(f"sched/f.hpp: {condition}")

    def trips(self, wanted: str) -> None:
        check = f'CHECK(testing::tripped_by([] {{ f(2); }}) == "{wanted}");'
        self.write("sched/f_test.cpp", LICENCE + f'TEST_CASE("it is one")\n{{\n    {check}\n}}\n')

    def lists(self, condition: str, case: str) -> None:
        values = {"file": "sched/f.hpp", "condition": condition, "test": "sched/f_test.cpp", "case": case}
        entry = "".join(f'{key} = "{value}"\n' for key, value in values.items())
        self.write("testing/assertions.toml", PYTHON + "[[assertion]]\n" + entry)

    def test_each_assertion_is_listed_with_a_test_that_trips_it(self):
        self.asserts("i == 1")
        self.lists("i == 1", "it is one")
        self.assertIn("assertions: ok", self.check("assertions").stdout)
        self.lists("i == 1", "it is two")
        self.assertIn('has no test "it is two"', self.check("assertions").stdout)
        self.lists("i == 2", "it is one")
        said = self.check("assertions").stdout
        self.assertIn("does not say which test trips `i == 1`", said)
        self.assertIn("does not assert `i == 2`", said)

    def test_a_test_trips_the_assertion_that_it_is_listed_with_and_no_other(self):
        self.asserts("i == 1")
        self.lists("i == 1", "it is one")
        for other in ("sched/f.hpp: i == 2", "sched/g.hpp: i == 1"):
            self.trips(other)
            said = self.check("assertions").stdout
            self.assertIn('does not compare what it trips with "sched/f.hpp: i == 1"', said)

    def test_what_a_test_does_not_compare_is_not_tripped(self):
        wanted = "sched/f.hpp: i == 1"
        says = f'does not compare what it trips with "{wanted}"'
        tripped = "testing::tripped_by([] { f(2); })"
        self.asserts("i == 1")
        self.lists("i == 1", "it is one")
        for line in (f'// CHECK({tripped} == "{wanted}");', f'CHECK({tripped} != "{wanted}");'):
            self.write("sched/f_test.cpp", LICENCE + f'TEST_CASE("it is one")\n{{\n    f(); // tripped_by\n'
                       f"    (void){tripped};\n    {line}\n}}\n")
            self.assertIn(says, self.check("assertions").stdout)
        self.write("sched/f_test.cpp", LICENCE + f'TEST_CASE("it is one")\n{{\n    const char* const named = '
                   f'c ? "{wanted}" : "";\n    CHECK({tripped} == named);\n}}\n')
        self.assertIn("assertions: ok", self.check("assertions").stdout)

    def test_equal_assertions_are_each_tripped(self):
        self.write("sched/f.hpp", LICENCE + 2 * ASSERTING)
        self.lists("i == 1", "it is one")
        with open(os.path.join(self.folder, "testing/assertions.toml"), encoding="utf-8") as file:
            listed = file.read()
        self.write("testing/assertions.toml", listed + listed.removeprefix(PYTHON))
        self.trips("sched/f.hpp: i == 1")
        self.assertIn("2 times, as often as it is listed", self.check("assertions").stdout)

    def test_wrong_words_are_refused_and_checked_by_nobody(self):
        for words, sentence in (
            (("build", "asertions"), "there is no check 'asertions'; there are layers, leaves,"),
            (("assertions", "style"), "the build's folder comes first: check_all.py build assertions"),
        ):
            line = [sys.executable, "-B", os.path.join(ROOT, "tools", "checks", "check_all.py"), *words]
            done = subprocess.run(line, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(sentence, done.stderr)

    def test_an_assertion_that_no_test_trips_has_a_reason_in_words(self):
        self.asserts("i == 1")
        listed = PYTHON + '[[assertion]]\nfile = "sched/f.hpp"\ncondition = "i == 1"\nreason = '
        self.write("testing/assertions.toml", listed + '"the caller is another program"\n')
        self.assertIn("assertions: ok", self.check("assertions").stdout)
        for empty in ('""', '" - "'):
            self.write("testing/assertions.toml", listed + empty + "\n")
            said = self.check("assertions").stdout
            self.assertIn("the reason why no test trips `i == 1` is empty", said)

    def test_layers_find_an_include_of_nothing(self):
        self.finds("layers", "which does not exist", "base/a.hpp", self.include("base/no.hpp"))

    def test_layers_find_a_circle(self):
        self.write("base/one.hpp", CLEAN)
        self.write("base/two.hpp", self.include("base/one.hpp"))
        self.finds("layers", "includes itself:", "base/one.hpp", self.include("base/two.hpp"))

    def test_layers_find_a_conditional_in_generic_code(self):
        text = CLEAN + "\n#if 1\n#endif\n"
        self.finds("layers", "has a conditional in generic code: #if 1", "base/a.hpp", text)

    def test_style_finds_a_file_without_its_licence(self):
        self.finds("style", "does not start with the SPDX line", "kernel/a.hpp", "// A contract.\n" * 2)

    def test_style_finds_a_header_without_a_contract(self):
        self.finds("style", "has no contract comment", "kernel/a.hpp", LICENCE + "#pragma once\n")

    def test_style_finds_a_long_line_blanks_a_tab_and_a_word_that_must_not_stay(self):
        long_line, word, path = "// " + "x" * 110, "TO" + "DO", "/ho" + "me/somebody"
        lines = f"{long_line}\n// blanks \n// a\ttab\n// {word}\n// {path}\n"
        self.finds("style", "kernel/a.hpp:6: has 113 columns", "kernel/a.hpp", CLEAN + lines)
        said = self.check("style").stdout
        for sentence in (
            "a.hpp:7: ends in blanks",
            "a.hpp:8: has a tab",
            "a.hpp:9: has a word",
            "a.hpp:10: has a",
        ):
            self.assertIn(sentence, said)

    def test_style_tells_sizes_and_judges_none(self):
        methods = "".join(f"    void method_{number}();\n" for number in range(50))
        body = f"class Large {{\npublic:\n{methods}\nprivate:\n    int first_ = 0;\n    int second_;\n}};\n"
        self.write("kernel/a.hpp", f"{LICENCE}// Large.\n{body}")
        self.write("kernel/b.hpp", CLEAN + "// line\n" * 2000)
        done = self.check("style")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("most: kernel/b.hpp 2005", done.stdout)
        self.assertIn("most: Large (kernel/a.hpp) 50", done.stdout)
        self.assertRegex(done.stdout, r"data members of classes: .*Large \(kernel/a.hpp\) 2\b")

    def test_a_class_is_declared_once(self):
        text = f"{LICENCE}// One.\n#pragma once\n\nnamespace parley::%s {{\n\nclass Thing {{\n}};\n\n}}\n"
        self.write("kernel/a.hpp", text % "kernel")
        self.write("kernel/on/kernel/a.hpp", text % "kernel")  # stands in for the other
        sentence = "kernel/a.hpp: declares Thing, and so does native/a.hpp; rename one of them"
        self.finds("class-names", sentence, "native/a.hpp", text % "native")

    def test_a_source_has_no_class_of_another_files_name(self):
        text = f"{LICENCE}namespace parley {{\n\n%s Thing {{\n}};\n\n}}\n"
        self.write("kernel/a.cpp", text % "struct")
        self.finds("class-names", "declares Thing, and so does native/a.cpp", "native/a.cpp", text % "enum")

    def test_a_tests_class_is_compared_with_all_but_tests(self):
        text = f"{LICENCE}namespace {{\n\nstruct Scene {{\n}};\n\n}}\n"
        for name in ("kernel/a_test.cpp", "native/a_explored.cpp"):
            self.write(name, text)
        self.finds("class-names", "declares Scene, and so does", "native/a.cpp", text)

    def test_a_file_has_no_two_classes_of_one_name_in_two_namespaces(self):
        text = "namespace parley::%s {\n\nclass Thing {\n};\n\n}\n"
        both = f"{LICENCE}// Two.\n#pragma once\n\n{text % 'kernel'}\n{text % 'native'}"
        sentence = "kernel/a.hpp: declares Thing in several namespaces; rename one of them"
        self.finds("class-names", sentence, "kernel/a.hpp", both)

    def test_a_name_that_tests_may_have_again_is_not_for_other_files(self):
        text = f"{LICENCE}namespace parley {{\n\nstruct Job {{\n}};\n\n}}\n"
        for name in ("kernel/a.cpp", "kernel/b_test.cpp"):
            self.write(name, text)
        self.finds(
            "class-names", "kernel/a.cpp: declares Job, and so does native/c.cpp;", "native/c.cpp", text
        )

    @unittest.skipUnless(shutil.which("clang-format-19"), "there is no clang-format-19")
    def test_formatting_finds_a_file_that_is_laid_out_otherwise(self):
        text = CLEAN.replace("{ return", "{return")
        self.finds("formatting", "kernel/a.hpp:5: is not formatted", "kernel/a.hpp", text)

    @unittest.skipUnless(shutil.which("clang-19"), "there is no clang-19")
    def test_thread_safety_finds_guarded_data_without_its_lock(self):
        text = (
            'struct __attribute__((capability("mutex"))) Lock {};\n'
            "Lock lock;\nint guarded __attribute__((guarded_by(lock)));\nint read() { return guarded; }\n"
        )
        self.finds("thread-safety", "requires holding mutex 'lock'", "kernel/a.cpp", LICENCE + text)

    @unittest.skipUnless(shutil.which("clang-19"), "there is no clang-19")
    def test_thread_safety_follows_a_test_that_tries_a_lock_and_loses_it(self):
        stand_in = "testing/analysed/testing/catch.hpp"
        with open(os.path.join(ROOT, stand_in), encoding="utf-8") as file:
            self.write(stand_in, file.read())
        text = (
            '#include "testing/catch.hpp"\n\n'
            'struct __attribute__((capability("mutex"))) Lock {\n'
            "    bool take() __attribute__((try_acquire_capability(true)));\n"
            "    void leave() __attribute__((release_capability()));\n};\n\n"
            'TEST_CASE("a lock")\n{\n    Lock lock;\n    REQUIRE(lock.take());\n%s}\n'
        )
        names = ("messaging/a_test.cpp", "native/nxrun/a_test.cpp", "messaging/a_explored.cpp")
        for name in names:
            self.write(name, LICENCE + text % "    lock.leave();\n")
        before = self.check("thread-safety")
        self.assertEqual(before.returncode, 0, before.stdout + before.stderr)
        for name in names:
            self.write(name, LICENCE + text % "")
        said = self.check("thread-safety").stdout
        self.assertIn("0 passed, 1 failed", said)
        for name in names:
            with self.subTest(name):
                kept = rf"^ *{name}: .*mutex 'lock' is still held at the end of function"
                self.assertRegex(said, re.compile(kept, re.M))

    def test_a_source_of_the_kernel_names_what_it_uses_of_the_standard_library(self):
        text = "std::array<int, 2> pair;\n"
        for name in ("kernel/a.cpp", "jobs/a.hpp", "userlib/library/a.cpp"):
            with self.subTest(name):
                sentence = f"{name}: uses std::array and nobody includes <array>"
                self.finds("standard-headers", sentence, name, LICENCE + text)
                self.write(name, f"{LICENCE}#include <array>\n\n{text}")

    def test_a_program_for_linux_names_what_it_uses_of_the_standard_library(self):
        self.write("native/nxrun/names.hpp", LICENCE + "// Names.\n#pragma once\n\n#include <vector>\n")
        text = '#include "native/nxrun/names.hpp"\n\nstd::vector<int> numbers;\n'
        self.write("native/nxrun/a.cpp", LICENCE + text)
        sentence = "native/nxrun/b.cpp: uses std::string and nobody includes <string>"
        text = '#include "native/nxrun/names.hpp"\n\nstd::vector<std::string> names; // std::map\n'
        self.finds("standard-headers", sentence, "native/nxrun/b.cpp", LICENCE + text)
        self.assertNotIn("std::map", self.check("standard-headers").stdout)

    def test_what_the_compiler_reads_first_is_looked_for(self):
        path = os.path.join(self.folder, "base/hosted_headers.hpp")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.finds("standard-headers", "<list> is in this list alone", path, text + "#include <list>\n")

    def compile(self, text: str) -> None:
        self.write("build/o.cpp", text)
        path = os.path.join(self.folder, "build", "o")
        compiler = os.environ.get("CROSS", "") + "g++"
        subprocess.run(
            [compiler, "-O2", "-fcf-protection=none", "-c", path + ".cpp", "-o", path + ".o"], check=True
        )

    def test_dispatch_finds_one_indirect_call_too_many(self):
        self.compile("int leaf() { return 1; }\n")
        self.write("tools/checks/dispatch.json", GATE % "leaf")
        self.assertEqual(self.check("dispatch").returncode, 0)
        self.compile("int (*table)();\nint leaf() { return table() + 1; }\n")
        said = self.check("dispatch")
        self.assertEqual(said.returncode, 1)
        self.assertIn("1 indirect calls in leaf, 0 expected", said.stdout)

    def test_dispatch_counts_the_calls_of_each_class_by_itself(self):
        gate = {"name": "each", "object": "o.o", "functions": r"(?P<each>\w+)::leaf", "most_of_each": 1}
        self.write("tools/checks/dispatch.json", json.dumps({"gates": [gate]}))
        own = "struct {0} {{ static int leaf(); }};\nint {0}::leaf() {{ return table() + 1; }}\n"
        classes = "int (*table)();\n" + own.format("A") + own.format("B")
        self.compile(classes)
        self.assertEqual(self.check("dispatch").returncode, 0)
        twice = own.format("C").replace("+ 1", "+ table()")
        self.compile(classes + twice)
        said = self.check("dispatch")
        self.assertEqual(said.returncode, 1)
        self.assertIn("2 indirect calls in C, at most 1 expected", said.stdout)

    def test_dispatch_finds_that_its_functions_are_gone(self):
        self.compile("int leaf() { return 1; }\n")
        self.write("tools/checks/dispatch.json", GATE % "renamed")
        said = self.check("dispatch")
        self.assertEqual(said.returncode, 1)
        self.assertIn("has no function renamed", said.stdout)


if __name__ == "__main__":
    unittest.main()
