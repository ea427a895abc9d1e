C     SPDX-License-Identifier: MIT
C     Poisson's equation on a square by conjugate gradients, on strips of rows. Halos are received with irecv,
C     posted before the neighbours send; sums go through gdsum, the worst error through gdhigh. The right side
C     is that of U = X(1-X)Y(1-Y), which the five point formula meets exactly.
      PROGRAM CG
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (M = 48, MROWS = 50)
      COMMON /STRIP/ ME, NP, IABOVE, IBELOW, NROWS, ISTART
      COMMON /FIELDS/ U(0:M + 1, 0:MROWS), R(0:M + 1, 0:MROWS), P(0:M + 1, 0:MROWS), Q(0:M + 1, 0:MROWS)
      EXTERNAL DOTP
      CALL STRIPS
      CALL START(RHO)
      RHO0 = RHO
      DO 20 ITER = 1, 500
         CALL HALO(P)
         CALL APPLY
         ALPHA = RHO / DOTP(P, Q)
         CALL ADD(U, ALPHA, P, 1.0D0)
         CALL ADD(R, -ALPHA, Q, 1.0D0)
         RHONEW = DOTP(R, R)
         IF (RHONEW .LT. 1.0D-24 * RHO0) GO TO 30
         CALL ADD(P, 1.0D0, R, RHONEW / RHO)
         RHO = RHONEW
   20 CONTINUE
      STOP 'CG DOES NOT CONVERGE'
   30 CALL REPORT(ITER)
      END

C     Which rows are mine: ISTART + 1 to ISTART + NROWS.
      SUBROUTINE STRIPS
      PARAMETER (M = 48, MROWS = 50)
      COMMON /STRIP/ ME, NP, IABOVE, IBELOW, NROWS, ISTART
      ME = MYNODE()
      NP = NUMNODES()
      ISTART = ME * M / NP
      NROWS = (ME + 1) * M / NP - ISTART
      IABOVE = ME - 1
      IBELOW = ME + 1
      IF (IBELOW .EQ. NP) IBELOW = -1
      END

      SUBROUTINE START(RHO)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (M = 48, MROWS = 50)
      COMMON /STRIP/ ME, NP, IABOVE, IBELOW, NROWS, ISTART
      COMMON /FIELDS/ U(0:M + 1, 0:MROWS), R(0:M + 1, 0:MROWS), P(0:M + 1, 0:MROWS), Q(0:M + 1, 0:MROWS)
      H = 1.0D0 / (M + 1)
      DO 20 J = 0, NROWS + 1
         Y = (ISTART + J) * H
         DO 10 I = 0, M + 1
            X = I * H
            U(I, J) = 0.0D0
            Q(I, J) = 0.0D0
            R(I, J) = 0.0D0
            IF (J .GE. 1 .AND. J .LE. NROWS .AND. I .GE. 1 .AND. I .LE. M)
     1         R(I, J) = 2.0D0 * H * H * (X * (1 - X) + Y * (1 - Y))
            P(I, J) = R(I, J)
   10    CONTINUE
   20 CONTINUE
      RHO = DOTP(R, R)
      END

C     Exchanges the outer rows with the neighbours. The types tell the directions apart.
      SUBROUTINE HALO(V)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (M = 48, MROWS = 50, IDOWN = 71, IUP = 72)
      COMMON /STRIP/ ME, NP, IABOVE, IBELOW, NROWS, ISTART
      DIMENSION V(0:M + 1, 0:MROWS)
      LENGTH = 8 * (M + 2)
      IF (IABOVE .GE. 0) MSGA = IRECV(IDOWN, V(0, 0), LENGTH)
      IF (IBELOW .GE. 0) MSGB = IRECV(IUP, V(0, NROWS + 1), LENGTH)
      IF (IABOVE .GE. 0) CALL CSEND(IUP, V(0, 1), LENGTH, IABOVE, 0)
      IF (IBELOW .GE. 0) CALL CSEND(IDOWN, V(0, NROWS), LENGTH, IBELOW, 0)
      IF (IBELOW .GE. 0) CALL MSGWAIT(MSGB)
      IF (IABOVE .LT. 0) RETURN
   10 IF (MSGDONE(MSGA) .EQ. 0) THEN
         CALL FLICK
         GO TO 10
      ENDIF
      IF (INFOCOUNT() .NE. LENGTH) STOP 'A HALO HAS ANOTHER LENGTH'
      IF (INFONODE() .NE. IABOVE) STOP 'A HALO CAME FROM ELSEWHERE'
      END

