/* SPDX-License-Identifier: MIT */
/* What has come: whose it is, whether it is let in, and its handler. */
#include "userlib/am/carrier.h"
#include "userlib/am/layer.h"
#include "userlib/am/looks.h"
#include "userlib/nx/failure.h"

#include <stdio.h>
#include <string.h>

static int lets_in(ep_t endpoint, tag_t tag)
{
    return endpoint->tag == AM_ALL || (endpoint->tag != AM_NONE && endpoint->tag == tag);
}

/* 0, or why a packet has no handler here. */
static int fault_of(ep_t endpoint, const struct nx_am_packet *packet)
{
    if (!endpoint->handlers[packet->handler])
        return EBADHANDLER;
    if (packet->shape == nx_am_long && packet->offset > endpoint->segment_bytes)
        return EBADSEGOFF;
    if (packet->shape == nx_am_long && packet->bytes > endpoint->segment_bytes - packet->offset)
        return EBADLENGTH;
    return 0;
}

/* More words than a handler has parameters do no harm, so all are handed over. */
static void call_short(am_function handler, void *token, const int32_t w[])
{
    ((void (*)(void *, int, int, int, int, int, int, int, int))handler)(token, w[0], w[1], w[2], w[3], w[4],
                                                                        w[5], w[6], w[7]);
}

