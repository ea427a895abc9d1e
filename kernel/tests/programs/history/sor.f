C     SPDX-License-Identifier: MIT
C     Red and black successive overrelaxation of Laplace's equation. Node 0 reads the problem from a file and
C     sends its COMMON block as one message; strips of columns; every node writes its part to files of its own
C     (text and binary), and node 0 reads them all again. U = X*X - Y*Y meets the five point formula exactly.
      PROGRAM SOR
      INCLUDE 'sizes.inc'
      LOGICAL DONE
      CALL INPUT
      CALL BOUNDS
      DO 10 ITER = 1, MAXIT
         CALL SWEEP(0, CHANGE)
         CALL SWEEP(1, OTHER)
         IF (OTHER .GT. CHANGE) CHANGE = OTHER
         DONE = CHANGE .LT. EPS
         IF (DONE) GO TO 20
   10 CONTINUE
   20 IF (.NOT. DONE) STOP 'SOR DOES NOT CONVERGE'
      CALL OUTPUT
      CALL GSYNC
      IF (ME .EQ. 0) CALL CHECK(ITER)
      END

      SUBROUTINE INPUT
      INCLUDE 'sizes.inc'
      CHARACTER*80 LINE
      NAMELIST /METHOD/ OMEGA, EPS, MAXIT
      ME = MYNODE()
      NP = NUMNODES()
      IF (ME .NE. 0) THEN
         CALL CRECV(1, N, 4 + 16 + 4)
         RETURN
      ENDIF
      OPEN (UNIT = 10, FILE = 'sor.in', STATUS = 'OLD', ERR = 90)
C     Comments begin with an asterisk; the first other line has the size.
   10 READ (10, '(A)', END = 90) LINE
      IF (LINE(1:1) .EQ. '*') GO TO 10
      READ (LINE, *) N
      READ (10, METHOD)
      CLOSE (10)
      IF (N .GT. M) STOP 'TOO LARGE'
      IF (NP .GT. 1) CALL CSEND(1, N, 4 + 16 + 4, -1, 0)
      RETURN
   90 WRITE (0, *) 'THERE IS NO SOR.IN, OR NOTHING IN IT'
      CALL EXIT(1)
      END

      SUBROUTINE BOUNDS
      INCLUDE 'sizes.inc'
      J1 = ME * N / NP + 1
      J2 = (ME + 1) * N / NP
      DO 20 J = J1 - 1, J2 + 1
         DO 10 I = 0, N + 1
            U(I, J) = 0.0D0
            IF (I .EQ. 0 .OR. I .EQ. N + 1) U(I, J) = EXACT(I, J)
            IF (J .EQ. 0 .OR. J .EQ. N + 1) U(I, J) = EXACT(I, J)
   10    CONTINUE
   20 CONTINUE
      END

      DOUBLE PRECISION FUNCTION EXACT(I, J)
      INCLUDE 'sizes.inc'
      EXACT = (DBLE(I) ** 2 - DBLE(J) ** 2) / DBLE(N + 1) ** 2
      END

C     One colour. The columns at the borders are fetched first; csendrecv is not yet everywhere.
      SUBROUTINE SWEEP(ICOLOR, CHANGE)
      INCLUDE 'sizes.inc'
      LENGTH = 8 * (N + 2)
      ITYPE = 100 + 10 * ICOLOR
      IF (ME .GT. 0) CALL CSEND(ITYPE, U(0, J1), LENGTH, ME - 1, 0)
      IF (ME .LT. NP - 1) CALL CSEND(ITYPE + 1, U(0, J2), LENGTH, ME + 1, 0)
      IF (ME .GT. 0) CALL CRECV(ITYPE + 1, U(0, J1 - 1), LENGTH)
      IF (ME .LT. NP - 1) CALL CRECV(ITYPE, U(0, J2 + 1), LENGTH)
      CHANGE = 0.0D0
      DO 20 J = J1, J2
         DO 10 I = 1 + MOD(J + ICOLOR, 2), N, 2
            STEP = (U(I - 1, J) + U(I + 1, J) + U(I, J - 1) + U(I, J + 1)) / 4 - U(I, J)
            U(I, J) = U(I, J) + OMEGA * STEP
            CHANGE = MAX(CHANGE, ABS(STEP))
   10    CONTINUE
   20 CONTINUE
      CALL GDHIGH(CHANGE, 1, WORK)
      END

C     Every node: its columns as a direct access file, and a line about them.
      SUBROUTINE OUTPUT
      INCLUDE 'sizes.inc'
      CHARACTER*12 NAME
      ENCODE (12, 900, NAME) ME
  900 FORMAT ('sor.out.', I3.3, ' ')
      OPEN (UNIT = 20, FILE = NAME, STATUS = 'UNKNOWN', FORM = 'FORMATTED')
      WRITE (20, 910) ME, J1, J2
  910 FORMAT (3I6)
      ENDFILE (20)
      REWIND (20)
      CLOSE (20)
      WRITE (NAME, 920) ME
  920 FORMAT ('columns.', I3.3)
      OPEN (UNIT = 21, FILE = NAME, ACCESS = 'DIRECT', RECL = 8 * N, FORM = 'UNFORMATTED')
      DO 10 J = J2, J1, -1
   10 WRITE (21, REC = J - J1 + 1) (U(I, J), I = 1, N)
      CLOSE (21)
      END

C     Node 0 reads what the others have written.
      SUBROUTINE CHECK(ITER)
      INCLUDE 'sizes.inc'
      CHARACTER*12 NAME
      DIMENSION V(M)
      WORST = 0.0D0
      LAST = 0
      DO 30 NODE = 0, NP - 1
         WRITE (NAME, '(''sor.out.'', I3.3)') NODE
         OPEN (UNIT = 20, FILE = NAME, STATUS = 'OLD')
         READ (20, *) KNODE, K1, K2
         IF (KNODE .NE. NODE .OR. K1 .NE. LAST + 1) STOP 'A FILE IS NOT WHAT IT SHOULD BE'
         CLOSE (20)
         WRITE (NAME, '(''columns.'', I3.3)') NODE
         OPEN (UNIT = 21, FILE = NAME, ACCESS = 'DIRECT', RECL = 8 * N, STATUS = 'OLD')
         DO 20 J = K1, K2
            READ (21, REC = J - K1 + 1) (V(I), I = 1, N)
            DO 10 I = 1, N
   10       WORST = MAX(WORST, ABS(V(I) - EXACT(I, J)))
   20    CONTINUE
         CLOSE (21, STATUS = 'DELETE')
         LAST = K2
   30 CONTINUE
      IF (LAST .NE. N) STOP 'THERE ARE COLUMNS MISSING'
      IF (WORST .LT. 1.0D-6) WRITE (*, 900) N, ITER, NP
      IF (WORST .GE. 1.0D-6) WRITE (*, *) 'SOR IS WRONG BY ', WORST
  900 FORMAT (' SOR RELAXED', I4, ' COLUMNS IN', I5, ' SWEEPS ON', I3, ' NODES')
      END
