# SPDX-License-Identifier: MIT
"""Every call of NX/2 and of the Paragon is there: under its own name, as the twin that returns, and as
Fortran calls it; and docs/nx2-calls.md has them all."""

import glob
import os
import re
import subprocess
import unittest

from boot_case import BUILD, ROOT, BootCase

# The iPSC/860's node library, its file system, and what was seen only on the Paragon.
CALLS = """
    cprobe crecv csend csendrecv flushmsg gcol gcolx gdhigh gdlow gdprod gdsum gihigh gilow giprod gisum
    gshigh gslow gsprod gssum giand gior gixor gland glor glxor gopf gsendx gsync hrecv hsend hsendrecv
    iprobe irecv isend isendrecv msgcancel msgdone msgwait cread cwrite eseek esize gopen iodone iomode
    iowait iread iseof iwrite estat festat lsize restrictvol setiomode flick handler killcube killproc led
    load masktrap waitall waitone attachcube getcube relcube setpid setptype infocount infonode infopid
    infoptype infotype mynode myphysnode mypid myptype myhost numnodes nodedim gray ginv mclock dclock hwclock
    cprobex crecvx hrecvx hsendx iprobex irecvx msgignore msgmerge
""".split()
WITHOUT_TWINS = "nx_initve nx_nfork nx_load nx_waitall nx_app_nodes nx_app_rect nx_perror".split()
ONLY_IN_C = "nx_loadve nx_mkpart nx_rmpart nx_pri".split()


ERRORS = """
    EQPBUF EQBLEN EQLEN EQTIME EQMSGLONG EQPID EQNODE EQTYPE EQMID EQHND EQNOPROC EQUSEPID EQNOACT EQBADFIL
    EQPARAM EQPFIL EQPCNODE EQPCPID EQPCCODE EQPRIV EQMEM EQNOMID EQSET EQNOSET
""".split()


