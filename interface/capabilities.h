/* SPDX-License-Identifier: MIT */
/* What the message system of a job requires of its programs and what it promises them, as bits. The
 * classes of its design state them, and parley_start.capabilities has them all. nx.h includes this file:
 * programs call nx_capabilities(), and never look at the names of classes. */
#ifndef PARLEY_KERNEL_INTERFACE_CAPABILITIES_H
#define PARLEY_KERNEL_INTERFACE_CAPABILITIES_H

enum nx_capability {
    NX_BLOCKS_CHANGE_OWNER = 1,    /* csend gives the block away, so crecv and irecv are refused */
    NX_BUFFERS_MUST_BE_SHARED = 2, /* a buffer that is not in the shared region is refused */
    NX_BUFFERS_ARE_LENT = 4,       /* a sent buffer is in use until its message has been received */
    NX_SENDS_AWAIT_DELIVERY = 8,   /* csend returns when its message has been received */
    NX_ONE_ADDRESS_SPACE = 16,     /* each process sees the memory of all the others of its job */
    NX_BUFFERS_ARE_CHECKED = 32,   /* a wrong address is an error of the call, not a fault */
    NX_MESSAGES_ARE_CARRIED = 64,  /* by another process, so what was sent may not have arrived yet */
    NX_SEVERAL_MACHINES = 128,     /* a block's address means nothing to nodes of another machine */
    NX_ACTIVE_MESSAGES_ONLY = 256  /* messages may overtake each other, so csend and crecv are refused */
};

#endif
