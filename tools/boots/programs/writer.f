C     SPDX-License-Identifier: MIT
C     A handler writes while the program writes: a WRITE statement is finished before the handler's begins.
      PROGRAM WRITER
      COMMON /STATE/ ISEEN, IBUF
      EXTERNAL DOUBLE
      INTEGER DOUBLE
      ISEEN = 0
      IF (MYNODE() .EQ. 0) CALL POST
      CALL GSYNC
      IF (MYNODE() .EQ. 0) THEN
         DO 10 I = 1, 2000
            WRITE (6, 100) 'MAIN', I, DOUBLE(I), (J, J = 1, 5)
            IF (ISEEN .GE. 100 .AND. I .GE. 100) GOTO 20
   10    CONTINUE
   20    IF (ISEEN .LT. 100) GOTO 20
         WRITE (6, *) 'WRITER DONE', ISEEN
      ELSE
         DO 30 I = 1, 100
            CALL CSEND(5, I, 4, 0, 0)
   30    CONTINUE
      ENDIF
  100 FORMAT (1X, A, 2I6, 5I2)
      END

      INTEGER FUNCTION DOUBLE(I)
      DOUBLE = 2 * I
      END

      SUBROUTINE POST
      COMMON /STATE/ ISEEN, IBUF
      EXTERNAL ONMSG
      CALL HRECV(5, IBUF, 4, ONMSG)
      END

      SUBROUTINE ONMSG(ITYPE, ICOUNT, INODE, IPID)
      COMMON /STATE/ ISEEN, IBUF
      WRITE (6, 100) 'HANDLER', IBUF, ITYPE, ICOUNT, INODE
  100 FORMAT (1X, A, I6, 3I2)
      IF (ISEEN .LT. 99) CALL POST
      ISEEN = ISEEN + 1
      END
