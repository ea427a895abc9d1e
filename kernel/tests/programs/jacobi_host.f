C     SPDX-License-Identifier: MIT
C     The host's side of a Jacobi iteration for Poisson's equation on a square, in the manner of the first
C     hypercubes: it reads the problem, loads the nodes, tells them, and gathers what they have found.
      PROGRAM JHOST
      INTEGER MAXN
      PARAMETER (MAXN = 128)
      INTEGER NPID, HPID
      PARAMETER (NPID = 0, HPID = 100)
      REAL*8 GRID(MAXN, MAXN), PART(MAXN * MAXN)
      INTEGER N, ITER, NP, I, J, K, J0, J1, IPARM(4)
      REAL*8 EPS, RESID, WORST, EXACT
      INTEGER MYHOST, NUMNODES, INFOCOUNT, INFONODE
      READ (*, *) N, ITER
      READ (*, *) EPS
      CALL GETCUBE('jacobi', ' ', ' ', 0)
      CALL ATTACHCUBE('jacobi')
      CALL SETPID(HPID)
      CALL KILLCUBE(-1, -1)
      CALL LOAD('jacobi_node             ', -1, NPID)
      NP = NUMNODES()
      WRITE (*, 900) N, NP
  900 FORMAT (' GRID OF ', I4, ' POINTS A SIDE ON ', I3, ' NODES')
      IPARM(1) = N
      IPARM(2) = ITER
      IPARM(3) = MYHOST()
      IPARM(4) = HPID
      CALL CSEND(2, IPARM, 16, -1, NPID)
      CALL CSEND(3, EPS, 8, -1, NPID)
C     The parts come in any order; the type says which columns.
      DO 20 K = 1, NP
         CALL CRECV(-1, PART, 8 * MAXN * MAXN)
         I = INFONODE()
         J0 = I * N / NP + 1
         J1 = (I + 1) * N / NP
         IF (INFOCOUNT() .NE. 8 * N * (J1 - J0 + 1)) STOP 7
         CALL UNPACK(GRID, MAXN, PART, N, J0, J1)
   20 CONTINUE
      CALL WAITALL(-1, NPID)
      WORST = 0.0D0
      DO 40 J = 1, N
         DO 30 I = 1, N
            EXACT = (DBLE(I) + 2.0D0 * DBLE(J)) / DBLE(N + 1)
            RESID = ABS(GRID(I, J) - EXACT)
            IF (RESID .GT. WORST) WORST = RESID
   30    CONTINUE
   40 CONTINUE
      IF (WORST .LT. 1.0D-3) THEN
         WRITE (*, 910) 'SOLVED', WORST
      ELSE
         WRITE (*, 910) 'NOT SOLVED', WORST
      ENDIF
  910 FORMAT (' JACOBI ', A, ', WORST ERROR ', 1PE10.2)
      CALL KILLCUBE(-1, -1)
      CALL RELCUBE('jacobi')
      END

      SUBROUTINE UNPACK(GRID, LD, PART, N, J0, J1)
      INTEGER LD, N, J0, J1, I, J
      REAL*8 GRID(LD, *), PART(N, *)
      DO 20 J = J0, J1
         DO 10 I = 1, N
            GRID(I, J) = PART(I, J - J0 + 1)
   10    CONTINUE
   20 CONTINUE
      END
