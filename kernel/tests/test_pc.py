# SPDX-License-Identifier: MIT
"""A PC: booted through GRUB, without any of the emulator's own devices. What happens is on its text screen
and on its first serial line."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import unittest

from boot_case import ROOT, BootCase

sys.path.insert(0, os.path.join(ROOT, "tools"))
from parley_runner import guest, iso, request  # noqa: E402

SCREEN_AT, COLUMNS, ROWS = 0xB8000, 80, 25
LAST_LINE = "parley: the run is over; reset the machine, or switch it off"


@unittest.skipUnless(shutil.which("grub-mkrescue"), "there is no grub-mkrescue")
class Pc(BootCase):
    def image(self, *words: str) -> str:
        one = request.make(list(words)).boots(lambda: [])[0]
        archive, image = os.path.join(self.folder, "archive"), os.path.join(self.folder, "image")
        guest.make_archive(one, archive)
        iso.make(image, archive, one, [iso.entry(one)], timeout=0)
        return image

    def start(self, image: str, processor: str) -> subprocess.Popen:
        monitor = f"unix:{self.folder}/monitor,server=on,wait=off"
        line = ["qemu-system-x86_64", "-M", "q35", "-cpu", processor, "-smp", "3"]
        line += ["-m", "512", "-cdrom", image, "-display", "none", "-serial", "stdio", "-monitor", monitor]
        machine = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        too_late = threading.Timer(60, machine.kill)
        too_late.start()
        self.addCleanup(machine.communicate)
        self.addCleanup(machine.kill)
        self.addCleanup(too_late.cancel)
        return machine

    def serial_lines(self, machine: subprocess.Popen) -> list[str]:
        """Until the run is over, or the emulator."""
        lines = []
        for line in machine.stdout:
            lines.append(line.strip("\r\n"))
            if lines[-1] == LAST_LINE:
                break
        return lines

    def screen(self, machine: subprocess.Popen) -> list[str]:
        path = os.path.join(self.folder, "screen")
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(f"{self.folder}/monitor")
            monitor.sendall(f'pmemsave {SCREEN_AT} {2 * COLUMNS * ROWS} "{path}"\nquit\n'.encode())
            machine.wait(timeout=30)
        with open(path, "rb") as file:
            text = file.read()[::2].decode("ascii")
        return [text[at : at + COLUMNS].rstrip() for at in range(0, len(text), COLUMNS)]

    def test_a_run_shows_on_the_serial_line_and_on_the_screen(self):
        machine = self.start(self.image("APP=hello_c"), "max")
        lines = self.serial_lines(machine)
        self.assertIn("hello from node 0 of 2", lines)
        self.assertEqual(lines[-1], LAST_LINE)
        screen = self.screen(machine)
        self.assertIn("Parley", screen)
        self.assertIn("hello from node 0 of 2", screen)
        self.assertIn(LAST_LINE, screen)

    def test_the_screen_moves_up_when_it_is_full(self):
        source = (
            '#include <stdio.h>\nint main(void) { for (int i = 0; i < 40; i++) printf("line %d\\n", i); }\n'
        )
        program = self.compile("nxcc", "lines.c", source)
        machine = self.start(self.image(f"APP={program}", "NODES=1"), "max")
        self.assertEqual(self.serial_lines(machine)[-1], LAST_LINE)
        expected = [f"line {number}" for number in range(17, 40)] + [LAST_LINE, ""]
        self.assertEqual(self.screen(machine), expected)

    def test_an_old_processor_is_refused_with_the_reason(self):
        lines = self.serial_lines(self.start(self.image("APP=hello_c"), "qemu64"))
        self.assertIn("this processor lacks SMEP, SMAP or UMIP", "\n".join(lines))
        self.assertEqual(lines[-1], LAST_LINE)


if __name__ == "__main__":
    unittest.main()
