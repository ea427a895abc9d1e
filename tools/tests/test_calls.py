# SPDX-License-Identifier: MIT
"""interface/calls.def: its head says in which file the code of a call is, and there it is, by the name that
stands in the list."""

import glob
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
MESSAGE_CALL = re.compile(r"^PARLEY_MESSAGE_CALL\(\w+, (\w+), \d+,", re.M)
OTHER_CALL = re.compile(r"^PARLEY_CALL\(\w+, (\w+), \d+,", re.M)
KERNEL = ("kernel/process/*.cpp", "measuring/*.cpp")
BOUND = {
    "kernel/calls.cpp": "make_handlers",
    "userlib/nx/by_proxy.c": "nx_bind_proxies",
    "userlib/nx/join.c": "nx_join",
}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def lost_calls(calls, endpoint, kernel):
    """Names that have no method of the endpoint, or no function in the kernel."""
    methods = set(re.findall(r"^    \S.*?\b(\w+)\(", endpoint, re.M))
    lost = [name for name in MESSAGE_CALL.findall(calls) if name not in methods]
    functions = set(re.findall(r"^std::uint64_t (\w+)\(UserProcess&", kernel, re.M))
    return lost + [name for name in OTHER_CALL.findall(calls) if name not in functions]


class Calls(unittest.TestCase):
    def test_every_call_is_found_where_the_list_says(self):
        calls = read("interface/calls.def")
        self.assertGreater(len(MESSAGE_CALL.findall(calls)), 10)
        self.assertGreater(len(OTHER_CALL.findall(calls)), 15)
        names = [name for pattern in KERNEL for name in glob.glob(os.path.join(ROOT, pattern))]
        kernel = "\n".join(read(name) for name in names)
        self.assertEqual(lost_calls(calls, read("messaging/endpoint.hpp"), kernel), [])

    def test_a_call_without_code_is_found(self):
        calls = "PARLEY_MESSAGE_CALL(value, send, 0,\nPARLEY_CALL(job, job_load, 40, (x))\n"
        self.assertEqual(lost_calls(calls, "", ""), ["send", "job_load"])
        self.assertEqual(
            lost_calls(calls, "    long send(void)\n", "std::uint64_t job_load(UserProcess& self)\n"), []
        )

    def test_every_case_on_linux_is_a_call_of_the_list(self):
        cases = re.findall(r"\bparley_method_(\w+)", read("native/libnx/calls.c"))
        self.assertGreater(len(cases), 10)
        self.assertEqual(set(cases) - set(OTHER_CALL.findall(read("interface/calls.def"))), set())

    def test_where_calls_are_bound_the_list_and_the_documents_say(self):
        readme, tour = read("README.md"), read("docs/tour.md")
        for name, function in BOUND.items():
            with self.subTest(name=name):
                self.assertIn(function, read(name))
                self.assertIn(f"{name} ({function})", read("interface/calls.def").replace("\n * ", " "))
                self.assertIn(name, readme)
                self.assertIn(f"`{function}`", tour)

    def test_the_limits_that_the_design_names_are_those_of_the_code(self):
        design = " ".join(read("docs/design.md").split())
        for name, limit, factor, sentence in (
            ("interface/limits.h", r"PARLEY_MEETING_BYTES (\w+)", 1, "combines at most {} bytes send none"),
            ("arch/x86_64/memory_map.hpp", r"WINDOW_BYTES (\w+)", 1 << 30, "a window of {} GiB of addresses"),
            ("kernel/process/program_threads.hpp", r"most = (\w+);", 1, "at most {} threads beside"),
        ):
            with self.subTest(name=name):
                value = int(re.search(limit, read(name))[1], 0) // factor
                self.assertTrue(sentence.format(value) in design, sentence.format(value))


if __name__ == "__main__":
    unittest.main()
