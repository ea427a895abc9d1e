/* SPDX-License-Identifier: MIT */
/* Every error with which a call into the message system or the kernel can end, once.
 * PARLEY_ERRORS(X) expands X(name, number, nx_errno, sentence). A proxy call returns -number in its value.
 * The NX names are those of the NX headers; their numeric values are not known, so these are our own. */
#ifndef PARLEY_KERNEL_INTERFACE_ERRORS_H
#define PARLEY_KERNEL_INTERFACE_ERRORS_H

#include "interface/option_words.h"

#define PARLEY_ERRORS(X)                                                                              \
    X(killed, 1, EQNOACT, "the process has been ended")                                               \
    X(bad_buffer, 2, EQPBUF, "the buffer is not memory that this process may use")                    \
    X(bad_length, 3, EQLEN, "the length is negative or too large")                                    \
    X(message_too_long, 4, EQMSGLONG, "the message is longer than the buffer that should receive it") \
    X(bad_node, 5, EQNODE, "there is no such node in this job")                                       \
    X(bad_process, 6, EQPID, "there is no such process on that node")                                 \
    X(bad_type, 7, EQTYPE,                                                                            \
      "message types lie between 0 and 999999999, or between 1073741824 and 1999999999")              \
    X(bad_id, 8, EQMID,                                                                               \
      "this message id was not handed out by isend, irecv or another call that returns one")          \
    X(no_ids, 9, EQNOMID, "too many messages are under way; wait for some with msgwait")              \
    X(no_memory, 10, EQMEM, "the job's memory budget is used up")                                     \
    X(not_shared, 11, EQPBUF,                                                                         \
      "this design needs the buffer in the shared region; allocate it with nx_alloc, or take a "      \
      "design that copies (" PARLEY_ASK_DESIGN("exp6") ")")                                           \
    X(not_owned, 12, EQPBUF,                                                                          \
      "this block belongs to another process, or is being read by several; " PARLEY_ASK_DESIGN(       \
          "exp6") " copies "                                                                          \
                  "instead of handing blocks over")                                                   \
    X(needs_crecvp, 13, EQPARAM,                                                                      \
      "this design hands blocks over, so receive with crecvp instead, or take a design that copies "  \
      "(" PARLEY_ASK_DESIGN("exp6") ")")                                                              \
    X(closed, 14, EQNOPROC, "the process at the other end has ended")                                 \
    X(not_permitted, 15, EQPRIV, "this process has no right to that object")                          \
    X(bad_argument, 16, EQPARAM, "an argument has no meaning here")                                   \
    X(no_such_call, 17, EQNOACT, "there is no such call")                                             \
    X(would_block, 18, EQNOACT, "nothing is ready yet")                                               \
    X(not_found, 19, EQBADFIL, "there is no such file")                                               \
    X(bad_executable, 20, EQBADFIL, "this file is not a static x86-64 Linux executable")              \
    X(bad_proxy, 21, EQPRIV, "this is not a proxy of the calling process")                            \
    X(interrupted, 23, EQNOACT,                                                                       \
      "a handler is due, so the call has ended without an effect and should be made again")           \
    X(pid_in_use, 24, EQUSEPID,                                                                       \
      "a process with that pid is on that node, or has ended there and was not waited for")           \
    X(bad_handler, 25, EQHND, "a handler must be a function of the program")                          \
    X(bad_file_name, 26, EQPFIL, "the file's name is not memory that this process may read")          \
    X(over_budget, 27, EQMEM,                                                                         \
      "the message is longer than all the memory that the job has for messages; give it more "        \
      "with " PARLEY_ASK_BUDGET)                                                                      \
    X(no_semaphore, 28, EQPARAM,                                                                      \
      "this job has no such semaphore; nx_semaphore opens them, and numbers them from 0 to 255")      \
    X(other_jobs_semaphore, 29, EQPRIV, "this semaphore belongs to another job")                      \
    X(bad_count, 30, EQPARAM,                                                                         \
      "a semaphore is opened with a count from 0 to 65535, and under " PARLEY_ASK_SEMAPHORE(          \
          "spin") " with 0 or 1")                                                                     \
    X(other_count, 31, EQPARAM, "this semaphore has been opened with another count before")           \
    X(count_too_large, 32, EQPARAM, "one more V would bring this semaphore's count above 65535")      \
    X(one_machine_only, 33, EQPARAM,                                                                  \
      "semaphores are of one machine, and this job's nodes are on several: let them wait for "        \
      "messages")                                                                                     \
    X(not_in_order, 34, EQPARAM,                                                                      \
      "this port may let a sender's message overtake the one before it, and NX/2 promises that none " \
      "does: choose a port that keeps the order, as port=fifo")

#endif
