C     SPDX-License-Identifier: MIT
C     The mathematical library: BLAS and the vector calls, of which one that is the program's own comes first.
      PROGRAM KMATH
      REAL*8 X(6), Y(6), Z(6), DDOT, DNRM2, DSUM
      REAL S(3), T(3)
      DO 10 I = 1, 6
   10 X(I) = I
      CALL DFILL(6, 2.0D0, Y, 1)
      PRINT 100, DDOT(6, X, 1, Y, 1), DSUM(3, X, 2)
      CALL DVADD(6, X, 1, Y, 1, Z, 1)
      PRINT 100, Z
      CALL DVSUB(6, X, 1, Y, 1, Z, 1)
      PRINT 100, Z
      CALL DVMUL(3, X, -2, Y, 1, Z, 1)
      PRINT 100, (Z(I), I = 1, 3)
      CALL DVDIV(6, X, 1, Y, 1, Z, 1)
      PRINT 100, Z
      CALL DVMAX(6, X, 1, Y, 1, X, 1)
      CALL DNEG(3, X, 2)
      PRINT 100, X
      CALL DSVTVP(6, 3.0D0, X, 1, Y, 1, Z, 1)
      PRINT 100, Z
      CALL DAXPY(6, -1.0D0, X, 1, Z, 1)
      PRINT 100, Z, DNRM2(2, Z(1), 1)
      CALL SFILL(3, 9.0, S, 1)
      CALL SVSQRT(3, S, 1, T, 1)
      CALL SSCAL(3, 2.0, T, 1)
      PRINT 100, T
      CALL DGEMV('N', 2, 2, 1.0D0, Y, 2, Y, 1, 0.0D0, Z, 1)
      PRINT 100, Z(1), Z(2)
      PRINT 110, IDAMAX(6, X, 1), IDMAX(6, X, 1), ISUM(2, 5, 0)
  100 FORMAT (1X, 7F7.2)
  110 FORMAT (1X, 3I3)
      END

      INTEGER FUNCTION ISUM(N, I, INC)
      ISUM = N * I + INC
      END
