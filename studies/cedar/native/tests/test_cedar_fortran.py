# SPDX-License-Identifier: MIT
"""Programs in Cedar Fortran on Linux: what cedarf77 makes of their loops computes what plain loops compute,
and what it cannot read ends in one sentence with file and line."""

import glob
import os
import re
import subprocess

from native_case import NATIVE, ROOT, NativeCase, app, for_each

FOLDER = os.path.join(ROOT, "studies", "cedar", "fortran")
EXAMPLES = sorted(glob.glob(os.path.join(FOLDER, "*.f")))
NAMES = [os.path.splitext(os.path.basename(path))[0] for path in EXAMPLES]
# Of them, those that the study has in C, too; what they share is a source of its own.
PROGRAMS = ("adm", "arc2d", "flo52", "mdg", "ocean")
SHARED = os.path.join(FOLDER, "support", "perfect.f")
WRAPPER = os.path.join(NATIVE, "bin", "cedarf77")
# Threads and what PARLEY_LOOPS says.
WAYS = (
    (1, "clusters=1"),
    (3, "clusters=1,distribution=stealing"),
    (4, "clusters=2"),
    (6, "clusters=3,distribution=hierarchical:2:1,barrier=tree"),
)


# Waits until so many iterations have counted themselves.
AWAIT_HERE = """now = 0
do while (now .lt. {number})
!$omp atomic read
now = here
end do"""


