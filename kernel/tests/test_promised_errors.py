# SPDX-License-Identifier: MIT
"""Every error that interface/calls.def promises happens once."""

import os
import unittest

from boot_case import ROOT, BootCase
from suites import promises

SMALL = {"nodes": 2, "hosted": "0", "budget": 12 << 20}
WAITING = "#include <nx.h>\nint main(void) { crecv(1, 0, 0); return 0; }\n"
JOBS = (
    ({"design": "exp6"}, "buffers sends receives requests interrupted blocks meetings active others"),
    ({"design": "exp6"}, "semaphores nodes"),
    ({"design": "exp6"}, "ids"),
    ({"design": "exp6"}, "budget"),
    ({"design": "exp6,transport=process"}, "active_elsewhere"),
    ({"design": "exp1,location=user"}, "unshared"),
    ({"design": "exp1"}, "killed"),
    ({"design": "exp1"}, "killed_before_receive_block"),
    ({"design": "exp1"}, "killed_before_wait"),
    ({"design": "exp1"}, "killed_before_done"),
    ({"design": "exp2"}, "ownership"),
    ({"design": "exp6,port=lock-free"}, "unordered"),
    ({"semaphore": "spin"}, "spins"),
    ({"pids": 2}, "pids"),
    ({"hosted": "1"}, "host"),
    ({"hosted": "1", "budget": 1 << 20, "job_memory": 32}, "full"),
)
MEASURING = (
    ({"schedule": "timeshared"}, "gangs"),
    ({"schedule": "timeshared", "budget": 1 << 20, "job_memory": 32}, "gangs_in_no_room"),
    ({"schedule": "gang"}, "gangs_in_a_gang"),
)


class Promises(BootCase):
    answers: dict | None = None
    text = ""

    def boot_jobs(self, name: str, program: str, jobs) -> str:
        text = ""
        for number, (keys, scenes) in enumerate(jobs):
            words = {"name": f"{name} {number}", "app": program, "args": scenes, **SMALL, **keys}
            text += "[[job]]\n" + "".join(
                f"{key} = {value!r}\n".replace("'", '"') for key, value in words.items()
            )
        path, files = self.write(f"{name}.toml", text), os.path.join(self.folder, "files")
        boot = self.boot(f"CONFIG={path}", "PROCESSORS=4", f"FILES={files}", limit=20)
        return boot.text

    def all_answers(self) -> dict:
        """Of three boots, which are made once for all tests."""
        if Promises.answers is None:
            with open(self.source("promised_errors.c"), encoding="utf-8") as file:
                source = file.read()
            program = self.compile("nxcc", "promised_errors.c", source, f"-I{ROOT}")
            self.compile("nxcc", "waiting_node.c", WAITING)
            self.write("files/no_program", "This is no program.\n")
            Promises.text = self.boot_jobs("promises", program, JOBS)
            # Had it been there before, its kernel, which measures gangs, would have run the first ones, too.
            gangs = self.compile("nxcc", "gang_errors.c", source, f"-I{ROOT}", "-Wl,-u,nx_measure_gang")
            Promises.text += self.boot_jobs("gangs", gangs, MEASURING)
            scene = "ARGS=semaphores_elsewhere active_elsewhere"
            two = self.boot("BOOTS=2", "NODES=2", "HOSTED=0", f"APP={program}", scene, limit=20)
            Promises.text += two.text
            Promises.answers = promises.said(Promises.text)
        ended = Promises.text.count("all is said\n")
        self.assertEqual(ended, len(JOBS + MEASURING) + 1, Promises.text[-6000:])
        return Promises.answers

    def source(self, name: str) -> str:
        return os.path.join(ROOT, "kernel", "tests", "programs", name)

    def test_a_load_that_failed_leaves_its_place_to_another_pid(self):
        self.all_answers()
        self.assertIn("after a load that failed: -1, another pid: 0\n", self.text)

    def test_loads_that_find_no_memory_leave_nothing_placed(self):
        self.all_answers()
        self.assertIn("a load beside what else the job holds: 0\n", self.text)


def promise(call: str, error: str):
    def test(self):
        answers = set(self.all_answers().get((call, error), ()))
        self.assertEqual(answers, {promises.numbers()[error]})

    return test


for one_call, one_error in promises.promised():
    setattr(Promises, f"test_{one_call}_answers_{one_error}", promise(one_call, one_error))


if __name__ == "__main__":
    unittest.main()
