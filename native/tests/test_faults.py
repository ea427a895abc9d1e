# SPDX-License-Identifier: MIT
"""What nxrun says of a rank that ended badly, or was doing when the limit came: as the booted system does
(kernel/tests/test_told.py), by function and line where the program knows them."""

import signal
import unittest

from native_case import NativeCase, for_each

FAULTS = """#include <nx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int zero;
static void divides(void) { exit(77 / zero); /* line 9 */ }
static void writes(void) { *(volatile int *)0x1234 = 1; /* line 10 */ }
static void reads(void) { exit(*(volatile int *)0x1238); /* line 11 */ }
static void jumps(void) { ((void (*)(void))(long)(0x5678 + zero))(); }
static void stops(void) { __asm__ volatile("int3"); /* line 13 */ exit(0); }
static void traps(void) { __builtin_trap(); /* line 14 */ }
static void wild(void) { *(volatile int *)0x1234567812345678 = 1; /* line 15 */ }
static int deep(int depth)
{
    volatile char room[5000];
    room[0] = room[4999] = 1; /* line 19 */
    return deep(depth + 1) + room[0]; /* line 20 */
}
static void recurses(void) { exit(deep(0)); }
static void sends(void) { csend(1, (char *)0x2000, 8, 0, 0); }
static void on_fault(int number)
{
    (void)number;
    (void)!write(1, "mine\\n", 5);
    _exit(4);
}
static void handles(void) { signal(SIGSEGV, on_fault), writes(); }
static void raises(void) { raise(SIGSEGV); }
static long handled;
static void on_message(long type, long count, long node, long pid) { handled += type + count + node + pid; }
static void both(void)
{
    static char bytes[8];
    int status = 0;
    signal(SIGSEGV, on_fault);
    hrecv(7, bytes, sizeof bytes, on_message);
    csend(7, bytes, sizeof bytes, mynode(), 0);
    for (int i = 0; i < 100000; i++)
        getppid(); /* an interruption may well meet the C library */
    writes();
    (void)status;
}
static const struct { const char *name; void (*function)(void); } ways[] = {
    {"divides", divides}, {"writes", writes}, {"reads", reads}, {"jumps", jumps}, {"stops", stops},
    {"traps", traps}, {"wild", wild}, {"recurses", recurses}, {"sends", sends}, {"handles", handles},
    {"raises", raises}, {"both", both},
};
int main(int count, char **words)
{
    gsync();
    for (unsigned i = 0; mynode() == 1 && i < sizeof ways / sizeof ways[0]; i++)
        if (!strcmp(ways[i].name, words[count - 1]))
            ways[i].function();
    crecv(5, 0, 0);
    return 0;
}
"""
AT = r" \(at 0x[0-9a-f]+\)"
# What is said of node 1.
TOLD = (
    ("divides", rf"divided an integer by zero in divides, faults\.c:9{AT}"),
    ("writes", rf"tried to write at 0x1234, where it may not, in writes, faults\.c:10{AT}"),
    ("reads", rf"tried to read at 0x1238, where it may not, in reads, faults\.c:11{AT}"),
    ("jumps", r"tried to execute at 0x5678, where it may not, in its instruction at 0x5678"),
    ("stops", rf"stopped at a breakpoint in stops, faults\.c:13{AT}"),
    ("traps", rf"executed an instruction that does not exist in traps, faults\.c:14{AT}"),
    ("wild", rf"executed a privileged instruction or used an impossible address in wild, faults\.c:15{AT}"),
    ("recurses", rf"used up its stack of 8 MiB in deep, faults\.c:(17|18|19|20){AT}"),
    (
        "sends",
        r"gave the message system a buffer at 0x[0-9a-f]+: the buffer is not memory that this process may "
        rf"use, in .*, of the message library{AT}",
    ),
    ("raises", r"was ended by signal 11 \(Segmentation fault\)"),
)
DOES = """#include <nx.h>
#include <unistd.h>
static volatile long turns;
__attribute__((noinline)) static void spin(void)
{
    for (;;)
        turns++; /* line 7 */
}
int main(void)
{
    if (mynode() == 0)
        crecv(5, 0, 0);
    else if (mynode() == 1)
        spin();
    else
        pause();
    return 0;
}
"""
FAILS = """#include <nx.h>
#include <stdlib.h>
int main(int count, char **words)
{
    gsync();
    if (mynode() == 1 && words[count - 1][0] == 'e')
        exit(3);
    if (mynode() == 1)
        csend(1, 0, 0, 77, 0);
    crecv(5, 0, 0);
    return 0;
}
"""


