C SPDX-License-Identifier: MIT
C ARC2D's loops in Cedar Fortran, as studies/cedar/apps/arc2d has them in C: sweeps along one axis and along
C the other, and a loop over points. It is linked with support/perfect.f, which says what comes of them.
      PROGRAM ARC2D
      INTEGER OUTER(3), INNER(3), LENGTH(3)
      LOGICAL IS_FLAT(3)
      EXTERNAL SWEEP
      DATA IS_FLAT / .FALSE., .FALSE., .TRUE. /
      DATA OUTER / 16, 16, 16 /
      DATA INNER / 16, 16, 8 /
      DATA LENGTH / 70, 70, 70 /
      CALL PERFECT('arc2d', SWEEP, 3.4D0, 1.5D0, 3,
     &   IS_FLAT, OUTER, INNER, LENGTH)
      END

C A tridiagonal system along a line, solved by elimination.
      SUBROUTINE SWEEP(TO, FROM, N)
      INTEGER N, I
      REAL*8 TO(0:*), FROM(-1:*), FACTOR, VALUE
      FACTOR = 0
      VALUE = 1
      DO I = 0, N - 1
         FACTOR = 1 / (4 - FACTOR)
         VALUE = (FROM(I) + FROM(I + 1) + VALUE) * FACTOR
         TO(I) = VALUE + 0.5D0
      END DO
      END
