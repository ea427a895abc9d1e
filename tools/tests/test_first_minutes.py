# SPDX-License-Identifier: MIT
"""`make run` on a fresh clone: what is wrong is said before anything is built, and what is done is shown."""

import os
import pty
import subprocess
import sys
import unittest

from runner_case import DESIGNS, RUNNER, TOOLS, RunnerCase

ROOT = os.path.dirname(TOOLS)
# Stands in for make: says what it would do, or does it.
MAKE = """#!/bin/sh
echo "$@" >> FOLDER/log
case "$*" in
*--question*) test -e FOLDER/done; exit ;;
*--dry-run*designs*) echo "g++ -o build/designs tools/designs.cpp" ;;
*--dry-run*) printf 'g++ -c a.cpp -o build/a.o\\ng++ -c b.cpp -o build/traced/b.o\\n' ;;
*designs*) echo "g++ -o build/designs tools/designs.cpp"; cp FOLDER/ready FOLDER/build/designs ;;
*) printf 'g++ -c a.cpp -o build/a.o\\n'; sleep 0.3; printf 'g++ -c b.cpp -o build/traced/b.o\\n' ;;
esac
"""


class FreshClone(RunnerCase):
    def setUp(self):
        super().setUp()
        for name in ("kernel.elf", "apps/ring/ring"):
            os.unlink(os.path.join(self.build, name))
        os.rename(os.path.join(self.build, "designs"), self.path("ready"))
        os.chmod(self.write("bin/make", MAKE.replace("FOLDER", self.folder)), 0o755)

    def line(self, *words: str) -> dict:
        environment = self.environment("", MAKE=self.path("bin/make"))
        line = [sys.executable, "-B", os.path.join(TOOLS, "prepare.py"), "run", "build", *words]
        return {"args": line, "cwd": self.folder, "env": environment}

    def prepare(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(**self.line(*words), capture_output=True, text=True, check=False, timeout=60)

    def log(self) -> list[str]:
        if not os.path.exists(self.path("log")):
            return []
        with open(self.path("log"), encoding="utf-8") as file:
            return [line for line in file.read().splitlines() if "--dry-run" not in line]

    def test_what_is_wrong_is_refused_before_anything_is_built(self):
        self.write("bad.toml", "nods = 3\n")
        for sentence, *words in (
            ("bad.toml, line 1: There is no key 'nods'. Did you mean nodes?", "CONFIG=bad.toml"),
            ("CONFIG=none.toml: No such file or directory.", "CONFIG=none.toml"),
            ("WINDOW goes with TRACE=FILE only.", "WINDOW=1..2"),
            (
                "RECORD and TRACE name one file, a.json: one of them needs another name.",
                "RECORD=./a.json",
                "TRACE=a.json",
            ),
            ("TRACE=a.txt must end in one of .json, .svg, .trace.", "TRACE=a.txt"),
            ("APP=rong is neither a program of apps/ or studies/ nor a file. Did you mean ring?", "APP=rong"),
            ("RECORD=none/r.json: there is no folder", "RECORD=none/r.json"),
            ("FILES=none is not a folder.", "FILES=none"),
            ("There is no key 'DESING'. Did you mean design?", "DESING=exp1"),
            ("CHECKED=1 goes with neither TRACE nor PROFILE", "CHECKED=1", "PROFILE=1"),
        ):
            with self.subTest(words=words):
                done = self.prepare(*words)
                self.assertEqual((done.returncode, self.log()), (2, []), done.stderr)
                self.assertIn(sentence, done.stderr)

    def test_a_design_is_refused_once_the_tool_that_knows_designs_is_there(self):
        done = self.prepare("DESIGN=nonsense")
        self.assertEqual(done.returncode, 2)
        self.assertIn("parley: There is no design 'nonsense'.", done.stderr)
        self.assertEqual(len(self.log()), 1, "only the tool is built")

    def test_a_pipe_gets_a_line_for_each_step(self):
        done = self.prepare("TRACE=a.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            done.stderr.splitlines(),
            [
                "Building 1 file.",
                "Building 2 files, among them a kernel that writes down what it sees, for TRACE and PROFILE.",
                "Booting.",
            ],
        )

    def test_a_terminal_gets_one_line_that_is_rewritten(self):
        master, slave = pty.openpty()
        with subprocess.Popen(**self.line(), stdout=slave, stderr=slave) as process:
            os.close(slave)
            text = b""
            try:
                while piece := os.read(master, 4096):
                    text += piece
            except OSError:
                pass  # the other end is closed
        os.close(master)
        self.assertEqual(process.returncode, 0, text)
        self.assertIn(b"\r\x1b[Kbuilding 2 of 2: build/traced/b.o", text)

    def test_where_everything_is_there_make_is_asked_once(self):
        os.rename(self.path("ready"), os.path.join(self.build, "designs"))
        self.write("done", "")
        done = self.prepare("DESIGN=exp6", "PROFILE=1")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        with open(self.path("log"), encoding="utf-8") as file:
            asked = file.read().splitlines()
        wanted = "--question build/designs run-system build/apps/ring/ring"
        wanted += " DISPATCH=virtual CHECKED=0 Q=0 PROFILE=1"
        self.assertEqual([line.split(" ", 1)[1] for line in asked], [wanted])

    def test_where_something_is_not_it_is_built(self):
        self.write("build/designs", DESIGNS)
        os.chmod(os.path.join(self.build, "designs"), 0o755)
        done = self.prepare("DESIGN=exp6")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("run-system", self.log()[-1])

    def test_a_tool_that_is_older_than_its_sources_is_built_before_it_is_believed(self):
        self.write("build/designs", "#!/bin/sh\necho 'usage: designs list' >&2\nexit 2\n")
        os.chmod(os.path.join(self.build, "designs"), 0o755)
        self.write("done", "")  # it is not older
        self.assertEqual(self.prepare("DESIGN=exp6").returncode, 2)
        os.unlink(self.path("done"))
        done = self.prepare("DESIGN=exp6")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_a_file_asks_for_is_built_and_no_more(self):
        self.write("c.toml", 'dispatch = "static"\n[[job]]\napp = "fft"\n[[job]]\napp = "wild_pointer"\n')
        self.assertEqual(self.prepare("CONFIG=c.toml").returncode, 0)
        words = self.log()[-1].split()
        for word in (
            "run-system",
            "DISPATCH=static",
            "build/apps/fft/fft",
            "build/apps/wild_pointer/wild_pointer",
        ):
            self.assertIn(word, words)
        self.assertNotIn("build/apps/ring/ring", words)

    def test_what_cannot_be_built_is_said(self):
        self.write("bin/make", "#!/bin/sh\necho 'a.cpp:1: error: no' >&2\nexit 2\n")
        done = self.prepare()
        self.assertEqual(done.returncode, 2)
        self.assertIn("a.cpp:1: error: no\nparley: It could not be built, see above.", done.stderr)

    def test_make_alone_lists_the_programs(self):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        done = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True, env=clean)
        programs = " ".join(done.stdout.split("Programs (APP=): ")[1].split())
        self.assertIn("behaviours broadcast buffer", programs)
        self.assertIn("what none may: bad_proxy_call", programs)
        for name in os.listdir(os.path.join(ROOT, "apps")):
            if name not in ("support", "faults") and os.path.isdir(os.path.join(ROOT, "apps", name)):
                self.assertIn(name, programs)

    def test_make_hands_over_to_it(self):
        for command in ("run", "debug", "iso"):
            line = ["make", "--dry-run", command, "DESIGN=exp1"]
            clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
            done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True, env=clean)
            self.assertRegex(done.stdout, rf"tools/prepare.py {command} build +'DESIGN=exp1'")


