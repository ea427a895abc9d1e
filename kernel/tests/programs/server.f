C     SPDX-License-Identifier: MIT
C     A shared counter in the manner of the parallel chemistry codes: node 0 computes like everybody else, and
C     serves whoever asks by a message handler. It never polls, and after its start it makes no call while it
C     computes.
      PROGRAM SERVER
      INTEGER ME, NP, NTASK, MYTASK, NEXT, DONE, I
      REAL*8 WORK, SUM, TMP, CHECK
      INTEGER MYNODE, NUMNODES
      EXTERNAL NXTVAL, INIT
      INTEGER NEXTV
      ME = MYNODE()
      NP = NUMNODES()
      NTASK = 40
      CALL INIT
      CALL GSYNC
      SUM = 0.0D0
      DONE = 0
   10 CONTINUE
         CALL NXTVAL(NEXT)
         IF (NEXT .GE. NTASK) GOTO 20
         CALL TASK(NEXT, WORK)
         SUM = SUM + WORK
         DONE = DONE + 1
         GOTO 10
   20 CONTINUE
      CALL GDSUM(SUM, 1, TMP)
      CALL GISUM(DONE, 1, I)
      CHECK = 0.0D0
      DO 30 I = 0, NTASK - 1
         CALL TASK(I, WORK)
         CHECK = CHECK + WORK
   30 CONTINUE
      IF (ME .EQ. 0) THEN
         IF (DONE .EQ. NTASK .AND. ABS(SUM - CHECK) .LT. 1.0D-6) THEN
            WRITE (6, 100) DONE, SUM
         ELSE
            WRITE (6, 110) DONE, SUM, CHECK
         ENDIF
      ENDIF
  100 FORMAT (' SERVER OK: ', I5, ' TASKS, SUM ', F14.4)
  110 FORMAT (' SERVER WRONG: ', I5, ' TASKS, SUM ', 2F14.4)
      END

      SUBROUTINE TASK(N, WORK)
      INTEGER N, I
      REAL*8 WORK
      WORK = 0.0D0
      DO 10 I = 1, 20000 + 1000 * MOD(N, 7)
         WORK = WORK + SQRT(DBLE(I + N)) / DBLE(I)
   10 CONTINUE
      END

C     The server's state, and the handler that asks for the next request before it answers.
      SUBROUTINE INIT
      COMMON /SRV/ ICOUNT, IREQ, IREPLY
      ICOUNT = 0
      IF (MYNODE() .EQ. 0) CALL POST
      END

      SUBROUTINE POST
      COMMON /SRV/ ICOUNT, IREQ, IREPLY
      EXTERNAL SERVE
      CALL HRECV(901, IREQ, 4, SERVE)
      END

      SUBROUTINE SERVE(ITYPE, ICNT, INODE, IPID)
      COMMON /SRV/ ICOUNT, IREQ, IREPLY
      IF (ITYPE .NE. 901 .OR. ICNT .NE. 4) STOP 3
      IREPLY = ICOUNT
      ICOUNT = ICOUNT + 1
      CALL CSEND(902, IREPLY, 4, INODE, IPID)
      CALL POST
      END

      SUBROUTINE NXTVAL(NEXT)
      COMMON /SRV/ ICOUNT, IREQ, IREPLY
      INTEGER OLD, MASKTRAP
      IF (MYNODE() .EQ. 0) THEN
         OLD = MASKTRAP(1)
         NEXT = ICOUNT
         ICOUNT = ICOUNT + 1
         OLD = MASKTRAP(OLD)
      ELSE
         MINE = MYNODE()
         CALL CSEND(901, MINE, 4, 0, 0)
         CALL CRECV(902, NEXT, 4)
      ENDIF
      END
