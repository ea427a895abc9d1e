C SPDX-License-Identifier: MIT
C Steps of Jacobi's method in Cedar Fortran. Every processor fetches rows for itself; the largest change of a
C step is found by each among its own rows, begun in the preamble and brought together in the postamble.
      PROGRAM STENCIL
      INTEGER N, STEPS, I, J, STEP, WRONG
      PARAMETER (N = 30, STEPS = 6)
      REAL*8 FROM(0:N + 1, 0:N + 1), TO(0:N + 1, 0:N + 1), WANTED(STEPS), CHANGE
      GLOBAL FROM, TO, CHANGE
      CALL START(FROM, N)
      DO STEP = 1, STEPS
         WANTED(STEP) = 0
         DO J = 1, N
            DO I = 1, N
               TO(I, J) = 0.25D0 * (FROM(I - 1, J) + FROM(I + 1, J)
     &            + FROM(I, J - 1) + FROM(I, J + 1))
               CHANGE = ABS(TO(I, J) - FROM(I, J))
               WANTED(STEP) = MAX(WANTED(STEP), CHANGE)
            END DO
         END DO
         FROM(1:N, 1:N) = TO(1:N, 1:N)
      END DO

      WRONG = 0
      CALL START(FROM, N)
      DO STEP = 1, STEPS
         CHANGE = 0
         XDOALL J = 1, N
            REAL*8 OWN
            INTEGER I
            OWN = 0
         LOOP
            DO I = 1, N
               TO(I, J) = 0.25D0 * (FROM(I - 1, J) + FROM(I + 1, J)
     &            + FROM(I, J - 1) + FROM(I, J + 1))
               OWN = MAX(OWN, ABS(TO(I, J) - FROM(I, J)))
            END DO
         ENDLOOP
!$OMP CRITICAL
            CHANGE = MAX(CHANGE, OWN)
!$OMP END CRITICAL
         END XDOALL
         FROM(1:N, 1:N) = TO(1:N, 1:N)
         IF (CHANGE .NE. WANTED(STEP)) WRONG = WRONG + 1
      END DO
      PRINT 10, STEPS, WRONG
   10 FORMAT ('stencil: ', I4, ' steps, ', I4, ' wrong')
      IF (WRONG .NE. 0) STOP 1
      END

      SUBROUTINE START(FIELD, N)
      INTEGER N, I, J
      REAL*8 FIELD(0:N + 1, 0:N + 1)
      DO J = 0, N + 1
         DO I = 0, N + 1
            FIELD(I, J) = MOD(3 * I + 5 * J, 11)
         END DO
      END DO
      END
