# SPDX-License-Identifier: MIT
"""What programs wrote is sent when their job has ended: holes stay holes, and the limit bounds it."""

import os
import unittest

from boot_case import BootCase

HOLES = """
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    for (int i = 0; i < 3; ++i) {
        char name[20];
        sprintf(name, "hollow%d", i);
        int file = open(name, O_RDWR | O_CREAT, 0644);
        if (ftruncate(file, 1 << 30) != 0 || pwrite(file, "middle", 6, 1 << 29) != 6)
            return 1;
    }
    return 0;
}
"""
FLOOD = """
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    static char bytes[1 << 20];
    memset(bytes, 'x', sizeof bytes);
    int file = open("much", O_RDWR | O_CREAT, 0644);
    for (int i = 0; i < 16; ++i)
        if (write(file, bytes, sizeof bytes) != sizeof bytes)
            return 1;
    return 0;
}
"""


class FilesAfterTheEnd(BootCase):
    def test_holes_stay_holes(self):
        program, folder = self.compiled(HOLES), os.path.join(self.folder, "out")
        self.boot_well(f"APP={program}", "NODES=1", f"OUT={folder}", limit=20)
        for number in range(3):
            path = os.path.join(folder, f"hollow{number}")
            self.assertEqual(os.path.getsize(path), 1 << 30)
            self.assertLess(os.stat(path).st_blocks * 512, 1 << 20)
            with open(path, "rb") as file:
                file.seek((1 << 29) - 4)
                self.assertEqual(file.read(14), b"\0\0\0\0middle\0\0\0\0")

    def test_files_that_take_longer_than_the_limit_are_named_and_the_next_job_runs(self):
        flood, short = self.compiled(FLOOD), self.compiled("int main(void) { return 0; }")
        jobs = (("flood", flood, 1), ("short", short, 9))
        tables = [
            f'[[job]]\nname = "{name}"\napp = "{app}"\nnodes = 1\nlimit = {limit}\n'
            for name, app, limit in jobs
        ]
        config = self.write("jobs.toml", "\n".join(tables))
        folder = os.path.join(self.folder, "out")
        boot = self.boot(f"CONFIG={config}", f"OUT={folder}", limit=None)
        statuses = {job["name"]: job["status"] for job in boot.record["jobs"]}
        self.assertEqual(statuses, {"flood": "limit", "short": "ok"})
        sentence = "sending its files takes longer than its limit of 1 s: much and what follows"
        self.assertIn(sentence, boot.text)
        self.assertFalse(os.path.exists(os.path.join(folder, "flood", "much")))


if __name__ == "__main__":
    unittest.main()
