/* SPDX-License-Identifier: MIT */
#include "userlib/am/carrier.h"

#include "userlib/nx/arrival.h"
#include "userlib/nx/operations.h"
#include "userlib/nx/proxies.h"

#include <nx.h>
#include <stdlib.h>
#include <string.h>

enum { line = 64, farewell_receives = 256 };

/* A packet under way whose memory or id is still in use. */
struct loan {
    struct loan *next;
    struct nx_am_packet *packet; /* null: the receiver has the block */
    long id;
    int is_bulk;
};

static struct loan *under_way;
static struct loan *spare[2]; /* by is_bulk */
static struct nx_am_packet *rooms[nx_am_depths];

static long must(const char *call, long value)
{
    if (value < 0)
        nx_fail(call, -value);
    return value;
}

static int needs_shared(void)
{
    return nx_process.passing == nx_passes_shared_buffers || nx_process.passing == nx_passes_blocks;
}

static int gives_blocks(void)
{
    return nx_process.passing == nx_passes_blocks;
}

static void *new_memory(const char *call, size_t bytes)
{
    if (needs_shared())
        return (void *)must(call, NX_CALL(allocate, (long)bytes, line));
    void *memory = malloc(bytes);
    if (!memory)
        nx_fail(call, nx_error_no_memory);
    return memory;
}

/* A receiver writes zeros for the words that a packet does not have. */
static void *new_block(const char *call, long length)
{
    const size_t least = offsetof(struct nx_am_packet, bulk);
    return new_memory(call, (size_t)length < least ? least : (size_t)length);
}

static struct loan *new_loan(const char *call, int is_bulk)
{
    struct loan *loan = malloc(sizeof *loan);
    if (!loan)
        nx_fail(call, nx_error_no_memory);
    *loan = (struct loan){.is_bulk = is_bulk};
    if (!gives_blocks())
        loan->packet =
            new_memory(call, is_bulk ? sizeof(struct nx_am_packet) : offsetof(struct nx_am_packet, bulk));
    return loan;
}

static void make_spare(struct loan *loan)
{
    loan->next = spare[loan->is_bulk];
    spare[loan->is_bulk] = loan;
}

/* Loans whose packets have been received are spare again. */
static int collect(const char *call)
{
    int collected = 0;
    for (struct loan **link = &under_way; *link;) {
        struct loan *loan = *link;
        const long done = NX_CALL(done, loan->id).contents;
        if (done == -nx_error_would_block) {
            link = &loan->next;
            continue;
        }
        if (done != -nx_error_closed) /* its receiver was killed: nobody waits for it */
            must(call, done);
        *link = loan->next;
        make_spare(loan);
        collected++;
    }
    return collected;
}

static struct loan *take_loan(const char *call, int is_bulk)
{
    collect(call);
    struct loan *loan = spare[is_bulk];
    if (!loan)
        return new_loan(call, is_bulk);
    spare[is_bulk] = loan->next;
    return loan;
}

static int is_sent(const char *call, long value)
{
    if (value == -nx_error_closed)
        return 0;
    must(call, value);
    return 1;
}

static long address_of(int pid)
{
    return nx_address(pid, nx_active);
}

/* The bytes are taken by the call, which does not wait for them to be received. */
static int send_copy(const char *call, int node, int pid, long type, const struct nx_am_packet *packet)
{
    return is_sent(call, nx_send(type, packet, nx_am_length(packet), node, address_of(pid)));
}

/* The bytes are in use, or the id is, until they have been received. */
static int send_loan(const char *call, int node, int pid, long type, const struct nx_am_packet *packet)
{
    const long length = nx_am_length(packet);
    struct loan *loan = take_loan(call, packet->bytes > 0);
    void *bytes = gives_blocks() ? new_block(call, length) : loan->packet;
    memcpy(bytes, packet, (size_t)length);
    long id = nx_start_send(type, bytes, length, node, address_of(pid));
    while (id == -nx_error_no_ids) {
        if (!collect(call))
            nx_process_yield();
        id = nx_start_send(type, bytes, length, node, address_of(pid));
    }
    if (!is_sent(call, id)) {
        if (gives_blocks())
            must(call, NX_CALL(release, (unsigned long)bytes));
        make_spare(loan);
        return 0;
    }
    loan->id = id;
    loan->next = under_way;
    under_way = loan;
    return 1;
}

int nx_am_send(const char *call, int node, int pid, long type, const struct nx_am_packet *packet)
{
    if (nx_process.passing == nx_passes_copies && !(nx_process.capabilities & NX_SENDS_AWAIT_DELIVERY))
        return send_copy(call, node, pid, type, packet);
    return send_loan(call, node, pid, type, packet);
}

/* What a look has found is the oldest of its type and sender. No handler of the program's runs between the
 * look and the receive, which has nothing to wait for. */
static struct nx_am_packet *take(const char *call, int depth, long type, int node, int pid)
{
    if (gives_blocks()) {
        void *block = 0;
        must(call, nx_length_or_error(
                       nx_receive_block(type, &block, sizeof(struct nx_am_packet), node, address_of(pid))));
        return block;
    }
    if (!rooms[depth])
        rooms[depth] = new_memory(call, sizeof(struct nx_am_packet));
    must(call, nx_length_or_error(
                   nx_receive(type, rooms[depth], sizeof(struct nx_am_packet), node, address_of(pid))));
    return rooms[depth];
}

int nx_am_receive(const char *call, long types, int depth, struct nx_am_arrival *arrival)
{
    const struct parley_receive_status found = nx_probe(types, 0, nx_any, address_of(nx_any));
    if (must(call, nx_yes_or_no(found)) == 0)
        return 0;
    arrival->type = parley_receive_status_type(found);
    arrival->length = parley_receive_status_length(found);
    arrival->node = (int)parley_receive_status_node(found);
    arrival->pid = (int)parley_receive_status_pid(found);
    arrival->packet = take(call, depth, arrival->type, arrival->node, arrival->pid);
    return 1;
}

void nx_am_release(const struct nx_am_arrival *arrival)
{
    if (gives_blocks())
        must("AM_Poll", NX_CALL(release, (unsigned long)arrival->packet));
}

void nx_am_await(const char *call, long types)
{
    must(call, nx_yes_or_no(nx_probe(types, 1, nx_any, address_of(nx_any))));
}

/* The receives take what others have lent to this process, so no two that end wait for each other. */
void nx_am_close(void)
{
    static const char call[] = "AM_Terminate";
    if (gives_blocks() || !(nx_process.capabilities & NX_BUFFERS_ARE_LENT) || !under_way)
        return;
    void *room = new_memory(call, sizeof(struct nx_am_packet));
    for (int i = 0; i < farewell_receives; i++)
        if (nx_start_receive(-1, room, sizeof(struct nx_am_packet), nx_any, address_of(nx_any)) < 0)
            break;
    for (; under_way; under_way = under_way->next)
        nx_wait(under_way->id);
}
