C SPDX-License-Identifier: MIT
C A histogram in Cedar Fortran. Each cluster counts into bins of its own, in a CLUSTER COMMON block, for which
C its processors need not go to the memory for all; the bins are brought together when a cluster finds no more
C rows. Every count is right, or it ends with status 1.
      PROGRAM HISTOGRAM
      INTEGER ROWS, COLUMNS, BINS
      PARAMETER (ROWS = 40, COLUMNS = 50, BINS = 16)
      INTEGER TOTAL(BINS), WANTED(BINS), I, J, WRONG, BIN
      GLOBAL TOTAL
      DO I = 1, BINS
         TOTAL(I) = 0
         WANTED(I) = 0
      END DO
      DO J = 1, ROWS
         DO I = 1, COLUMNS
            WANTED(BIN(I, J)) = WANTED(BIN(I, J)) + 1
         END DO
      END DO
      SDOALL J = 1, ROWS
         CALL CLEAR
      LOOP
         CALL COUNT(J, COLUMNS)
      ENDLOOP
         CALL COLLECT(TOTAL)
      END SDOALL
      WRONG = 0
      DO I = 1, BINS
         IF (TOTAL(I) .NE. WANTED(I)) WRONG = WRONG + 1
      END DO
      PRINT 10, ROWS * COLUMNS, WRONG
   10 FORMAT ('histogram: ', I5, ' values, ', I5, ' wrong')
      IF (WRONG .NE. 0) STOP 1
      END

      INTEGER FUNCTION BIN(I, J)
      INTEGER I, J
      BIN = 1 + MOD(I * J + I / 3, 16)
      END

      SUBROUTINE CLEAR
      INTEGER COUNTS, I
      CLUSTER COMMON /HELD/ COUNTS(16)
      DO I = 1, 16
         COUNTS(I) = 0
      END DO
      END

      SUBROUTINE COUNT(J, COLUMNS)
      INTEGER J, COLUMNS, COUNTS, I, BIN
      CLUSTER COMMON /HELD/ COUNTS(16)
      CDOALL I = 1, COLUMNS
         INTEGER K
         K = BIN(I, J)
!$OMP ATOMIC
         COUNTS(K) = COUNTS(K) + 1
      END CDOALL
      END

      SUBROUTINE COLLECT(TOTAL)
      INTEGER TOTAL(16), COUNTS, I
      CLUSTER COMMON /HELD/ COUNTS(16)
      DO I = 1, 16
!$OMP ATOMIC
         TOTAL(I) = TOTAL(I) + COUNTS(I)
      END DO
      END
