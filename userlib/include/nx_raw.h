/* SPDX-License-Identifier: MIT */
/* The messages operations as they are, below the NX calls: for tests of the message system. Arguments and
 * replies are those of the proxies: value is the result or minus an error. An address has the pid from bit 32
 * on and the context from bit 11 on: 0 for programs, 1 for the library. */
#ifndef PARLEY_NX_RAW_H
#define PARLEY_NX_RAW_H

#ifdef __cplusplus
extern "C" {
#endif

struct nx_raw_reply {
    long value;
    long type;
    long block;
    long node;
    long pid;
};

struct nx_raw_reply nx_raw_send(long type, const void *buffer, long length, long node, long address);
struct nx_raw_reply nx_raw_start_send(long type, const void *buffer, long length, long node, long address);
struct nx_raw_reply nx_raw_receive(long typesel, void *buffer, long maximum, long nodesel, long address);
struct nx_raw_reply nx_raw_receive_block(long typesel, void *buffer, long maximum, long nodesel,
                                         long address);
struct nx_raw_reply nx_raw_start_receive(long typesel, void *buffer, long maximum, long nodesel,
                                         long address);
struct nx_raw_reply nx_raw_done(long id);
struct nx_raw_reply nx_raw_wait(long id);
struct nx_raw_reply nx_raw_cancel(long id);
struct nx_raw_reply nx_raw_probe(long typesel, long may_wait, long nodesel, long address);
struct nx_raw_reply nx_raw_allocate(long bytes, long alignment);
struct nx_raw_reply nx_raw_release(void *block);

#ifdef __cplusplus
}
#endif

#endif
