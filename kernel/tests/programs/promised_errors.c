/* SPDX-License-Identifier: MIT */
/* Makes errors that interface/calls.def promises happen, by the calls as libnx makes them, and says what
 * was answered: "promised <call> <error>: <answer>". What can happen depends on the design, on whether the
 * job has a host, and on the kind of its semaphores: its arguments name the scenes. Of two nodes node 0 does
 * what node 1 says, which makes the calls; messages between them have no bytes, as any design takes them. */
#include "interface/active_messages.h"
#include "interface/gang_times.h"
#include "interface/limits.h"
#include "interface/results.h"
#include "interface/semaphores.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/proxies.h"

#include <fcntl.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { partner, self, anybody = -1 };
enum {
    ready = 2,
    asked = 50,
    heard,
    nobody_sends = 77,
    to_send_on = 100,
    to_stop,
    to_end,
    to_send_and_wait,
    to_measure
};
enum { more_ids_than_there_are = 1 << 17, large = 32 << 20 };

static char bytes[large];
static char *const nowhere = (char *)0x123456789000;

static long here(long pid)
{
    return nx_address(pid, nx_program);
}

static long set_polling(const char *word, long length)
{
    return NX_CALL(set_polling, (unsigned long)word, length);
}

static void say(const char *call, const char *error, long answer)
{
    printf("promised %s %s: %ld\n", call, error, answer < 0 ? -answer : 0);
    fflush(stdout);
}

static long send_to(long type, const void *buffer, long length, long node, long pid)
{
    return NX_CALL(send, type, (unsigned long)buffer, length, node, (unsigned long)here(pid));
}
static long start_send_to(long type, const void *buffer, long length, long node, long pid)
{
    return NX_CALL(start_send, type, (unsigned long)buffer, length, node, (unsigned long)here(pid));
}
static long receive(long typesel, void *buffer, long maximum)
{
    const struct parley_receive call = {typesel, (unsigned long)buffer, maximum,
                                        NX_SENDERS(anybody, here(anybody))};
    return NX_CALL(receive, &call).contents;
}
static long receive_block(long typesel, void *buffer, long maximum)
{
    const struct parley_receive call = {typesel, (unsigned long)buffer, maximum,
                                        NX_SENDERS(anybody, here(anybody))};
    return NX_CALL(receive_block, &call).contents;
}
static long start_receive(long typesel, void *buffer, long maximum)
{
    return NX_CALL(start_receive, typesel, (unsigned long)buffer, maximum,
                   NX_SENDERS(anybody, here(anybody)));
}
static long probe(long may_wait)
{
    return NX_CALL(probe, nobody_sends, may_wait, NX_SENDERS(anybody, here(anybody))).contents;
}
enum { request = 2, reply = 3, packet_bytes = 8 };
static long find_active(long type, long node, long pid)
{
    return NX_CALL(find_active, type, node, (unsigned long)nx_address(pid, nx_active));
}
static long send_active(long way, long type, long length, const void *packet)
{
    return NX_CALL(send_active, (unsigned long)way, (unsigned long)type | (unsigned long)length << 32,
                   (unsigned long)packet);
}
static long take_active(void *room)
{
    return NX_CALL(take_active, PARLEY_TAKES_ANY, (unsigned long)room).contents;
}
static long meet(long call, const void *part, long length, long pid)
{
    return NX_CALL(meet, call, (unsigned long)part, length, (unsigned long)here(pid));
}
static long met(long call, void *buffer, long room, long pid)
{
    return NX_CALL(met, call, (unsigned long)buffer, room, (unsigned long)here(pid));
}

/* Returns when it has been heard. */
static void tell(long what)
{
    csend(what, 0, 0, partner, 0);
    if (what != to_end)
        crecv(ready, 0, 0);
}

static void sends(void)
{
    static long (*const calls[])(long, const void *, long, long, long) = {send_to, start_send_to};
    static const char *const names[] = {"send", "start_send"};
    for (int i = 0; i < 2; i++) {
        say(names[i], "bad_type", calls[i](1000000000, bytes, 4, partner, 0));
        say(names[i], "bad_length", calls[i](1, bytes, -4, partner, 0));
        say(names[i], "bad_node", calls[i](1, bytes, 4, numnodes() + 2, 0));
        say(names[i], "bad_process", calls[i](1, bytes, 4, partner, 7));
        say(names[i], "over_budget", calls[i](nobody_sends, bytes, large, partner, 0));
    }
}

