! SPDX-License-Identifier: MIT
! Declarations for Fortran: include 'fnx.h' after implicit statements. Optional: old programs declare only
! DCLOCK. Comments begin with ! so that fixed and free form both take this file.
!
! Programs for every design send from blocks of the shared region. A block's address is an INTEGER*8, a
! type(c_ptr) or the pointer of a Cray pointer:
!       pointer (address, block)
!       real*8 block(100)
!       address = nxalloc(800)
!       call csend(7, block, 800, 1, 0)
!       call crecvp(8, address, 800)
! and with iso_c_binding: call crecvp(8, pointer, 800); call c_f_pointer(pointer, array, [100]).
! An address of 0 asks crecvp for a buffer where the design does not hand one over.
      integer mynode, numnodes, mypid, myptype, myhost, nodedim
      integer infocount, infonode, infotype, infopid, infoptype
      integer isend, irecv, isendrecv, csendrecv, irecvx
      integer msgdone, iprobe, iprobex, mclock, gray, ginv
      integer nxhandsover, masktrap, msgmerge
      integer iread, iwrite, iodone, iomode, iseof, lseek, lsize
      integer nx_initve, nx_nfork, nx_load, nx_waitall
      integer nx_app_nodes, nx_app_rect
      integer*8 nxalloc
      real*8 dclock
      external mynode, numnodes, mypid, myptype, myhost, nodedim
      external infocount, infonode, infotype, infopid, infoptype
      external isend, irecv, isendrecv, csendrecv, irecvx
      external msgdone, iprobe, iprobex, mclock, gray, ginv
      external masktrap, msgmerge, nxhandsover, nxalloc, dclock
      external iread, iwrite, iodone, iomode, iseof, lseek, lsize
      external nx_initve, nx_nfork, nx_load, nx_waitall
      external nx_app_nodes, nx_app_rect