class CommandLine(RunnerCase):
    def parley(self, *words: str) -> subprocess.CompletedProcess:
        line = [sys.executable, RUNNER, *words]
        environment = self.environment("")
        return subprocess.run(
            line, capture_output=True, text=True, check=False, cwd=self.folder, env=environment
        )

    def test_the_version_names_the_commit_and_the_records(self):
        for word in ("--version", "version"):
            done = self.parley(word)
            self.assertRegex(done.stdout, r"^Parley \S+.*; records: parley-record-1, schema [2-9]\n$")

    def test_a_record_says_its_schema(self):
        self.run_fake("machine.good(); machine.exit(33)", "RECORD=record.json")
        self.assertEqual(self.record()["schema"], 7)

    def test_bash_completes_commands_keys_and_values(self):
        self.write("data/in.txt", "x")
        for line, wanted in (
            ("re", ["record", "report", "reproduce"]),
            ("run nod", ["NODES="]),
            ("run NODES=4 CLOCK=c", ["counted"]),
            ("run APP=hello_", ["hello_c", "hello_cxx", "hello_fortran"]),
            ("run DESIGN=exp", ["exp1", "exp6"]),
            ("run INPUT=data/i", ["data/in.txt"]),
            ("run GANG=s", ["shared", "slots"]),
            ("run NONSENSE=", []),
        ):
            with self.subTest(line=line):
                self.assertEqual(self.completed(line), wanted)

    def completed(self, line: str) -> list[str]:
        """What bash would offer after `parley LINE`, asked as it asks."""
        script = (
            f'eval "$({RUNNER} completion bash)"; COMP_LINE="$1"; COMP_POINT=${{#COMP_LINE}}; '
            f'compopt() {{ :; }}; _parley_complete {RUNNER}; printf "%s\\n" "${{COMPREPLY[@]}}"'
        )
        done = subprocess.run(
            ["bash", "-c", script, "bash", f"parley {line}"],
            capture_output=True,
            text=True,
            check=True,
            cwd=self.folder,
            env=self.environment(""),
        )
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_another_shell_is_refused(self):
        self.assert_status(self.parley("completion", "zsh"), 2, "completion for bash, not for 'zsh'")


if __name__ == "__main__":
    unittest.main()
