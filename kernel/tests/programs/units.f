C     SPDX-License-Identifier: MIT
C     The concurrent file system's calls on Fortran's own units and on those of GOPEN, on three nodes.
      PROGRAM UNITS
      INTEGER ME, NP, I, ID, NBAD, IREC(4), IGOT(4), IWORK
      INTEGER IOFF(2), IPOS(2), ITICK(2), IOF(9), IALSO(9)
      REAL*8 X(10), Y(10)
      CHARACTER*8 NAME
      INTEGER IREAD, IWRITE, IODONE, ISEOF, LSIZE, LSEEK, IOMODE
      NBAD = 0
      ME = MYNODE()
      NP = NUMNODES()
C     A file of one node, written past Fortran's records.
      WRITE (NAME, 100) ME
  100 FORMAT ('OWN', I1)
      OPEN (UNIT = 10, FILE = NAME, FORM = 'UNFORMATTED')
      DO 10 I = 1, 10
         X(I) = I * 1.5D0 + ME
         Y(I) = 0.0D0
   10 CONTINUE
      CALL CWRITE(10, X, 80)
      IF (LSEEK(10, 0, 0) .NE. 0) NBAD = NBAD + 1
      CALL CREAD(10, Y, 80)
      DO 20 I = 1, 10
         IF (X(I) .NE. Y(I)) NBAD = NBAD + 1
   20 CONTINUE
      IF (ISEOF(10) .NE. 1) NBAD = NBAD + 100
      IF (LSIZE(10, 96, 0) .NE. 96) NBAD = NBAD + 100
      IF (ISEOF(10) .NE. 0 .OR. IOMODE(10) .NE. 0) NBAD = NBAD + 100
      IOFF(1) = -8
      IOFF(2) = -1
      CALL ESEEK(10, IOFF, 2, IPOS)
      IF (IPOS(1) .NE. 88 .OR. IPOS(2) .NE. 0) NBAD = NBAD + 100
      IOFF(1) = 128
      IOFF(2) = 0
      CALL ESIZE(10, IOFF, 0, IPOS)
      IF (IPOS(1) .NE. 128) NBAD = NBAD + 100
      CALL RESTRICTVOL(10, 1, IPOS)
      CALL FESTAT(10, IOF)
      IF (IOF(8) .NE. 128 .OR. IOF(9) .NE. 0) NBAD = NBAD + 100
      CALL ESTAT(NAME, IALSO)
      DO 25 I = 1, 9
         IF (IALSO(I) .NE. IOF(I)) NBAD = NBAD + 100
   25 CONTINUE
      IF (IAND(IOF(3), 32768) .EQ. 0) NBAD = NBAD + 100
      CLOSE (10)
      OPEN (UNIT = 10, FILE = NAME, FORM = 'UNFORMATTED',
     &      ACCESS = 'DIRECT', RECL = 128, STATUS = 'OLD')
      READ (10, REC = 1) Y
      IF (Y(10) .NE. X(10)) NBAD = NBAD + 1000
      CLOSE (10)
C     What Fortran has not yet written comes before what CWRITE writes.
      OPEN (UNIT = 12, FILE = 'MIXED' // NAME(4:4), FORM = 'FORMATTED')
      WRITE (12, '(A)') 'FIRST'
      CALL CWRITE(12, 'SECOND  ', 8)
      CLOSE (12)
      OPEN (UNIT = 12, FILE = 'MIXED' // NAME(4:4), STATUS = 'OLD')
      READ (12, '(A)') NAME
      IF (NAME .NE. 'FIRST') NBAD = NBAD + 100000
      READ (12, '(A)') NAME
      IF (NAME .NE. 'SECOND') NBAD = NBAD + 100000
      CLOSE (12)
C     A unit of GOPEN ends with its CLOSE, and with an OPEN of it.
      CALL GOPEN(20, 'GONE', 0)
      CALL CWRITE(20, X, 80)
      CLOSE (20)
      OPEN (UNIT = 20, FILE = 'NEXT' // CHAR(48 + ME),
     &      FORM = 'UNFORMATTED')
      CALL CWRITE(20, X, 40)
      IF (LSIZE(20, 0, 2) .NE. 40) NBAD = NBAD + 1000000
      CLOSE (20)
      CALL GOPEN(21, 'NEXT' // CHAR(48 + ME), 0)
      OPEN (UNIT = 21, FILE = 'LAST' // CHAR(48 + ME),
     &      FORM = 'UNFORMATTED')
      CALL CWRITE(21, X, 16)
      IF (LSIZE(21, 0, 2) .NE. 16) NBAD = NBAD + 1000000
      CLOSE (21)
C     An OPEN that looks for a unit of its own ends none.
      CALL GOPEN(0, 'ZERO' // CHAR(48 + ME), 0)
      CALL CWRITE(0, X, 40)
      OPEN (NEWUNIT = I, FILE = 'NEXT' // CHAR(48 + ME))
      CLOSE (I)
      CALL CWRITE(0, X, 40)
      IF (LSIZE(0, 0, 2) .NE. 80) NBAD = NBAD + 1000000
      CLOSE (0)
C     A file of all nodes, in records.
      CALL GOPEN(11, 'SHARED  ', 3)
      DO 30 I = 1, 4
         IREC(I) = 100 * ME + I
   30 CONTINUE
      ID = IWRITE(11, IREC, 16)
      CALL IOWAIT(ID)
      CALL GSYNC
      CALL SETIOMODE(11, 0)
      IF (LSEEK(11, 16 * MOD(ME + 1, NP), 0) .LT. 0) NBAD = NBAD + 1
      ID = IREAD(11, IGOT, 16)
   40 IF (IODONE(ID) .NE. 1) GOTO 40
      IF (IGOT(4) .NE. 100 * MOD(ME + 1, NP) + 4) NBAD = NBAD + 10000
      CALL HWCLOCK(ITICK)
      IF (ITICK(1) .EQ. 0) NBAD = NBAD + 1
      CALL GISUM(NBAD, 1, IWORK)
      IF (ME .EQ. 0) WRITE (*, 900) NBAD
  900 FORMAT (' UNITS: ', I6, ' FAILURES')
      END
