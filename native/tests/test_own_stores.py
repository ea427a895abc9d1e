# SPDX-License-Identifier: MIT
"""No load on the short ways of csend and crecv waits for a store of its own rank, and the two lines of a
message in a port's entry are asked for at once."""

import os
import re
import shutil
import unittest

import own_stores
from native_case import NATIVE, NativeCase
from declarations import seldom

MESSAGES = 20  # of each length: fewer than a port has entries
SIZES = (0, 8, 32, 48, 64, 100, 128)
EXCHANGE = """
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
static void *buffer;
__attribute__((noinline)) void counted(int messages, long bytes)
{
    const int hands_over = nx_hands_over();
    for (int i = 0; i < messages; i++) {
        csend(1, buffer, bytes, 0, 0);
        if (hands_over)
            crecvp(1, &buffer, bytes);
        else
            crecv(1, buffer, bytes);
    }
}
__attribute__((noinline)) void counted_to_its_end(void)
{
    __asm__ volatile("");
}
int main(int count, char **words)
{
    const int messages = atoi(words[1]);
    buffer = nx_alloc(4096);
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

    def waits(self, options: tuple, design: str, sizes: tuple) -> list[own_stores.Waits]:
        """For each size, of MESSAGES messages that a rank sends to itself: what it receives is there."""
        log = self.path("trace")
        words = ["valgrind", "--tool=lackey", "--trace-mem=yes", f"--log-file={log}", self.program]
        ran = self.well("-n", "1", *options, "-d", design, *words, str(MESSAGES), *map(str, sizes))
        begin, end = (int(word, 16) for word in ran.out.split())
        traces = own_stores.windows(log, begin, end)
        self.assertEqual(len(traces), len(sizes))
        marked = own_stores.Marked.of(LIBRARIES[options])
        found = [own_stores.waits_of(trace, marked, own_stores.shared_lines(trace)) for trace in traces]
        for one in found:
            self.assertGreaterEqual(one.locked, MESSAGES, "each message is announced")
        return found

    def told(self, options: tuple, design: str, sizes: tuple) -> dict[int, tuple[set[str], int]]:
        """Says what it found; answers, for each size, the functions in which loads wait with most messages,
        and how many second lines are asked for only when the first has come."""
        answer = {}
        for size, found in zip(sizes, self.waits(options, design, sizes)):
            spans, locked, late = (
                number / MESSAGES for number in (found.spans.total(), found.locked, found.asked_late)
            )
            print(
                f"{design}, {size} bytes: of a message {spans:.2f} loads wait for a younger store with a "
                f"part of their bytes, {locked:.2f} locked instructions for a store to a line that crosses; "
                f"{late:.2f} second lines are asked for only when the first has come"
            )
            often = {at for at, times in found.spans.items() if times >= MESSAGES / 2}
            functions = {own_stores.function_at(LIBRARIES[options], at) for at in often}
            answer[size] = (functions, found.asked_late)
        return answer

    def test_the_default_design_waits_for_no_younger_store_and_asks_for_two_lines_at_once(self):
        for size, (waiting, late) in self.told(STATIC, "native", SIZES).items():
            self.assertEqual(waiting, set(), f"{size} bytes")
            self.assertLess(late, MESSAGES / 2, f"{size} bytes")

    def test_a_block_that_is_handed_over_waits_for_no_younger_store(self):
        for size, (waiting, _) in self.told(STATIC, "native-pointer", (0, 64)).items():
            self.assertEqual(waiting, set(), f"{size} bytes")

    @seldom
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