static long done(long id)
{
    long answer = -nx_error_would_block;
    while (answer == -nx_error_would_block)
        answer = NX_CALL(done, id).contents;
    return answer;
}

static void receives(void)
{
    static long (*const calls[])(long, void *, long) = {receive, receive_block, start_receive};
    static const char *const names[] = {"receive", "receive_block", "start_receive"};
    for (int i = 0; i < 3; i++)
        say(names[i], "bad_length", calls[i](1, bytes, -4));
    csend(3, bytes, 64, self, 0);
    say("receive", "message_too_long", receive(3, bytes, 8));
    say("receive_block", "message_too_long", receive_block(3, bytes, 8));
    say("wait", "message_too_long", NX_CALL(wait, start_receive(3, bytes, 8)).contents);
    csend(3, bytes, 64, self, 0);
    say("done", "message_too_long", done(start_receive(3, bytes, 8)));
}

/* Where the kernel looks at buffers: elsewhere they are faults of the program's. */
static void buffers(void)
{
    say("send", "bad_buffer", send_to(nobody_sends, nowhere, 4, partner, 0));
    say("start_send", "bad_buffer", start_send_to(nobody_sends, nowhere, 4, partner, 0));
    for (int i = 0; i < 4; i++)
        csend(3, bytes, 64, self, 0);
    say("receive", "bad_buffer", receive(3, nowhere, 64));
    say("receive_block", "bad_buffer", receive_block(3, nowhere, 64));
    say("wait", "bad_buffer", NX_CALL(wait, start_receive(3, nowhere, 64)).contents);
    say("done", "bad_buffer", done(start_receive(3, nowhere, 64)));
    say("report", "bad_buffer", nx_results_report((const struct parley_row *)nowhere).contents);
    say("read_counts", "bad_buffer",
        nx_semaphores_read_counts((struct parley_semaphore_counts *)nowhere).contents);
    say("v_all", "bad_buffer", nx_semaphores_v_all((const long *)nowhere, 2).contents);
    say("load", "bad_buffer", nx_job_load(nowhere, 4, -1, 0).contents);
    say("meet", "bad_buffer", meet(parley_library_call_gopf, nowhere, 8, 0));
    meet(parley_library_call_gopf, bytes, 8, 0);
    meet(parley_library_call_gopf, bytes, 8, 0); /* for the other node */
    say("met", "bad_buffer", met(parley_library_call_gopf, nowhere, 8, 0));
    const long way = find_active(request, self, 0), no_way = 1 << 20;
    say("send_active", "bad_buffer", send_active(way, request, packet_bytes, nowhere));
    say("send_active", "bad_type", send_active(way, -request, packet_bytes, bytes));
    say("send_active", "bad_process", send_active(way, reply, packet_bytes, bytes));
    say("send_active", "bad_process", send_active(no_way, request, packet_bytes, bytes));
    send_active(way, request, packet_bytes, bytes);
    say("take_active", "bad_buffer", take_active(nowhere));
    say("set_polling", "bad_buffer", set_polling(nowhere, 5));
}

static void requests(void)
{
    const long id = start_receive(nobody_sends, bytes, 4);
    say("done", "would_block", NX_CALL(done, id).contents);
    say("cancel", "bad_id", NX_CALL(cancel, -3));
    NX_CALL(cancel, id);
    say("done", "bad_id", NX_CALL(done, 123456789).contents);
    say("wait", "bad_id", NX_CALL(wait, 123456789).contents);
    say("watch", "bad_id", NX_CALL(watch, 123456789));
    say("probe", "would_block", probe(0));
}

/* A handler of the program's is due, as libnx sees it. */
static void interrupted(void)
{
    const long id = start_receive(nobody_sends, bytes, 4);
    NX_CALL(watch, parley_watch_due);
    say("receive", "interrupted", receive(nobody_sends, bytes, 4));
    say("receive_block", "interrupted", receive_block(nobody_sends, bytes, 4));
    say("wait", "interrupted", NX_CALL(wait, id).contents);
    say("probe", "interrupted", probe(1));
    NX_CALL(watch, parley_watch_off);
    NX_CALL(cancel, id);
}

