C     SPDX-License-Identifier: MIT
C     The host's half of a dense linear solver: reads the problem, loads the nodes by name, hands out the
C     columns, and checks the solution that comes back. The matrix is A(I,J) = MIN(I,J) with its rows
C     permuted, so that the nodes must pivot; the right side belongs to the solution X(I) = (-1)**I * I.
      PROGRAM LUHOST
      INCLUDE 'fcube.h'
      INTEGER MAXN, MAXP
      PARAMETER (MAXN = 200, MAXP = 64)
      INTEGER TSIZE, TCOLS, TDONE, TTIME, NPID, HPID
      PARAMETER (TSIZE = 10, TCOLS = 1000, TDONE = 30, TTIME = 31)
      PARAMETER (NPID = 0, HPID = 100)
      DOUBLE PRECISION COLUMN(MAXN + 1), X(MAXN), TIMES(MAXP)
      DOUBLE PRECISION WORST, SUMS
      INTEGER ISIZE(4), N, NBLOCK, NP, I, J, NODE, IFROM
      CHARACTER*40 TITLE
      COMMON /PERM/ IROW(MAXN)
      EXTERNAL RIGHT
      DOUBLE PRECISION RIGHT
      READ (5, 900) TITLE
      READ (5, 910) N, NBLOCK
  900 FORMAT (A)
  910 FORMAT (2I5)
      IF (N .LT. 1 .OR. N .GT. MAXN) STOP 'N IS OUT OF RANGE'
      CALL GETCUBE('lu', ' ', ' ', 0)
      CALL ATTACHCUBE('lu')
      CALL SETPID(HPID)
      CALL LOAD('lu_node', -1, NPID)
      NP = NUMNODES()
      CALL PERMUT(N)
      ISIZE(1) = N
      ISIZE(2) = NBLOCK
      ISIZE(3) = MYHOST()
      ISIZE(4) = HPID
      CALL CSEND(TSIZE, ISIZE, 16, -1, NPID)
C     Column J goes to the node at place MOD(J-1, NP) of the ring.
      DO 20 J = 1, N
         NODE = MOD(J - 1, NP)
         IF (2 ** NODEDIM() .EQ. NP) NODE = GRAY(NODE)
         DO 10 I = 1, N
            COLUMN(I) = MIN(IROW(I), J)
   10    CONTINUE
         CALL CSEND(TCOLS + J, COLUMN, 8 * N, NODE, NPID)
   20 CONTINUE
      DO 30 I = 1, N
         COLUMN(I) = RIGHT(IROW(I), N)
   30 CONTINUE
      CALL CSEND(TCOLS, COLUMN, 8 * N, -1, NPID)
C     One node has the solution; every node tells its time.
      CALL CRECV(TDONE, X, 8 * MAXN)
      IF (INFOCOUNT() .NE. 8 * N) STOP 'THE SOLUTION HAS ANOTHER LENGTH'
      IFROM = INFONODE()
      DO 40 NODE = 1, NP
         CALL CRECV(TTIME, SUMS, 8)
         TIMES(INFONODE() + 1) = SUMS
   40 CONTINUE
      CALL WAITALL(-1, NPID)
      WORST = 0.0D0
      DO 50 I = 1, N
         WORST = MAX(WORST, ABS(X(I) - (-1) ** I * I))
   50 CONTINUE
      SUMS = 0.0D0
      DO 60 I = 1, NP
         IF (TIMES(I) .LT. 0.0D0) STOP 'A NODE HAS A STRANGE CLOCK'
         SUMS = SUMS + TIMES(I)
   60 CONTINUE
      IF (WORST .LT. 1.0D-8) WRITE (6, 920) TITLE, N, NP, IFROM
      IF (WORST .GE. 1.0D-8) WRITE (6, 930) WORST
  920 FORMAT (1X, A20, 'LU SOLVED', I5, ' EQUATIONS ON', I3, ' NODES,',
     1        ' NODE', I3, ' HAD THE LAST WORD')
  930 FORMAT (' LU IS WRONG BY ', 1PE12.4)
      CALL KILLCUBE(-1, -1)
      CALL RELCUBE('lu')
      STOP
      END

C     Which row of the natural order stands in each row: 7 is prime to the sizes in use.
      SUBROUTINE PERMUT(N)
      PARAMETER (MAXN = 200)
      COMMON /PERM/ IROW(MAXN)
      DO 10 I = 1, N
         IROW(I) = MOD(7 * I, N) + 1
   10 CONTINUE
      RETURN
      END

C     The right side's element for row I of the natural order: the sum over J of MIN(I,J) * (-1)**J * J.
      DOUBLE PRECISION FUNCTION RIGHT(I, N)
      RIGHT = 0.0D0
      DO 10 J = 1, N
         RIGHT = RIGHT + DBLE(MIN(I, J)) * (-1) ** J * J
   10 CONTINUE
      RETURN
      END
