# SPDX-License-Identifier: MIT
"""README and docs/: their commands are run, and what they print is what the pages show (pages.py). Those that
are not run are listed here with the reason, and told; of what boots, the words are checked all the same."""

import os
import re
import shlex
import subprocess
import sys
import unittest

import pages
from boot_case import BUILD, ROOT, RUNNER, BootCase, extra, needs

sys.path.insert(0, os.path.join(ROOT, "tools"))
from parley_runner import run  # noqa: E402
from parley_runner.status import BadRequest  # noqa: E402

# The first that fits. Everything else is run.
NOT_RUN = {
    r"LEAVES=|my-leaves|proportional": "builds a system with classes of its own, as boots/own_leaves does",
    r"^make native|^build/native": "native/documents, native/rootfinder and native/harpy run such commands",
    r"^make test|^make build/tests|^build/tests": "runs tests",
    r"^make iso": "boots/pc boots such an image",
    r"^make paper|^studies/cmmp/tools/": "runner/cmmp and runner/harpy test the tools; this takes "
    "minutes",
    r"^make sweep|sweep/": "runner/sweeps runs smaller ones; this one takes minutes",
    r"^tools/program_designs\.py": "runner/program_designs tests the tool; these read what a sweep leaves",
    r"^make tune|-tuned/": "runner/tuning tests the tool; this boots designs for minutes",
    r"^tools/bench\.py": "runner/instruction_counts tests the counts",
    r"^make path( DESIGN=\S+ BYTES=4096)?$": "boots/path follows such messages",
    r"^sudo": "installs packages",
    r"^make loops$|-fopenmp|LOOPS=|openmp \./|cedarf77": "native/openmp and native/cedar_fortran "
    "compile such programs and run them so",
    r"APP=\./program NODES=1 PROCESSORS=4": "boots/openmp boots OpenMP programs so",
    r"APP=\./testping": "is of GASNet's own tests; boots/active_messages boots jobs of its family",
    r"^PATH=/path/to": "names a folder of the reader's; native/old_programs makes old programs so",
    r"node\.f|prog main\.f": "compiles files of the reader's, as boots/history does",
    r"(a|b|before|after)\.json": "reads records of the reader's; runner/reports tests the tool",
    r"^make bench-loops": "native/openmp tests the tool; this measures on a host that is free",
    r"^make validate-machine": "runner/validation tests the tool; this measures on a host that is free",
    r"CLOCK=modelled": "boots/modelled boots smaller ones; these take minutes",
    r"^tools/parley trace ring\.trace": "reads what such a boot leaves; runner/tracing tests the tool",
    r"MULTIPROCESSORS=": "boots/multiprocessors boots such machines",
    r"NODES=256": "boots/many_nodes boots as many",
    r"APP=(rootfinder|harpy)|policy-0": "boots/rootfinder, boots/semaphores and boots/harpy run shorter ones",
    r"^make run( DESIGN=\S+=mcs\S*| DESIGN=\"exp6 exp6,\S+\"| APP=contend NODES=5 .*)?$|free-": "measures "
    "on a host that is free; what a free clock prints is the host's",
}
PREPARED = {  # what the pages take for granted
    "program.c": "int main(void) { return 0; }\n",
    "hello.c": "int main(void) { return 0; }\n",
    "fft-tuned/best.toml": 'app = "fft"\ndesign = "exp6"\n',
    "diet.mps": "NAME          TINY\nROWS\n N  COST\n G  NEED\nCOLUMNS\n"
    "    BREAD     COST         2.0   NEED         1.0\nRHS\n    RHS       NEED         3.0\nENDATA\n",
}
QUICK = ("README.md",)  # in `make test'; the others are run by test-rest
SECONDS = 300
FEWEST_ARROWS = 20


def reason(command: str) -> str:
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, command)), "")


def runs(group: pages.Group) -> bool:
    return any(not reason(command) for command in group.commands)


def line_of(command: str) -> str:
    """A command as the shell runs it in a folder that has the project's: make's front door by what is
    behind it, for what it builds is there."""
    for pattern, behind in (
        (r"^make (run|report|compare-runs|reproduce) ?", rf"{RUNNER} \1 "),
        (r"^make designs$", f"{BUILD}/designs list"),
        (r"^make path ?", f"{sys.executable} -B tools/profile/path_of_message.py "),
        (r"&& make run ", f"&& {RUNNER} run "),
    ):
        command = re.sub(pattern, behind, command)
    return command


