# SPDX-License-Identifier: MIT
"""No load on the short ways of csend and crecv waits for a store of its own rank, and the two lines of a
message in a port's entry are asked for at once."""

import glob
import os
import re
import shutil
import unittest

import own_stores
from native_case import NATIVE, NativeCase
from declarations import extra

MESSAGES = 20  # of each length, each way: fewer than a port has entries
SIZES = (0, 8, 32, 48, 64, 100, 128)
EXCHANGE = """
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
static char buffer[4096];
__attribute__((noinline)) void counted(int messages, long bytes)
{
    for (int i = 0; i < messages; i++) {
        if (mynode() == 0)
            csend(1, buffer, bytes, 1, 0);
        crecv(1, buffer, bytes);
        if (mynode() == 1)
            csend(1, buffer, bytes, 0, 0);
    }
}
__attribute__((noinline)) void counted_to_its_end(void)
{
    __asm__ volatile("");
}
int main(int count, char **words)
{
    const int messages = atoi(words[1]);
    if (mynode() == 0)
        printf("%lx %lx\\n", (long)counted, (long)counted_to_its_end), fflush(stdout);
    for (int size = 2; size < count; size++) {
        counted(messages, atol(words[size])); /* what it uses is in use */
        counted(messages, atol(words[size]));
        counted_to_its_end();
    }
    return 0;
}
"""
STATIC, VIRTUAL = ("--dispatch", "static"), ("--dispatch", "virtual")
LIBRARIES = {
    STATIC: os.path.join(NATIVE, "lib", "parley", "messages-static"),
    VIRTUAL: os.path.join(NATIVE, "lib", "parley", "messages"),
}


class OwnStores(NativeCase):
    def setUp(self):
        super().setUp()
        if shutil.which("valgrind") is None:
            self.skipTest("valgrind is not installed (Debian: apt-get install valgrind)")
        self.program = self.compiled(EXCHANGE)

    def waits(self, options: tuple, design: str, sizes: tuple) -> list[list[own_stores.Waits]]:
        """For each size, of each of two ranks, of MESSAGES messages that it sends and as many that it
        receives."""
        log = self.path("trace")
        words = ["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-file={log}.%p", self.program]
        ran = self.well("-n", "2", *options, "-d", design, *words, str(MESSAGES), *map(str, sizes))
        begin, end = (int(word, 16) for word in ran.out.split())
        paths = glob.glob(f"{log}.*")
        ranks = [own_stores.windows(path, begin, end) for path in paths]
        self.assertEqual([len(rank) for rank in ranks], [len(sizes)] * 2)
        for path in paths:
            os.remove(path)
        marked = own_stores.Marked.of(LIBRARIES[options])
        found = []
        for traces in zip(*ranks):
            foreign = own_stores.foreign_lines(traces)
            found.append([own_stores.waits_of(trace, marked, foreign) for trace in traces])
            for one in found[-1]:
                self.assertGreaterEqual(one.locked, MESSAGES, "each message is announced")
        return found

    def told(self, options: tuple, design: str, sizes: tuple) -> dict[int, tuple[set[str], int]]:
        """Says what it found; answers, for each size, the functions in which loads wait with most messages,
        and how many second lines are asked for only when the first has come."""
        answer = {}
        for size, found in zip(sizes, self.waits(options, design, sizes)):
            late = sum(one.asked_late for one in found)
            spans, locked = (
                sum(numbers) / (2 * MESSAGES)
                for numbers in zip(*((one.spans.total(), one.locked) for one in found))
            )
            print(
                f"{design}, {size} bytes: of a message {spans:.2f} loads wait for a younger store of a part "
                f"of their bytes, {locked:.2f} locked instructions for a store to another's line; "
                f"{late / (2 * MESSAGES):.2f} second lines are asked for only when the first has come"
            )
            often = {at for one in found for at, times in one.spans.items() if times >= MESSAGES / 2}
            answer[size] = ({own_stores.function_at(LIBRARIES[options], at) for at in often}, late)
        return answer

    def test_the_default_design_waits_for_no_younger_store_and_asks_for_two_lines_at_once(self):
        for size, (waiting, late) in self.told(STATIC, "native", SIZES).items():
            self.assertEqual(waiting, set(), f"{size} bytes")
            self.assertLess(late, MESSAGES / 2, f"{size} bytes")

    @extra
    def test_no_load_waits_for_a_younger_store_by_any_port(self):
        listed = self.well("--list-designs").out
        ports = [port for port in re.findall(r"^port=(\S+)", listed, re.MULTILINE) if port != "lock-free"]
        self.assertIn("carrying", ports)
        for port in ports:
            with self.subTest(port=port):
                for size, (waiting, _) in self.told(VIRTUAL, f"native,port={port}", (0, 48)).items():
                    self.assertEqual(waiting, set(), f"{size} bytes")


if __name__ == "__main__":
    unittest.main()