static void call_bulk(am_function handler, void *token, void *buffer, size_t bytes, const int32_t w[])
{
    ((void (*)(void *, void *, size_t, int, int, int, int, int, int, int, int))handler)(
        token, buffer, bytes, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
}

/* Does the same for the two words or fewer that most packets have. */
static inline void call_brief(am_function handler, void *token, unsigned words, const int32_t w[])
{
    static const uint64_t has[] = {0, UINT32_MAX, UINT64_MAX};
    uint64_t both;
    memcpy(&both, w, sizeof both);
    both &= has[words];
    ((void (*)(void *, int, int, int, int, int, int, int, int))handler)(token, (int)both, (int)(both >> 32),
                                                                        0, 0, 0, 0, 0, 0);
}

/* The words that a packet does not have are 0. */
static inline void clear_others(struct nx_am_packet *packet)
{
    static const int32_t has[2 * nx_am_most_words] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const int32_t *mask = has + nx_am_most_words - packet->words;
    for (int i = 0; i < nx_am_most_words; i++)
        packet->word[i] &= mask[i];
}

static void run_handler(struct nx_am_running *running)
{
    struct nx_am_packet *packet = (struct nx_am_packet *)running->packet;
    ep_t endpoint = running->endpoint;
    am_function handler = endpoint->handlers[packet->handler];
    void *token = (void *)running->token;
    clear_others(packet);
    if (packet->shape == nx_am_long && running->bulk != endpoint->segment + packet->offset)
        running->bulk = memcpy(endpoint->segment + packet->offset, running->bulk, packet->bytes);
    if (packet->shape == nx_am_short)
        call_short(handler, token, packet->word);
    else
        call_bulk(handler, token, running->bulk, packet->bytes, packet->word);
}

static op_t opcode_of(const struct nx_am_packet *packet, int is_reply)
{
    return (is_reply ? AM_REPLY_M : AM_REQUEST_M) + packet->shape;
}

struct am_returned nx_am_returned(const struct nx_am_packet *packet, int entry)
{
    struct am_returned what = {
        .entry = entry, .handler = packet->handler, .words = packet->words, .bytes = packet->bytes};
    memcpy(what.word, packet->word, packet->words * sizeof packet->word[0]);
    return what;
}

static void accept_request(struct nx_am_running *running)
{
    const struct nx_am_packet *packet = running->packet;
    const int fault = lets_in(running->endpoint, packet->tag) ? fault_of(running->endpoint, packet) : EBADTAG;
    if (fault) {
        nx_am_end_request(running, fault);
        return;
    }
    running->may_reply = 1;
    run_handler(running);
    if (running->may_reply)
        nx_am_end_request(running, 0);
}

static void accept_reply(struct nx_am_running *running)
{
    const struct nx_am_packet *packet = running->packet;
    running->endpoint->requests_left++;
    if (packet->status) {
        struct am_returned what = nx_am_returned(packet, packet->entry);
        what.bytes = packet->offset;
        nx_am_return(running->endpoint, packet->status, opcode_of(packet, 0), &what);
        return;
    }
    if (packet->handler == 0)
        return;
    const int fault = fault_of(running->endpoint, packet);
    if (fault) {
        const struct am_returned what = nx_am_returned(packet, -1);
        nx_am_return(running->endpoint, fault, opcode_of(packet, 1), &what);
        return;
    }
    run_handler(running);
}

/* For an endpoint that is no more: a reply is for nobody, and a request comes back. */
static void accept_for_nobody(struct nx_am_running *running, int is_reply)
{
    if (!is_reply)
        nx_am_end_request(running, EBADENDPOINT);
}

/* Whether this is what a process of this layer sends: nothing that it counts or names lies beyond it. Any
 * program may write what it likes in a context of the library's. */
static int is_packet(const struct nx_am_arrival *arrival)
{
    const struct nx_am_packet *packet = arrival->packet;
    return arrival->length >= (long)offsetof(struct nx_am_packet, word) &&
           packet->words <= nx_am_most_words && packet->bytes <= nx_am_most_bytes &&
           nx_am_length(packet) <= arrival->length && packet->shape <= nx_am_long &&
           packet->source < nx_am_most_endpoints && packet->status <= EUNREACHABLE &&
           (packet->shape == nx_am_short || arrival->length >= (long)offsetof(struct nx_am_packet, bulk));
}

static void begin(struct nx_am_running *running, const struct nx_am_arrival *arrival)
{
    running->token = ++nx_am.last_token;
    running->endpoint = &nx_am.endpoints[nx_am_type_endpoint(arrival->type)];
    running->packet = arrival->packet;
    running->bulk = arrival->bulk;
    running->sender = parley_address(arrival->pid, nx_active) | (unsigned long)arrival->node;
    running->may_reply = 0;
}

static __attribute__((noinline)) void accept_any(const struct nx_am_arrival *arrival)
{
    if (!is_packet(arrival))
        return; /* it is for nobody, and nobody waits for an answer */
    const int depth = nx_am_depth();
    struct nx_am_running *running = nx_am_enter(depth);
    const int is_reply = nx_am_type_is_reply(arrival->type);
    begin(running, arrival);
    if (!running->endpoint->bundle || (is_reply && running->endpoint->life != arrival->packet->life))
        accept_for_nobody(running, is_reply);
    else if (is_reply)
        accept_reply(running);
    else
        accept_request(running);
    running->token = 0;
    nx_am_leave(depth);
}

static void accept(const struct nx_am_arrival *arrival)
{
    accept_any(arrival);
    if (arrival->block)
        nx_am_release(arrival);
}

/* The packet's front has come, and its bulk has not been received. */
void *nx_am_place_of_bulk(const struct nx_am_arrival *arrival)
{
    const struct nx_am_packet *packet = arrival->packet;
    ep_t endpoint = &nx_am.endpoints[nx_am_type_endpoint(arrival->type)];
    if (packet->shape != nx_am_long || packet->status || !endpoint->bundle || fault_of(endpoint, packet))
        return 0;
    const int is_let_in =
        nx_am_type_is_reply(arrival->type) ? endpoint->life == packet->life : lets_in(endpoint, packet->tag);
    return is_let_in ? endpoint->segment + packet->offset : 0;
}

/* Runs the handler of what nearly all packets are, words alone with which nothing is wrong, where so many
 * handlers run. 0: it is another, and nothing has been done. */
static inline __attribute__((always_inline)) int accept_usual(long types, struct parley_receive_status found,
                                                              struct nx_am_packet *packet, int depth)
{
    enum { front = offsetof(struct nx_am_packet, word) };
    static const uint64_t unusual =
        0xffffull << 16 | 0x1full << 51 | 0xfull << 60; /* bulk, 8 words, shape, status */
    const long type = parley_receive_status_type(found);
    uint64_t rest;
    memcpy(&rest, &packet->entry, sizeof rest);
    const unsigned words = rest >> 48 & 7, handler = rest >> 32 & 255, source = (unsigned)(rest >> 56);
    if (__builtin_expect(type >= 2 * nx_am_most_endpoints || !(types >> type & 1) || (rest & unusual) ||
                             handler == 0 || source >= nx_am_most_endpoints ||
                             parley_receive_status_length(found) != front + (long)(words * sizeof(int32_t)),
                         0))
        return 0;
    ep_t endpoint = &nx_am.endpoints[(unsigned)type / 2];
    const int is_reply = type & 1;
    am_function function = endpoint->handlers[handler];
    if (__builtin_expect(
            !endpoint->bundle || !function ||
                !(is_reply ? endpoint->life == (uint8_t)(rest >> 40) : lets_in(endpoint, packet->tag)),
            0))
        return 0;
    struct nx_am_running *running = nx_am_enter(depth);
    void *token = (void *)++nx_am.last_token;
    running->token = (uintptr_t)token;
    running->endpoint = endpoint;
    running->packet = packet;
    running->sender = found.sender;
    running->may_reply = !is_reply;
    endpoint->requests_left += is_reply;
    if (words <= 2) {
        call_brief(function, token, words, packet->word);
    } else {
        clear_others(packet);
        call_short(function, token, packet->word);
    }
    if (running->may_reply)
        nx_am_end_request(running, 0);
    running->token = 0;
    nx_am_leave(depth);
    return 1;
}

/* Whether the process sees that a poll would find nothing; where one that makes no call is to be counted, it
 * is (passes). */
static inline int passes(long how)
{
    return how & PARLEY_TAKES_REPLIES ? nx_am_passes_of_replies() : nx_am_passes();
}
static inline int has_nothing(long how)
{
    return how & PARLEY_TAKES_REPLIES ? nx_am_has_no_reply() : nx_am_has_nothing();
}

/* Takes one of what has come directly, where so many handlers run. 0: there is none. */
static inline __attribute__((always_inline)) int poll_directly(const char *call, eb_t bundle, long how,
                                                               int depth)
{
    const long types = how & PARLEY_TAKES_REPLIES ? bundle->reply_types : bundle->types;
    struct nx_am_packet *room = nx_am_rooms[depth];
    struct parley_receive_status found;
    if (!nx_am_take(call, how, room, &found))
        return 0;
    if (__builtin_expect(!accept_usual(types, found, room, depth), 0)) {
        struct nx_am_arrival arrival;
        if (!nx_am_receive_taken(call, types, how, depth, found, &arrival))
            return 0;
        accept(&arrival);
    }
    if (depth == 0)
        nx_am_polled_for = bundle->requester;
    return 1;
}

/* A poll goes on after its first packet. */
static __attribute__((noinline)) void poll_further(const char *call, eb_t bundle, long how)
{
    const int depth = nx_am_depth();
    int left = nx_am_accepted - 1;
    while (poll_directly(call, bundle, how, depth) && --left && !has_nothing(how))
        ;
}

static int poll_near(const char *call, eb_t bundle, long types, long how, int depth)
{
    struct nx_am_arrival arrival;
    if (nx_am_sees_near(how))
        return poll_directly(call, bundle, how, depth);
    if (!nx_am_receive_near(call, types, how, depth, &arrival))
        return 0;
    accept(&arrival);
    return 1;
}

static int poll_far(const char *call, long types, long how, int depth)
{
    struct nx_am_arrival arrival;
    if (!nx_am_receive_far(call, types, how, depth, &arrival))
        return 0;
    accept(&arrival);
    return 1;
}

/* Where packets come by NX, too, each source has a share of its own, so none that never pauses holds the
 * other up: of what has been brought by NX each poll takes four, whatever comes directly. A poll that has
 * taken what has come directly is over if the next one may pass; each of those counts, so one looks in time,
 * and none may pass while Active Messages lie there that a look has brought. */
static __attribute__((noinline)) void poll_otherwise(const char *call, eb_t bundle, long how)
{
    const long types = how & PARLEY_TAKES_REPLIES ? bundle->reply_types : bundle->types;
    const int depth = nx_am_depth();
    int near = 0, far = 0;
    if (passes(how))
        return;
    while (near < nx_am_accepted && poll_near(call, bundle, types, how, depth))
        near++;
    if (near != 0 && *nx_am_passable != 0)
        return;
    const long rest = near == nx_am_accepted ? how | PARLEY_TAKES_AND_GOES_ON : how;
    while (far < nx_am_accepted && poll_far(call, types, rest, depth))
        far++;
}

/* Each rare way ends the poll, so that the usual one saves few registers. */
static inline __attribute__((always_inline)) void poll_bundle(const char *call, eb_t bundle, long how,
                                                              int depth)
{
    if (__builtin_expect(!nx_am_comes_directly, 0)) {
        poll_otherwise(call, bundle, how);
        return;
    }
    if (has_nothing(how))
        return;
    if (poll_directly(call, bundle, how, depth) && !has_nothing(how))
        poll_further(call, bundle, how);
}

void nx_am_poll(const char *call, eb_t bundle, long how)
{
    poll_bundle(call, bundle, how, nx_am_depth());
}

void nx_am_await_message(const char *call, eb_t bundle)
{
    nx_am_await(call, bundle->types);
    nx_am.polled = nx_am_no_bundle(); /* the next poll does not ask whether anything has come */
}

static __attribute__((noinline)) int poll(eb_t bundle)
{
    if (bundle != nx_am.polled || !bundle) {
        const int checked = nx_am_check_bundle("AM_Poll", bundle);
        if (checked)
            return checked;
        if (nx_am_depth())
            return nx_am_refuse("AM_Poll", AM_ERR_RESOURCE, "a handler may not poll");
    }
    poll_bundle("AM_Poll", bundle, PARLEY_TAKES_ANY, 0);
    nx_am.polled = bundle;
    return AM_OK;
}

int AM_Poll(eb_t bundle)
{
    if (__builtin_expect(bundle == nx_am.polled && (nx_am_has_nothing() || nx_am_passes()), 1)) {
        nx_am_between_looks();
        return AM_OK;
    }
    return poll(bundle);
}

int AM_WaitSema(eb_t bundle)
{
    const int checked = nx_am_check_bundle("AM_WaitSema", bundle);
    if (checked)
        return checked;
    if (nx_am_depth())
        return nx_am_refuse("AM_WaitSema", AM_ERR_RESOURCE, "a handler may not wait for messages");
    if (bundle->mask == AM_NOEVENTS)
        return nx_am_refuse("AM_WaitSema", AM_ERR_NOT_INIT,
                            "the bundle has no events to wait for; AM_SetEventMask(bundle, AM_NOTEMPTY)");
    nx_am_await_message("AM_WaitSema", bundle);
    return AM_OK;
}

void nx_am_return(ep_t endpoint, int status, op_t opcode, const struct am_returned *what)
{
    struct am_returned copy = *what;
    nx_am.returning = endpoint;
    ((void (*)(int, op_t, void *))endpoint->handlers[0])(status, opcode, &copy);
}

void nx_am_end_program(int status, op_t opcode, void *argument)
{
    static const char *const names[] = {"?",        "AM_Request", "AM_RequestI", "AM_RequestXfer",
                                        "AM_Reply", "AM_ReplyI",  "AM_ReplyXfer"};
    static const char *const reasons[] = {
        [EBADTAG] = "its tag is not the destination's",
        [EBADHANDLER] = "the destination has no such handler",
        [EBADSEGOFF] = "its offset is not in the destination's segment",
        [EBADLENGTH] = "its bytes go beyond the end of the destination's segment",
        [EBADENDPOINT] = "the process there has no such endpoint",
        [EUNREACHABLE] = "the process there has been killed",
    };
    const struct am_returned *what = argument;
    char sentence[160];
    snprintf(sentence, sizeof sentence, "the message has come back: %s",
             reasons[status] ? reasons[status] : "its destination says no reason that is known");
    nx_end_call(names[opcode], sentence, "entry %d, handler %d, %d words, %zu bytes", what->entry,
                what->handler, what->words, what->bytes);
}

/* A token is a number, so one that is old, or was never given, is known to be. */
struct nx_am_running *nx_am_find_running(void *token)
{
    for (struct nx_am_running *running = nx_am_runs; running != nx_am.running; running--)
        if (token && running->token == (uintptr_t)token)
            return running;
    return 0;
}

static const char no_token[] = "that is not the token of a handler that runs";

int AM_GetSourceEndpoint(void *token, en_t *name)
{
    const struct nx_am_running *running = nx_am_find_running(token);
    if (!running || !name)
        return nx_am_refuse("AM_GetSourceEndpoint", AM_ERR_BAD_ARG, no_token);
    *name = (en_t){nx_am_node(running), nx_am_pid(running), running->packet->source};
    return AM_OK;
}

int AM_GetDestEndpoint(void *token, ep_t *endpoint)
{
    const struct nx_am_running *running = nx_am_find_running(token);
    if (!running || !endpoint)
        return nx_am_refuse("AM_GetDestEndpoint", AM_ERR_BAD_ARG, no_token);
    *endpoint = running->endpoint;
    return AM_OK;
}

int AM_GetMsgTag(void *token, tag_t *tag)
{
    const struct nx_am_running *running = nx_am_find_running(token);
    if (!running || !tag)
        return nx_am_refuse("AM_GetMsgTag", AM_ERR_BAD_ARG, no_token);
    *tag = running->packet->tag;
    return AM_OK;
}
