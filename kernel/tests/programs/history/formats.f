C     SPDX-License-Identifier: MIT
C     FORMATs whose numbers are expressions, used in every kind of statement and at the end of a loop.
      PROGRAM FORMTS
      REAL X(4)
      CHARACTER*20 LINE
      DATA X /1.0, 2.5, -3.25, 4.0/
      N = 3
      WRITE (6, 10) (X(I), I = 1, N)
   10 FORMAT (' IT''S <N> "', <N>F<N + 4>.2, '"')
      N = 2
      IF (N .EQ. 2) WRITE (UNIT = 6, FMT = 10) (X(I), I = 1, N)
      IF (N .EQ. 3) PRINT 10, X
      DO 20 I = 1, N
   20 WRITE (LINE, 30) I
   30 FORMAT (<2 * N>X, I<N>)
      PRINT 40, LINE
   40 FORMAT (' ', A)
      READ (LINE, 30) K
      PRINT 50, K
   50 FORMAT (' BACK', I2)
      END
