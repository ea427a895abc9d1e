/* SPDX-License-Identifier: MIT */
/* Requests and replies. Every request has exactly one reply, so an endpoint counts how many of its requests
 * are without theirs, and lets no more be; this is also what bounds the memory of what is under way. */
#include "userlib/am/carrier.h"
#include "userlib/am/layer.h"
#include "userlib/nx/operations.h"

#include <string.h>

/* A call of the program's, whatever its number of words. */
struct call {
    const char *name;
    int handler;
    enum nx_am_shape shape;
    uintptr_t offset;
    const void *source;
    size_t bytes;
    int words;
    int32_t word[nx_am_most_words];
};

static int check_call(const struct call *call)
{
    if (call->handler < 1 || call->handler >= nx_am_handlers)
        return nx_am_refuse(call->name, AM_ERR_BAD_ARG, "messages are for handlers 1 to 255");
    if (call->bytes > nx_am_most_bytes)
        return nx_am_refuse(call->name, AM_ERR_BAD_ARG, "a message has at most 8192 bytes of bulk");
    if (call->bytes && !call->source)
        return nx_am_refuse(call->name, AM_ERR_BAD_ARG, "there are bytes to send, and their address is null");
    return AM_OK;
}

/* All but the bulk. */
static void fill(struct nx_am_packet *packet, const struct call *call, ep_t from, tag_t tag)
{
    packet->tag = tag;
    packet->entry = 0;
    packet->bytes = (uint16_t)call->bytes;
    packet->handler = (uint8_t)call->handler;
    packet->life = from->life;
    packet->words = call->words & 15;
    packet->shape = call->shape & 15;
    packet->source = nx_am_number(from) & 15;
    packet->status = 0;
    packet->offset = call->offset;
    packet->serial = 0;
    packet->unused = 0;
    memcpy(packet->word, call->word, sizeof packet->word);
}

static int is_mapped(ep_t endpoint, int entry)
{
    return (unsigned)entry < (unsigned)endpoint->entry_count && endpoint->entries[entry].is_mapped;
}

static int check_entry(ep_t endpoint, int entry, const char *name)
{
    if (is_mapped(endpoint, entry))
        return AM_OK;
    return nx_am_refuse(name, AM_ERR_BAD_ARG, "no destination is mapped there");
}

static int check_request(ep_t endpoint, int entry, const struct call *call)
{
    const int checked = nx_am_check_endpoint(call->name, endpoint);
    if (checked)
        return checked;
    if (nx_am_depth())
        return nx_am_refuse(call->name, AM_ERR_RESOURCE,
                            "a handler makes no request: that of a request may reply, that of a reply sends "
                            "nothing");
    const int mapped = check_entry(endpoint, entry, call->name);
    return mapped ? mapped : check_call(call);
}

/* The polls of a request, until there is room for it. A handler may have taken its entry away meanwhile: this
 * answers what the request then does.
 *
 * Once there is room for it, the request is something to do, whatever the poll finds. Who yielded here on a
 * busy processor would send one request each time that its turn comes. */
static int await_room(ep_t endpoint, int entry, const char *name)
{
    for (;;) {
        nx_am_poll(name, endpoint->bundle, PARLEY_TAKES_AND_GOES_ON);
        const int mapped = check_entry(endpoint, entry, name);
        if (mapped || endpoint->requests_left > 0)
            return mapped;
        nx_am_await_message(name, endpoint->bundle);
    }
}

static int request(ep_t endpoint, int entry, const struct call *call)
{
    int answer = check_request(endpoint, entry, call);
    if (!answer)
        answer = await_room(endpoint, entry, call->name);
    if (answer)
        return answer;
    const struct nx_am_entry *to = &endpoint->entries[entry];
    struct nx_am_packet packet;
    fill(&packet, call, endpoint, to->tag);
    packet.entry = (uint16_t)entry;
    endpoint->requests_left--;
    nx_am_polled_for = nx_am_nobody();
    if (nx_am_send(call->name, to->name.node, to->name.pid, nx_am_type(to->name.endpoint, 0), &packet,
                   call->source))
        return AM_OK;
    endpoint->requests_left++;
    const struct am_returned what = nx_am_returned(&packet, entry);
    nx_am_enter(0); /* handler 0 is a handler */
    nx_am_return(endpoint, EUNREACHABLE, AM_REQUEST_M + (int)call->shape, &what);
    nx_am_leave(0);
    return AM_OK;
}

static int check_reply(struct nx_am_running *running, const struct call *call)
{
    if (!running || running != nx_am_runs)
        return nx_am_refuse(call->name, AM_ERR_RESOURCE,
                            "only the handler of a request replies to it, and no such handler runs");
    if (!running->may_reply)
        return nx_am_refuse(call->name, AM_ERR_RESOURCE,
                            "this message has its reply, or is one: a request has exactly one");
    return check_call(call);
}

