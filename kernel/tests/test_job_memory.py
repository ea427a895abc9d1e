# SPDX-License-Identifier: MIT
"""JOB_MEMORY: what a job may hold, settled before it begins, so that no job takes from its neighbour."""

import unittest

from boot_case import BootCase

HUNGRY = """
#include <unistd.h>
int main(void)
{
    for (;;)
        *(volatile char *)sbrk(4096) = 1;
}
"""
# Its neighbour has eaten what it could by then.
NEIGHBOUR = """
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    for (double end = dclock() + 1.0; dclock() < end;)
        ;
    enum { bytes = 100 << 20 };
    char *block = malloc(bytes);
    if (block == 0)
        return 1;
    for (long at = 0; at < bytes; at += 4096)
        ((volatile char *)block)[at] = 7;
    return puts("a hundred MiB are there") < 0;
}
"""


class JobMemory(BootCase):
    def two(self, first: str, second: str, *words: str):
        hungry = self.compiled(HUNGRY)
        config = f"""
[[job]]
name = "hungry"
app = "{hungry}"
nodes = 1
{first}
[[job]]
name = "neighbour"
app = "{self.compiled(NEIGHBOUR)}"
nodes = 1
{second}
"""
        together = ("JOBS=together", "PROCESSORS=2", "MEMORY=300", *words)
        boot = self.boot(f"CONFIG={self.write('two.toml', config)}", *together, limit=30)
        return boot, {job["name"]: job["status"] for job in boot.record["jobs"]}

    def test_a_hungry_job_leaves_its_neighbour_its_share(self):
        boot, statuses = self.two("", "")
        self.assertEqual(statuses, {"hungry": "failed", "neighbour": "ok"}, boot.text[-3000:])
        self.assertIn("a hundred MiB are there", boot.text)

    def test_a_job_gets_what_it_asks_for_and_no_more(self):
        boot, statuses = self.two("", "job_memory = 90")
        self.assertEqual(statuses, {"hungry": "failed", "neighbour": "failed"}, boot.text[-3000:])
        boot, statuses = self.two("job_memory = 20", "job_memory = 120")
        self.assertEqual(statuses, {"hungry": "failed", "neighbour": "ok"}, boot.text[-3000:])

    def test_what_does_not_fit_is_refused_with_the_sum(self):
        boot, statuses = self.two("job_memory = 200", "job_memory = 120")
        self.assertEqual(statuses["neighbour"], "refused", boot.text[-3000:])
        self.assertRegex(boot.text, r"at the same time would have 320 MiB, and there are \d+ MiB for them")

    def test_a_budget_beyond_the_share_is_refused(self):
        boot = self.boot("APP=ring", "BUDGET=100000000", "JOB_MEMORY=50")
        self.assertEqual(boot.record["jobs"][0]["status"], "refused")
        self.assertIn("its BUDGET is larger than the 50 MiB that it may hold", boot.text)


if __name__ == "__main__":
    unittest.main()
