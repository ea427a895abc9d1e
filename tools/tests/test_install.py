# SPDX-License-Identifier: MIT
"""What happens when something is missing: installed with a word about it, or named with the line to type."""

import os
import shutil
import subprocess
import tempfile
import unittest

from runner_case import TOOLS

BASICS = ("sh", "env", "mktemp", "rm", "tail", "id")
PRESENT = ("g++", "gcc", "gfortran", "make", "qemu-system-x86_64")


class Install(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parley-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        for name in BASICS:
            os.symlink(shutil.which(name), os.path.join(self.folder, name))
        for name in PRESENT:
            self.command(name, "exit 0")

    def command(self, name: str, body: str):
        path = os.path.join(self.folder, name)
        if os.path.lexists(path):
            os.unlink(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{body}\n")
        os.chmod(path, 0o755)

    def install(self, what: str = "run") -> subprocess.CompletedProcess:
        script = os.path.join(TOOLS, "install.sh")
        return subprocess.run(
            ["/bin/sh", script, what], capture_output=True, text=True, check=False, env={"PATH": self.folder}
        )

    def test_nothing_missing_says_nothing(self):
        done = self.install()
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_as_root_a_missing_package_is_installed_and_named(self):
        os.unlink(os.path.join(self.folder, "gfortran"))
        self.command("id", "echo 0")
        self.command("apt-get", f'echo "$@" >> {self.folder}/log')
        done = self.install()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Installing missing packages through apt: gfortran", done.stderr)
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "install --yes --no-install-recommends gfortran\n")

    def test_what_only_some_tests_need_is_no_condition(self):
        for name in ("grub-mkrescue", "xorriso", "mformat"):
            self.command(name, "exit 0")
        self.command("id", "echo 0")
        self.command("apt-get", "exit 100")
        done = self.install("test")
        self.assertRegex(done.stderr, "apt could not install: glpk-utils.*; some tests are skipped")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_without_rights_the_packages_and_the_line_are_named(self):
        os.unlink(os.path.join(self.folder, "gfortran"))
        self.command("id", "echo 1000")
        done = self.install()
        self.assertEqual(done.returncode, 1)
        self.assertIn("not installed: gfortran", done.stderr)
        self.assertIn("sudo apt-get install --yes --no-install-recommends gfortran", done.stderr)

    def test_what_a_report_needs_is_named_with_the_line_to_type(self):
        self.command("id", "echo 1000")
        with open(os.path.join(TOOLS, "install.sh"), encoding="utf-8") as file:
            text = file.read().replace("/usr/lib/python3/dist-packages", self.folder)
        done = subprocess.run(["/bin/sh", "-c", text, "install.sh", "report"], capture_output=True, text=True,
                              check=False, env={"PATH": self.folder})  # fmt: skip
        self.assertEqual(done.returncode, 1)
        self.assertIn("no-install-recommends python3-scipy python3-matplotlib python3-jinja2", done.stderr)

    def test_what_the_library_for_linux_needs_is_named_and_no_emulator(self):
        self.command("id", "echo 1000")
        os.unlink(os.path.join(self.folder, "qemu-system-x86_64"))
        with open(os.path.join(TOOLS, "install.sh"), encoding="utf-8") as file:
            text = file.read().replace("/usr/include/nlohmann", self.folder)
        done = subprocess.run(["/bin/sh", "-c", text, "install.sh", "native"], capture_output=True, text=True,
                              check=False, env={"PATH": self.folder})  # fmt: skip
        self.assertEqual(done.returncode, 1)
        self.assertIn("packages that are not installed: nlohmann-json3-dev\n", done.stderr)

    def test_a_failing_apt_is_said(self):
        os.unlink(os.path.join(self.folder, "make"))
        self.command("id", "echo 0")
        self.command("apt-get", "echo no network; exit 100")
        done = self.install()
        self.assertEqual(done.returncode, 1)
        self.assertIn("no network", done.stderr)


if __name__ == "__main__":
    unittest.main()