static void blocks(void)
{
    say("allocate", "bad_length", NX_CALL(allocate, -1, 8));
    say("allocate", "bad_argument", NX_CALL(allocate, 64, 3));
    say("allocate", "no_memory", NX_CALL(allocate, 1l << 31, 8));
    say("release", "not_owned", NX_CALL(release, (unsigned long)bytes));
}

static void meetings(void)
{
    enum { call = parley_library_call_gopf };
    say("meet", "bad_type", meet(-1, bytes, 8, 0));
    say("meet", "bad_length", meet(call, bytes, PARLEY_MEETING_BYTES + 1, 0));
    say("meet", "bad_process", meet(call, bytes, 8, 7));
    say("met", "bad_type", met(parley_library_call_count, bytes, 8, 0));
    say("met", "bad_length", met(call, bytes, -1, 0));
    say("met", "bad_process", met(call, bytes, 8, 7));
    meet(call, bytes, 8, 0);
    NX_CALL(watch, parley_watch_due);
    say("met", "interrupted", met(call, bytes, 8, 0));
    NX_CALL(watch, parley_watch_off);
    meet(call, bytes, 8, 0); /* for the other node */
    say("met", "message_too_long", met(call, bytes, 7, 0));
}

static void active(void)
{
    say("find_active", "bad_type", find_active(-request, partner, 0));
    say("find_active", "bad_node", find_active(request, numnodes() + 2, 0));
    say("find_active", "bad_process", find_active(request, partner, 7));
    const long way = find_active(request, partner, 0);
    say("send_active", "bad_length", send_active(way, request, 0, bytes));
    say("send_active", "bad_length", send_active(way, request, PARLEY_ACTIVE_BYTES + 1, bytes));
    say("take_active", "would_block", take_active(bytes));
    say("set_polling", "bad_argument", set_polling("often", 5));
    say("set_polling", "bad_argument", set_polling("adaptive:0", 10));
    say("set_polling", "bad_argument", set_polling("fixed,exp6", 10));
    say("set_polling", "bad_argument", set_polling("fixed", -1));
    say("set_polling", "bad_argument", set_polling("fixed", 1 << 20));
    say("set_polling", "no_such_call", set_polling("fixed", 5));
    NX_CALL(watch, parley_watch_due);
    say("await_active", "interrupted", NX_CALL(await_active, 0, NX_SENDERS(anybody, here(anybody))));
    NX_CALL(watch, parley_watch_off);
}

/* On another machine, or where processes of the system deliver messages. */
static void active_elsewhere(void)
{
    say("find_active", "would_block", find_active(request, partner, 0));
}

static void others(void)
{
    struct parley_row row;
    memset(&row, 'x', sizeof row);
    say("report", "bad_argument", nx_results_report(&row).contents);
    say("block", "bad_buffer", nx_process_block(nowhere, 0).contents);
    say("wake", "bad_buffer", nx_process_wake(nowhere, 1).contents);
    say("set_upcall", "bad_argument", nx_process_set_upcall(0, bytes + 8, bytes).contents);
    say("notify", "bad_process", nx_process_notify(12345).contents);
    struct nx_gang_times *const times = (struct nx_gang_times *)nowhere;
    say("measure", "no_such_call", nx_gangs_measure(1, 0, times).contents);
}

static void semaphores(void)
{
    const long id = nx_semaphores_open(1, 1).contents;
    say("open", "no_semaphore", nx_semaphores_open(PARLEY_MAX_SEMAPHORES, 1).contents);
    say("open", "bad_count", nx_semaphores_open(2, 1 << 20).contents);
    say("open", "other_count", nx_semaphores_open(1, 0).contents);
    const long unopened = id + 1;
    const long strange = PARLEY_SEMAPHORE_ID(PARLEY_SEMAPHORE_JOB(id) + 1, 1);
    static const char *const names[] = {"bind", "p", "v", "v_all"};
    for (int wrong = 0; wrong < 2; wrong++) {
        const long one = wrong ? strange : unopened;
        const char *const error = wrong ? "other_jobs_semaphore" : "no_semaphore";
        const long answers[] = {nx_semaphores_bind(one).contents, nx_semaphores_p(one).contents,
                                nx_semaphores_v(one).contents, nx_semaphores_v_all(&one, 1).contents};
        for (int i = 0; i < 4; i++)
            say(names[i], error, answers[i]);
    }
    say("v_all", "bad_argument", nx_semaphores_v_all(&id, PARLEY_MOST_AT_ONCE + 1).contents);
    const long full = nx_semaphores_open(3, 65535).contents;
    say("v", "count_too_large", nx_semaphores_v(full).contents);
    say("v_all", "count_too_large", nx_semaphores_v_all(&full, 1).contents);
}

