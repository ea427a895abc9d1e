C     SPDX-License-Identifier: MIT
C     INTEGERs where LOGICALs belong and the other way round, and VMS's names for intrinsics; one of these,
C     JINT, is the program's own.
      PROGRAM LOGIC
      IMPLICIT LOGICAL (Q)
      INCLUDE 'FCUBE.H'
      LOGICAL MASTER, DONE(3)
      INTEGER FLAG, JINT
      CHARACTER*12 LINE
      DATA DONE /.TRUE., .FALSE., .TRUE./, FLAG /3/
      MASTER = MYNODE() .EQ. 0
      QUIET = MASTER .NE. DONE(1)
      LINE = 'A .EQ. B'
      IF (MASTER .EQ. .TRUE. .AND. .NOT. QUIET .EQ. .TRUE.) WRITE (*, *)
     &  'A LITERAL THAT IS LONG ENOUGH FOR TWO LINES .EQ. ', LINE
      DO 10 I = 1, 3
         IF (DONE(I) .NE. MASTER .AND. I .EQ. 2) THEN
            WRITE (*,*) 'SECOND', JMAX0(I, FLAG, 1), JNINT(2.6), JINT(I)
         ELSE IF (MOD(I, 2)) THEN
            WRITE (*, *) 'ODD', I
         ENDIF
   10 CONTINUE
      IF (IPROBE(-1) .OR. I .EQ. 0) STOP 1
      IF (.NOT. IPROBE(-1)) WRITE (*, *) 'NONE'
      IF (FLAG - 3) 20, 30, 20
   20 STOP 2
   30 IF (FLAG .AND. (MASTER .OR. FLAG + 1)) WRITE (*, *) 'ALL'
      END

      INTEGER FUNCTION JINT(I)
      JINT = 40 + I
      END