/* A requester that has been killed misses nothing. */
static void send_reply(const char *call, const struct nx_am_running *running, struct nx_am_packet *packet,
                       const void *bulk)
{
    packet->entry = running->packet->entry;
    packet->life = running->packet->life;
    (void)nx_am_send(call, nx_am_node(running), nx_am_pid(running), nx_am_type(running->packet->source, 1),
                     packet, bulk);
}

static int reply(void *token, const struct call *call)
{
    struct nx_am_running *running = nx_am_find_running(token);
    const int checked = check_reply(running, call);
    if (checked)
        return checked;
    running->may_reply = 0;
    nx_am_poll(call->name, running->endpoint->bundle, PARLEY_TAKES_REPLIES | PARLEY_TAKES_AND_GOES_ON);
    struct nx_am_packet packet;
    fill(&packet, call, running->endpoint, running->packet->tag);
    send_reply(call->name, running, &packet, call->source);
    return AM_OK;
}

void nx_am_end_request(const struct nx_am_running *running, int status)
{
    const struct nx_am_packet *request = running->packet;
    struct nx_am_packet packet;
    const struct call nothing = {.name = "AM_Poll", .handler = 0};
    fill(&packet, &nothing, running->endpoint, request->tag);
    packet.status = status & 15;
    if (status) {
        packet.handler = request->handler;
        packet.shape = request->shape;
        packet.words = request->words;
        memcpy(packet.word, request->word, request->words * sizeof request->word[0]);
        packet.offset = request->bytes; /* how many there were: they do not come back */
    }
    send_reply(nothing.name, running, &packet, 0);
}

static struct call words_alone(const char *name, int handler, int words, const int32_t word[])
{
    struct call call = {.name = name, .handler = handler, .shape = nx_am_short, .words = words};
    memcpy(call.word, word, (size_t)words * sizeof word[0]);
    return call;
}

static int is_handler(int handler)
{
    return (unsigned)handler - 1 < nx_am_handlers - 1;
}

static __attribute__((noinline, cold)) int request_fully(ep_t endpoint, int entry, int handler, int words,
                                                         const struct nx_am_front *packet, const char *name)
{
    const struct call call = words_alone(name, handler, words, packet->word);
    return request(endpoint, entry, &call);
}

static __attribute__((noinline, cold)) int reply_fully(void *token, int handler, int words,
                                                       const struct nx_am_front *packet, const char *name)
{
    const struct call call = words_alone(name, handler, words, packet->word);
    return reply(token, &call);
}

/* A packet of words alone, as numbers, with all the room that may be copied of one. */
union words_packet {
    struct {
        uint64_t front[2];
        int32_t word[nx_am_most_words];
    };
    struct {
        uint64_t tag, rest, pair[(PARLEY_ACTIVE_BYTES - 16) / sizeof(uint64_t)];
    };
};
_Static_assert(sizeof(union words_packet) == PARLEY_ACTIVE_BYTES, "all that may be copied of such a packet");

/* The short way ends in the call that puts the packet, so it saves no registers. What that call refuses, with
 * an answer below 0, is undone, and goes the full way from its beginning: the packet says all of it. It comes
 * as numbers, for whose sake no register has kept its address. */
static __attribute__((noinline, cold)) int request_again(const char *name, uint64_t rest, uint64_t first,
                                                         uint64_t second, uint64_t third, uint64_t fourth)
{
    const union words_packet packet = {.rest = rest, .pair = {first, second, third, fourth}};
    struct nx_am_packet said;
    memcpy(&said, &packet, sizeof packet);
    ep_t endpoint = &nx_am.endpoints[said.source];
    endpoint->requests_left++;
    return request_fully(endpoint, said.entry, said.handler, said.words, (const struct nx_am_front *)&said,
                         name);
}

static __attribute__((noinline, cold)) int reply_again(const char *name, uint64_t rest, uint64_t first,
                                                       uint64_t second, uint64_t third, uint64_t fourth)
{
    const union words_packet packet = {.rest = rest, .pair = {first, second, third, fourth}};
    struct nx_am_packet said;
    memcpy(&said, &packet, sizeof packet);
    struct nx_am_running *running = nx_am_runs;
    running->may_reply = 1;
    return reply_fully((void *)running->token, said.handler, said.words, (const struct nx_am_front *)&said,
                       name);
}

/* Completes the packet of a request of words alone, and puts it. Answers AM_OK or a number below 0:
 * request_again(). */