static void semaphores_elsewhere(void)
{
    say("open", "one_machine_only", nx_semaphores_open(1, 1).contents);
}

/* Where they are the program's own words. */
static void spins(void)
{
    const long id = nx_semaphores_open(1, 1).contents;
    say("p", "no_such_call", nx_semaphores_p(id).contents);
    say("v", "no_such_call", nx_semaphores_v(id).contents);
    say("v_all", "no_such_call", nx_semaphores_v_all(&id, 1).contents);
}

/* Over a port that keeps no order. The library's messages are not the program's. */
static void unordered(void)
{
    gsync();
    say("send", "not_in_order", send_to(1, 0, 0, self, 0));
    say("start_send", "not_in_order", start_send_to(1, 0, 0, self, 0));
    say("receive", "not_in_order", receive(1, 0, 0));
    say("receive_block", "not_in_order", receive_block(1, 0, 0));
    say("start_receive", "not_in_order", start_receive(1, 0, 0));
    say("probe", "not_in_order", probe(0));
}

static void selections(void)
{
    say("wait_for", "bad_node", nx_job_wait_for(99, 0, 0).contents);
    say("wait_for", "bad_process", nx_job_wait_for(-1, -9, 0).contents);
    say("kill", "bad_node", nx_job_kill(99, 0, 0).contents);
    say("kill", "bad_node", nx_job_kill(-7, -9, 0).contents);
    say("kill", "bad_process", nx_job_kill(-1, -9, 0).contents);
    say("set_pid", "bad_process", nx_job_set_pid(-3).contents);
}

static void hear(long type, long count, long node, long pid)
{
    (void)type, (void)count;
    hrecv(asked, 0, 0, hear);
    csend(heard, 0, 0, node, pid);
}

/* The other sends until it is told to stop, so that one comes while this waits: one after the other, for of
 * messages that came faster than they are handled this would never see the end. */
static void interrupted_by_others(void)
{
    hrecv(asked, 0, 0, hear);
    tell(to_send_on);
    say("wait_for", "interrupted", nx_job_wait_for(partner, 0, 0).contents);
    tell(to_stop);
    hrecv(asked, 0, 0, 0);
}

static void nodes(void)
{
    say("load", "not_permitted", nx_job_load("node", 4, -1, 0).contents);
    selections();
    interrupted_by_others();
}

/* What the other has sent goes with it, where it is not copied before it is received. */
static void killed(void)
{
    char *const block = nx_alloc(128);
    const long way = find_active(request, partner, 0);
    tell(to_send_and_wait);
    cprobe(nobody_sends);
    killcube(partner, 0);
    say("find_active", "closed", find_active(request, partner, 0));
    say("send_active", "closed", send_active(way, request, packet_bytes, bytes));
    say("receive", "closed", receive(nobody_sends, block, 128));
    say("wait_for", "closed", nx_job_wait_for(partner, 0, 1).contents);
    say("send", "closed", send_to(1, block, 4, partner, 0));
    say("start_send", "closed", start_send_to(1, block, 4, partner, 0));
    say("meet", "closed", meet(parley_library_call_gopf, 0, 0, 0));
}

static void killed_before_receive_block(void)
{
    tell(to_send_and_wait);
    cprobe(nobody_sends);
    killcube(partner, 0);
    say("receive_block", "closed", receive_block(nobody_sends, nx_alloc(128), 128));
}

static void killed_before_wait(void)
{
    tell(to_send_and_wait);
    cprobe(nobody_sends);
    killcube(partner, 0);
    say("wait", "closed", NX_CALL(wait, start_receive(nobody_sends, nx_alloc(128), 128)).contents);
}

