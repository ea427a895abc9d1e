C     SPDX-License-Identifier: MIT
C     The node's side: a block of columns, halos from the neighbours on a Gray-coded ring without its last
C     link, message types that carry the sender, and a global maximum to see when it is done.
      PROGRAM JNODE
      INTEGER MAXN, MAXC
      PARAMETER (MAXN = 128, MAXC = 130)
      REAL*8 U(0:MAXN+1, 0:MAXC), V(0:MAXN+1, 0:MAXC)
      INTEGER IPARM(4), N, NC, ME, NP, IT, I, J, J0, LEFT, RIGHT, ITER
      REAL*8 EPS, DIFF, TMP, TIME, DCLOCK
      INTEGER MYNODE, NUMNODES, NODEDIM, GINV, GRAY
      EXTERNAL DCLOCK
      ME = MYNODE()
      NP = NUMNODES()
      CALL CRECV(2, IPARM, 16)
      CALL CRECV(3, EPS, 8)
      N = IPARM(1)
      ITER = IPARM(2)
      J0 = ME * N / NP
      NC = (ME + 1) * N / NP - J0
      LEFT = ME - 1
      RIGHT = ME + 1
      CALL START(U, V, MAXN, N, NC, J0)
      TIME = DCLOCK()
      DO 50 IT = 1, ITER
         CALL HALO(U, MAXN, N, NC, ME, NP, LEFT, RIGHT, IT)
         DIFF = 0.0D0
         DO 20 J = 1, NC
            DO 10 I = 1, N
               V(I, J) = 0.25D0 * (U(I-1, J) + U(I+1, J) +
     &                             U(I, J-1) + U(I, J+1))
               DIFF = MAX(DIFF, ABS(V(I, J) - U(I, J)))
   10       CONTINUE
   20    CONTINUE
         DO 40 J = 1, NC
            DO 30 I = 1, N
               U(I, J) = V(I, J)
   30       CONTINUE
   40    CONTINUE
         CALL GDHIGH(DIFF, 1, TMP)
         IF (DIFF .LT. EPS) GOTO 60
   50 CONTINUE
   60 CONTINUE
      TIME = DCLOCK() - TIME
      IF (GINV(GRAY(ME)) .NE. ME .OR. 2**NODEDIM() .GT. NP) STOP 8
      CALL PACK(U, V, MAXN, N, NC)
      CALL CSEND(100 + ME, V, 8 * N * NC, IPARM(3), IPARM(4))
      IF (ME .EQ. 0) WRITE (*, 900) IT, TIME .GE. 0.0D0
  900 FORMAT (' NODE 0 TOOK ', I5, ' STEPS ', L1)
      END

      SUBROUTINE START(U, V, MAXN, N, NC, J0)
      INTEGER MAXN, N, NC, J0, I, J, K
      REAL*8 U(0:MAXN+1, 0:*), V(0:MAXN+1, 0:*), EDGE
      EDGE(I, J) = (DBLE(I) + 2.0D0 * DBLE(J)) / DBLE(N + 1)
      DO 20 J = 0, NC + 1
         DO 10 I = 0, N + 1
            U(I, J) = 0.0D0
            K = J + J0
            IF (I .EQ. 0 .OR. I .EQ. N + 1) U(I, J) = EDGE(I, K)
            IF (K .EQ. 0 .OR. K .EQ. N + 1) U(I, J) = EDGE(I, K)
            V(I, J) = U(I, J)
   10    CONTINUE
   20 CONTINUE
      END

C     Both send first, as everybody did: csend buffers. The type is the sender and the step.
      SUBROUTINE HALO(U, MAXN, N, NC, ME, NP, LEFT, RIGHT, IT)
      INTEGER MAXN, N, NC, ME, NP, LEFT, RIGHT, IT, ITYPE, ID
      REAL*8 U(0:MAXN+1, 0:*)
      INTEGER IRECV
      ITYPE(ID) = 32768 * (ID + 1) + MOD(IT, 1024)
      IF (LEFT .GE. 0)
     &   CALL CSEND(ITYPE(ME), U(1, 1), 8 * N, LEFT, 0)
      IF (RIGHT .LT. NP)
     &   CALL CSEND(ITYPE(ME), U(1, NC), 8 * N, RIGHT, 0)
      IF (LEFT .GE. 0) CALL CRECV(ITYPE(LEFT), U(1, 0), 8 * N)
      IF (RIGHT .LT. NP) THEN
         ID = IRECV(ITYPE(RIGHT), U(1, NC + 1), 8 * N)
         CALL MSGWAIT(ID)
      ENDIF
      END

      SUBROUTINE PACK(U, V, MAXN, N, NC)
      INTEGER MAXN, N, NC, I, J, K
      REAL*8 U(0:MAXN+1, 0:*), V(*)
      K = 0
      DO 20 J = 1, NC
         DO 10 I = 1, N
            K = K + 1
            V(K) = U(I, J)
   10    CONTINUE
   20 CONTINUE
      END
