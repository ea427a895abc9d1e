C     SPDX-License-Identifier: MIT
C     What programs of the time took for granted, one habit after the other; prints what it found.
      PROGRAM HABITS
      INCLUDE '/usr/local/include/FCUBE.H'
      REAL*8 SECOND, SUM, PART(3), PLACE
      REAL*8 SHIFT(2)
      COMMON /PARMS/ N, PLACE, M
      COMMON /BOTH/ KEPT, TEXT
      EXTERNAL SHIFTS
      CHARACTER*8 TEXT
      CHARACTER*12 LINE
      INTEGER MASK, NUMBER(2), HOLLER, MYNODE, CODES(3)
      DOUBLE PRECISION DCLOCK
      CHARACTER TODAY*9
      PARAMETER (MASK = -2147483648)
      DATA PART /3*1.5D0/, HOLLER /4HNODE/
      NAMELIST /CASE/ NX, NY
D     WRITE (*, *) 'A LINE FOR DEBUGGING'
      ACCEPT *, NUMBER
	NX = NUMBER(1) +
	1     NUMBER(2)
      NY = IAND(MASK, -1) + MASK
C     A procedure of the program's own comes before any that the compiler knows.
      WRITE (*, 10) SECOND(0), SUM(PART, 3), MYNODE(), HOLLER
   10 FORMAT (' OWN ', 2F6.1, I3, 1X, A4)
C     Elsewhere its name may be an array's.
      SHIFT(1) = 1.0D0
      CALL SHIFTS(SHIFT)
      IF (SHIFT(1) .NE. 2.0D0) STOP 8
C     A block may be laid out differently elsewhere.
      N = 3
      PLACE = 2.5D0
      M = 4
      CALL WHOLE
C     Characters were numbers.
      ENCODE (12, 20, LINE) NX, 17
   20 FORMAT (2I6)
      DECODE (12, 20, LINE) I, J
      WRITE (*, 30) LINE, I, J, NY
   30 FORMAT (' CODED ', A, 3I6)
C     As many as a variable said, and at the end of a loop.
      DO 33 I = 1, 3
        IF (I .EQ. 2) GO TO 33
        J = 4
   33 ENCODE (J, 34, CODES(I)) I
   34 FORMAT (I4)
      DO 36 I = 1, 3
        J = 0
        IF (I .GT. 0) DECODE (4, 34, CODES(I)) J
   36 IF (J .NE. I) STOP 7
C     Locals outlive the call, and a block of data its unit.
      CALL COUNT
      CALL COUNT
      CALL STEP(ISTEP)
      WRITE (*, 40) KEPT, TEXT, ISTEP
   40 FORMAT (' KEPT ', I3, 1X, A, I3)
      CALL DATE(TODAY)
      CALL IDATE(MONTH, IDAY, IYEAR)
      IF (DCLOCK() .GE. 0.0D0) WRITE (*, 45) TODAY, IYEAR, MONTH, IDAY
   45 FORMAT (' DATE ', A, 3I3)
      OPEN (11, NAME = 'habits.tmp', TYPE = 'UNKNOWN', RECORDTYPE =
     1 'VARIABLE', CARRIAGECONTROL = 'LIST')
      CLOSE (11, DISPOSE = 'DELETE')
      ASSIGN 50 TO LABEL
      GO TO LABEL
      STOP 9
   50 WRITE (*, CASE)
      TYPE *, 'DONE'
      END

      REAL*8 FUNCTION SECOND(IDUMMY)
      SECOND = 42.0D0 + IDUMMY
      END

      REAL*8 FUNCTION SUM(X, N)
      REAL*8 X(1)
      SUM = 0.0D0
      DO 10 I = 1, N
   10 SUM = SUM + X(I)
      END

      SUBROUTINE SHIFTS(X)
      REAL*8 X, SHIFT
      X = SHIFT(X)
      END

      REAL*8 FUNCTION SHIFT(X)
      REAL*8 X
      SHIFT = 2 * X
      END

      SUBROUTINE WHOLE
      COMMON /PARMS/ IWORDS(4)
      WRITE (*, 10) IWORDS(1), IWORDS(4)
   10 FORMAT (' BLOCK ', 2I3)
      END

      SUBROUTINE COUNT
      INCLUDE '/usr/local/include/FNX.H'
      COMMON /BOTH/ KEPT, TEXT
      CHARACTER*8 TEXT
      DATA NUMBER /0/
      NUMBER = NUMBER + 1
      LAST = LAST + 10
      KEPT = NUMBER + LAST
      END

      SUBROUTINE STEPS
      ENTRY STEP(I)
      SQUARE(J) = J * J
      I = SQUARE(3)
      END

      BLOCK DATA
      COMMON /BOTH/ KEPT, TEXT
      CHARACTER*8 TEXT
      DATA KEPT /0/, TEXT /'COMMON'/
      END
