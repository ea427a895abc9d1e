# SPDX-License-Identifier: MIT
"""The real emulator with a kernel of thirty lines: command line, both ways to boot, the debugger's socket."""

import os
import re
import shutil
import subprocess
import sys
import unittest
from unittest import mock

from runner_case import RUNNER, TOOLS, RunnerCase

sys.path.insert(0, TOOLS)
from parley_runner import emulator, frames, outcome, request  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
NUMBERS = re.compile(r"(PARLEY_\w+)(?: =)?\s+(0x[0-9a-f]+|\d+)")
TO_FILE = """
machine.results = os.open(os.environ['FRAMES_FILE'], os.O_WRONLY | os.O_CREAT)
machine.good(); machine.exit(33)"""


class Contract(unittest.TestCase):
    """The numbers that the kernel's interface header and the runner share."""

    def test_the_runner_and_the_kernel_agree_on_numbers(self):
        with open(os.path.join(TOOLS, "..", "interface", "results.h"), encoding="utf-8") as file:
            numbers = {name: int(value, 0) for name, value in NUMBERS.findall(file.read())}
        for name in ("CONSOLE_PORT", "RESULTS_PORT", "EXIT_PORT"):
            self.assertEqual(numbers[f"PARLEY_{name}"], getattr(emulator, name))
        self.assertEqual(numbers["PARLEY_FRAME_MAGIC"], frames.MAGIC)
        for name in ("SUCCESS", "FAILED", "PANIC"):
            self.assertEqual(2 * numbers[f"PARLEY_EXIT_{name}"] + 1, getattr(outcome, f"EXIT_{name}"))
        for kind, name in frames.KIND_NAMES.items():
            self.assertEqual(numbers[f"PARLEY_FRAME_{name.upper()}"], kind)


@unittest.skipUnless(shutil.which("qemu-system-x86_64"), "no emulator here")
class RealEmulator(RunnerCase):
    def setUp(self):
        super().setUp()
        frames = self.path("frames")
        self.run_fake(TO_FILE, FRAMES_FILE=frames)
        source = os.path.join(HERE, "tiny_kernel.S")
        words = ["gcc", "-nostdlib", "-static", "-no-pie", "-Wl,--build-id=none", "-Wl,-z,noexecstack"]
        words += [
            "-Wl,-z,max-page-size=4096",
            "-Wl,-Ttext=0x100000",
            "-Wl,--section-start=.multiboot=0x101000",
        ]
        words += [
            "-Wl,-e,start",
            f'-DFRAMES="{frames}"',
            "-DSTATUS=0x10",
            "-o",
            self.path("build/kernel.elf"),
            source,
        ]
        for name in ("RESULTS_PORT", "CONSOLE_PORT", "EXIT_PORT"):
            words.append(f"-D{name}={getattr(emulator, name):#x}")
        subprocess.run(words, check=True, capture_output=True)

    def run_real(self, *words: str, command: str = "run") -> subprocess.CompletedProcess:
        environment = {**os.environ, "PARLEY_BUILD": self.build, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [RUNNER, command, *words],
            capture_output=True,
            text=True,
            env=environment,
            cwd=self.folder,
            timeout=60,
            check=False,
        )

    def test_a_direct_boot_brings_frames_and_console(self):
        done = self.run_real("RECORD=record.json")
        self.assert_status(done, 0, "the tiny kernel was here")
        self.assertIn("round trip", done.stdout)
        self.assertRegex(self.record()["host"]["emulator"], "QEMU emulator version")
        self.assertEqual(self.record()["host"]["firmware"], self.starter())

    def starter(self) -> str:
        return "qboot.rom" if os.path.exists(emulator.KERNEL_STARTER) else emulator.OWN_FIRMWARE

    def test_the_emulators_own_firmware_starts_what_the_short_one_cannot(self):
        for words in (["BOOT=iso"], ["BOOTS=2", "NODES=2"]):
            self.assertEqual(emulator.firmware(request.make(words)), emulator.OWN_FIRMWARE)
        asked = request.make([])
        self.assertEqual(emulator.firmware(asked), self.starter())
        with mock.patch.object(emulator, "KERNEL_STARTER", "/none/such"):
            self.assertEqual(emulator.firmware(asked), emulator.OWN_FIRMWARE)
            self.assertNotIn("-bios", emulator.boot_arguments(asked, "archive", None))

    def test_a_counted_boot_works(self):
        self.assert_status(self.run_real("CLOCK=counted"), 0)

    @unittest.skipUnless(shutil.which("grub-mkrescue"), "no GRUB here")
    def test_a_boot_through_grub_works(self):
        self.assert_status(self.run_real("BOOT=iso"), 0, "the tiny kernel was here")

    @unittest.skipUnless(shutil.which("grub-mkrescue"), "no GRUB here")
    def test_the_image_has_an_entry_for_every_design(self):
        done = self.run_real(command="iso")
        self.assert_status(done, 0, "2 menu entries")
        self.assertTrue(os.path.exists(os.path.join(self.build, "parley.iso")))

    @unittest.skipUnless(shutil.which("gdb"), "no gdb here")
    def test_the_debugger_attaches_before_the_first_instruction(self):
        done = self.run_real("--", "-batch", "-ex", "info registers rip", command="debug")
        self.assertIn("0xfff0", done.stdout)


if __name__ == "__main__":
    unittest.main()
