# SPDX-License-Identifier: MIT
"""P and V on Linux: the program that proves every kind in booted kernels, Fortran, and wrong ids, which P and
V in the program's own code must not take for right ones."""

import unittest

from native_case import NativeCase, for_each

KINDS = ("kernel", "spin:0", "spin:20")
TURNS = """
      program turns
      include 'fnx.h'
      integer first, second, i
      first = nxsemaphore(0, 0)
      second = nxsemaphore(1, 0)
      do 10 i = 1, 100
        if (mynode() .eq. 0) then
          call v(first)
          call p(second)
        else
          call p(first)
          call v(second)
        end if
   10 continue
      if (mynode() .eq. 0) print *, 'turns', i - 1
      end
"""
WRONG = """
#include <nx.h>
#include <nx_semaphores.h>
#include <stdlib.h>
int main(int count, char **words)
{
    const long right = nx_semaphore(0, 1), wrong = atol(words[2]);
    P(right);
    V(right);
    words[1][0] == 'P' ? P(wrong) : V(wrong);
    return count - 3;
}
"""
# The right one is 256: 512 has its number.
NOBODYS = "this job has no such semaphore; nx_semaphore opens them, and numbers them from 0 to 255"
SENTENCES = {0: NOBODYS, 512: "this semaphore belongs to another job", 257: NOBODYS}


@for_each(KINDS, "promises_hold_under")
@for_each(KINDS[:2], "fortran_takes_turns_under")
@for_each(KINDS[:2], "wrong_ids_are_refused_under")
class Semaphores(NativeCase):
    def promises_hold_under(self, kind):
        ran = self.well("-n", "3", "--semaphore", kind, self.program("semaphores"))
        self.assertIn(f"semaphores {kind}: 0 failures", ran.out)

    def fortran_takes_turns_under(self, kind):
        ran = self.well("-n", "2", "--semaphore", kind, self.compiled(TURNS, end=".f"))
        self.assertEqual(ran.out.split(), ["turns", "100"])

    def wrong_ids_are_refused_under(self, kind):
        program = self.compiled(WRONG)
        for call in "PV":
            for wrong, sentence in SENTENCES.items():
                ran = self.nxrun("-n", "1", "--semaphore", kind, program, call, str(wrong))
                self.assertEqual(ran.status, 1, ran.text)
                self.assertIn(f"{call}(id {wrong}): {sentence}\n", ran.errors)


if __name__ == "__main__":
    unittest.main()
