C     SPDX-License-Identifier: MIT
C     Blanks where fixed form has none of them mean anything: in operators, names and keywords, but not in
C     characters, Hollerith's included; and cards with numbers behind column 72.
      PROGRAM BLANKS
      LOGICAL DONE, READY, Q U I C K, NOT DUE
      INTEGER FLAG
      CHARACTER*20 TEXT
      DATA K, KOLD, FLAG, DONE /1, 2, 3, .TRUE./                        BLA00010
      READY = K. lt. KOLD                                               BLA00020
      QUICK = .F A L S E.                                               BLA00030
      IF (K. LT. KOLD. AND. FLAG) WRITE (*, *) 'MIXED . AND.'           BLA00040
      I F (DONE . E Q. READY .A ND. FL AG) WRITE (*, *) 'EQUAL'         BLA00050
      IF (QUICK. NE. .TR UE.. OR. FLAG) WRITE (*, *) 'IT''S  NE'        BLA00060
      IF (FLAG. A N D. DONE) WRITE (*, 10) 4HA  B, 5H.EQ.!              BLA00070
   10 FORMAT (1X, A4, A5, 'DON''T!', 3H'!<, 2H>X) ! A COMMENT           BLA00080
      IF (FLAG .AND. DONE) TEXT = 'ENDS AT COLUMN 72                    BLA00090
     1  GO ON! HERE'
      IF (N OT DUE(K) .AND. FLAG) PRINT *, 'LAST ' // TEXT(1:4)
      EL = 1 000.0
      IF (.NOT. I PROBE(-1)) PRI NT 20, EL, JMA X0(K, KOLD)
   20 FORMAT (F7.1, I2)
      END

      LOGICAL FUNCTION NOT DUE(I)
      NOTDUE = I. G T. 0 . AND. I .L E. 1
      END
