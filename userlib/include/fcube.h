! SPDX-License-Identifier: MIT
! The name under which older NX programs include fnx.h.
      include 'fnx.h'
