C     SPDX-License-Identifier: MIT
C     A WRITE statement with a function in its list that asks node 1 and waits for the answer, which its own
C     handler takes: in a call that waits, once the answer came while it still computed, and asleep.
      PROGRAM ASKER
      EXTERNAL ASK
      INTEGER ASK
      IF (MYNODE() .EQ. 0) THEN
         DO 10 I = 1, 30
            WRITE (6, 100) I, ASK(I)
   10    CONTINUE
      ELSE
         DO 20 I = 1, 30
            CALL CRECV(4, J, 4)
            CALL CSEND(5, 2 * J, 4, 0, 0)
   20    CONTINUE
      ENDIF
  100 FORMAT (' ASKED', 2I4)
      END

      INTEGER FUNCTION ASK(I)
      REAL*8 DCLOCK, END
      COMMON /STATE/ IBUF, NCOME
      EXTERNAL ONMSG
      NBEFOR = NCOME
      CALL HRECV(5, IBUF, 4, ONMSG)
      CALL CSEND(4, I, 4, 1, 0)
      IF (MOD(I, 3) .NE. 0) THEN
         END = DCLOCK() + 0.002D0 * MOD(I, 3)
   10    IF (DCLOCK() .LT. END) GO TO 10
      ENDIF
      IF (MOD(I, 5) .EQ. 0) THEN
   20    CALL FLICK
         IF (NCOME .EQ. NBEFOR) GO TO 20
      ENDIF
      CALL CRECV(6, ASK, 4)
      END

      SUBROUTINE ONMSG(ITYPE, ICOUNT, INODE, IPID)
      COMMON /STATE/ IBUF, NCOME
      NCOME = NCOME + 1
      CALL CSEND(6, IBUF, 4, MYNODE(), 0)
      END
