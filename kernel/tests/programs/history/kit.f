C     SPDX-License-Identifier: MIT
C     A program over a toolkit written in C, which takes its integers by reference.
      PROGRAM KIT
      INTEGER IBUF(4), NODEID
      ITYPE = 17
      IF (NODEID() .EQ. 0) THEN
         IBUF(1) = -42
         CALL SND(ITYPE, IBUF, 12, 1)
      ELSE
         IBUF(4) = 99
         CALL RCV(ITYPE, IBUF, 16, LENGTH, 0)
         IF (LENGTH .NE. 12 .OR. IBUF(4) .NE. 99) STOP 1
         CALL REPORT(IBUF)
      ENDIF
      END
