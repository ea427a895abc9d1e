# SPDX-License-Identifier: MIT
"""NX/2 beyond plain messages: handlers, host programs, several processes a node; programs as they were
written then, compiled by the wrappers as a user would."""

import os
import subprocess
import unittest

from boot_case import BUILD, ROOT, SIX, BootCase, for_each, for_each_job, newest

PROGRAMS = os.path.join(ROOT, "kernel", "tests", "programs")
OTHERS = ("exp6,location=user", "exp4,location=user", "exp6,context-switch=light")
EVERY_KIND = (*SIX, "nx2", "exp2-user", *OTHERS)
COPYING = (
    *("exp3", "exp4", "exp6", "nx2"),
    *("exp6,location=user", "exp4,location=user", "exp6,interaction=synchronous"),
)
HOSTED = (
    *("exp3", "exp4", "exp6", "nx2", "exp6,location=user", "exp4,location=user"),
    "exp6,location=user,context-switch=light",
)


FOUR = ("PROCESSORS=4",)

# What each node of mistakes.c says as it dies.
MISTAKES = (
    "csend(type 1, 4 bytes, to node 25, pid 0): there is no such node in this job",
    "csend(type 1, 4 bytes, to node 0, pid 7): there is no such process on that node",
    "csend(type 1000000000, 4 bytes, to node 0, pid 0): message types lie between 0 and 999999999, or ",
    "csend(type 1, -4 bytes, to node 0, pid 0): the length is negative or too large",
    "csend(type 1, 4 bytes, to node 0, pid 0): the buffer is not memory that this process may use",
    "crecv(type 1, at most -1 bytes): the length is negative or too large",
    "isend(type 1, -8 bytes, to all other nodes): the length is negative or too large",
    "msgwait(id 123456789): this message id was not handed out by isend, irecv or another call that ",
    "msgcancel(id -3): this message id was not handed out by isend, irecv or another call that ",
    "hsend(type 1, 4 bytes, to node 0, pid 0): a handler must be a function of the program",
    "hrecv(any type, at most -4 bytes): the length is negative or too large",
    "setpid(pid -1): there is no such process on that node",
    "load(node 0, pid 0): only a job's host program loads others (HOSTED=)",
    "gdsum(): the length is negative or too large",
    "cread(file 55, 8 bytes): Bad file descriptor",
    "crecv(type 5, at most 8 bytes): the message is longer than the buffer that should receive it: it has ",
    "crecv(types in mask 0x80000007, at most 8 bytes): the message is longer than the buffer that ",
    "irecv(type 1, at most 8 bytes): too many messages are under way; wait for some with msgwait",
    "while sending: there is no such node in this job",
    "hrecv(type 6, at most 8 bytes): the message is longer than the buffer that should receive it: it has ",
    "csendrecv(type 7, at most 8 bytes): the message is longer than the buffer that should receive it: it ",
    "csendrecv(type 7, -32 bytes, to node 0, pid 0): the length is negative or too large",
    "gsendx(type 8, 8 bytes, to node -5, pid 0): there is no such node in this job",
)


EMPTY = """#include <nx.h>
#include <stdio.h>
static long told;
void hear() { told++; }
int main(void)
{
    long other = 1 - mynode(), id = irecv(2, 0, 0), info[8];
    hrecv(4, 0, 0, hear);
    csend(1, 0, 0, other, 0);
    csend(2, 0, 0, other, 0);
    crecv(1, 0, 0);
    msgwait(id);
    csendrecv(3, 0, 0, other, 0, 3, 0, 0);
    csend(4, 0, 0, other, 0);
    csend(5, 0, 0, other, 0);
    crecvx(5, 0, 0, other, 0, info);
    while (!told)
        flick();
    csend(6, nx_alloc(8), 8, other, 0);
    printf("empty %ld, then %ld\\n", info[1], _crecv(6, 0, 0));
    return 0;
}
"""


def built(name: str) -> str:
    """A program of that folder, compiled once; programs of a run lie in one folder, where load finds
    them."""
    sources = (os.path.join(PROGRAMS, name + end) for end in (".f", ".c"))
    source = next(path for path in sources if os.path.exists(path))
    folder = os.path.join(BUILD, "tests", "nx_programs")
    program = os.path.join(folder, name)
    parts = [os.path.join(PROGRAMS, file) for file in os.listdir(PROGRAMS) if file.endswith((".h", ".inc"))]
    if not os.path.exists(program) or os.path.getmtime(program) <= newest(source, *parts):
        os.makedirs(folder, exist_ok=True)
        wrapper = "nxf77" if source.endswith(".f") else "nxcc"
        subprocess.run([os.path.join(BUILD, wrapper), "-o", program, source], check=True)
    return program


