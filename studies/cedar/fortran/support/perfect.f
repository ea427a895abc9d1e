C SPDX-License-Identifier: MIT
C A program with the loop structure of one of the Perfect Benchmarks over the loops of Cedar Fortran, as
C studies/cedar/apps/support/perfect.h has it in C, of three time steps and with sections of 20 percent of
C their length. Loops are run by clusters and processors, and once more as plain loops: every point is the
C same to the last bit, or it ends with status 1. The sum of all points is that of the C program with
C --scale 3 --length 20.
C
C NAME is what it prints, KERNEL(TO, FROM, N) computes N points, SERIAL and ONLY are the percentages of serial
C code and of loops of the main cluster alone, and each of the LOOPS loops goes over OUTER * INNER sections of
C LENGTH points, by an XDOALL where IS_FLAT, else by an SDOALL with CDOALLs in it.
      SUBROUTINE PERFECT(NAME, KERNEL, SERIAL, ONLY, LOOPS, IS_FLAT,
     &   OUTER, INNER, LENGTH)
      INTEGER MOST, STEPS, PERCENT
      PARAMETER (MOST = 4000, STEPS = 3, PERCENT = 20)
      CHARACTER*(*) NAME
      REAL*8 SERIAL, ONLY
      INTEGER LOOPS, OUTER(LOOPS), INNER(LOOPS), LENGTH(LOOPS)
      LOGICAL IS_FLAT(LOOPS)
      EXTERNAL KERNEL
      REAL*8 SPREAD(-1:MOST, 0:1), PLAIN(-1:MOST, 0:1), ALL, TOTAL
      GLOBAL SPREAD, PLAIN
      INTEGER I, STEP, LOOP, FROM, POINTS, N, WRONG, ALONE, BEFORE
      POINTS = 0
      ALL = 0
      DO LOOP = 1, LOOPS
         N = OUTER(LOOP) * INNER(LOOP) * (LENGTH(LOOP) * PERCENT / 100)
         POINTS = MAX(POINTS, N)
         ALL = ALL + N
      END DO
      ALL = ALL / (1 - ONLY / 100)
      ALONE = INT(ALL * (ONLY / 100)) / 8
      BEFORE = INT(ALL * (SERIAL / 100) / (1 - SERIAL / 100))
      DO FROM = 0, 1
         DO I = -1, POINTS
            SPREAD(I, FROM) = 1 + MOD(I + 1, 17) / 16D0
            PLAIN(I, FROM) = SPREAD(I, FROM)
         END DO
      END DO

      FROM = 0
      DO STEP = 1, STEPS
         CALL KERNEL(SPREAD(0, 1 - FROM), SPREAD(-1, FROM), BEFORE)
         CALL KERNEL(PLAIN(0, 1 - FROM), PLAIN(-1, FROM), BEFORE)
         FROM = 1 - FROM
         DO LOOP = 1, LOOPS
            N = LENGTH(LOOP) * PERCENT / 100
            IF (IS_FLAT(LOOP)) THEN
               CALL FETCH(KERNEL, SPREAD(-1, 1 - FROM),
     &            SPREAD(-1, FROM), OUTER(LOOP) * INNER(LOOP), N)
            ELSE
               CALL NEST(KERNEL, SPREAD(-1, 1 - FROM),
     &            SPREAD(-1, FROM), OUTER(LOOP), INNER(LOOP), N)
            END IF
            CALL IN_TURN(KERNEL, PLAIN(-1, 1 - FROM),
     &         PLAIN(-1, FROM), OUTER(LOOP) * INNER(LOOP), N)
            FROM = 1 - FROM
         END DO
         IF (ALONE .GT. 0) THEN
            CALL IN_CLUSTER(KERNEL, SPREAD(-1, 1 - FROM),
     &         SPREAD(-1, FROM), 8, ALONE)
            CALL IN_TURN(KERNEL, PLAIN(-1, 1 - FROM),
     &         PLAIN(-1, FROM), 8, ALONE)
            FROM = 1 - FROM
         END IF
      END DO

      WRONG = 0
      TOTAL = 0
      DO I = 0, POINTS - 1
         IF (SPREAD(I, FROM) .NE. PLAIN(I, FROM)) WRONG = WRONG + 1
         TOTAL = TOTAL + SPREAD(I, FROM)
      END DO
      PRINT 10, NAME, TOTAL
      PRINT 20, NAME, POINTS, WRONG
   10 FORMAT (A, ': sum ', ES23.16)
   20 FORMAT (A, ': ', I5, ' points, ', I5, ' wrong')
      IF (WRONG .NE. 0) STOP 1
      END

C Sections by clusters, and by the processors of each.
      SUBROUTINE NEST(KERNEL, TO, FROM, OUTER, INNER, N)
      EXTERNAL KERNEL
      INTEGER OUTER, INNER, N, J, K
      REAL*8 TO(-1:*), FROM(-1:*)
      SDOALL J = 0, OUTER - 1
         CDOALL K = J * INNER, J * INNER + INNER - 1
            CALL KERNEL(TO(K * N), FROM(K * N - 1), N)
         END CDOALL
      END SDOALL
      END

C Sections by all processors, which fetch them for themselves.
      SUBROUTINE FETCH(KERNEL, TO, FROM, SECTIONS, N)
      EXTERNAL KERNEL
      INTEGER SECTIONS, N, K
      REAL*8 TO(-1:*), FROM(-1:*)
      XDOALL K = 0, SECTIONS - 1
         CALL KERNEL(TO(K * N), FROM(K * N - 1), N)
      END XDOALL
      END

C Sections by the processors of the main cluster alone.
      SUBROUTINE IN_CLUSTER(KERNEL, TO, FROM, SECTIONS, N)
      EXTERNAL KERNEL
      INTEGER SECTIONS, N, K
      REAL*8 TO(-1:*), FROM(-1:*)
      CDOALL K = 0, SECTIONS - 1
         CALL KERNEL(TO(K * N), FROM(K * N - 1), N)
      END CDOALL
      END

C Sections by a plain loop.
      SUBROUTINE IN_TURN(KERNEL, TO, FROM, SECTIONS, N)
      EXTERNAL KERNEL
      INTEGER SECTIONS, N, K
      REAL*8 TO(-1:*), FROM(-1:*)
      DO K = 0, SECTIONS - 1
         CALL KERNEL(TO(K * N), FROM(K * N - 1), N)
      END DO
      END