static inline __attribute__((always_inline)) long put_request(const struct nx_am_entry *to, unsigned long way,
                                                              int handler, int words,
                                                              struct nx_am_front *packet)
{
    packet->tag = to->tag;
    packet->rest = to->rest | nx_am_rest(0, handler, 0, words, 0);
    nx_am_polled_for = nx_am_nobody();
    return nx_am_put(way, to->type, packet, (long)sizeof *packet + 4l * words);
}

static int may_be_short(ep_t endpoint, int entry)
{
    return nx_am_is_endpoint(endpoint) && is_mapped(endpoint, entry) && endpoint->requests_left > 0;
}

/* 0: its messages do not go straight into a queue. */
static unsigned long way_of_requests(struct nx_am_entry *to)
{
    unsigned long way = to->way;
    if (!way) {
        way = nx_am_find_way(to->name.node, to->name.pid, to->type);
        to->way = nx_am_is_lasting(to->name.pid) ? way : 0;
    }
    return way;
}

/* The poll of a request that goes the short way. 0: one of its handlers has taken something from under the
 * request, as its entry. */
static int poll_before_short(ep_t endpoint, int entry, const char *name)
{
    const eb_t bundle = endpoint->bundle;
    if (nx_am_polled_for == bundle->requester || nx_am_has_nothing() || nx_am_passes())
        return 1;
    nx_am_poll(name, bundle, PARLEY_TAKES_AND_GOES_ON);
    return may_be_short(endpoint, entry);
}

/* Such a request, where the short way does not know that the endpoint is one, that its poll would find
 * nothing, or its entry's way; this finds out and polls, and goes the full way where something else is the
 * matter. */
static __attribute__((noinline)) long request_otherwise(ep_t endpoint, int entry, int handler, int words,
                                                        struct nx_am_front *packet, const char *name)
{
    if (is_handler(handler) && nx_am_depth() == 0 && may_be_short(endpoint, entry) &&
        way_of_requests(&endpoint->entries[entry]) && poll_before_short(endpoint, entry, name)) {
        struct nx_am_entry *to = &endpoint->entries[entry];
        const unsigned long way = way_of_requests(to);
        if (way) {
            endpoint->bundle->requester = endpoint;
            endpoint->requests_left--;
            return put_request(to, way, handler, words, packet);
        }
    }
    return request_fully(endpoint, entry, handler, words, packet, name);
}

/* Such a request, for which the short way has just counted a place that there was not. */
static __attribute__((noinline, cold)) int request_later(ep_t endpoint, int entry, int handler, int words,
                                                         struct nx_am_front *packet, const char *name)
{
    endpoint->requests_left++;
    return request_fully(endpoint, entry, handler, words, packet, name);
}

/* A request of words alone. Answers AM_OK, an AM_ERR number, or a number below 0: request_again(). */
static inline __attribute__((always_inline)) long request_words(ep_t endpoint, int entry, int handler,
                                                                int words, struct nx_am_front *packet,
                                                                const char *name)
{
    if (__builtin_expect(endpoint != nx_am_polled_for || (unsigned)entry >= (unsigned)endpoint->entry_count ||
                             !is_handler(handler) || !endpoint->entries[entry].way,
                         0))
        return request_otherwise(endpoint, entry, handler, words, packet, name);
    if (__builtin_expect(--endpoint->requests_left < 0, 0))
        return request_later(endpoint, entry, handler, words, packet, name);
    const struct nx_am_entry *to = &endpoint->entries[entry];
    return put_request(to, to->way, handler, words, packet);
}

/* The way of a reply to the process of pid 0 of a node, once it is known: that pid always leads there. */
static unsigned long reply_ways[1 << PARLEY_NODE_BITS];

static inline int has_known_way(unsigned long sender)
{
    return sender >> PARLEY_PID_SHIFT == 0 && reply_ways[sender & PARLEY_SENDER_NODE];
}

static inline __attribute__((always_inline)) long put_reply(struct nx_am_running *running, unsigned long way,
                                                            int handler, int words,
                                                            struct nx_am_front *packet)
{
    const struct nx_am_packet *request = running->packet;
    packet->tag = request->tag;
    packet->rest = nx_am_rest(request->entry, handler, request->life, words, 0) | running->endpoint->source;
    running->may_reply = 0;
    return nx_am_put(way, nx_am_type(request->source, 1), packet, (long)sizeof *packet + 4l * words);
}

/* A reply where something is the matter, perhaps no more than that its way is not known. */
static __attribute__((noinline)) long reply_otherwise(void *token, int handler, int words,
                                                      struct nx_am_front *packet, const char *name)
{
    struct nx_am_running *running = nx_am_runs;
    if (running->token == (uintptr_t)token && running->may_reply && is_handler(handler) &&
        (nx_am_has_no_reply() || nx_am_passes_of_replies())) {
        const int node = nx_am_node(running), pid = nx_am_pid(running);
        const unsigned long way = has_known_way(running->sender)
                                      ? reply_ways[node]
                                      : nx_am_find_way(node, pid, nx_am_type(running->packet->source, 1));
        if (way && pid == 0)
            reply_ways[node] = way;
        if (way)
            return put_reply(running, way, handler, words, packet);
    }
    return reply_fully(token, handler, words, packet, name);
}

