# SPDX-License-Identifier: MIT
"""Ranks with threads: what the list of checks in apps/threads tries, and who may call NX/2."""

import unittest

from native_case import NativeCase, app


class Threads(NativeCase):
    def test_ranks_have_threads(self):
        ran = self.well("-n", "2", app("threads"))
        self.assertRegex(ran.out, r"\n[1-9]\d* passed, 0 failed\n")

    def test_a_thread_that_has_not_joined_is_refused_by_message_calls(self):
        for design in ("native", "exp6"):
            ran = self.nxrun("-n", "2", "-d", design, app("threads"), "send")
            self.assertNotEqual(ran.status, 0, design)
            self.assertIn("made in another thread than the one that joined", ran.errors)

    def test_a_thread_of_openmp_is_refused_as_others_are(self):
        program = self.compiled(
            """
            #include <nx.h>
            int main(void)
            {
                #pragma omp parallel num_threads(2)
                {
                    #pragma omp for schedule(static)
                    for (int i = 0; i < 2; i++)
                        if (i == 1)
                            csend(1, 0, 0, 0, 0);
                }
                return 0;
            }
            """,
            "program",
            ".c",
            "-fopenmp",
        )
        ran = self.nxrun("-n", "1", program)
        self.assertEqual(ran.status, 1, ran.text)
        self.assertIn("made in another thread than the one that joined", ran.errors)

    def test_message_handlers_come_to_a_program_with_threads(self):
        program = self.program("threads_handlers")
        for design in ("native", "exp6", "exp6,light"):
            ran = self.well("-n", "2", "-d", design, program)
            self.assertIn("10 handled, 0 of them elsewhere", ran.out, design)

    def test_threads_end_with_their_rank(self):
        self.well("-n", "2", app("threads"), "return")


if __name__ == "__main__":
    unittest.main()