class PagesCase(BootCase):
    # By page and command: the records that it has left, for the groups that read them.
    records: dict[tuple[str, str], dict[str, str]] = {}

    def prepare(self, page: str) -> None:
        """The project's folders, and a folder of records that one command writes and the next reads."""
        for name in ("apps", "configs", "kernel", "sched", "studies", "tools"):
            os.symlink(os.path.join(ROOT, name), os.path.join(self.folder, name))
        os.symlink(BUILD, os.path.join(self.folder, "build"))
        for name in ("docs/images", "data", "folder"):
            os.makedirs(os.path.join(self.folder, name))
        for name, text in {**PREPARED, **pages.files_of(page)}.items():
            self.write(name, text)
        self.write("folder/diet.mps", PREPARED["diet.mps"])

    def shell(self, command: str) -> tuple[int, str]:
        done = subprocess.run(
            line_of(command),
            shell=True,
            executable="/bin/bash",
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            timeout=SECONDS,
        )
        return done.returncode, done.stdout

    def keep_records(self, page: str, command: str) -> None:
        found = self.records[page, command] = {}
        for name in re.findall(r"RECORD=(\S+\.json)", command):
            if os.path.exists(os.path.join(self.folder, name)):
                with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                    found[name] = file.read()

    def try_group(self, page: str, number: int) -> None:
        """With the groups before it in the page, where it reads what they have written."""
        self.prepare(page)
        every = pages.groups(page)
        group = every[number]
        wanted = [name for name in re.findall(r"(?:RECORD|A|B)=\"?(\S+\.json)", " ".join(group.commands))]
        before = [
            command
            for other in every[:number]
            for command in other.commands
            if not reason(command) and any(f"RECORD={name}" in command for name in wanted)
        ]
        said = ""
        for command in before:
            if (page, command) not in self.records:
                self.assertEqual(self.shell(command)[0], 0, command)
                self.keep_records(page, command)
            for name, content in self.records[page, command].items():
                self.write(name, content)
        for command in group.commands:
            if reason(command):
                continue
            status, output = self.shell(command)
            said += output
            self.keep_records(page, command)
            if "failed:" not in " ".join(group.shown):
                self.assertEqual(status, 0, f"{group}: {command}\n{output[-3000:]}")
            for picture in re.findall(r"TRACE=(\S+\.svg)", command):
                with open(os.path.join(self.folder, picture), encoding="utf-8") as file:
                    arrows = file.read().count('class="arrow"')
                self.assertGreater(arrows, FEWEST_ARROWS, f"{group}: {command} draws next to nothing")
        rows = [" ".join(row) for row in group.rows if not pages.is_printed(row, said)]
        lost = "\n".join([*pages.missing(group.shown, said), *rows])
        self.assertEqual(lost, "", f"{group} shows lines that are not printed. All that was:\n{said[-6000:]}")


def add_groups(case: type) -> type:
    """A test for each group of commands that stand together."""
    for page in pages.names():
        stem = os.path.splitext(os.path.basename(page))[0].replace("-", "_").lower()
        for number, group in enumerate(pages.groups(page)):
            if not runs(group):
                continue
            test = lambda self, page=page, number=number: self.try_group(page, number)  # noqa: E731
            if "TRACE=" in str(group.commands) or "PROFILE=" in str(group.commands):
                test = needs("traced")(test)
            setattr(case, f"test_{stem}_{number}", test if page in QUICK else extra(test))
    return case


@add_groups
class Shown(PagesCase):
    """What a page shows is what its commands print."""


class Words(PagesCase):
    def test_every_word_of_what_boots_is_known_and_what_is_not_run_has_its_reason(self):
        self.prepare("README.md")
        for name in ("program", "hello", "cg", "exchange", "matrix", "testping"):
            os.symlink(os.path.join(BUILD, "apps", "ring", "ring"), self.folder + "/" + name)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        left = {}
        for page in pages.names():
            for group in pages.groups(page):
                for command in group.commands:
                    if reason(command):
                        left.setdefault(reason(command), []).append(f"{page}: {command}")
                    booted = re.search(r"(?:^|&& )make run ?(.*)$", command)
                    if booted and "LEAVES=" not in command:
                        with self.subTest(place=str(group), command=command):
                            self.check(shlex.split(booted[1]))
        self.assertLess(len(left), len(NOT_RUN) + 1)
        print("Commands of README and docs/ that no test runs as they stand:")
        for why, commands in left.items():
            print(f"  {why}:", *commands, sep="\n    ")

    def check(self, words: list[str]) -> None:
        try:
            run.check(words)
        except BadRequest as problem:
            self.fail(str(problem))

    def test_every_reason_is_one_command_s_at_least(self):
        groups = [group for page in pages.names() for group in pages.groups(page)]
        given = {reason(command) for group in groups for command in group.commands}
        self.assertEqual([why for why in NOT_RUN.values() if why not in given], [])


class Reading(unittest.TestCase):
    """How a page is compared."""

    def test_a_number_may_differ_by_little_and_what_is_the_host_s_by_all(self):
        for shown, printed, wanted in (
            ("    0  2.50  x52.07", "0 2.50 x52.07", True),
            ("    0  2.50  x52.07", "0  2.32  x48.33", False),
            ("65536  84.70  x1764", "65536   84.64  x1763", True),
            ("to one, 1, us  0.656", "to one, 1, us  0.573", False),
            ("    0  n.nn (n.nn..n.nn)", "    0  1.84 (1.80..1.95) ~", True),
            ("86 messages", "0 messages", False),
            ("one line", "another line", False),
        ):
            self.assertEqual(pages.agrees(shown, printed), wanted, shown)

    def test_lines_are_looked_for_in_their_order(self):
        printed = "first\nsecond\nthird\n"
        self.assertEqual(pages.missing(["first", "...", "third"], printed), [])
        self.assertEqual(pages.missing(["second", "first"], printed), ["first"])

    def test_a_row_of_a_table_is_looked_for_by_its_first_number(self):
        printed = "bytes  nx2  exp6\n   64  1.98  x41.2  1.86  x38.7\n"
        for row, wanted in (("64 1.98 1.86", True), ("64 2.98 1.86", False), ("8 1.98", False)):
            self.assertEqual(pages.is_printed(row.split(), printed), wanted, row)

    def test_a_remark_is_no_part_of_its_command(self):
        for line, command in (
            ('make run ARGS="--a  b"   # why', 'make run ARGS="--a  b"'),
            ("make report RECORD=out.json          and SVG files", "make report RECORD=out.json"),
            ("make designs", "make designs"),
        ):
            self.assertEqual(pages.without_remark(line), command)


if __name__ == "__main__":
    unittest.main()
