C     SPDX-License-Identifier: MIT
C     ETIME is the program's own, in the part of each machine; EXIT is the
C     compiler's here, and only another machine's part has one. DVADD and
C     DDOT come with -vec.
      PROGRAM PORT
      REAL*8 X(3), Y(3), Z(3), DDOT
      DATA X /1.0D0, 2.0D0, 3.0D0/, Y /4.0D0, 5.0D0, 6.0D0/
      CALL DVADD(3, X, 1, Y, 1, Z, 1)
      IF (MYNODE() .EQ. 0) WRITE (6, 10) Z(3), DDOT(3, X, 1, Y, 1),
     1    ETIME(X), ITABLE(20), IFLAGS(), IXDR()
   10 FORMAT (' PORT', 3F6.1, 3I4)
      CALL EXIT(0)
      STOP 1
      END
