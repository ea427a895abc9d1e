C     SPDX-License-Identifier: MIT
      PROGRAM STAYS
      REAL*8 X
      X = MYNODE()
      CALL GDSUM(X, 1, Y)
      WRITE (6, 100) MYNODE(), X
  100 FORMAT (' NODE ', I3, ' STAYED, SUM ', F8.1)
      END
