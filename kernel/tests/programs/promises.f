C     SPDX-License-Identifier: MIT
C     NX/2's calls as Fortran sees them, on three nodes and under every design: messages go out from blocks of
C     nxalloc and come in by crecvp, and, where the design has them, by the ordinary receives too.
      PROGRAM PROMIS
      COMMON /BAD/ NBAD
      INTEGER NBAD, IWORK, NXHANDSOVER
      NBAD = 0
      CALL SMALL
      CALL BLOCKS
      CALL GSYNC
      IF (NXHANDSOVER() .EQ. 0) THEN
         CALL RECVS
         CALL GSYNC
         CALL CHOSEN
         CALL GSYNC
         CALL POSTED
         CALL GSYNC
         CALL HANDLE
         CALL GSYNC
      ENDIF
      CALL GLOBAL
      CALL GISUM(NBAD, 1, IWORK)
      IF (MYNODE() .EQ. 0) WRITE (*, 900) NBAD
  900 FORMAT (' PROMISES: ', I6, ' BROKEN')
      END

      SUBROUTINE CHECK(OK, N)
      LOGICAL OK
      INTEGER N, NBAD
      COMMON /BAD/ NBAD
      IF (OK) RETURN
      NBAD = NBAD + 1
      WRITE (*, 900) MYNODE(), N
  900 FORMAT (' NODE ', I3, ' BROKE PROMISE ', I4)
      END

C     A block of four words that count up from IV, started on its way; the id of the send.
      INTEGER FUNCTION IPOST(ITYPE, IV, NODE)
      INTEGER ITYPE, IV, NODE, I, A(4), ISEND
      INTEGER*8 NXALLOC
      POINTER (LA, A)
      LA = NXALLOC(16)
      DO 10 I = 1, 4
         A(I) = IV + I - 1
   10 CONTINUE
      IPOST = ISEND(ITYPE, A, 16, NODE, 0)
      END

C     The first word of a message of four words, or less than nothing.
      INTEGER FUNCTION ITAKE(ITYPE)
      INTEGER ITYPE, I, A(4), INFOCOUNT
      POINTER (LA, A)
      LA = 0
      CALL CRECVP(ITYPE, LA, 16)
      ITAKE = A(1)
      DO 10 I = 1, 4
         IF (A(I) .NE. A(1) + I - 1) ITAKE = -1
   10 CONTINUE
      IF (INFOCOUNT() .NE. 16) ITAKE = -2
      CALL NXFREE(LA)
      END

      SUBROUTINE SMALL
      INTEGER GRAY, GINV, NODEDIM, MYHOST, MYPID, MYPTYPE, MASKTRAP
      INTEGER NX_INITVE, NX_NFORK, NX_WAITALL, NX_APP_RECT
      INTEGER NX_APP_NODES, LIST(64), N, M, ITICK(2)
      REAL*8 DCLOCK, T
      CALL CHECK(NUMNODES() .EQ. 3 .AND. MYHOST() .EQ. 3, 1)
      CALL CHECK(MYNODE() .GE. 0 .AND. MYNODE() .LT. 3, 2)
      CALL CHECK(MYPID() .EQ. 0 .AND. MYPTYPE() .EQ. 0, 3)
      CALL CHECK(NODEDIM() .EQ. 1, 4)
      CALL CHECK(GRAY(5) .EQ. 7 .AND. GINV(7) .EQ. 5, 5)
      T = DCLOCK()
      CALL FLICK
      CALL CHECK(MCLOCK() .GE. INT(T * 1000.0D0) .AND.
     &           MCLOCK() .LE. INT(DCLOCK() * 1000.0D0), 6)
      CALL HWCLOCK(ITICK)
      CALL CHECK(ITICK(1) .NE. 0, 7)
      CALL LED(1)
      CALL HANDLER(1, SMALL)
      CALL SETPID(0)
      CALL SETPTYPE(0)
      CALL CHECK(MASKTRAP(1) .EQ. 0 .AND. MASKTRAP(0) .EQ. 1, 8)
      CALL CHECK(NX_INITVE('', 3, '', 0, 0) .EQ. 3, 9)
      CALL CHECK(NX_NFORK(LIST, -1, 0, LIST) .EQ. 0, 10)
      CALL CHECK(NX_WAITALL() .EQ. 0, 11)
      CALL CHECK(NX_APP_NODES(0, LIST, N) .EQ. 0 .AND. N .EQ. 3
     &           .AND. LIST(3) .EQ. 2, 12)
      CALL CHECK(NX_APP_RECT(N, M) .EQ. 0 .AND. N * M .EQ. 3, 13)
      END

C     Selectors, order, broadcasts, oneself: with blocks, so under every design.
      SUBROUTINE BLOCKS
      INTEGER ME, I, ID, IDS(40), MASK, IPOST, ITAKE, IPROBE, INFOTYPE
      INTEGER INFONODE, INFOPID, INFOPTYPE, INFOCOUNT, NEXT
      INTEGER*8 NONE
      ME = MYNODE()
      NEXT = MOD(ME + 1, 3)
      ID = IPOST(7, 10 * ME, NEXT)
      CALL CHECK(ITAKE(7) .EQ. 10 * MOD(ME + 2, 3), 20)
      CALL CHECK(INFONODE() .EQ. MOD(ME + 2, 3) .AND.
     &           INFOTYPE() .EQ. 7, 21)
      CALL CHECK(INFOPID() .EQ. 0 .AND. INFOPTYPE() .EQ. 0, 22)
      CALL MSGWAIT(ID)
