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
    void *bytes; /* null: the receiver has the block */
    long id;
    int is_bulk;
};

/* A packet of another bundle than that which is polled, or one whose bulk is not to be seen yet. */
struct kept {
    struct kept *next;
    struct nx_am_arrival arrival;
    struct nx_am_packet packet; /* without its bulk */
};

static const unsigned long any_word;
static const struct parley_watched nobody_knows[2] = {{&any_word, 0}, {&any_word, 0}};
static unsigned long none_may;
const struct parley_watched *nx_am_watched = nobody_knows, *nx_am_near_watched = nobody_knows;
unsigned long *nx_am_passable = &none_may;
int nx_am_sees_directly;
int nx_am_comes_directly;
struct nx_am_packet *nx_am_rooms[nx_am_depths];

static struct kept *kept, **kept_end = &kept;
static uint32_t last_serial;
static int takes_directly, takes_by_nx;
/* What had been brought to the process before the last look for everything that found nothing. */
static unsigned arrivals_seen;
static int has_seen_arrivals;
static struct loan *under_way;
static struct loan *spare[2]; /* by is_bulk */

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

/* Bulk that comes in a block of its own is not received there. */
static struct nx_am_packet *new_room(void)
{
    static const char call[] = "AM_Init";
    if (!gives_blocks())
        return new_memory(call, sizeof(struct nx_am_packet));
    struct nx_am_packet *room = malloc(sizeof *room);
    if (!room)
        nx_fail(call, nx_error_no_memory);
    return room;
}

/* A receiver writes zeros for the words that a packet does not have. */
static void *new_block(const char *call, long length)
{
    const size_t least = offsetof(struct nx_am_packet, bulk);
    return new_memory(call, (size_t)length < least ? least : (size_t)length);
}

/* What travels as one NX message. */
struct bytes {
    const void *start;
    long length;
    int is_bulk; /* some of it */
};