/* As request_words(), for a reply. */
static inline __attribute__((always_inline)) long reply_words(void *token, int handler, int words,
                                                              struct nx_am_front *packet, const char *name)
{
    struct nx_am_running *running = nx_am_runs;
    if (__builtin_expect(running->token != (uintptr_t)token || !running->may_reply || !is_handler(handler) ||
                             !nx_am_has_no_reply() || !has_known_way(running->sender),
                         0))
        return reply_otherwise(token, handler, words, packet, name);
    return put_reply(running, reply_ways[running->sender & PARLEY_SENDER_NODE], handler, words, packet);
}

#define NAMES_0
#define NAMES_1 a0
#define NAMES_2 a0, a1
#define NAMES_3 a0, a1, a2
#define NAMES_4 a0, a1, a2, a3
#define NAMES_5 a0, a1, a2, a3, a4
#define NAMES_6 a0, a1, a2, a3, a4, a5
#define NAMES_7 a0, a1, a2, a3, a4, a5, a6
#define NAMES_8 a0, a1, a2, a3, a4, a5, a6, a7

/* The packet of so many words, which whoever sends it completes. */
#define PACKET(n)                         \
    union words_packet packet;            \
    const int32_t words[n] = {NAMES_##n}; \
    memcpy(packet.word, words, sizeof words)
#define PAIR(n, which) ((n) > 2 * (which) ? packet.pair[which] : 0)
#define SAID(n) packet.rest, PAIR(n, 0), PAIR(n, 1), PAIR(n, 2), PAIR(n, 3)
#define BULK(text, n, handler, kind, where, source, bytes)          \
    &(struct call)                                                  \
    {                                                               \
        #text #n, (handler), (kind), (where), (source), (bytes), n, \
        {                                                           \
            NAMES_##n                                               \
        }                                                           \
    }

#define CALLS(n)                                                                                          \
    int AM_Request##n(ep_t endpoint, int entry, int handler PARLEY_AM_INTS_##n)                           \
    {                                                                                                     \
        PACKET(n);                                                                                        \
        const long answer =                                                                               \
            request_words(endpoint, entry, handler, n, (struct nx_am_front *)&packet, "AM_Request" #n);   \
        if (__builtin_expect(answer < 0, 0))                                                              \
            return request_again("AM_Request" #n, SAID(n));                                               \
        return (int)answer;                                                                               \
    }                                                                                                     \
    int AM_RequestI##n(ep_t endpoint, int entry, int handler, const void *source,                         \
                       size_t bytes PARLEY_AM_INTS_##n)                                                   \
    {                                                                                                     \
        return request(endpoint, entry, BULK(AM_RequestI, n, handler, nx_am_medium, 0, source, bytes));   \
    }                                                                                                     \
    int AM_RequestXfer##n(ep_t endpoint, int entry, uintptr_t offset, int handler, const void *source,    \
                          size_t bytes PARLEY_AM_INTS_##n)                                                \
    {                                                                                                     \
        return request(endpoint, entry,                                                                   \
                       BULK(AM_RequestXfer, n, handler, nx_am_long, offset, source, bytes));              \
    }                                                                                                     \
    int AM_Reply##n(void *token, int handler PARLEY_AM_INTS_##n)                                          \
    {                                                                                                     \
        PACKET(n);                                                                                        \
        const long answer = reply_words(token, handler, n, (struct nx_am_front *)&packet, "AM_Reply" #n); \
        if (__builtin_expect(answer < 0, 0))                                                              \
            return reply_again("AM_Reply" #n, SAID(n));                                                   \
        return (int)answer;                                                                               \
    }                                                                                                     \
    int AM_ReplyI##n(void *token, int handler, const void *source, size_t bytes PARLEY_AM_INTS_##n)       \
    {                                                                                                     \
        return reply(token, BULK(AM_ReplyI, n, handler, nx_am_medium, 0, source, bytes));                 \
    }                                                                                                     \
    int AM_ReplyXfer##n(void *token, uintptr_t offset, int handler, const void *source,                   \
                        size_t bytes PARLEY_AM_INTS_##n)                                                  \
    {                                                                                                     \
        return reply(token, BULK(AM_ReplyXfer, n, handler, nx_am_long, offset, source, bytes));           \
    }

CALLS(0)
CALLS(1)
CALLS(2)
CALLS(3)
CALLS(4)
CALLS(5)
CALLS(6)
CALLS(7)
CALLS(8)
