C     SPDX-License-Identifier: MIT
C     Another machine's part of the program, which is never compiled here.
      REAL FUNCTION ETIME(X)
      REAL*8 X(3)
      ETIME = SECONDR() + X(1)
      END
      SUBROUTINE EXIT(I)
      IF (I .NE. 0) CALL ABORT
      CALL ENDRUN
      END
