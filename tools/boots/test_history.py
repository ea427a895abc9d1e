# SPDX-License-Identifier: MIT
"""Programs as they were written for the hypercubes, in the habits of their time."""

import os
import unittest

from boot_case import ROOT, BootCase

PROGRAMS = os.path.join(ROOT, "tools", "boots", "programs", "history")


class History(BootCase):
    def built(self, wrapper: str, source: str, *flags: str) -> str:
        with open(os.path.join(PROGRAMS, source), encoding="utf-8") as file:
            return self.compile(wrapper, source, file.read(), *flags)

    def test_addresses_fit_into_an_int(self):
        boot = self.boot_well(f"APP={self.built('nxcc', 'addresses.c')}", "NODES=1")
        self.assertIn("fits 1111\nThu 5 6", boot.text)


if __name__ == "__main__":
    unittest.main()