static void killed_before_done(void)
{
    tell(to_send_and_wait);
    cprobe(nobody_sends);
    killcube(partner, 0);
    say("done", "closed", done(start_receive(nobody_sends, nx_alloc(128), 128)));
}

static void host(void)
{
    static const char name[] = "waiting_node";
    const long length = sizeof name - 1;
    say("load", "not_found", nx_job_load("no such program", 15, -1, 0).contents);
    say("load", "bad_executable", nx_job_load("no_program", 10, -1, 0).contents);
    char words[256] = "waiting_node"; /* and 64 arguments without letters */
    say("load", "bad_argument", nx_job_load(words, length + 64, -1, 0).contents);
    say("load", "bad_node", nx_job_load(name, length, numnodes(), 0).contents);
    say("load", "bad_process", nx_job_load(name, length, 0, -3).contents);
    printf("after a load that failed: %ld, ", _load("no such program", -1, 77));
    printf("another pid: %ld\n", _load(name, -1, 78));
    say("load", "pid_in_use", nx_job_load(name, length, 0, 78).contents);
    selections();
    killcube(-1, -1);
}

/* Files lie in the job's memory, which one of them fills. */
static void fill(void)
{
    const int file = open("filler", O_RDWR | O_CREAT, 0600);
    /* With a number, as all that is said later: its parts of the stack are there from now on. */
    printf("fills the job's memory by file %d\n", file);
    fflush(stdout);
    while (write(file, bytes, 4096) > 0)
        ;
    close(file);
    unlink("filler");
}

/* Pieces of memory are given back until the programs of all nodes find room. A load that fails on the way
 * leaves nothing. */