class Case(NativeCase):
    def compile(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([WRAPPER, *words], capture_output=True, text=True, check=False, cwd=self.folder)

    def compiled(self, *words: str) -> str:
        program = self.path("program")
        done = self.compile("-o", program, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def environment(self, threads: int, words: str) -> dict[str, str]:
        return {**os.environ, "OMP_NUM_THREADS": str(threads), "PARLEY_LOOPS": words}

    def source(self, text: str, name: str = "case.f") -> str:
        """Statements, each on a line of fixed form; what begins with a digit, !, * or a blank stands as it
        is."""
        whole = tuple("0123456789*! ")
        lines = [line if line[:1] in whole else f"      {line}" for line in text.splitlines()]
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return path

    def told(self, text: str, threads: int = 3, words: str = "clusters=1", *options: str) -> str:
        """What the program of this text prints, its blanks taken out."""
        program = self.compiled(self.source(text), *options)
        ran = self.well("-n", "1", program, env=self.environment(threads, words))
        return " ".join(ran.out.split())


@for_each(NAMES, "it_computes_what_plain_loops_compute")
class Examples(Case):
    def it_computes_what_plain_loops_compute(self, name):
        sources = [EXAMPLES[NAMES.index(name)], *[SHARED] * (name in PROGRAMS)]
        program = self.compiled(*sources)
        sums = set()
        for threads, words in WAYS:
            with self.subTest(threads=threads, words=words):
                ran = self.well("-n", "1", program, env=self.environment(threads, words))
                self.assertRegex(ran.out, rf"(^|\n){name}: +\d+ \w+, +0 wrong\n$")
                sums.update(re.findall(rf"^{name}: sum +(\S+)$", ran.out, re.M))
        if name in PROGRAMS:
            plain = self.well("-n", "1", app(name), "--scale", "3", "--length", "20", "--sequential")
            (wanted,) = re.findall(rf"^{name.upper()}: sum (\S+)$", plain.out, re.M)
            self.assertEqual({float(found) for found in sums}, {float(wanted)})


class Loops(Case):
    def test_the_preamble_and_the_postamble_run_once_for_each_thread(self):
        text = """
integer i, before, body, after
before = 0
body = 0
after = 0
xdoall i = 1, 50
integer mine
mine = 0
!$omp atomic
before = before + 1
loop
mine = mine + 1
endloop
!$omp atomic
body = body + mine
!$omp atomic
after = after + 1
end xdoall
print *, before, body, after
end
"""
        self.assertEqual(self.told(text, threads=3), "3 50 3")

    def test_an_sdoall_has_one_thread_of_each_cluster(self):
        text = """
integer i, j, outer, inner
outer = 0
inner = 0
sdoall i = 1, 6
!$omp atomic
outer = outer + 1
loop
cdoall j = 1, 5
!$omp atomic
inner = inner + 1
loop
continue
endloop
end cdoall
endloop
end sdoall
print *, outer, inner
end
"""
        self.assertEqual(self.told(text, threads=6, words="clusters=2"), "2 18")

    def test_steps_bounds_and_labels_are_those_of_do(self):
        text = """
integer i, n, got(-20:20)
integer*2 k
got = 0
n = 5
xdoall 10 i = 20, -(n * 4), -4
10    got(i) = got(i) + 1
cdoall k = 3, 1
got(k) = 99
end cdoall
cdoall 30, k = 1, 2
if (k .eq. 2) goto 30
got(k) = 7
30    continue
x do all i = 2, 3
got(i) = i
end x do all
print *, sum(got(-20:20:4)), got(1), got(2), got(3), sum(got)
end
"""
        self.assertEqual(self.told(text), "11 7 2 3 23")

    def test_each_thread_has_the_index_to_itself(self):
        """Each of two threads is in an iteration until the other is in one."""
        text = f"""
integer i, here, wrong
here = 0
wrong = 0
xdoall i = 1, 2
integer mine, now
mine = i
!$omp atomic
here = here + 1
{AWAIT_HERE.format(number=2)}
if (i .ne. mine) wrong = 1
end xdoall
print *, wrong
end
"""
        self.assertEqual(self.told(text, 2), "0")

    def test_ordered_regions_are_gone_through_in_order(self):
        for kind in ("doacross", "xdoacross", "cdoacross", "sdoacross"):
            text = f"""
integer i, next, wrong, here
next = 1
wrong = 0
here = 0
{kind} i = 1, 2
integer now
if (i .eq. 2) then
!$omp atomic
here = here + 1
else
{AWAIT_HERE.format(number=1)}
end if
call await(1, 1)
if (next .ne. i) wrong = wrong + 1
next = i + 1
call advance(1)
end {kind}
next = 1
{kind} i = 1, 301, 3
call await(1, 1)
if (next .ne. i) wrong = wrong + 1
next = i + 3
call advance(1)
end {kind}
{kind} i = 1, 4
if (i .ge. 1) call await(1, 1)
next = next + i
call advance(1)
end {kind}
print *, next, wrong
end
"""
            with self.subTest(kind=kind):
                self.assertEqual(self.told(text, 4, "clusters=2"), "314 0")

    def test_what_is_global_is_kept_and_what_is_a_clusters_is_a_calls_own(self):
        text = """
call count(3)
call other
call count(4)
end
subroutine count(i)
integer i, all
global all(1), i
cluster own(2)
process common /block/ k
all(1) = all(1) + i
own(1) = all(1)
k = k + 1
if (i .eq. 4) print *, all, k, int(own(1))
end
subroutine other
integer k(100)
k = 9
call set(k)
end
subroutine set(k)
integer k(100)
k(1) = k(100) + k(50)
end
block data
process common /block/ k
data k /5/
end
"""
        self.assertEqual(self.told(text, 3, "clusters=1", "-O0"), "7 7 7")

    def test_cluster_tasks_run_with_what_they_are_called_with(self):
        text = """
external part
integer first, second, a(100), s(2), where(2), b(3)
data b /1, 51, 100/
do i = 1, 100
a(i) = i
end do
call ctskstart(first, part, a, b, b(2), s, where)
if (a(1) .eq. 1)
     &call ctskstart(second, part, a, b(2), b(3), s(2), where(2))
call ctskwait(first)
call ctskwait(second)
print *, s, where
end
subroutine part(a, first, last, total, where)
integer a(100), first, last, total, where, cedar_cluster, i
total = 0
cdoall i = first, last
!$omp atomic
total = total + a(i)
end cdoall
where = cedar_cluster()
end
"""
        self.assertEqual(self.told(text, 4, "clusters=2"), "1326 3775 0 1")

    def test_each_cluster_task_has_a_copy_of_cluster_common(self):
        """Each of two clusters is in an iteration until the other is in one."""
        text = f"""
implicit none
integer i, k, m, n, task, here, got(0:1), sums(0:1), own
integer cedar_cluster
real*8 x
character*6 name
external work
cluster common /b/ x(3), k, name /c/ m // n
global got, sums
save /b/
k = 100
m = 7
n = 9
here = 0
sdoall i = 1, 2
integer now
!$omp atomic
here = here + 1
{AWAIT_HERE.format(number=2)}
k = k + cedar_cluster() + 1
name = 'of two'
got(cedar_cluster()) = k
call add(sums(cedar_cluster()))
end sdoall
print *, got, sums, k, m, n, name
do i = 1, 2
call ctskstart(task, work, own)
call ctskwait(task)
end do
print *, own, k
end
subroutine add(total)
integer total, k, i
real*8 x
character*6 name
cluster common /b/ x(3)
cluster common /b/ k, name
f(y) = y * 2
cdoall i = 1, 5
!$omp atomic
x(1) = x(1) + f(real(k))
end cdoall
total = x(1)
return
entry more(total)
total = total + k
end
subroutine work(own)
integer own, k, i
real*8 x
character*6 name
cluster common /b/ x(3), k, name
cdoall i = 1, 10
!$omp atomic
k = k + i
end cdoall
own = 0
call more(own)
end
"""
        self.assertEqual(self.told(text, 4, "clusters=2"), "101 2 1010 20 101 7 9 of two 55 101")

    def test_functions_that_loops_call_may_be_declared_by_their_type_alone(self):
        text = """
implicit none
integer i, k(3), mine, total
real*8 dsqrt
character*3 letters
letters = 'abc'
xdoall i = 1, 3
k(i) = mine(i) + dsqrt(4d0)
if (letters(1:1) .ne. 'a') k(i) = 0
end xdoall
print *, k
end
integer function mine(i)
integer i
mine = i + 10
end
"""
        self.assertEqual(self.told(text), "13 14 15")

    def test_large_arrays_of_the_main_program_need_no_stack(self):
        text = "integer i\nreal*8 a(4000000)\nxdoall i = 1, 40\na(i * 100000) = i\nend xdoall\n"
        self.assertEqual(self.told(text + "print *, int(sum(a))\nend"), "820")

    def test_names_that_look_like_loops_are_names(self):
        text = """
real loop, sdoall, endloop
sdoall = 1
loop = sdoall + 1
endloop = loop
print *, int(endloop)
end
"""
        self.assertEqual(self.told(text), "2")


class BadInput(Case):
    def refused(self, text: str, line: int, sentence: str):
        done = self.compile("-c", self.source(text))
        self.assertEqual((done.returncode, done.stderr), (1, f"{self.path('case.f')}:{line}: {sentence}.\n"))
        self.assertEqual(os.listdir(self.folder), ["case.f"])

    def test_what_cannot_be_read_is_named_with_file_and_line(self):
        unreadable = "this loop cannot be read"
        for text, line, sentence in (
            ("sdoall i = 1\nend sdoall\nend", 1, f"{unreadable}: SDOALL I = FIRST, LAST is wanted"),
            ("\nxdoall i = 1, n,\nend", 2, f"{unreadable}: XDOALL I = FIRST, LAST is wanted"),
            ("xdoall i = 1, 2\nx = 1\nend\n", 1, "this XDOALL wants an END XDOALL and has none"),
            ("xdoall 10 i = 1, 2\nx = 1\nend", 1, "this XDOALL wants a statement 10 and has none"),
            ("sdoall i = 1, 2\nend xdoall\nend", 2, "this stands where the SDOALL wants an END SDOALL"),
            ("end cdoall\nend", 1, "this END CDOALL is in no loop"),
            ("endloop\nend", 1, "this ENDLOOP is in no loop"),
            ("cdoall i = 1, 2\nendloop\nend cdoall\nend", 2, "this ENDLOOP has no LOOP in its CDOALL"),
            ("cdoall i = 1, 2\nloop\nloop\nend", 3, "this is the second LOOP of a CDOALL"),
            ("cdoall i = 1, 2\nif (i.eq.1) exit\nend cdoall\nend", 2, "EXIT cannot leave a CDOALL"),
            ("cdoall i = 1, 2\nreturn\nend cdoall\nend", 2, "RETURN cannot leave a CDOALL"),
            (
                "cdoall i = 1, 2\ninteger k /3/\nend cdoall\nend",
                2,
                "what is declared in a CDOALL has no value to begin with or keep",
            ),
            (
                "xdoall i = 1, 2\nglobal k\nend",
                2,
                "GLOBAL cannot stand in an XDOALL: declare it before the loop",
            ),
            ("call ctskwait(1, 2)\nend", 1, "CTSKWAIT(TASK) is wanted"),
            ("call ctskstart(i)\nend", 1, "CTSKSTART(TASK, SUBROUTINE, at most 8 arguments) is wanted"),
            ("global 7\nend", 1, "GLOBAL is followed by names, not by '7'"),
            ("cluster /a/\nend", 1, "CLUSTER COMMON /A/ with its names is wanted for a block"),
            (
                "cluster common /a/ k, 7\nend",
                1,
                "CLUSTER COMMON is followed by /BLOCK/ and names, not by '7'",
            ),
            (
                "cluster common /a/ k\ndata k /7/\nend",
                2,
                "K lies in CLUSTER COMMON, which begins as zero: assign to it",
            ),
            (
                "integer k /7/\ncluster common /a/ k\nend",
                1,
                "K lies in CLUSTER COMMON, which begins as zero: assign to it",
            ),
            (
                "cluster common /a/ k\nequivalence (k, m)\nend",
                2,
                "K lies in CLUSTER COMMON, of which each task has its own: it cannot be in EQUIVALENCE",
            ),
            (
                "cluster common /a/ k\nglobal k\nend",
                2,
                "K lies in CLUSTER COMMON, of which each task has its own: it cannot be GLOBAL",
            ),
            (
                "cluster common /a/ k\ncdoall k = 1, 2\nend cdoall\nend",
                2,
                "the index K is each thread's own: it cannot lie in CLUSTER COMMON",
            ),
            (
                "cluster common /a/ k\nend\nsubroutine x\ncommon /a/ k\nend",
                4,
                "/A/ is CLUSTER COMMON elsewhere in this file",
            ),
            (
                "common /a/ k\nend\nsubroutine x\ncluster common /a/ k\nend",
                4,
                "/A/ is a COMMON block elsewhere in this file",
            ),
            (
                "block data\ncluster common /a/ k\nend",
                1,
                "CLUSTER COMMON begins as zero: it cannot be in BLOCK DATA",
            ),
            (
                "sdoall i = 1, 2\ncluster common /a/ k\nend",
                2,
                "CLUSTER COMMON cannot stand in an SDOALL: declare it before the loop",
            ),
        ):
            with self.subTest(text=text):
                self.refused(text, line, sentence)

    def test_synchronisation_that_does_not_fit_is_named(self):
        begin = "doacross i = 1, 4\n"
        for text, line, sentence in (
            ("call await(1, 1)\nend doacross\nend", 2, "this AWAIT has no ADVANCE behind it in its DOACROSS"),
            ("call advance(1)\nend doacross\nend", 2, "this ADVANCE has no AWAIT before it"),
            (
                "call await(1, 1)\ncall await(1, 1)\nend",
                3,
                "this AWAIT follows another, with no ADVANCE between them",
            ),
            (
                "call await(1, 1)\nsdoall j = 1, 2\nend sdoall\nend",
                3,
                "a loop cannot be in the ordered region of a DOACROSS",
            ),
            (
                "call await(1, 1)\ncall advance(2)\nend",
                3,
                "a DOACROSS has one ordered region, and this is of another",
            ),
            ("xdoall j = 1, 2\ncall await\nend", 3, "AWAIT is for DOACROSS loops, and this is an XDOALL"),
        ):
            with self.subTest(text=text):
                self.refused(begin + text, line, sentence)

    def test_the_compiler_names_the_users_lines(self):
        loop = "xdoall i = 1, 2\ncall x(unknown)\nend xdoall"
        path = self.source(f"implicit none\ninteger i\n{loop}\ncall y(other)\nend")
        told = self.compile("-c", path).stderr
        self.assertIn(f"{path}:4:", told)
        self.assertIn(f"{path}:6:", told)

    def test_what_is_wrong_at_run_time_ends_in_a_sentence(self):
        for text, sentence in (
            ("xdoall i = 1, 5, n\nx = 1\nend xdoall", "the step of a loop cannot be 0"),
            (
                "doacross i = 1, 5\ncall await(1, 1)\nif (n .eq. 1) call advance(1)\nend doacross",
                "an iteration of a DOACROSS has ended between cedar_await() and cedar_advance()",
            ),
        ):
            program = self.compiled(self.source(f"n = 0\n{text}\nend"))
            ran = self.nxrun("-n", "1", program, env=self.environment(2, "clusters=1"))
            self.assertNotEqual(ran.status, 0)
            self.assertIn(f"loops: {sentence}.", ran.text)

    def test_a_block_that_grows_is_named_with_file_and_line(self):
        small, large = "cluster common /a/ k\nk = 1\ncall x\nend", "cluster common /a/ k(3)\nk(3) = 1\nend"
        text = f"{small}\nsubroutine x\n{large}"
        path = self.source(text)
        ran = self.nxrun("-n", "1", self.compiled(path), env=self.environment(2, "clusters=1"))
        self.assertNotEqual(ran.status, 0)
        sentence = "CLUSTER COMMON /a/ is larger here than where its task first came to it: declare it alike"
        self.assertIn(f"loops: {path}:6: {sentence}.", ran.text)