C     Q = A P
      SUBROUTINE APPLY
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (M = 48, MROWS = 50)
      COMMON /STRIP/ ME, NP, IABOVE, IBELOW, NROWS, ISTART
      COMMON /FIELDS/ U(0:M + 1, 0:MROWS), R(0:M + 1, 0:MROWS), P(0:M + 1, 0:MROWS), Q(0:M + 1, 0:MROWS)
      DO 20 J = 1, NROWS
         DO 10 I = 1, M
            Q(I, J) = 4 * P(I, J) - P(I - 1, J) - P(I + 1, J) - P(I, J - 1) - P(I, J + 1)
   10    CONTINUE
   20 CONTINUE
      END

      DOUBLE PRECISION FUNCTION DOTP(V, W)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (M = 48, MROWS = 50)
      COMMON /STRIP/ ME, NP, IABOVE, IBELOW, NROWS, ISTART
      DIMENSION V(0:M + 1, 0:MROWS), W(0:M + 1, 0:MROWS)
      SUM = 0.0D0
      DO 10 J = 1, NROWS
         DO 10 I = 1, M
   10 SUM = SUM + V(I, J) * W(I, J)
      CALL GDSUM(SUM, 1, WORK)
      DOTP = SUM
      END

C     V = B V + A W, or the other way round for the search direction.
      SUBROUTINE ADD(V, A, W, B)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (M = 48, MROWS = 50)
      COMMON /STRIP/ ME, NP, IABOVE, IBELOW, NROWS, ISTART
      DIMENSION V(0:M + 1, 0:MROWS), W(0:M + 1, 0:MROWS)
      DO 20 J = 1, NROWS
         DO 10 I = 1, M
            V(I, J) = B * V(I, J) + A * W(I, J)
   10    CONTINUE
   20 CONTINUE
      END

      SUBROUTINE REPORT(ITER)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (M = 48, MROWS = 50)
      COMMON /STRIP/ ME, NP, IABOVE, IBELOW, NROWS, ISTART
      COMMON /FIELDS/ U(0:M + 1, 0:MROWS), R(0:M + 1, 0:MROWS), P(0:M + 1, 0:MROWS), Q(0:M + 1, 0:MROWS)
      DIMENSION IALL(64), LENGTH(64)
      H = 1.0D0 / (M + 1)
      WORST = 0.0D0
      DO 20 J = 1, NROWS
         Y = (ISTART + J) * H
         DO 10 I = 1, M
            X = I * H
            WORST = MAX(WORST, ABS(U(I, J) - X * (1 - X) * Y * (1 - Y)))
   10    CONTINUE
   20 CONTINUE
      CALL GDHIGH(WORST, 1, WORK)
C     Everybody agrees on the iterations, and knows how many rows the others had.
      DO 30 I = 1, NP
   30 LENGTH(I) = 4
      IMINE = NROWS
      CALL GCOLX(IMINE, LENGTH, IALL)
      IROWS = 0
      DO 40 I = 1, NP
   40 IROWS = IROWS + IALL(I)
      ITERS = ITER
      CALL GIHIGH(ITERS, 1, IWORK)
      IF (ITERS .NE. ITER .OR. IROWS .NE. M) STOP 'THE NODES DO NOT AGREE'
      IF (ME .NE. 0) RETURN
      IF (WORST .LT. 1.0D-10) PRINT 900, ITER, NP
      IF (WORST .GE. 1.0D-10) PRINT *, 'CG IS WRONG BY ', WORST
  900 FORMAT (' CG CONVERGED IN', I4, ' ITERATIONS ON', I3, ' NODES')
      END
