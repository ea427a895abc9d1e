C     SPDX-License-Identifier: MIT
C     The hypercube's part of the program: a clock that the test can know.
      REAL FUNCTION ETIME(X)
      REAL*8 X(3)
      ETIME = 10.0 * X(3)
      END
