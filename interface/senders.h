/* SPDX-License-Identifier: MIT */
/* The senders whose messages a receive takes, in two words, `from` and `mask`: a receive takes a message
 * if its sender's word & mask is `from`. A sender's word has, from its lowest bit on, the node, the
 * context (0 the program's own messages, 1 the library's), bits of the message system, and from bit 32 on
 * the pid. An address, which names the destination of a send, is a sender's word that has only context and
 * pid. */
#ifndef PARLEY_KERNEL_INTERFACE_SENDERS_H
#define PARLEY_KERNEL_INTERFACE_SENDERS_H

#define PARLEY_NODE_BITS 11
#define PARLEY_CONTEXT_BITS 3
#define PARLEY_CONTEXT_SHIFT PARLEY_NODE_BITS
#define PARLEY_PID_SHIFT 32

#define PARLEY_SENDER_NODE ((1ul << PARLEY_NODE_BITS) - 1)
#define PARLEY_SENDER_CONTEXT (((1ul << PARLEY_CONTEXT_BITS) - 1) << PARLEY_CONTEXT_SHIFT)
#define PARLEY_SENDER_PID (~0ul << PARLEY_PID_SHIFT)

/* A number that no node and no host has. */
#define PARLEY_NO_NODE PARLEY_SENDER_NODE

static inline unsigned long parley_address(long pid, unsigned long context)
{
    return (unsigned long)pid << PARLEY_PID_SHIFT | context << PARLEY_CONTEXT_SHIFT;
}

static inline unsigned long parley_address_context(unsigned long address)
{
    return (address & PARLEY_SENDER_CONTEXT) >> PARLEY_CONTEXT_SHIFT;
}

static inline int parley_address_pid(unsigned long address) { return (int)(address >> PARLEY_PID_SHIFT); }

/* -1 stands for any node, or any pid. A node that cannot exist becomes a number that no node has. */
static inline unsigned long parley_senders_from(long node, long pid, unsigned long context)
{
    unsigned long known = node >= 0 && node < (long)PARLEY_NO_NODE ? (unsigned long)node : PARLEY_NO_NODE;
    return parley_address((int)pid == -1 ? 0 : pid, context) | (node == -1 ? 0 : known);
}

static inline unsigned long parley_senders_mask(long node, long pid)
{
    return PARLEY_SENDER_CONTEXT | (node == -1 ? 0 : PARLEY_SENDER_NODE) |
           ((int)pid == -1 ? 0 : PARLEY_SENDER_PID);
}

#endif
