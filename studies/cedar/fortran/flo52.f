C SPDX-License-Identifier: MIT
C FLO52's loops in Cedar Fortran, as studies/cedar/apps/flo52 has them in C: grids of a multigrid scheme, row
C by row of sections. It is linked with support/perfect.f, which says what comes of them.
      PROGRAM FLO52
      INTEGER OUTER(3), INNER(3), LENGTH(3)
      LOGICAL IS_FLAT(3)
      EXTERNAL RESIDUAL
      DATA IS_FLAT / .FALSE., .FALSE., .FALSE. /
      DATA OUTER / 16, 8, 4 /
      DATA INNER / 16, 16, 16 /
      DATA LENGTH / 70, 70, 70 /
      CALL PERFECT('flo52', RESIDUAL, 6.4D0, 0.4D0, 3,
     &   IS_FLAT, OUTER, INNER, LENGTH)
      END

C A central difference with its dissipation.
      SUBROUTINE RESIDUAL(TO, FROM, N)
      INTEGER N, I
      REAL*8 TO(0:*), FROM(-1:*)
      DO I = 0, N - 1
         TO(I) = 0.5D0 * FROM(I) + 0.25D0 * (FROM(I - 1) + FROM(I + 1))
      END DO
      END