static void full(void)
{
    enum { pieces = 64, piece = 65536 };
    static const char name[] = "waiting_node";
    static char *kept[pieces];
    for (int i = 0; i < pieces; i++) {
        kept[i] = mmap(0, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(kept[i], 1, piece);
    }
    fill();
    munmap(kept[0], piece); /* for this program itself */
    long first = nx_job_load(name, sizeof name - 1, -1, 0).contents;
    say("load", "no_memory", first);
    for (int i = 1; i < pieces && first == -nx_error_no_memory; i++) {
        munmap(kept[i], piece);
        first = nx_job_load(name, sizeof name - 1, -1, 0).contents;
    }
    printf("a load beside what else the job holds: %ld\n", first);
    nx_job_start(-1, -1);
    killcube(-1, -1);
}

/* Two processes a node, of which one may not take the other's name. */
static void pids(void)
{
    say("set_pid", "pid_in_use", nx_set_pid(mypid() ? 0 : 1));
}

/* Ids run out at last: nothing that needs one works afterwards. */
static void ids(void)
{
    long id = 0;
    for (long i = 0; i < more_ids_than_there_are && id >= 0; i++)
        id = start_receive(nobody_sends, bytes, 4);
    say("start_receive", "no_ids", id);
    say("start_send", "no_ids", start_send_to(nobody_sends, bytes, 4, partner, 0));
    NX_CALL(watch, parley_watch_due);
    say("send", "no_ids", send_to(nobody_sends, bytes, 4, partner, 0));
    NX_CALL(watch, parley_watch_off);
}

/* Designs whose buffers must be blocks that the process owns. */
static void ownership(void)
{
    static long (*const calls[])(long, const void *, long, long, long) = {send_to, start_send_to};
    static const char *const names[] = {"send", "start_send"};
    for (int i = 0; i < 2; i++) {
        say(names[i], "not_shared", calls[i](nobody_sends, bytes, 64, partner, 0));
        char *const block = nx_alloc(64);
        csend(nobody_sends, block, 64, partner, 0);
        say(names[i], "not_owned", calls[i](nobody_sends, block, 64, partner, 0));
    }
    say("receive", "needs_crecvp", receive(1, bytes, 64));
    say("start_receive", "needs_crecvp", start_receive(1, bytes, 64));
}

static void unshared(void)
{
    say("receive", "not_shared", receive(1, bytes, 64));
    say("receive_block", "not_shared", receive_block(1, bytes, 64));
    say("start_receive", "not_shared", start_receive(1, bytes, 64));
}

/* Sends wait for memory that nobody frees, and a handler is due. */
static void budget(void)
{
    const long way = find_active(request, partner, 0);
    NX_CALL(watch, parley_watch_due);
    long answer = 0;
    while (answer == 0)
        answer = send_to(nobody_sends, bytes, 1 << 20, partner, 0);
    say("send", "interrupted", answer);
    say("start_send", "interrupted", start_send_to(nobody_sends, bytes, 1 << 20, partner, 0));
    for (answer = 0; answer == 0;)
        answer = send_active(way, request, packet_bytes, bytes);
    say("send_active", "interrupted", answer);
    say("find_active", "no_memory", find_active(request, self, 0));
    NX_CALL(watch, parley_watch_off);
}

/* This runs in a kernel that measures gangs, whose processors the job shares. The other program measures,
 * too, so that one finds it busy. */
static void gangs(void)
{
    struct nx_gang_times times;
    say("measure", "bad_argument", nx_gangs_measure(0, 0, &times).contents);
    say("measure", "bad_buffer", nx_gangs_measure(1, 0, (struct nx_gang_times *)nowhere).contents);
    csend(to_measure, 0, 0, partner, 0);
    long answer = 0;
    while (answer == 0)
        answer = nx_gangs_measure(1, 0, &times).contents;
    say("measure", "would_block", answer);
    csend(to_end, 0, 0, partner, 0);
    crecv(ready, 0, 0);
}

static void measure_often(void)
{
    struct nx_gang_times times;
    while (!iprobe(to_end))
        nx_gangs_measure(1, 1, &times);
    csend(ready, 0, 0, self, 0);
}

static void gangs_in_no_room(void)
{
    struct nx_gang_times times;
    fill();
    say("measure", "no_memory", nx_gangs_measure(1, 4, &times).contents);
}

static void gangs_in_a_gang(void)
{
    struct nx_gang_times times;
    say("measure", "not_permitted", nx_gangs_measure(1, 0, &times).contents);
}

static void send_on(void)
{
    while (!iprobe(to_stop)) {
        csend(asked, 0, 0, self, 0);
        while (!iprobe(heard) && !iprobe(to_stop))
            flick();
        if (iprobe(heard))
            crecv(heard, 0, 0);
    }
}

static void obey(void)
{
    if (nx_capabilities() & NX_ACTIVE_MESSAGES_ONLY) {
        gsync();
        return;
    }
    for (;;) {
        long what = to_send_on;
        while (!iprobe(what))
            if (++what > to_measure) {
                what = to_send_on;
                flick();
            }
        crecv(what, 0, 0);
        if (what == to_end)
            return;
        if (what == to_measure) {
            measure_often();
            continue;
        }
        if (what == to_send_and_wait)
            isend(nobody_sends, nx_alloc(128), 100, self, 0);
        csend(ready, 0, 0, self, 0);
        if (what == to_send_on)
            send_on();
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {
    {"buffers", buffers},
    {"sends", sends},
    {"receives", receives},
    {"requests", requests},
    {"interrupted", interrupted},
    {"blocks", blocks},
    {"meetings", meetings},
    {"active", active},
    {"active_elsewhere", active_elsewhere},
    {"others", others},
    {"semaphores", semaphores},
    {"semaphores_elsewhere", semaphores_elsewhere},
    {"unordered", unordered},
    {"spins", spins},
    {"nodes", nodes},
    {"killed", killed},
    {"killed_before_receive_block", killed_before_receive_block},
    {"killed_before_wait", killed_before_wait},
    {"killed_before_done", killed_before_done},
    {"host", host},
    {"full", full},
    {"pids", pids},
    {"ids", ids},
    {"ownership", ownership},
    {"unshared", unshared},
    {"budget", budget},
    {"gangs", gangs},
    {"gangs_in_a_gang", gangs_in_a_gang},
    {"gangs_in_no_room", gangs_in_no_room},
};

int main(int count, char **words)
{
    if (mynode() == partner || (mypid() != 0 && mynode() != myhost())) {
        obey();
        return 0;
    }
    for (int i = 1; i < count; i++)
        for (unsigned scene = 0; scene < sizeof scenes / sizeof scenes[0]; scene++)
            if (strcmp(words[i], scenes[scene].name) == 0)
                scenes[scene].run();
    printf("all is said\n");
    killcube(-1, -1);
    return 0;
}
