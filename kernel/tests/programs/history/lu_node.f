C     SPDX-License-Identifier: MIT
C     The nodes' half of a dense linear solver: LU factors with row interchanges, columns wrapped round a
C     ring of nodes in the order of a Gray code. Whoever has the pivot column scales it and sends it on round
C     the ring; then everybody updates the columns behind it. The triangular solves run round the ring too.
      PROGRAM LUNODE
      INTEGER MAXN, MAXL
      PARAMETER (MAXN = 200, MAXL = 200)
      INTEGER TSIZE, TCOLS, TPIV, TSOLVE, TDONE, TTIME
      PARAMETER (TSIZE = 10, TCOLS = 1000, TPIV = 2000, TSOLVE = 5000)
      PARAMETER (TDONE = 30, TTIME = 31)
      COMMON /SIZES/ N, NBLOCK, IHOST, IHPID, NP, ME, LEFT, MRIGHT, NLOC
      COMMON /MATRIX/ A(MAXN, MAXL), B(MAXN), IPIV(MAXN)
      DOUBLE PRECISION A, B, T0, TIME, DCLOCK
      INTEGER ISIZE(4)
      T0 = DCLOCK()
      CALL CRECV(TSIZE, ISIZE, 16)
      N = ISIZE(1)
      NBLOCK = ISIZE(2)
      IHOST = ISIZE(3)
      IHPID = ISIZE(4)
      IF (INFONODE() .NE. IHOST) STOP 'NOT FROM THE HOST'
      IF (INFOPID() .NE. IHPID) STOP 'NOT FROM THE HOST S PROCESS'
      CALL PLACES
      NLOC = 0
      DO 10 J = ME + 1, N, NP
         NLOC = NLOC + 1
         CALL CRECV(TCOLS + J, A(1, NLOC), 8 * N)
   10 CONTINUE
      CALL CRECV(TCOLS, B, 8 * MAXN)
      DO 20 K = 1, N
         CALL STEP(K)
   20 CONTINUE
      CALL SOLVE
      IF (ME .EQ. 0) CALL CSEND(TDONE, B, 8 * N, IHOST, IHPID)
      TIME = DCLOCK() - T0
      CALL CSEND(TTIME, TIME, 8, MYHOST(), IHPID)
      END

C     My place on the ring, and who is next to me: along a Gray code where the nodes form a cube.
      SUBROUTINE PLACES
      COMMON /SIZES/ N, NBLOCK, IHOST, IHPID, NP, ME, LEFT, MRIGHT, NLOC
      INTEGER GRAY, GINV
      NP = NUMNODES()
      ME = MYNODE()
      IF (2 ** NODEDIM() .EQ. NP) ME = GINV(MYNODE())
      LEFT = MOD(ME + NP - 1, NP)
      MRIGHT = MOD(ME + 1, NP)
      IF (2 ** NODEDIM() .NE. NP) RETURN
      LEFT = GRAY(LEFT)
      MRIGHT = GRAY(MRIGHT)
      END

C     One step of the elimination. PIV(N+1) carries the pivot's row.
      SUBROUTINE STEP(K)
      INTEGER TPIV
      PARAMETER (MAXN = 200, MAXL = 200, TPIV = 2000)
      COMMON /SIZES/ N, NBLOCK, IHOST, IHPID, NP, ME, LEFT, MRIGHT, NLOC
      COMMON /MATRIX/ A(MAXN, MAXL), B(MAXN), IPIV(MAXN)
      DOUBLE PRECISION A, B, PIV(MAXN + 1), SWAP
      IOWNER = MOD(K - 1, NP)
      IF (ME .EQ. IOWNER) CALL PIVOT(K, A(1, (K - 1) / NP + 1), PIV)
      IF (ME .NE. IOWNER) CALL CRECV(TPIV + K, PIV, 8 * (N + 1))
      IF (MOD(ME + 1, NP) .NE. IOWNER) CALL CSEND(TPIV + K, PIV, 8 * (N + 1), MRIGHT, 0)
      L = PIV(N + 1)
      IPIV(K) = L
      JFIRST = (K - ME - 1 + NP) / NP + 1
      DO 20 J = JFIRST, NLOC
         SWAP = A(L, J)
         A(L, J) = A(K, J)
         A(K, J) = SWAP
         DO 10 I = K + 1, N
            A(I, J) = A(I, J) - PIV(I) * A(K, J)
   10    CONTINUE
   20 CONTINUE
C     The right side is everybody's.
      SWAP = B(L)
      B(L) = B(K)
      B(K) = SWAP
      DO 30 I = K + 1, N
         B(I) = B(I) - PIV(I) * B(K)
   30 CONTINUE
      END

C     Finds the pivot of column K, exchanges it to the diagonal and leaves the multipliers below it.
      SUBROUTINE PIVOT(K, COLUMN, PIV)
      COMMON /SIZES/ N, NBLOCK, IHOST, IHPID, NP, ME, LEFT, MRIGHT, NLOC
      DOUBLE PRECISION COLUMN(N), PIV(N + 1), SWAP
      L = K
      DO 10 I = K + 1, N
         IF (ABS(COLUMN(I)) .GT. ABS(COLUMN(L))) L = I
   10 CONTINUE
      IF (COLUMN(L) .EQ. 0.0D0) STOP 'SINGULAR'
      SWAP = COLUMN(L)
      COLUMN(L) = COLUMN(K)
      COLUMN(K) = SWAP
      DO 20 I = K + 1, N
         COLUMN(I) = COLUMN(I) / COLUMN(K)
         PIV(I) = COLUMN(I)
   20 CONTINUE
      PIV(N + 1) = L
      END

C     The backward solve, column by column: the owner divides, and sends the new right side to the left, who
C     has the column before. In the end node 0 of the ring has it, who had the first column.
      SUBROUTINE SOLVE
      INTEGER TSOLVE
      PARAMETER (MAXN = 200, MAXL = 200, TSOLVE = 5000)
      COMMON /SIZES/ N, NBLOCK, IHOST, IHPID, NP, ME, LEFT, MRIGHT, NLOC
      COMMON /MATRIX/ A(MAXN, MAXL), B(MAXN), IPIV(MAXN)
      DOUBLE PRECISION A, B
      DO 20 K = N, 1, -1
         IF (ME .NE. MOD(K - 1, NP)) GO TO 20
         IF (K .LT. N .AND. NP .GT. 1) CALL CRECV(TSOLVE + K, B, 8 * N)
         J = (K - 1) / NP + 1
         B(K) = B(K) / A(K, J)
         DO 10 I = 1, K - 1
            B(I) = B(I) - A(I, J) * B(K)
   10    CONTINUE
         IF (K .GT. 1 .AND. NP .GT. 1) CALL CSEND(TSOLVE + K - 1, B, 8 * N, LEFT, 0)
   20 CONTINUE
      END
