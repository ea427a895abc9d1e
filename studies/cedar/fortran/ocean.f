C SPDX-License-Identifier: MIT
C OCEAN's loops in Cedar Fortran, as studies/cedar/apps/ocean has them in C: transforms of rows and of
C columns, and a loop of few iterations. It is linked with support/perfect.f, which says what comes of them.
      PROGRAM OCEAN
      INTEGER OUTER(3), INNER(3), LENGTH(3)
      LOGICAL IS_FLAT(3)
      EXTERNAL BUTTERFLIES
      DATA IS_FLAT / .FALSE., .TRUE., .TRUE. /
      DATA OUTER / 16, 8, 8 /
      DATA INNER / 16, 9, 5 /
      DATA LENGTH / 70, 70, 70 /
      CALL PERFECT('ocean', BUTTERFLIES, 2.9D0, 0.7D0, 3,
     &   IS_FLAT, OUTER, INNER, LENGTH)
      END

C Butterflies of a transform, whose factors are computed one from the other.
      SUBROUTINE BUTTERFLIES(TO, FROM, N)
      INTEGER N, I, HALF
      REAL*8 TO(0:*), FROM(-1:*), COSINE, SINE, TURNED, NEXT
      HALF = N / 2
      COSINE = 1
      SINE = 0
      DO I = 0, HALF - 1
         TURNED = COSINE * FROM(I + HALF) - SINE * FROM(I + HALF + 1)
         TO(I) = 0.5D0 * (FROM(I) + TURNED)
         TO(I + HALF) = 0.5D0 * (FROM(I) - TURNED) + 1
         NEXT = 0.995D0 * COSINE - 0.0998D0 * SINE
         SINE = 0.995D0 * SINE + 0.0998D0 * COSINE
         COSINE = NEXT
      END DO
      IF (MOD(N, 2) .NE. 0) TO(N - 1) = FROM(N - 1)
      END
