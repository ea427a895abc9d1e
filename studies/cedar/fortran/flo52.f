C SPDX-License-Identifier: MIT
C FLO52's loops in Cedar Fortran, as studies/cedar/apps/flo52 has them in C: on each of three grids clusters
C take rows of sections, and a cluster's processors the sections of a row; then comes a loop of the main
C cluster alone. Every point is right to the last bit, or it ends with status 1.
      PROGRAM FLO52
      INTEGER STEPS, INNER, LENGTH, POINTS
      PARAMETER (STEPS = 3, INNER = 16, LENGTH = 10)
      PARAMETER (POINTS = 16 * INNER * LENGTH)
      INTEGER OUTER(3), STEP, GRID, SECTION, I, WRONG
      REAL*8 FROM(0:POINTS + 1), TO(0:POINTS + 1)
      REAL*8 WANTED(0:POINTS + 1), NEXT(0:POINTS + 1)
      GLOBAL FROM, TO
      DATA OUTER / 16, 8, 4 /
      DO I = 0, POINTS + 1
         FROM(I) = 1 + MOD(I, 17) / 16D0
         TO(I) = FROM(I)
         WANTED(I) = FROM(I)
         NEXT(I) = FROM(I)
      END DO

      DO STEP = 1, STEPS
         DO GRID = 1, 3
            CALL SPREAD(TO, FROM, OUTER(GRID), INNER, LENGTH)
            CALL COPY(FROM, TO, OUTER(GRID) * INNER * LENGTH)
         END DO
         CDOALL SECTION = 0, 7
            CALL RESIDUAL(TO, FROM, SECTION * LENGTH + 1, LENGTH)
         END CDOALL
         CALL COPY(FROM, TO, 8 * LENGTH)
      END DO

      DO STEP = 1, STEPS
         DO GRID = 1, 3
            I = OUTER(GRID) * INNER * LENGTH
            CALL RESIDUAL(NEXT, WANTED, 1, I)
            CALL COPY(WANTED, NEXT, I)
         END DO
         CALL RESIDUAL(NEXT, WANTED, 1, 8 * LENGTH)
         CALL COPY(WANTED, NEXT, 8 * LENGTH)
      END DO
      WRONG = 0
      DO I = 1, POINTS
         IF (FROM(I) .NE. WANTED(I)) WRONG = WRONG + 1
      END DO
      PRINT 10, POINTS, WRONG
   10 FORMAT ('flo52: ', I5, ' points, ', I5, ' wrong')
      IF (WRONG .NE. 0) STOP 1
      END

      SUBROUTINE SPREAD(TO, FROM, OUTER, INNER, LENGTH)
      INTEGER OUTER, INNER, LENGTH, J, K
      REAL*8 TO(0:*), FROM(0:*)
      SDOALL J = 0, OUTER - 1
         CDOALL K = 0, INNER - 1
            CALL RESIDUAL(TO, FROM, 1 + (J * INNER + K) * LENGTH,
     &         LENGTH)
         END CDOALL
      END SDOALL
      END

C A central difference with its dissipation.
      SUBROUTINE RESIDUAL(TO, FROM, FIRST, LENGTH)
      INTEGER FIRST, LENGTH, I
      REAL*8 TO(0:*), FROM(0:*)
      DO I = FIRST, FIRST + LENGTH - 1
         TO(I) = 0.5D0 * FROM(I) + 0.25D0 * (FROM(I - 1) + FROM(I + 1))
      END DO
      END

      SUBROUTINE COPY(TO, FROM, COUNT)
      INTEGER COUNT, I
      REAL*8 TO(0:*), FROM(0:*)
      DO I = 1, COUNT
         TO(I) = FROM(I)
      END DO
      END