@for_each(("native", "exp6,light"), "a_fault_is_told_as_the_booted_system_tells_it_under")
@for_each(("native", "exp6,light"), "a_programs_own_handler_stays_under")
class Faults(NativeCase):
    def a_fault_is_told_as_the_booted_system_tells_it_under(self, design):
        program = self.compiled(FAULTS, "faults", ".c", "-g", "-O0")
        for way, told in TOLD:
            ran, record = self.record("-n", "2", "-d", design, program, way)
            self.assertEqual(ran.status, 1, way)
            self.assertRegex(ran.errors, rf"^nxrun: The job failed: node 1 {told}\.\n$")
            self.assertRegex(record["processes"][0]["reason"], rf"^{told}$")

    def a_programs_own_handler_stays_under(self, design):
        program = self.compiled(FAULTS, "faults", ".c", "-g", "-O0")
        for way in ("handles", "both"):
            ran = self.nxrun("-n", "2", "-d", design, program, way)
            self.assertEqual((ran.status, ran.out), (1, "mine\n"))
            self.assertTrue(
                ran.errors.startswith("nxrun: The job failed: node 1 exited with status 4; the others wait"),
                ran.errors,
            )

    def test_without_lines_the_function_is_named(self):
        program = self.compiled(FAULTS, "faults", ".c", "-O0")
        ran = self.nxrun("-n", "2", program, "writes")
        self.assertRegex(ran.errors, r"where it may not, in writes \(at 0x[0-9a-f]+\)\.\n$")
        program = self.compiled(FAULTS, "bare", ".c", "-O0", "-s")
        ran = self.nxrun("-n", "2", program, "writes")
        self.assertRegex(ran.errors, r"where it may not, in bare \(at 0x[0-9a-f]+\)\.\n$")

    def test_without_addr2line_the_address_is_told(self):
        program = self.compiled(FAULTS, "faults", ".c", "-g", "-O0")
        ran = self.nxrun("-n", "2", program, "writes", env={"PATH": "/nowhere"})
        self.assertRegex(ran.errors, r"where it may not, in faults \(at 0x[0-9a-f]+\)\.\n$")

    def test_what_a_rank_was_doing_at_the_limit_is_told(self):
        program = self.compiled(DOES, "does", ".c", "-g", "-O0")
        for words in ((), ("-d", "exp6,light")):
            ran = self.nxrun("-n", "3", "--limit", "1", *words, program)
            self.assertEqual(ran.status, 6)
            self.assertRegex(
                ran.errors,
                r"^nxrun: The job has reached its limit of 1 s\.\n"
                r"  node 0: crecv\(selector 5, from any node\) waits for a message\n"
                rf"  node 1: was computing in spin, does\.c:7{AT}\n"
                r"  node 2: was in the Linux call pause\n$",
            )

    def test_the_first_rank_that_fails_is_the_verdict(self):
        program = self.compiled(FAILS)
        for how, status in (("exit", 3), ("call", 1)):
            ran, record = self.record("-n", "3", program, how)
            self.assertEqual(ran.status, 1)
            said = ran.errors[ran.errors.index("nxrun:") :]
            wait = r"crecv\(selector 5, from any node\) waits for a message"
            self.assertRegex(
                said,
                rf"^nxrun: The job failed: node 1 exited with status {status}; the others wait, and none can "
                rf"ever go on:\n  node 0: {wait}\n  node 1: left before, with status {status}\n"
                rf"  node 2: {wait}\n$",
            )
            self.assertEqual(record["status"], "failed")
            self.assertEqual(record["jobs"][0]["status"], "failed")

    def test_an_error_names_the_options_of_nxrun(self):
        program = self.compiled(
            "#include <nx.h>\n#include <nx_raw.h>\n"
            "int main(void) { static char b[1 << 20]; csend(1, b, sizeof b, mynode(), 0); return 0; }\n"
        )
        for words, told in (
            (("--budget", "524288"), "give it more with --budget"),
            (("-d", "exp1"), "take a design that copies (--design exp6)"),
        ):
            ran = self.nxrun("-n", "1", *words, program)
            self.assertIn(told, ran.errors)

    def test_a_signal_from_outside_is_told_by_its_name(self):
        program = self.compiled(FAULTS, "faults", ".c", "-g", "-O0")
        self.assertEqual(int(signal.SIGSEGV), 11)
        ran = self.nxrun("-n", "2", "-d", "exp4", program, "raises")
        self.assertRegex(ran.errors, r"node 1 was ended by signal 11 \(Segmentation fault\)\.\n$")


if __name__ == "__main__":
    unittest.main()
