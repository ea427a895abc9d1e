C SPDX-License-Identifier: MIT
C A recurrence in Cedar Fortran: iterations compute their coefficients at once, and go in their order through
C the region from AWAIT to ADVANCE, each of which takes the value of the one before.
      PROGRAM RECURRENCE
      INTEGER N, I, K, WRONG
      PARAMETER (N = 200)
      REAL*8 X(0:N), Y(0:N), S
      GLOBAL X
      REAL*8 COEFFICIENT
      Y(0) = 1
      DO I = 1, N
         Y(I) = COEFFICIENT(I) * Y(I - 1) + 1
      END DO
      X(0) = 1
      DOACROSS I = 1, N
         REAL*8 C
         C = COEFFICIENT(I)
         CALL AWAIT(1, 1)
         X(I) = C * X(I - 1) + 1
         CALL ADVANCE(1)
      END DOACROSS
      WRONG = 0
      DO I = 1, N
         IF (X(I) .NE. Y(I)) WRONG = WRONG + 1
      END DO
      PRINT 10, N, WRONG
   10 FORMAT ('recurrence: ', I4, ' values, ', I4, ' wrong')
      IF (WRONG .NE. 0) STOP 1
      END

      REAL*8 FUNCTION COEFFICIENT(I)
      INTEGER I, K
      COEFFICIENT = 0.5D0
      DO K = 1, 20
         COEFFICIENT = COS(COEFFICIENT + I)
      END DO
      END