static struct loan *new_loan(const char *call, int is_bulk)
{
    struct loan *loan = malloc(sizeof *loan);
    if (!loan)
        nx_fail(call, nx_error_no_memory);
    *loan = (struct loan){.is_bulk = is_bulk};
    if (!gives_blocks())
        loan->bytes =
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

/* Whether the send to that process has gone, which answered `value`. */
static int is_sent(const char *call, int node, int pid, long value)
{
    if (value >= 0)
        return 1;
    if (value != -nx_error_closed)
        nx_fail_process(call, node, pid, -value);
    return 0;
}

static long address_of(int pid)
{
    return nx_address(pid, nx_active);
}

/* The bytes are taken by the call, which does not wait for them to be received. */
static int send_copy(const char *call, int node, int pid, long type, struct bytes what)
{
    return is_sent(call, node, pid, nx_send(type, what.start, what.length, node, address_of(pid)));
}

/* The bytes are in use, or the id is, until they have been received. */
static int send_loan(const char *call, int node, int pid, long type, struct bytes what)
{
    struct loan *loan = take_loan(call, what.is_bulk);
    void *bytes = gives_blocks() ? new_block(call, what.length) : loan->bytes;
    memcpy(bytes, what.start, (size_t)what.length);
    long id = nx_start_send(type, bytes, what.length, node, address_of(pid));
    while (id == -nx_error_no_ids) {
        if (!collect(call))
            nx_process_yield();
        id = nx_start_send(type, bytes, what.length, node, address_of(pid));
    }
    if (!is_sent(call, node, pid, id)) {
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

static int send_by_nx(const char *call, int node, int pid, long type, struct bytes what)
{
    if (nx_process.passing == nx_passes_copies && !(nx_process.capabilities & NX_SENDS_AWAIT_DELIVERY))
        return send_copy(call, node, pid, type, what);
    return send_loan(call, node, pid, type, what);
}

/* The packet and its bulk as one message. */
static int send_whole(const char *call, int node, int pid, long type, struct nx_am_packet *packet,
                      const void *bulk)
{
    if (packet->bytes)
        memcpy(packet->bulk, bulk, packet->bytes);
    const struct bytes whole = {packet, nx_am_length(packet), packet->bytes > 0};
    return send_by_nx(call, node, pid, type, whole);
}

/* The way there, or minus an error. */
static long find_way(int node, int pid, long type)
{
    return NX_CALL(find_active, type, node, (unsigned long)address_of(pid));
}

unsigned long nx_am_find_way(int node, int pid, long type)
{
    const long way = takes_directly ? find_way(node, pid, type) : 0;
    return way > 0 ? (unsigned long)way : 0;
}

int nx_am_is_lasting(int pid)
{
    const struct parley_start *start = nx_process.start;
    return pid < ((int)start->endpoints - start->host) / start->nodes;
}

static long put(long way, long type, const struct nx_am_packet *packet)
{
    long value;
    NX_UNINTERRUPTED(value, value, nx_am_put((unsigned long)way, type, packet, nx_am_front_length(packet)));
    return value;
}

/* The type of an NX message that has the bulk of a packet. No selector of a bundle takes it. */
static long type_of_bulk(uint32_t serial)
{
    enum { first = 1000, serials = 1 << 24 };
    return first + (long)(serial % serials);
}

/* 0 is the number of no bulk. */
static uint32_t next_serial(void)
{
    if (!++last_serial)
        last_serial = 1;
    return last_serial;
}

int nx_am_send(const char *call, int node, int pid, long type, struct nx_am_packet *packet, const void *bulk)
{
    if (!takes_directly)
        return send_whole(call, node, pid, type, packet, bulk);
    const long way = find_way(node, pid, type);
    if (way == -nx_error_would_block)
        return send_whole(call, node, pid, type, packet, bulk);
    if (!is_sent(call, node, pid, way))
        return 0;
    if (packet->bytes) {
        packet->serial = next_serial();
        const struct bytes alone = {bulk, packet->bytes, 1};
        if (!send_by_nx(call, node, pid, type_of_bulk(packet->serial), alone))
            return 0;
    }
    return is_sent(call, node, pid, put(way, type, packet));
}

/* Takes the message of that type from the sender of an arrival, which is there: the oldest one that a look
 * has found. No handler of the program's runs between the look and the receive, which has nothing to wait
 * for. Answers how many bytes it has, which lie at `room`, or in a block that the arrival has then. -1: its
 * sender has been killed, and its bytes are gone. */
static long take(const char *call, struct nx_am_arrival *arrival, long type, void *room, long most)
{
    const long address = address_of(arrival->pid);
    arrival->block = 0;
    const struct parley_receive_status found =
        gives_blocks() ? nx_receive_block(type, &arrival->block, most, arrival->node, address)
                       : nx_receive(type, room, most, arrival->node, address);
    if (found.contents == -nx_error_closed)
        return -1;
    return must(call, nx_length_or_error(found));
}

static int take_whole(const char *call, int depth, struct nx_am_arrival *arrival)
{
    struct nx_am_packet *room = nx_am_rooms[depth];
    arrival->length = take(call, arrival, arrival->type, room, sizeof *room);
    arrival->packet = arrival->block ? arrival->block : room;
    arrival->bulk = arrival->packet->bulk;
    return arrival->length >= 0;
}

static void note_found(struct nx_am_arrival *arrival, struct parley_receive_status found)
{
    arrival->type = parley_receive_status_type(found);
    arrival->length = parley_receive_status_length(found);
    arrival->node = (int)parley_receive_status_node(found);
    arrival->pid = (int)parley_receive_status_pid(found);
}

static int receive_by_nx(const char *call, long types, long how, int depth, struct nx_am_arrival *arrival)
{
    const struct parley_receive_status found =
        nx_probe(types, how & PARLEY_TAKES_AND_GOES_ON ? parley_probe_goes_on : parley_probe_looks, nx_any,
                 address_of(nx_any));
    if (must(call, nx_yes_or_no(found)) == 0)
        return 0;
    note_found(arrival, found);
    return take_whole(call, depth, arrival);
}

static void note_taken(struct nx_am_arrival *arrival, struct parley_receive_status found,
                       struct nx_am_packet *room)
{
    note_found(arrival, found);
    arrival->packet = room;
    arrival->bulk = room->bulk;
    arrival->block = 0;
}

/* Takes the oldest packet that has come directly, without its bulk. */
static int take_directly(const char *call, long how, struct nx_am_packet *room, struct nx_am_arrival *arrival)
{
    struct parley_receive_status found;
    if (!nx_am_take(call, how, room, &found))
        return 0;
    note_taken(arrival, found, room);
    return 1;
}

static int is_among(long types, long type)
{
    return type < 2 * nx_am_most_endpoints && (types >> type & 1);
}

/* Where nodes share a processor, a poll that finds nothing lets others run, so every poll is a call. What is
 * kept, or comes by NX, no word tells. */
static void choose_looks(void)
{
    nx_am_comes_directly = takes_directly && !takes_by_nx && !kept;
    const struct parley_watched *watched =
        takes_directly && !kept && !nx_process.has_few_processors && nx_process.calls.watched
            ? nx_process.calls.watched
            : nobody_knows;
    nx_am_watched = takes_by_nx ? nobody_knows : watched;
    nx_am_near_watched = watched;
    nx_am_sees_directly = watched != nobody_knows;
    nx_am_passable =
        watched != nobody_knows && nx_process.calls.passable ? nx_process.calls.passable : &none_may;
}

static void keep(const char *call, const struct nx_am_arrival *arrival)
{
    struct kept *new = malloc(sizeof *new);
    if (!new)
        nx_fail(call, nx_error_no_memory);
    new->next = 0;
    new->arrival = *arrival;
    memcpy(&new->packet, arrival->packet, offsetof(struct nx_am_packet, bulk));
    *kept_end = new;
    kept_end = &new->next;
    choose_looks();
}

static int has_kept(long types)
{
    for (const struct kept *one = kept; one; one = one->next)
        if (is_among(types, one->arrival.type))
            return 1;
    return 0;
}

static int has_bulk(const struct nx_am_arrival *arrival)
{
    return arrival->length >= (long)offsetof(struct nx_am_packet, word) && arrival->packet->bytes;
}

/* Where the receive of so much bulk writes it: at once where its handler looks for it, if the design lets
 * it. */
static void *room_of_bulk(const struct nx_am_arrival *arrival, long length)
{
    void *place = !needs_shared() && length == arrival->packet->bytes ? nx_am_place_of_bulk(arrival) : 0;
    return place ? place : arrival->packet->bulk;
}

/* Takes the bulk of a packet, which has been sent before it. 0: it is not to be seen, or gone. */
static int take_bulk(const char *call, struct nx_am_arrival *arrival)
{
    const long type = type_of_bulk(arrival->packet->serial);
    const struct parley_receive_status there =
        nx_probe(type, parley_probe_goes_on, arrival->node, address_of(arrival->pid));
    if (!must(call, nx_yes_or_no(there)))
        return 0;
    void *room = room_of_bulk(arrival, parley_receive_status_length(there));
    const long length = take(call, arrival, type, room, nx_am_most_bytes);
    arrival->bulk = arrival->block ? arrival->block : room;
    arrival->length = (long)offsetof(struct nx_am_packet, bulk) + length;
    return length >= 0;
}

/* Bulk that has been sent is not seen as long as another process, in front of it in the port, has not ended
 * its put. What the process there has never sent, or was killed with, does not come. */
static int may_bulk_come(const struct nx_am_arrival *arrival)
{
    return arrival->packet->serial &&
           find_way(arrival->node, arrival->pid, arrival->type) != -nx_error_closed;
}

static void drop_kept(struct kept **link)
{
    struct kept *found = *link;
    *link = found->next;
    if (kept_end == &found->next)
        kept_end = link;
    free(found);
    choose_looks();
}

/* Takes the oldest that has all that belongs to it. */
static int take_kept(const char *call, long types, int depth, struct nx_am_arrival *arrival)
{
    for (struct kept **link = &kept; *link;) {
        struct kept *found = *link;
        if (is_among(types, found->arrival.type)) {
            *arrival = found->arrival;
            arrival->packet = memcpy(nx_am_rooms[depth], &found->packet, offsetof(struct nx_am_packet, bulk));
            arrival->bulk = arrival->packet->bulk;
            const int is_whole = !has_bulk(arrival) || take_bulk(call, arrival);
            if (is_whole || !may_bulk_come(arrival)) {
                drop_kept(link);
                if (is_whole)
                    return 1;
                continue;
            }
        }
        link = &found->next;
    }
    return 0;
}

/* Whether a packet that has been taken is what a receive of these types answers. Else it is set aside, or is
 * for nobody. */
static int is_received(const char *call, long types, struct nx_am_arrival *arrival)
{
    if (is_among(types, arrival->type)) {
        if (!has_bulk(arrival) || take_bulk(call, arrival))
            return 1;
        if (!may_bulk_come(arrival))
            return 0;
    }
    keep(call, arrival);
    return 0;
}

static int receive_directly(const char *call, long types, long how, int depth, struct nx_am_arrival *arrival)
{
    if (kept && take_kept(call, types, depth, arrival))
        return 1;
    while (take_directly(call, how, nx_am_rooms[depth], arrival))
        if (is_received(call, types, arrival))
            return 1;
    return 0;
}

int nx_am_receive_taken(const char *call, long types, long how, int depth, struct parley_receive_status found,
                        struct nx_am_arrival *arrival)
{
    note_taken(arrival, found, nx_am_rooms[depth]);
    return is_received(call, types, arrival) || nx_am_receive_near(call, types, how, depth, arrival);
}

void nx_am_open(void)
{
    takes_directly = !(nx_process.capabilities & NX_MESSAGES_ARE_CARRIED);
    takes_by_nx = nx_process.capabilities & (NX_MESSAGES_ARE_CARRIED | NX_SEVERAL_MACHINES);
    choose_looks();
    for (int depth = 0; depth < nx_am_depths; depth++)
        if (!nx_am_rooms[depth])
            nx_am_rooms[depth] = new_room();
}

/* Whether the bundle is the only one. */
static int is_everything(long types)
{
    const long all = (1l << 2 * nx_am_most_endpoints) - 1;
    return (types & all) == all;
}

/* Whether nothing has come by NX since a look there for everything found nothing. */
static int has_seen_all(unsigned arrivals)
{
    return has_seen_arrivals && arrivals == arrivals_seen && !nx_process.has_few_processors;
}

int nx_am_receive_near(const char *call, long types, long how, int depth, struct nx_am_arrival *arrival)
{
    if (!takes_directly || nx_am_has_nothing() || (nx_am_sees_directly && !nx_am_sees_near(how)))
        return 0;
    /* A look that others follow gives no processor away. */
    return receive_directly(call, types, takes_by_nx ? how | PARLEY_TAKES_AND_GOES_ON : how, depth, arrival);
}

int nx_am_receive_far(const char *call, long types, long how, int depth, struct nx_am_arrival *arrival)
{
    if (!takes_by_nx)
        return 0;
    const unsigned *counted = nx_process.calls.arrivals;
    const unsigned come = counted ? __atomic_load_n(counted, __ATOMIC_ACQUIRE) : 0;
    if (counted && has_seen_all(come))
        return 0;
    if (receive_by_nx(call, types, how, depth, arrival))
        return 1;
    /* What has come by NX for another bundle has not been looked for. */
    if (counted && !(how & PARLEY_TAKES_REPLIES) && is_everything(types)) {
        arrivals_seen = come;
        has_seen_arrivals = 1;
    }
    return 0;
}

void nx_am_release(const struct nx_am_arrival *arrival)
{
    if (arrival->block)
        must("AM_Poll", NX_CALL(release, (unsigned long)arrival->block));
}

static void await(const char *call, long types)
{
    long value;
    NX_UNINTERRUPTED(value, value,
                     NX_CALL(await_active, takes_by_nx ? types : 0, NX_SENDERS(nx_any, address_of(nx_any))));
    must(call, value);
    has_seen_arrivals = 0;
}

/* What other bundles have is set aside, for it would end the next wait as well. */
void nx_am_await(const char *call, long types)
{
    struct nx_am_arrival arrival;
    for (;;) {
        if (kept && has_kept(types))
            return;
        await(call, types);
        if (is_everything(types))
            return;
        while (take_directly(call, PARLEY_TAKES_AND_GOES_ON, nx_am_rooms[0], &arrival))
            keep(call, &arrival);
        if (takes_by_nx &&
            must(call, nx_yes_or_no(nx_probe(types, parley_probe_goes_on, nx_any, address_of(nx_any)))))
            return;
    }
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
