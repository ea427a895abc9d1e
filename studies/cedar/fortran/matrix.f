C SPDX-License-Identifier: MIT
C A matrix product in Cedar Fortran: columns are spread over clusters, and a column's elements over the
C processors of its cluster. It is right to the last bit, or ends with status 1.
      PROGRAM MATRIX
      INTEGER N, I, J, K, WRONG
      PARAMETER (N = 24)
      REAL*8 A(N, N), B(N, N), C(N, N), SUM
      GLOBAL A, B, C
      DO 20 J = 1, N
         DO 10 I = 1, N
            A(I, J) = 1D0 / (I + J)
            B(I, J) = MOD(I * J, 7) - 3
   10    CONTINUE
   20 CONTINUE

      SDOALL J = 1, N
         CDOALL I = 1, N
            INTEGER K
            REAL*8 S
            S = 0
            DO K = 1, N
               S = S + A(I, K) * B(K, J)
            END DO
            C(I, J) = S
         END CDOALL
      END SDOALL

      WRONG = 0
      DO 50 J = 1, N
         DO 40 I = 1, N
            SUM = 0
            DO 30 K = 1, N
               SUM = SUM + A(I, K) * B(K, J)
   30       CONTINUE
            IF (SUM .NE. C(I, J)) WRONG = WRONG + 1
   40    CONTINUE
   50 CONTINUE
      PRINT 60, N * N, WRONG
   60 FORMAT ('matrix: ', I4, ' elements, ', I4, ' wrong')
      IF (WRONG .NE. 0) STOP 1
      END
