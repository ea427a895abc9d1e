! SPDX-License-Identifier: MIT
! An ordinary Fortran 77 program: formatted output, and a vector that goes from node to node in a block of
! the shared region, so that it runs under every design.
      program hello
      include 'fnx.h'
      integer n, i, last
      parameter (n = 100)
      real*8 block(n), total
      pointer (address, block)

      last = numnodes() - 1
      address = 0
      if (mynode() .eq. 0) then
         address = nxalloc(8 * n)
         do i = 1, n
            block(i) = i
         end do
      else
         call crecvp(7, address, 8 * n)
      end if
      total = 0
      do i = 1, n
         total = total + block(i)
      end do
      write (*, 10) mynode(), numnodes(), total
   10 format ('hello from node ', i2, ' of ', i2, ', sum ', f8.1)
      if (mynode() .lt. last) then
         call csend(7, block, 8 * n, mynode() + 1, 0)
      end if
      call gsync()
      if (mynode() .eq. 0 .and. mclock() .ge. 0) then
         write (*, *) 'all nodes have the vector'
      end if
      end
