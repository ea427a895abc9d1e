# SPDX-License-Identifier: MIT
"""Planted lies: the kernel pretends, and the runner must find out."""

import os
import unittest
from unittest import mock

from boot_case import SHORT_RING, BootCase

FAKE = r"""#include <stdio.h>
int main(void)
{
    printf("round trip 1 us: success\nPRLY");
    putchar(4), puts("status=success");
    return 1;
}
"""


class Lies(BootCase):
    def plant(self, lie: str, status: int, word: str):
        boot = self.boot(f"PLANT={lie}", f"ARGS={SHORT_RING}")
        self.assertEqual((boot.status, boot.record["status"]), (status, word), boot.text[-3000:])
        return boot

    def test_a_panic_after_success_is_a_panic_with_a_backtrace(self):
        boot = self.plant("panic-after-success", 3, "panic")
        self.assertRegex(boot.text, r"\.cpp:\d+")

    def test_a_measurement_that_no_program_took_is_damage(self):
        boot = self.plant("fake-result", 8, "damaged")
        self.assertRegex(boot.record["sentence"], r"the end speaks of \d+ rows, \d+ arrived")

    def test_a_truncated_record_is_damage(self):
        self.plant("truncated-record", 8, "damaged")

    def test_a_hang_with_interrupts_off_is_a_hang(self):
        with mock.patch.dict(os.environ, {"PARLEY_HANG_SECONDS": "2"}):
            self.plant("hang", 5, "hang")

    def test_a_triple_fault_is_a_triple_fault(self):
        self.plant("triple-fault", 4, "triple-fault")

    def test_no_result_is_no_result(self):
        self.plant("no-result", 7, "no-result")

    def test_a_program_that_prints_a_fake_result_still_failed(self):
        boot = self.boot(f"APP={self.compile('nxcc', 'fake.c', FAKE)}")
        self.assertEqual((boot.status, boot.record["status"], boot.record["rows"]), (1, "failed", []))

    def test_a_program_that_never_ends_is_a_time_out(self):
        program = self.compile("nxcc", "endless.c", "int main(void) { for (;;) { } }\n")
        boot = self.boot(f"APP={program}", limit=2)
        self.assertEqual((boot.status, boot.record["status"]), (6, "time-out"), boot.text[-3000:])


if __name__ == "__main__":
    unittest.main()
