C     SPDX-License-Identifier: MIT
C     A host that ends as soon as it has loaded its nodes: what they write still reaches the user.
      PROGRAM LEAVES
      CALL SETPID(0)
      CALL LOAD('leaving_node', -1, 0)
      END
