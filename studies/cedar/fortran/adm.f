C SPDX-License-Identifier: MIT
C ADM's loops in Cedar Fortran, as studies/cedar/apps/adm has them in C: columns of air, one iteration each,
C in three loops. It is linked with support/perfect.f, which says what comes of them.
      PROGRAM ADM
      INTEGER OUTER(3), INNER(3), LENGTH(3)
      LOGICAL IS_FLAT(3)
      EXTERNAL COLUMN
      DATA IS_FLAT / .TRUE., .TRUE., .TRUE. /
      DATA OUTER / 16, 16, 16 /
      DATA INNER / 8, 8, 4 /
      DATA LENGTH / 35, 35, 35 /
      CALL PERFECT('adm', COLUMN, 6.2D0, 5.3D0, 3,
     &   IS_FLAT, OUTER, INNER, LENGTH)
      END

C What a column gains and loses, layer by layer.
      SUBROUTINE COLUMN(TO, FROM, N)
      INTEGER N, I, TERM
      REAL*8 TO(0:*), FROM(-1:*), MIXED, LOST
      DO I = 0, N - 1
         MIXED = 0.25D0 * (FROM(I - 1) + 2 * FROM(I) + FROM(I + 1))
         LOST = 1
         DO TERM = 1, 3
            LOST = 1 - 0.125D0 * MIXED * LOST
         END DO
         TO(I) = MIXED * (0.5D0 + 0.25D0 * LOST) + 0.25D0
      END DO
      END
