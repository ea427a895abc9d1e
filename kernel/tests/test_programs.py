# SPDX-License-Identifier: MIT
"""Ordinary programs: from outside the tree, with files and input, misbehaving, and deadlocking."""

import os
import re
import subprocess
import unittest

from boot_case import BUILD, ROOT, SIX, BootCase, for_each, for_each_job, seldom

EXCHANGE_C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <nx.h>
int main(int argc, char **argv)
{
    long *block = nx_alloc(sizeof(long));
    if (argc != 3 || !block)
        return 3;
    if (mynode() == 0) {
        *block = atol(argv[2]);
        csend(7, block, sizeof(long), 1, 0);
    } else if (mynode() == 1) {
        crecvp(7, (void **)&block, sizeof(long));
        printf("C received %ld and %s\n", *block, argv[1]);
        return *block != 42;
    }
    return 0;
}
"""
EXCHANGE_CXX = r"""
#include <iostream>
#include <stdexcept>
#include <vector>
#include <nx.h>
int main()
{
    std::vector<int> numbers{1, 2, 3};
    try {
        numbers.at(9);
    } catch (const std::out_of_range &) {
        std::cout << "C++ caught it on node " << mynode() << std::endl;
        return 0;
    }
    return 1;
}
"""
FORTRAN = """      PROGRAM OUTER
      INCLUDE 'fcube.h'
      INTEGER I
      I = MYNODE()
      WRITE (*, 10) I, NUMNODES()
   10 FORMAT (' FORTRAN NODE ', I3, ' OF ', I3)
      END
