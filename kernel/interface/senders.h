/* SPDX-License-Identifier: MIT */
/* How a receive says whose messages it takes: two words, `from` and `mask`. A message is taken when its
 * sender's word and the mask give `from`. In a sender's word the node is in bits 0 to 7, the context in bits
 * 8 to 15 (0 the program's own messages, 1 the library's), the pid in bits 32 to 63; the others are the
 * message system's. */
#ifndef PARLEY_KERNEL_INTERFACE_SENDERS_H
#define PARLEY_KERNEL_INTERFACE_SENDERS_H

#define PARLEY_SENDER_NODE 0xfful
#define PARLEY_SENDER_CONTEXT 0xff00ul
#define PARLEY_SENDER_PID 0xffffffff00000000ul

/* -1 is any node, any pid. Nodes that cannot be have a number that none has. */
static inline unsigned long parley_senders_from(long node, long pid, unsigned long context)
{
    unsigned long low = node == -1 ? 0 : node >= 0 && node < 255 ? (unsigned long)node : 255;
    unsigned long high = (int)pid == -1 ? 0 : (unsigned long)pid << 32;
    return low | context << 8 | high;
}

static inline unsigned long parley_senders_mask(long node, long pid)
{
    return PARLEY_SENDER_CONTEXT | (node == -1 ? 0 : PARLEY_SENDER_NODE) |
           ((int)pid == -1 ? 0 : PARLEY_SENDER_PID);
}

#endif
