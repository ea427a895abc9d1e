# SPDX-License-Identifier: MIT
"""Every error that interface/calls.def promises happens once, but for those of which its head says that they
are not answered on Linux."""

import os
import subprocess
import unittest

from native_case import NATIVE, PROGRAMS, ROOT, NativeCase
from suites import promises

# What is answered elsewhere, and here ends the program, or does not come before the program starts.
FAULTS = {(call, error) for call, error in promises.promised() if error == "bad_buffer"}
FAULTS |= {("send_active", "bad_type"), ("send_active", "bad_process")}
LATER = {("load", "no_memory")}
# Objects that Linux is for.
LINUX_HAS = ("block", "wake", "set_upcall", "notify", "measure")
SMALL = ("--budget", str(12 << 20))
RUNS = (
    (
        ("-d", "native", *SMALL),
        "sends receives requests interrupted blocks meetings active others semaphores nodes",
    ),
    (("-d", "native", *SMALL), "ids"),
    (("-d", "native", *SMALL), "budget"),
    (("-d", "exp1", *SMALL), "unshared killed"),
    (("-d", "exp1", *SMALL), "killed_before_receive_block"),
    (("-d", "exp1", *SMALL), "killed_before_wait"),
    (("-d", "exp1", *SMALL), "killed_before_done"),
    (("-d", "exp2", *SMALL), "ownership"),
    (("-d", "native,port=lock-free", *SMALL), "unordered"),
    (("--semaphore", "spin"), "spins"),
    (("--pids", "2"), "pids"),
    (("--hosts", "localhost,localhost"), "semaphores_elsewhere active_elsewhere"),
)


def expected(call: str, error: str) -> str | None:
    """What is answered here; None: nothing can be."""
    if call in LINUX_HAS:
        return "no_such_call" if call != "measure" or error == "no_such_call" else None
    return None if (call, error) in FAULTS | LATER else error


class Promises(NativeCase):
    answers: dict = {}

    def all_answers(self) -> dict:
        """Of all runs, which are made once for all tests."""
        if not Promises.answers:
            program = self.made("promised_errors")
            texts = [
                self.well("--no-host", "-n", "2", *words, program, *scenes.split()).out
                for words, scenes in RUNS
            ]
            self.compiled("#include <nx.h>\nint main(void) { crecv(1, 0, 0); return 0; }\n", "waiting_node")
            with open(self.path("no_program"), "w", encoding="utf-8") as file:
                file.write("This is no program.\n")
            os.chmod(self.path("no_program"), 0o755)
            texts.append(self.well("--host", "-n", "2", program, "host").out)
            Promises.host = texts[-1]
            Promises.answers = promises.said("".join(texts))
        return Promises.answers

    def made(self, name: str) -> str:
        source = os.path.join(PROGRAMS, f"{name}.c")
        shadow = os.path.join(ROOT, "native", "libnx", "shadow")  # what is found there is libnx's, too
        wrapper = os.path.join(NATIVE, "bin", "nxcc")
        subprocess.run([wrapper, f"-I{shadow}", f"-I{ROOT}", "-o", self.path(name), source], check=True)
        return self.path(name)

    def test_a_load_that_failed_leaves_its_place_to_another_pid(self):
        self.all_answers()
        self.assertIn("after a load that failed: -1, another pid: 0\n", self.host)


def promise(call: str, error: str):
    def test(self):
        answers = set(self.all_answers().get((call, error), ()))
        self.assertEqual(answers, {promises.numbers()[expected(call, error)]})

    return test


for one_call, one_error in promises.promised():
    if expected(one_call, one_error):
        setattr(Promises, f"test_{one_call}_answers_{one_error}", promise(one_call, one_error))


if __name__ == "__main__":
    unittest.main()