"""
COPY = r"""
#include <stdio.h>
int main(void)
{
    char text[100];
    FILE *in = fopen("in.txt", "r"), *out = fopen("out.txt", "w");
    if (!in || !out || !fgets(text, sizeof text, in))
        return 1;
    fprintf(out, "copied: %s", text);
    if (fgets(text, sizeof text, stdin))
        fprintf(out, "typed: %s", text);
    for (int i = 0; i < 1000; i++) /* more than one piece on its way out */
        fprintf(out, "%d\n", i);
    return fclose(out);
}
"""
# What the kernel says of each program of apps/faults, which is what it tried and did not get.
FAULTS = {
    "bad_proxy_call": "both proxy calls were refused",
    "breakpoint": "the program stopped at a breakpoint",
    "endless_recursion": "the program used up its stack of 8 MiB",
    "execute_data": "the program tried to execute at 0x",
    "kernel_address": "the program tried to read at 0xffffffff80000000, where it may not",
    "null_pointer": "the program tried to write at 0x0, where it may not",
    "port_access": "the program executed a privileged instruction",
    "privileged_instruction": "the program executed a privileged instruction",
    "return_to_kernel": "the program executed a privileged instruction",
    "wild_pointer": "the program tried to write at 0x123456789000, where it may not",
    "write_code": "the program tried to write at 0x",
}

# The library's own messages must obey what is hard for them: here buffers of one domain are lent.
LENT = ("exp1,light,asynchronous", "exp5,asynchronous")
VARIANTS = ("nx2,location=user,light", "exp6,broadcast-copy", *LENT)


@for_each(SIX, "programs_from_outside_run_under", sample=("exp5",))
@for_each_job(
    (*SIX, "nx2", "exp2-user", *VARIANTS),
    "the_self_test_passes_on_two_nodes_under",
    lambda _, design: {"app": "selftest", "design": design, "nodes": 2},
    sample=("exp1", "exp2", "exp4", "nx2", "exp2-user"),
)
@for_each_job(
    (*SIX, "nx2", "exp2-user", *VARIANTS),
    "the_self_test_passes_on_four_nodes_under",
    lambda _, design: {"app": "selftest", "design": design, "nodes": 4},
    sample=("exp3", "exp5", "exp6", *VARIANTS),
)
@for_each_job(sorted(FAULTS), "a_misbehaving_program_ends_alone", lambda _, name: {"app": name})
class Programs(BootCase):
    @seldom
    def programs_from_outside_run_under(self, design):
        program = self.compile("nxcc", "outside.c", EXCHANGE_C)
        boot = self.boot_well(f"APP={program}", f"DESIGN={design}", 'ARGS="two words" 42')
        self.assertIn("C received 42 and two words", boot.text)
        program = self.compile("nxc++", "outside2.cc", EXCHANGE_CXX)
        self.assertIn("C++ caught it on node 1", self.boot_well(f"APP={program}", f"DESIGN={design}").text)
        program = self.compile("nxf77", "outside3.f", FORTRAN)
        self.assertIn("FORTRAN NODE   1 OF   2", self.boot_well(f"APP={program}", f"DESIGN={design}").text)

    def the_self_test_passes_on_two_nodes_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")

    def the_self_test_passes_on_four_nodes_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")

    def a_misbehaving_program_ends_alone(self, name, job):
        self.assertEqual(job.status, "failed", job.text)
        self.assertIn(FAULTS[name], job.text)
        self.assertNotIn("protection failed", job.text)
        self.assertEqual(job.boot.record["status"], "failed", job.boot.text[-3000:])

    def test_every_program_that_misbehaves_is_tried(self):
        folder = os.path.join(ROOT, "apps", "faults")
        self.assertEqual(
            sorted(FAULTS), sorted(file[:-2] for file in os.listdir(folder) if file[-2:] == ".c")
        )

    def test_a_fixed_address_program_is_refused_under_light_and_runs_elsewhere(self):
        source = self.write(
            "fixed.c", '#include <stdio.h>\nint main(void) { puts("fixed here"); return 0; }\n'
        )
        program = os.path.join(self.folder, "fixed")
        subprocess.run(
            [os.environ.get("CROSS", "") + "gcc", "-static", "-no-pie", "-o", program, source], check=True
        )
        # It knows no messages, and the delivery process of the second ends nevertheless.
        for design in ("exp6", "exp3,location=user"):
            self.assertIn("fixed here", self.boot_well(f"APP={program}", f"DESIGN={design}", "NODES=1").text)
        boot = self.boot(f"APP={program}", "DESIGN=exp5", "NODES=1")
        self.assertNotEqual(boot.status, 0)
        self.assertIn("static-pie", boot.text)

    def test_files_go_in_and_come_out(self):
        program = self.compile("nxcc", "copy.c", COPY)
        self.write("work/in.txt", "some text\n")
        typed, out = self.write("typed.txt", "from the keyboard\n"), os.path.join(self.folder, "out")
        words = (f"FILES={self.folder}/work", f"OUT={out}", f"INPUT={typed}")
        self.boot_well(f"APP={program}", "NODES=1", *words)
        boot = self.boot_well(f"APP={program}", "NODES=1", words[0])
        self.assertIn("The program wrote the file out.txt; OUT=folder keeps what it writes.", boot.text)
        with open(os.path.join(out, "out.txt"), encoding="utf-8") as file:
            first, second, *rest = file.read().splitlines()
        self.assertEqual((first, second), ("copied: some text", "typed: from the keyboard"))
        self.assertEqual(rest, [str(number) for number in range(1000)])

    def test_output_lines_carry_the_node_where_asked(self):
        boot = self.boot_well("APP=hello_c", "NODES=2", "TAG=1")
        self.assertRegex(boot.text, r"(?m)^\[0\] hello")

    def test_what_is_said_of_a_job_comes_before_what_it_says_itself(self):
        source = '#include <stdio.h>\nint main(void) { puts("itself"); return 0; }\n'
        program, names = self.compile("nxcc", "early.c", source), [f"job-{number}" for number in range(16)]
        jobs = "".join(f'[[job]]\nname = "{name}"\napp = "{program}"\nnodes = 1\n' for name in names)
        text = self.boot_well(f"CONFIG={self.write('many.toml', jobs)}").text
        said = re.findall(r"^(?:job (job-\d+):|(itself)$)", text, re.M)
        self.assertEqual(
            ["".join(one) for one in said], [word for name in names for word in (name, "itself")]
        )

    def test_two_nodes_that_both_send_first_are_a_deadlock_with_both_calls_named(self):
        source = (
            "#include <nx.h>\nint main(void) { char *b = nx_alloc(64); csend(5, b, 64, 1 - mynode(), 0);\n"
        )
        program = self.compile("nxcc", "both.c", source + "crecv(5, b, 64); return 0; }\n")
        boot = self.boot(f"APP={program}", "DESIGN=exp1")
        self.assertEqual(boot.status, 1, boot.text[-3000:])
        self.assertEqual(boot.record["jobs"][0]["status"], "deadlock")
        for node in (0, 1):
            self.assertRegex(boot.text, rf"node {node}: csend\(type 5, 64 bytes, to node {1 - node}\)")

    def test_refused_combinations_say_why(self):
        refused = (
            ("give the run so many more processors than nodes", "DESIGN=exp6,transport=process", "NODES=2"),
            ("did you mean 'synchronization'?", "DESIGN=exp6,synchronisation=ticket"),
            ("the packets of port=fifo is 16 to 65536, a power of two, not '99'", "DESIGN=exp6,port=fifo:99"),
            ("the increment of port=fifo is native or cas, not 'x'", "DESIGN=exp6,port=fifo:64:2:0:x"),
            ("there is no design or class 'exp9'; did you mean", "DESIGN=exp9"),
        )
        for sentence, *words in refused:
            with self.subTest(words=words):
                boot = self.boot(*words)
                self.assertEqual(boot.status, 2, boot.text)
                self.assertIn(sentence, boot.text)

    def test_wrappers_are_there(self):
        for name in ("nxcc", "nxc++", "nxf77"):
            self.assertTrue(os.access(os.path.join(BUILD, name), os.X_OK))


if __name__ == "__main__":
    unittest.main()