class Names(BootCase):
    def links(self, wrapper: str, names: list[str]):
        lines = [f"extern char {name}[];" for name in names]
        lines += ["void *volatile calls[] = {", *(f"    {name}," for name in names), "};"]
        path = self.write("names.c", "\n".join(lines) + "\nint main(void) { return calls[0] == 0; }\n")
        words = [f"{BUILD}/{wrapper}", "-fno-builtin", "-w", "-o", f"{self.folder}/names", path]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_call_links_with_c(self):
        twins = [f"_{name}" for name in CALLS]
        self.links("nxcc", [*CALLS, *twins, *WITHOUT_TWINS, *ONLY_IN_C, "msginfo"])

    def test_every_error_has_a_number_of_its_own(self):
        cases = "".join(f"case {name}: " for name in (*ERRORS, "EAGAIN", "ENOENT"))
        source = f"#include <nx.h>\nint main(void) {{ switch (errno) {{ {cases} return 0; }} return 1; }}\n"
        self.compile("nxcc", "errors.c", source)

    def test_what_the_kernel_declares_programs_have_from_nx_h(self):
        body = "struct nx_gang_times one;\nint lent = NX_BUFFERS_ARE_LENT;\n"
        body += "int parley_capability, PARLEY_BUFFERS_ARE_LENT, gang_times, capabilities;\n"
        old = "main() { one.first = lent; return nx_capabilities() == sizeof one; }\n"
        new = "int main() { one.first = 1; return nx_capabilities() == sizeof one; }\n"
        self.compile("nxcc", "old.c", "#include <cube.h>\n" + body + old)
        self.compile("nxcc", "strict.c", "#include <nx.h>\n" + body + new, "-std=c99", "-Wall", "-Werror")
        self.compile("nxc++", "new.cpp", "#include <nx.h>\n" + body + new, "-Wall", "-Werror")

    def test_arrays_that_a_call_cannot_take_do_not_compile(self):
        begin = "#include <nx.h>\nint main(void) { int few[8] = {0}; long many[8] = {0}; nx_nodes_t list;\n"
        mixed = "arrays of int and of long in one call"
        calls = {
            "waitone(-1, -1, few, many, 0)": mixed,
            "_waitone(-1, -1, 0, many, few)": mixed,
            'nx_load(few, 1, 0, many, "node")': mixed,
            'nx_loadve(many, 1, 0, few, "node", 0, 0)': mixed,
            "nx_app_rect(few, many)": mixed,
            "nx_app_nodes(0, &list, few)": "this call wants variables of long, not of int",
        }
        path = self.write("widths.c", begin + "".join(f"{call};\n" for call in calls) + "return 0; }\n")
        command = [f"{BUILD}/nxcc", "-c", "-o", f"{self.folder}/widths.o", path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        told = re.findall(r"error: call to .* declared with attribute error: (.*)", done.stderr)
        self.assertEqual(told, list(calls.values()), done.stderr)
        both = 'waitone(-1, -1, few, 0, few);\nnx_load(0, -1, 0, many, "node");\nnx_app_rect(many, many);\n'
        self.compile("nxcc", "either.c", begin + both + "return list == many; }\n")

    def test_a_constant_array_of_int_goes_to_the_call_for_int(self):
        text = "#include <nx.h>\nstatic const int few[2] = {0, 1};\nint main(void) { char all[8];\n"
        text += "gsendx(1, 0, 0, few, 1); gcolx(all, few, all); nx_load(few, 1, 0, 0, \"node\"); }\n"
        path = self.write("constant.c", text)
        built = f"{self.folder}/constant.o"
        subprocess.run([f"{BUILD}/nxcc", "-w", "-c", "-o", built, path], check=True)
        wanted = subprocess.run(["nm", "-u", built], capture_output=True, text=True, check=True).stdout
        called = {word for word in wanted.split() if word.endswith(("gsendx", "gcolx", "nx_load"))}
        self.assertEqual(called, {"nx_narrow_gsendx", "nx_narrow_gcolx", "nx_narrow_nx_load"})

    def test_every_call_links_with_fortran(self):
        self.links("nxf77", [f"{name}_" for name in (*CALLS, *WITHOUT_TWINS, "lseek")])


def matches(pattern: str, *paths: str) -> set[str]:
    """What the pattern's group is in files of userlib, at the beginning of a line."""
    found = set()
    for path in (path for name in paths for path in glob.glob(os.path.join(ROOT, "userlib", name))):
        with open(path, encoding="utf-8") as file:
            found.update(re.findall(pattern, file.read(), re.M))
    return found


def declared() -> set[str]:
    """Every function that C's headers declare, without its twin, and that Fortran finds."""
    headers = [f"include/{name}.h" for name in ("nx", "nx_files", "nx_paragon", "nx_raw", "nx_semaphores")]
    fortran = ("fortran/*.c", "fortran/*.h")
    found = (
        {name.removeprefix("_") for name in matches(r"^[a-z][\w ]*[ *](\w+)\(", *headers)}
        | matches(r"^[a-z]\w* (\w+)_\(", *fortran)
        | matches(r"^NX_FORTRAN_PLAIN\((\w+)\)", *fortran)
    )
    # Others are Active Messages', and what the wrapper for old Fortran makes of a statement.
    return {name for name in found if not name.startswith("am_")} - {"nxcode"}


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(ROOT, "docs", "nx2-calls.md"), encoding="utf-8") as file:
            cls.text = file.read()

    def test_the_page_has_every_call_and_error(self):
        named = {word for span in re.findall(r"`([^`]+)`", self.text) for word in re.findall(r"\w+", span)}
        calls = declared() | {*CALLS, *WITHOUT_TWINS, *ONLY_IN_C, "lseek", "msginfo"}
        self.assertGreater(len(declared()), len(CALLS))
        self.assertEqual(sorted((calls | matches(r"^#define (EQ\w+)", "include/nx_errno.h")) - named), [])

    def test_the_page_has_no_call_that_is_not_there(self):
        rows = re.findall(r"^\| (`\w+\(.*?) \|", self.text, re.M)
        listed = {name for row in rows for name in re.findall(r"`(\w+)\(", row)}
        self.assertEqual(sorted(listed - declared() - set(CALLS)), [])


if __name__ == "__main__":
    unittest.main()