C     The types 0, 1, 2 by a mask, those from 30 on by its bit 30, in the order of sending.
      IDS(1) = IPOST(30, 300, ME)
      IDS(2) = IPOST(2, 200, ME)
      IDS(3) = IPOST(0, 100, ME)
      IDS(4) = IPOST(999999999, 400, ME)
      MASK = IOR(ISHFT(1, 31), 7)
      CALL CPROBE(999999999)
      CALL CHECK(INFOCOUNT() .EQ. 16, 23)
      CALL CHECK(ITAKE(MASK) .EQ. 200 .AND. ITAKE(MASK) .EQ. 100, 24)
      CALL CHECK(IPROBE(MASK) .EQ. 0 .AND. IPROBE(-1) .EQ. 1, 25)
      MASK = IOR(ISHFT(1, 31), ISHFT(1, 30))
      CALL CHECK(ITAKE(MASK) .EQ. 300 .AND. ITAKE(-1) .EQ. 400, 26)
      DO 10 I = 1, 4
         CALL MSGWAIT(IDS(I))
   10 CONTINUE
C     The order of one sender's messages, and a force type.
      DO 20 I = 1, 40
         IDS(I) = IPOST(50, I, ME)
   20 CONTINUE
      DO 30 I = 1, 40
         CALL CHECK(ITAKE(50) .EQ. I, 27)
         CALL MSGWAIT(IDS(I))
   30 CONTINUE
      ID = IPOST(1073741824 + 5, 3, ME)
      CALL CHECK(ITAKE(1073741824 + 5) .EQ. 3, 28)
      CALL MSGWAIT(ID)
C     To all but the sender, without a byte, and one by one.
      CALL GSYNC
      NONE = 0
      IF (ME .EQ. 0) CALL CSENDP(60, NONE, 0, -1, 0)
      IF (ME .NE. 0) CALL CRECVP(60, NONE, 0)
      CALL CHECK(ME .EQ. 0 .OR. INFOCOUNT() .EQ. 0, 29)
      CALL GSYNC
      CALL CHECK(IPROBE(-1) .EQ. 0, 30)
      END

C     crecv, csendrecv, isendrecv, gsendx, flushmsg, and shorter messages than buffers.
      SUBROUTINE RECVS
      INTEGER ME, ID, I, IPOST, CSENDRECV, ISENDRECV, INFOCOUNT, IPROBE
      INTEGER A(8), B(8), LIST(2), OTHER
      INTEGER*8 NXALLOC
      POINTER (LA, A), (LB, B)
      ME = MYNODE()
      LA = NXALLOC(32)
      LB = NXALLOC(32)
      B(5) = 4711
      ID = IPOST(70, 1, ME)
      CALL CRECV(70, B, 32)
      CALL MSGWAIT(ID)
      CALL CHECK(B(1) .EQ. 1 .AND. B(4) .EQ. 4, 40)
      CALL CHECK(B(5) .EQ. 4711 .AND. INFOCOUNT() .EQ. 16, 41)
      OTHER = 1 - ME
      A(1) = ME
      IF (ME .LE. 1) THEN
         I = CSENDRECV(71, A, 4, OTHER, 0, 71, B, 32)
         CALL CHECK(I .EQ. 4 .AND. B(1) .EQ. OTHER, 42)
         ID = ISENDRECV(72, A, 4, OTHER, 0, 72, B(2), 28)
         CALL MSGWAIT(ID)
         CALL CHECK(B(2) .EQ. OTHER .AND. INFOCOUNT() .EQ. 4, 43)
      ENDIF
      LIST(1) = 1
      LIST(2) = 2
      IF (ME .EQ. 0) CALL GSENDX(73, A, 4, LIST, 2)
      IF (ME .NE. 0) CALL CRECV(73, B, 4)
      CALL CHECK(ME .EQ. 0 .OR. B(1) .EQ. 0, 44)
      ID = IPOST(74, 1, ME)
      CALL CPROBE(74)
      CALL FLUSHMSG(74, -1, -1)
      CALL MSGWAIT(ID)
      CALL CHECK(IPROBE(-1) .EQ. 0, 45)
      END

