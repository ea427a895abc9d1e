C SPDX-License-Identifier: MIT
C MDG's loops in Cedar Fortran, as studies/cedar/apps/mdg has them in C: a loop over pairs of molecules, and a
C short one. It is linked with support/perfect.f, which says what comes of them.
      PROGRAM MDG
      INTEGER OUTER(2), INNER(2), LENGTH(2)
      LOGICAL IS_FLAT(2)
      EXTERNAL FORCES
      DATA IS_FLAT / .FALSE., .TRUE. /
      DATA OUTER / 16, 16 /
      DATA INNER / 16, 4 /
      DATA LENGTH / 70, 35 /
      CALL PERFECT('mdg', FORCES, 2.7D0, 0.04D0, 2,
     &   IS_FLAT, OUTER, INNER, LENGTH)
      END

C Forces of molecules on each other.
      SUBROUTINE FORCES(TO, FROM, N)
      INTEGER N, I, TERM
      REAL*8 TO(0:*), FROM(-1:*), DISTANCE, INVERSE, FORCE
      DO I = 0, N - 1
         DISTANCE = FROM(I) - FROM(I + 1)
         INVERSE = 1 / (1 + DISTANCE * DISTANCE)
         FORCE = 1
         DO TERM = 1, 12
            FORCE = 0.5D0 + 0.25D0 * FORCE * INVERSE
         END DO
         TO(I) = FORCE + 0.125D0 * FROM(I)
      END DO
      END