@for_each_job(
    EVERY_KIND,
    "handlers_keep_their_promises_under",
    lambda _, design: {"app": built("handlers"), "design": design, "nodes": 3, "budget": 12582912},
    FOUR,
    sample=("exp1", "exp3", "nx2", "exp6,location=user"),
)
@for_each_job(
    COPYING,
    "a_fortran_server_is_interrupted_under",
    lambda _, design: {"app": built("server"), "design": design, "nodes": 4},
    ("PROCESSORS=5",),
    sample=("exp4", "nx2"),
)
@for_each_job(
    COPYING[:-1],
    "requests_and_small_calls_work_under",
    lambda _, design: {"app": built("requests"), "design": design, "nodes": 2, "hosted": 0},
    FOUR,
    sample=("exp3", "exp6,location=user"),
)
@for_each_job(
    COPYING,
    "a_write_statement_may_wait_for_a_handler_under",
    lambda _, design: {"app": built("asking_writer"), "design": design, "nodes": 2},
    FOUR,
    sample=("exp4", "nx2", "exp6,location=user", "exp6,interaction=synchronous"),
)
@for_each_job(
    ("exp2", "exp2-user", "exp6"),
    "messages_without_bytes_come_by_any_call_under",
    lambda case, design: {"app": case.compiled(EMPTY), "design": design, "nodes": 2},
    FOUR,
    sample=("exp2",),
)
@for_each(HOSTED, "a_fortran_host_loads_its_nodes_under", sample=("exp3", "exp6"))
@for_each(HOSTED, "places_are_used_again_under", sample=("exp4", "nx2", HOSTED[-1]))
@for_each(("exp2", "exp5", "exp6"), "shared_files_keep_their_modes_under", sample=("exp5", "exp6"))
@for_each(("exp3", "exp6,location=user"), "every_call_of_a_fortran_host_works_under")
@for_each_job(
    (*SIX, "nx2"),
    "promises_to_fortran_hold_under",
    lambda _, design: {"app": built("promises"), "design": design, "nodes": 3},
    FOUR,
    sample=("exp2", "exp5", "nx2"),
)
@for_each(("exp1", "nx2"), "fortran_units_are_files_under", sample=("nx2",))
class Nx(BootCase):
    def handlers_keep_their_promises_under(self, _, job):
        self.assertRegex(self.well(job).text, r"[1-9]\d* passed, 0 failed")

    def a_fortran_server_is_interrupted_under(self, _, job):
        self.assertIn("SERVER OK:    40 TASKS", self.well(job).text)

    def a_fortran_host_loads_its_nodes_under(self, design):
        built("jacobi_node")
        typed = self.write("typed.txt", "24 3000\n1.0d-7\n")
        boot = self.boot_well(f"APP={built('jacobi_host')}", f"DESIGN={design}", "NODES=4", f"INPUT={typed}")
        self.assertIn("JACOBI SOLVED", boot.text)

    def places_are_used_again_under(self, design):
        built("pids_node")
        boot = self.boot_well(f"APP={built('pids_host')}", f"DESIGN={design}", "NODES=2", "PIDS=2")
        self.assertIn("host: all is well", boot.text)

    def shared_files_keep_their_modes_under(self, design):
        boot = self.boot_well(f"APP={built('files')}", f"DESIGN={design}", "NODES=3")
        self.assertIn("files: 0 failures", boot.text)

    def fortran_units_are_files_under(self, design):
        boot = self.boot_well(f"APP={built('units')}", f"DESIGN={design}", "NODES=3")
        self.assertIn(" UNITS:      0 FAILURES", boot.text)

    def requests_and_small_calls_work_under(self, _, job):
        self.assertIn("0 failures", self.well(job).text)

    def promises_to_fortran_hold_under(self, _, job):
        self.assertIn(" PROMISES:      0 BROKEN", self.well(job).text)

    def test_a_program_of_much_code_is_interrupted_anywhere_in_it(self):
        with open(os.path.join(PROGRAMS, "much_code.c"), encoding="utf-8") as file:
            program = self.compile("nxcc", "much_code.c", file.read(), f"-I{ROOT}")
        self.assertIn("interrupted at all 6 places", self.boot_well(f"APP={program}", "NODES=1").text)

    def test_plain_calls_that_fail_say_what_where_and_why(self):
        nodes = len(MISTAKES)
        words = (f"NODES={nodes}", "PROCESSORS=2", "SCHEDULE=timeshared", "DESIGN=exp4", "HOSTED=0")
        boot = self.boot(f"APP={built('mistakes')}", *words)
        self.assertEqual((boot.status, "lives on" in boot.text), (1, False), boot.text[-3000:])
        for node, sentence in enumerate(MISTAKES):
            self.assertIn(f"parley: node {node}, pid 0: {sentence}", boot.text)
        self.assertEqual([end["status"] for end in boot.record["processes"]], [1] * nodes)

    def test_perror_and_its_kind_know_the_errors_of_nx(self):
        source = """#include <nx.h>
            #include <stdio.h>
            #include <string.h>
            extern char *sys_errlist[];
            int main(void)
            {
                _csend(1, 0, 0, 22, 0);
                perror("csend");
                printf("error: %s, %s\\n", strerror(errno), sys_errlist[EQMSGLONG]);
                _msgwait(12345);
                perror(0);
                fopen("nowhere", "r");
                perror("nowhere");
                printf("error: %s, %s\\n", strerror(999), sys_errlist[2]);
                return 0;
            }"""
        text = self.boot_well(f"APP={self.compile('nxcc', 'errors.c', source)}", "NODES=1").text
        node, long = "there is no such node in this job", "the message is longer than the buffer"
        identity = "this message id was not handed out by"
        for sentence in (f"csend: {node}\n", f"error: {node}, {long}", identity):
            self.assertIn(sentence, text)
        self.assertIn("nowhere: No such file or directory\n", text)
        self.assertIn("error: Unknown error 999, No such file or directory\n", text)

    def test_handlers_need_the_wrappers(self):
        source = "#include <nx.h>\nvoid f() { }\nint main() { hrecv(1, 0, 0, f); return 0; }\n"
        program = os.path.join(self.folder, "bare")
        words = ["-w", f"-I{BUILD}/include", "-static", f"-L{BUILD}/lib"]
        path = self.write("bare.c", source)
        subprocess.run([os.environ.get("CROSS", "") + "gcc", *words, "-o", program, path, "-lnx"], check=True)
        boot = self.boot(f"APP={program}", "NODES=1", "DESIGN=exp6")
        self.assertEqual(boot.status, 1)
        self.assertIn("this program was linked without nxcc, nxc++ or nxf77", boot.text)
        self.assertIn("link it with one of these", boot.text)

    def test_handlers_wait_for_the_end_of_a_write_statement(self):
        text = self.boot_well(f"APP={built('writer')}", "NODES=1").text
        lines = [line for line in text.splitlines() if line.startswith((" MAIN", " HANDLER"))]
        pairs = [(f" MAIN{i:6}{2 * i:6} 1 2 3 4 5", f" HANDLER{i:6} 5 4 0") for i in range(1, 101)]
        self.assertEqual(lines, [line for pair in pairs for line in pair])

    def messages_without_bytes_come_by_any_call_under(self, _, job):
        self.assertEqual(self.well(job).text.count("empty 0, then -1\n"), 2)

    def a_write_statement_may_wait_for_a_handler_under(self, _, job):
        lines = [line for line in self.well(job).text.splitlines() if line.startswith(" ASKED")]
        self.assertEqual(lines, [f" ASKED{i:4}{2 * i:4}" for i in range(1, 31)])

    def test_a_host_may_end_before_its_nodes(self):
        built("leaving_node")
        boot = self.boot_well(f"APP={built('leaving_host')}", "NODES=2")
        for node in (0, 1):
            self.assertIn(f" NODE {node:3} STAYED, SUM      1.0", boot.text)

    def every_call_of_a_fortran_host_works_under(self, design):
        built("pids_node")
        boot = self.boot_well(f"APP={built('cube_host')}", f"DESIGN={design}", "NODES=2")
        self.assertIn(" CUBES:      0 FAILURES", boot.text)

    def test_a_paragon_program_loads_its_nodes(self):
        built("leaving_node")
        boot = self.boot_well(f"APP={built('paragon_host')}", "NODES=2")
        self.assertIn("paragon: 0 failures", boot.text)
        self.assertEqual(boot.text.count(" STAYED, SUM      1.0"), 4)

    def test_nx_loadve_hands_arguments_on(self):
        node = """#include <nx.h>
            #include <stdio.h>
            int main(int argc, char **argv)
            {
                printf("node %ld:", mynode());
                for (int i = 0; i <= argc; i++)
                    printf(" [%s]", argv[i] ? argv[i] : "end");
                puts("");
                return 0;
            }"""
        host = """#include <nx.h>
            int main(void)
            {
                char *words[] = {"told", "one", "two words", "", "last", 0};
                return nx_loadve(0, -1, 0, 0, "told", words, 0) != numnodes() || nx_waitall() != 0;
            }"""
        self.compile("nxcc", "told.c", node)
        boot = self.boot_well(f"APP={self.compile('nxcc', 'telling.c', host)}", "NODES=2")
        for number in (0, 1):
            self.assertIn(f"node {number}: [told] [one] [two words] [] [last] [end]\n", boot.text)

    def test_a_host_needs_a_processor_of_its_own(self):
        boot = self.boot(f"APP={built('pids_host')}", "NODES=2", "PIDS=2", "PROCESSORS=4")
        self.assertEqual(boot.status, 2)
        self.assertIn("the host and 4 node processes, which need a processor each", boot.text)

    def test_a_missing_node_program_is_named(self):
        source = '#include <nx.h>\nint main(void) { load("nobody", -1, 0); return 0; }\n'
        program = self.compile("nxcc", "host.c", source)
        boot = self.boot(f"APP={program}", "NODES=2")
        self.assertEqual(boot.status, 1)
        self.assertIn('load("nobody"): there is no such program', boot.text)

    def test_a_host_that_left_before_its_nodes_waited_for_ever_is_told(self):
        self.compile("nxcc", "stuck.c", "#include <nx.h>\nint main(void) { crecv(1, 0, 0); return 0; }\n")
        source = '#include <nx.h>\nint main(void) { load("stuck", -1, 0); return 0; }\n'
        boot = self.boot(f"APP={self.compile('nxcc', 'gone.c', source)}", "NODES=2")
        self.assertEqual((boot.status, boot.record["jobs"][0]["status"]), (1, "deadlock"), boot.text[-3000:])
        self.assertIn("  the host left before, with status 0\n", boot.text)

    def test_waitone_tells_which_program_ended_and_how(self):
        self.compile("nxcc", "ending.c", "#include <nx.h>\nint main(void) { return 3 + mynode(); }\n")
        source = """#include <nx.h>
            #include <stdio.h>
            int main(void)
            {
                long node, pid, status;
                load("ending", -1, 0);
                for (int i = 0; i < numnodes(); i++) {
                    waitone(-1, -1, &node, &pid, &status);
                    printf("node %ld, pid %ld: status %ld\\n", node, pid, status);
                }
            }"""
        boot = self.boot(f"APP={self.compile('nxcc', 'asking.c', source)}", "NODES=2")
        self.assertEqual((boot.status, boot.record["status"]), (1, "failed"), boot.text[-3000:])
        for node in (0, 1):
            self.assertIn(f"node {node}, pid 0: status {3 + node}\n", boot.text)

    def test_killcube_ends_a_job_well(self):
        source = "int main(void) { if (mynode() == 0) killcube(-1, -1); crecv(1, 0, 0); return 1; }\n"
        boot = self.boot_well(
            f"APP={self.compile('nxcc', 'killer.c', '#include <nx.h>' + chr(10) + source)}", "NODES=3"
        )
        self.assertEqual({end["status"] for end in boot.record["processes"]}, {0})

    def test_waiting_for_nodes_that_wait_for_ever_is_a_deadlock(self):
        self.compile("nxcc", "stuck.c", "#include <nx.h>\nint main(void) { crecv(1, 0, 0); return 0; }\n")
        source = '#include <nx.h>\nint main(void) { load("stuck", -1, 0); waitall(-1, 0); return 0; }\n'
        boot = self.boot(f"APP={self.compile('nxcc', 'patient.c', source)}", "NODES=2")
        self.assertEqual((boot.status, boot.record["jobs"][0]["status"]), (1, "deadlock"), boot.text[-3000:])
        self.assertIn("the host: waitall waits for programs to end", boot.text)


if __name__ == "__main__":
    unittest.main()