C     The x forms: node 0 chooses among two senders.
      SUBROUTINE CHOSEN
      INTEGER INFO(8), ID, B(4), I, IPOST, IPROBEX, IRECVX
      INTEGER*8 NXALLOC
      POINTER (LB, B)
      LB = NXALLOC(16)
      IF (MYNODE() .NE. 0) THEN
         DO 10 I = 1, 2
            ID = IPOST(80, MYNODE() * 10, 0)
            CALL MSGWAIT(ID)
   10    CONTINUE
         RETURN
      ENDIF
      CALL CPROBEX(80, 2, -1, INFO)
      CALL CHECK(INFO(1) .EQ. 80 .AND. INFO(3) .EQ. 2, 50)
      CALL CRECVX(80, B, 16, 2, 0, INFO)
      CALL CHECK(B(1) .EQ. 20 .AND. INFO(2) .EQ. 16 .AND.
     &           INFO(3) .EQ. 2 .AND. INFO(4) .EQ. 0, 51)
      CALL CPROBEX(-1, 1, -1, INFO)
      CALL CHECK(IPROBEX(80, 1, -1, INFO) .EQ. 1 .AND.
     &           IPROBEX(80, 0, -1, INFO) .EQ. 0, 52)
      CALL CRECVX(-1, B, 16, 1, -1, INFO)
      CALL CHECK(B(1) .EQ. 10, 53)
      ID = IRECVX(80, B, 16, 2, -1, INFO)
      CALL MSGWAIT(ID)
      CALL CHECK(B(1) .EQ. 20 .AND. INFO(3) .EQ. 2, 54)
      CALL CRECVX(80, B, 16, -1, -1, INFO)
      CALL CHECK(B(1) .EQ. 10 .AND. INFO(3) .EQ. 1, 55)
      END

C     Receives under way: order of posting, msgdone and then msgwait, msgcancel, msgmerge, msgignore.
      SUBROUTINE POSTED
      INTEGER B(4, 4), ID(4), I, ME, IPOST, IRECV, MSGDONE, MSGMERGE
      INTEGER ITAKE, INFOCOUNT, IS(4)
      INTEGER*8 NXALLOC
      POINTER (LB, B)
      LB = NXALLOC(64)
      ME = MYNODE()
      DO 10 I = 1, 3
         ID(I) = IRECV(90, B(1, I), 16)
   10 CONTINUE
      CALL MSGCANCEL(ID(2))
      ID(2) = IRECV(91, B(1, 2), 16)
      CALL CHECK(MSGDONE(ID(1)) .EQ. 0, 60)
      IS(1) = IPOST(90, 10, ME)
      IS(2) = IPOST(90, 20, ME)
      IS(3) = IPOST(91, 30, ME)
   20 IF (MSGDONE(ID(1)) .NE. 1) GOTO 20
      CALL CHECK(INFOCOUNT() .EQ. 16, 61)
      CALL MSGWAIT(ID(1))
      I = MSGMERGE(ID(2), ID(3))
      CALL MSGWAIT(I)
      CALL CHECK(B(1, 1) .EQ. 10 .AND. B(1, 3) .EQ. 20 .AND.
     &           B(4, 2) .EQ. 33, 62)
      CALL MSGIGNORE(IPOST(92, 40, ME))
      CALL CHECK(ITAKE(92) .EQ. 40, 63)
      CALL MSGWAIT(IS(1))
      CALL MSGWAIT(IS(2))
      CALL MSGWAIT(IS(3))
      END

C     hrecv, hrecvx, hsend, hsendx, hsendrecv; an INTEGER 0 takes hrecv back.
      SUBROUTINE HANDLE
      INTEGER B(4), C(4), ID, IPOST, ITAKE, ME, NRUN, ITOLD, NTOLD, NV
      INTEGER*8 NXALLOC
      COMMON /TOLD/ NRUN, ITOLD, NTOLD, NV
      POINTER (LB, B), (LC, C)
      EXTERNAL NOTE, NOTEX
      LB = NXALLOC(16)
      LC = NXALLOC(16)
      ME = MYNODE()
      NRUN = 0
      CALL HRECV(95, B, 16, NOTE)
      CALL HRECV(95, 0, 0, 0)
      ID = IPOST(95, 1, ME)
      CALL CHECK(ITAKE(95) .EQ. 1 .AND. NRUN .EQ. 0, 70)
      CALL MSGWAIT(ID)
      CALL HRECV(95, B, 16, NOTE)
      ID = IPOST(95, 50, ME)
      CALL AWAIT(1)
      CALL MSGWAIT(ID)
      CALL CHECK(B(1) .EQ. 50 .AND. ITOLD .EQ. 95 .AND.
     &           NTOLD .EQ. ME, 71)
      CALL HRECVX(96, B, 16, ME, -1, NOTEX, 17)
      ID = IPOST(96, 60, ME)
      CALL AWAIT(2)
      CALL MSGWAIT(ID)
      CALL CHECK(B(1) .EQ. 60 .AND. NV .EQ. 17, 72)
      CALL HRECV(97, B, 16, NOTE)
      CALL HSEND(97, C, 16, ME, 0, NOTE)
      CALL AWAIT(4)
      CALL HRECV(98, B, 16, NOTE)
      CALL HSENDX(98, C, 16, ME, 0, NOTEX, 18)
      CALL AWAIT(6)
      CALL CHECK(NV .EQ. 18, 73)
      CALL HSENDRECV(99, C, 16, ME, 0, 99, B, 16, NOTE)
      CALL AWAIT(7)
      CALL CHECK(ITOLD .EQ. 99, 74)
      END

      INCLUDE 'promises_told.inc'
      INCLUDE 'promises_global.inc'
