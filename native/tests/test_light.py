# SPDX-License-Identifier: MIT
"""context-switch=light: all ranks in one address space, each with its own copy of the program. Programs run
as they do with an address space each, and one that dies is told as always."""

import os
import signal
import unittest

from declarations import extra
from native_case import DesignCase, app, for_each

# What is each rank's own although the address space is not: variables of every kind, the C library's state,
# the heap. Rank 0 then reads another's memory, which only one address space allows.
OWN = r"""
#include <errno.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long mine = 3;
static __thread long of_thread = 7;
int main(void)
{
    enum { blocks = 2000 };
    char *heap[blocks];
    const long me = mynode();
    if (mine != 3 || of_thread != 7 || getenv("COUNTED"))
        return 2;
    mine = of_thread = 100 + me;
    setenv("COUNTED", me ? "odd" : "even", 1);
    srand((unsigned)me);
    errno = (int)me;
    gsync();
    for (int i = 0; i < blocks; i++)
        memset(heap[i] = malloc(1 + (size_t)i % 3000), (int)me, 1 + (size_t)i % 3000);
    gsync();
    for (int i = 0; i < blocks; i++)
        for (int k = 0; k < 1 + i % 3000; k++)
            if (heap[i][k] != me)
                return 3;
    if (mine != 100 + me || of_thread != 100 + me || strcmp(getenv("COUNTED"), me ? "odd" : "even"))
        return 4;
    long *address = &mine;
    if (me == 1)
        csend(1, &address, sizeof address, 0, 0);
    if (me == 0) {
        crecv(1, &address, sizeof address);
        printf("one address space: %s, and %ld there\n", *address == 101 ? "yes" : "no", *address);
    }
    gsync();
    return 0;
}
"""
DIES = """
#include <nx.h>
#include <signal.h>
#include <stdlib.h>
int main(int count, char **words)
{
    gsync();
    if (mynode() == 1 && count > 1)
        raise(atoi(words[1]));
    crecv(2, 0, 0);
    return 0;
}
"""
OVERFLOWS = """
#include <nx.h>
static long deep(volatile long at) { volatile char more[10000]; more[0] = 1; return deep(at + 1) + more[0]; }
int main(void)
{
    gsync();
    return mynode() == 1 ? (int)deep(0) : (crecv(2, 0, 0), 0);
}
"""
HELLO = "#include <nx.h>\n#include <stdio.h>\nint main(void) { printf(\"%ld\\n\", mynode()); return 0; }\n"
DESIGNS = ("exp5", "native,light", "nx2,light", "exp3,light", "exp6,light,pointer")


@for_each(DESIGNS, "selftest_under")
class Light(DesignCase):
    def test_all_but_the_address_space_is_each_ranks_own(self):
        program = self.compiled(OWN)
        ran = self.well("-n", "4", "-d", "exp6,light", program)
        self.assertEqual(ran.out, "one address space: yes, and 101 there\n")

    def test_fortran_and_cxx_run(self):
        ran = self.well("-n", "2", "-d", "exp6,light", app("hello_fortran"))
        self.assertRegex(ran.out, r"hello from node\s+1 of\s+2")
        ran = self.well("-n", "2", "-d", "exp6,light", app("hello_cxx"))
        self.assertIn("hello from node 1 of 2", ran.out)

    def test_a_static_program_runs_where_it_is_put(self):
        program = self.compiled(HELLO, "program", ".c", "-static-pie")
        ran = self.well("-n", "3", "-d", "exp6,light", program)
        self.assertEqual(sorted(ran.out.split()), ["0", "1", "2"])

    def test_input_and_tags_are_as_ever(self):
        program = self.compiled(
            '#include <nx.h>\n#include <stdio.h>\n'
            'int main(void) { char word[9] = "none"; if (scanf("%8s", word) != 1 && !mynode()) return 1;\n'
            'puts(word); return 0; }\n'
        )
        ran = self.well("-n", "2", "--tag", "-d", "exp6,light", program, given="some\n")
        self.assertEqual(sorted(ran.out.splitlines()), ["[0] some", "[1] none"])

    def test_a_rank_that_dies_is_named_and_ends_its_job(self):
        program = self.compiled(DIES)
        for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT):
            ran = self.nxrun("-n", "3", "-d", "exp6,light", program, str(int(number)))
            self.assertEqual(ran.status, 1, ran.text)
            self.assertRegex(
                ran.errors, rf"^nxrun: The job failed: node 1 was ended by signal {number} \([^)]+\)\.\n$"
            )

    def test_a_stack_has_an_end(self):
        ran = self.nxrun("-n", "2", "-d", "exp6,light", self.compiled(OVERFLOWS, "program", ".c", "-O0"))
        self.assertEqual(ran.status, 1)
        self.assertRegex(ran.errors, r"^nxrun: The job failed: node 1 used up its stack of ")

    def test_a_program_that_cannot_lie_anywhere_is_refused(self):
        fixed = self.compiled(HELLO, "fixed", ".c", "-no-pie")
        ran = self.nxrun("-n", "2", "-d", "exp5", fixed)
        self.assertEqual((ran.status, ran.out), (1, ""))
        self.assertIn("link it with -pie, or take context-switch=heavy", ran.errors)
        self.assertEqual(len(ran.errors.splitlines()), 1, ran.errors)
        script = self.path("script")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 0\n")
        os.chmod(script, 0o755)
        ran = self.nxrun("-n", "2", "-d", "exp5", script)
        self.assertEqual((ran.status, ran.out), (1, ""))
        self.assertIn("is not a program of this machine's own", ran.errors)
        self.assertEqual(len(ran.errors.splitlines()), 1, ran.errors)

    def test_several_machines_have_no_address_space_in_common(self):
        ran = self.nxrun("--hosts", "localhost,localhost", "-d", "exp6,light", app("hello_c"))
        self.assertEqual((ran.status, len(ran.errors.splitlines())), (2, 1), ran.text)
        self.assertIn("needs one address space for all nodes", ran.errors)


@extra
@for_each(DESIGNS, "behaviours_under")
@for_each(("exp5", "exp6,light", "exp4,light"), "handlers_keep_their_promises_under")
@for_each(("exp4,light", "exp6,light"), "places_are_used_again_under")
class MoreLight(DesignCase):
    def test_fortran_keeps_its_promises(self):
        ran = self.well("-n", "3", "-d", "exp6,light", self.program("promises"))
        self.assertRegex(ran.out, r"PROMISES:\s+0 BROKEN")

    def test_many_ranks_find_room(self):
        ran = self.well("-n", "100", "-d", "exp6,light", self.compiled(HELLO))
        self.assertEqual(sorted(map(int, ran.out.split())), list(range(100)))

    def test_the_fft_and_simplex_check_their_results(self):
        self.well("-n", "4", "-d", "exp5", app("fft"), "--points", "128,1024", "--samples", "2")
        self.well("-n", "4", "-d", "exp5", app("simplex"))


if __name__ == "__main__":
    unittest.main()
