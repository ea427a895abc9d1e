C     SPDX-License-Identifier: MIT
C     A host's calls in Fortran that jacobi_host does not make; the nodes are pids_node's, and take orders.
      PROGRAM CUBES
      INTEGER NBAD, NODE, IPID, ISTAT, IDS(2), IORDER, IANS(3)
      INTEGER IPROBE, NX_WAITALL, NX_LOAD, MYPTYPE
      NBAD = 0
      CALL GETCUBE('cube', '2', ' ', 0)
      CALL ATTACHCUBE('cube')
      CALL SETPTYPE(100)
      IF (MYPTYPE() .NE. 100) NBAD = NBAD + 1
      CALL LOAD('pids_node', 0, 0)
      IDS(1) = 1
      IF (NX_LOAD(IDS, 1, 0, IDS, 'pids_node ') .NE. 1) NBAD = 1
C     Whoever is told to end has ended; its neighbour still answers a look for messages.
      IORDER = -1
      CALL CSEND(1, IORDER, 4, 1, 0)
      CALL WAITONE(-1, 0, NODE, IPID, ISTAT)
      IF (NODE .NE. 1 .OR. IPID .NE. 0) NBAD = NBAD + 1
      IF (ISTAT .NE. 0) NBAD = NBAD + 1
      IORDER = 1
      CALL CSEND(1, IORDER, 4, 0, 0)
      CALL CPROBE(2)
      CALL FLUSHMSG(2, -1, -1)
      IF (IPROBE(-1) .NE. 0) NBAD = NBAD + 10
C     A killed process leaves its place to another, which finds what was sent to the first.
      CALL CSEND(4, IORDER, 4, 0, 0)
      CALL KILLPROC(0, 0)
      CALL LOAD('pids_node', 0, 0)
      CALL CSEND(1, IORDER, 4, 0, 0)
      CALL CRECV(2, IANS, 12)
      IF (IANS(1) .NE. 1) NBAD = NBAD + 100
      IORDER = -1
      CALL CSEND(1, IORDER, 4, 0, 0)
      IF (NX_WAITALL() .NE. 0) NBAD = NBAD + 1000
      CALL KILLCUBE(-1, -1)
      CALL RELCUBE('cube')
      WRITE (*, 900) NBAD
  900 FORMAT (' CUBES: ', I6, ' FAILURES')
      END
