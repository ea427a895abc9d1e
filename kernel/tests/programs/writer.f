C     SPDX-License-Identifier: MIT
C     A handler writes while the program writes. DOUBLE, in the middle of a WRITE statement, sends the message
C     that the handler is for, so it is due there at once; but the statement is finished before it begins.
      PROGRAM WRITER
      EXTERNAL DOUBLE
      INTEGER DOUBLE
      CALL POST
      DO 10 I = 1, 100
         WRITE (6, 100) 'MAIN', I, DOUBLE(I), (J, J = 1, 5)
   10 CONTINUE
  100 FORMAT (1X, A, 2I6, 5I2)
      END

      INTEGER FUNCTION DOUBLE(I)
      CALL CSEND(5, I, 4, MYNODE(), 0)
      DOUBLE = 2 * I
      END

      SUBROUTINE POST
      COMMON /STATE/ IBUF
      EXTERNAL ONMSG
      CALL HRECV(5, IBUF, 4, ONMSG)
      END

      SUBROUTINE ONMSG(ITYPE, ICOUNT, INODE, IPID)
      COMMON /STATE/ IBUF
      WRITE (6, 100) 'HANDLER', IBUF, ITYPE, ICOUNT, INODE
  100 FORMAT (1X, A, I6, 3I2)
      CALL POST
      END
