/* SPDX-License-Identifier: MIT */
/* How a user program reaches kernel objects: the proxy call (paper section 3.2, Application/Kernel
 * interface).
 *
 * Instruction `syscall`: rax = PARLEY_PROXY_BASE + method, rdi = proxy, rsi rdx r10 r8 r9 = five arguments.
 * Returns rax = value (>= 0) or -error (errors.h), rdx = type, r10 = block, r8 = node, r9 = pid; rcx and r11
 * are lost, all other registers are kept, and after an error those too. Numbers below
 * PARLEY_PROXY_BASE are Linux system calls. */
#ifndef PARLEY_KERNEL_INTERFACE_PROXIES_H
#define PARLEY_KERNEL_INTERFACE_PROXIES_H

#define PARLEY_PROXY_BASE 0x1000

/* PARLEY_PROXY_METHODS(X) expands X(class, method, number). The same list makes the kernel's table and the
 * stubs.
 *
 * messages: the message system of the caller's job.
 *   send          (type, buffer, length, node, address)      csend: value 0; or an id, whose wait is the rest
 *                               of the call: a handler is due that comes first
 *   start_send    (type, buffer, length, node, address)      isend: value = message id > 0
 *   receive       (typesel, buffer, maximum, from, mask)  crecv: value and, in rdx, sender: found.h
 *   receive_block (typesel, buffer, maximum, from, mask)  crecvp: the same, and block
 *   start_receive (typesel, buffer, maximum, from, mask)  irecv: value = message id > 0
 *   done          (id)          value 1 (type, source, block = length when it was a receive, else type = -1)
 *                               or 0
 *   wait          (id)          value = length of the received message, or -0 and type = -1 for a send
 *   cancel        (id)          value 0
 *   probe         (typesel, may_wait, 0, from, mask)   value 1 (type, node, pid, block = length) or 0
 *   watch         (id)          id > 0: the end of this request shall interrupt the caller; -1: such ends
 *                               interrupt from now on, once; 0: they do not. Interrupted calls (crecv,
 *                               cprobe, msgwait; csend and isend that wait for the budget) return the error
 *                               `interrupted` and can be made again; value 0
 *   allocate      (bytes, alignment)   value = address of a block in the shared region, owned by the caller
 *   release       (block)       value 0
 *   An `address` (senders.h) names a context, 0 = the program's own messages, 1 = the library's, and a pid
 *   (never matched by the other). `from` and `mask` say whose messages are meant: senders.h.
 * results: what a run reports.
 *   report        (row)         pointer to struct parley_row (results.h): value 0
 * process: the calling process.
 *   yield         ()            value 0 (flick)
 *   block         (word, expected)  sleep while the 32-bit word in the shared region holds expected: value 0
 *   wake          (word, count)     wake up to count sleepers: value = how many
 *   null          ()            value 0: the price of a proxy call
 *   set_upcall    (entry, start, end)  from now on interruptions make the program, wherever it is between the
 *                               addresses start and end (whole pages of its instructions), go on at entry:
 *                               see upcall.h; value 0
 *   notify        (0, endpoint) interrupt that process of the caller's job: value 0
 * job: the caller's job. A node of -1 means all nodes, a pid of -1 all processes of a node; never the host.
 *   load          (name, bytes, node, pid)   place the program of that name, from the archive's bin/ or
 *                               files/, where no program is: value = endpoint of the first one placed.
 *                               Behind the name its arguments may stand, each behind a byte of zero
 *   start         (node, pid)   let those begin that have been placed: value 0
 *   wait_for      (node, pid, one)   until they have all ended (one = 0: value 0), or one has (one = 1:
 *                               value = its status; node, pid); may end with `interrupted`
 *   kill          (node, pid, keep)   end them, and wait until they have gone; messages that wait for them
 *                               stay for the next programs in their places (keep = 1) or are forgotten (0):
 *                               value 0
 *   set_pid       (pid)         what the caller is known as: value 0
 * gangs: the machine's scheduler, for measuring it.
 *   measure       (members, load, times)   run a gang of kernel processes under `load` timeshared ones a
 *                               processor, and write struct parley_gang_times (gang_times.h): value 0 */
#define PARLEY_PROXY_METHODS(X)   \
    X(messages, send, 0)          \
    X(messages, start_send, 1)    \
    X(messages, receive, 2)       \
    X(messages, receive_block, 3) \
    X(messages, start_receive, 4) \
    X(messages, done, 5)          \
    X(messages, wait, 6)          \
    X(messages, cancel, 7)        \
    X(messages, probe, 8)         \
    X(messages, allocate, 9)      \
    X(messages, release, 10)      \
    X(messages, watch, 11)        \
    X(results, report, 16)        \
    X(process, yield, 24)         \
    X(process, block, 25)         \
    X(process, wake, 26)          \
    X(process, null, 27)          \
    X(gangs, measure, 28)         \
    X(process, set_upcall, 29)    \
    X(process, notify, 30)        \
    X(job, load, 40)              \
    X(job, wait_for, 41)          \
    X(job, kill, 42)              \
    X(job, set_pid, 43)           \
    X(job, start, 44)

#endif
