/* SPDX-License-Identifier: MIT */
/* Active Messages from Fortran: the calls of am.h as INTEGER functions, with arguments by reference. Bundles,
 * endpoints and tokens are INTEGER*8, as tags are, and an endpoint's name is three INTEGERs. Handlers are
 * EXTERNAL subroutines: the layer calls one function here for all of them, and that calls the subroutine
 * which the message is for, with its words by reference. */
#include "userlib/fortran/active.h"
#include "userlib/am/layer.h"

#include <am.h>
#include <string.h>

typedef void (*subroutine)();

/* The subroutines of each endpoint's handlers. */
static subroutine handlers[nx_am_most_endpoints][nx_am_handlers];

/* A handler that nobody has set here was set by C. */
static subroutine *place_of(ep_t endpoint, int handler)
{
    return &handlers[nx_am_number(endpoint)][handler];
}

/* The words that a packet does not have are 0. */
static void run_subroutine(void *token)
{
    const struct nx_am_running *running = nx_am_find_running(token);
    const struct nx_am_packet *packet = running->packet;
    int64_t id = (int64_t)running->token;
    int32_t w[nx_am_most_words] = {0};
    memcpy(w, packet->word, packet->words * sizeof w[0]);
    const subroutine run = *place_of(running->endpoint, packet->handler);
    if (packet->shape == nx_am_short) {
        ((void (*)(int64_t *, int32_t *, int32_t *, int32_t *, int32_t *, int32_t *, int32_t *, int32_t *,
                   int32_t *))run)(&id, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7);
        return;
    }
    int bytes = packet->bytes;
    ((void (*)(int64_t *, const void *, int *, int32_t *, int32_t *, int32_t *, int32_t *, int32_t *,
               int32_t *, int32_t *, int32_t *))run)(&id, running->bulk, &bytes, w, w + 1, w + 2, w + 3,
                                                     w + 4, w + 5, w + 6, w + 7);
}

/* Handler 0. */
static void run_returned(int status, op_t opcode, void *argument)
{
    const struct am_returned *what = argument;
    int entry = what->entry, handler = what->handler, words = what->words, bytes = (int)what->bytes;
    int32_t w[nx_am_most_words];
    memcpy(w, what->word, sizeof w);
    ((void (*)(int *, op_t *, int *, int *, int *, int32_t *, int *))*place_of(nx_am.returning, 0))(
        &status, &opcode, &entry, &handler, &words, w, &bytes);
}

#define ENDPOINT(e) ((ep_t)(uintptr_t)*(e))
#define BUNDLE(b) ((eb_t)(uintptr_t)*(b))
#define TOKEN(t) ((void *)(uintptr_t)*(t))

int am_init_(void)
{
    return AM_Init();
}
int am_terminate_(void)
{
    return AM_Terminate();
}

int am_allocatebundle_(const int *kind, int64_t *bundle)
{
    eb_t made = 0;
    const int answer = AM_AllocateBundle(*kind, &made);
    if (answer == AM_OK)
        *bundle = (int64_t)(uintptr_t)made;
    return answer;
}
int am_freebundle_(const int64_t *bundle)
{
    return AM_FreeBundle(BUNDLE(bundle));
}

int am_allocateendpoint_(const int64_t *bundle, int64_t *endpoint, int name[3])
{
    ep_t made = 0;
    const int answer = AM_AllocateEndpoint(BUNDLE(bundle), &made, (en_t *)name);
    if (answer != AM_OK)
        return answer;
    memset(handlers[nx_am_number(made)], 0, sizeof handlers[0]);
    *endpoint = (int64_t)(uintptr_t)made;
    return answer;
}
int am_freeendpoint_(const int64_t *endpoint)
{
    return AM_FreeEndpoint(ENDPOINT(endpoint));
}
int am_moveendpoint_(const int64_t *endpoint, const int64_t *from, const int64_t *to)
{
    return AM_MoveEndpoint(ENDPOINT(endpoint), BUNDLE(from), BUNDLE(to));
}

int am_settag_(const int64_t *endpoint, const int64_t *tag)
{
    return AM_SetTag(ENDPOINT(endpoint), (tag_t)*tag);
}
int am_gettag_(const int64_t *endpoint, int64_t *tag)
{
    return AM_GetTag(ENDPOINT(endpoint), (tag_t *)tag);
}
int am_setseg_(const int64_t *endpoint, void *first, const int64_t *bytes)
{
    return AM_SetSeg(ENDPOINT(endpoint), first, (uintptr_t)*bytes);
}
int am_getseg_(const int64_t *endpoint, int64_t *address, int64_t *bytes)
{
    return AM_GetSeg(ENDPOINT(endpoint), (void **)address, (uintptr_t *)bytes);
}
int am_maxseglength_(int64_t *bytes)
{
    *bytes = INT64_MAX;
    return AM_OK;
}

int am_map_(const int64_t *endpoint, const int *entry, const int name[3], const int64_t *tag)
{
    return AM_Map(ENDPOINT(endpoint), *entry, (en_t){name[0], name[1], name[2]}, (tag_t)*tag);
}
int am_mapany_(const int64_t *endpoint, int *entry, const int name[3], const int64_t *tag)
{
    return AM_MapAny(ENDPOINT(endpoint), entry, (en_t){name[0], name[1], name[2]}, (tag_t)*tag);
}
int am_unmap_(const int64_t *endpoint, const int *entry)
{
    return AM_UnMap(ENDPOINT(endpoint), *entry);
}
int am_gettranslationinuse_(const int64_t *endpoint, const int *entry)
{
    return AM_GetTranslationInuse(ENDPOINT(endpoint), *entry);
}
int am_gettranslationname_(const int64_t *endpoint, const int *entry, int name[3])
{
    return AM_GetTranslationName(ENDPOINT(endpoint), *entry, (en_t *)name);
}
int am_gettranslationtag_(const int64_t *endpoint, const int *entry, int64_t *tag)
{
    return AM_GetTranslationTag(ENDPOINT(endpoint), *entry, (tag_t *)tag);
}
int am_getnumtranslations_(const int64_t *endpoint, int *entries)
{
    return AM_GetNumTranslations(ENDPOINT(endpoint), entries);
}
int am_setnumtranslations_(const int64_t *endpoint, const int *entries)
{
    return AM_SetNumTranslations(ENDPOINT(endpoint), *entries);
}
int am_maxnumtranslations_(int *entries)
{
    return AM_MaxNumTranslations(entries);
}
int am_setexpectedresources_(const int64_t *endpoint, const int *endpoints, const int *requests)
{
    return AM_SetExpectedResources(ENDPOINT(endpoint), *endpoints, *requests);
}

int am_sethandler_(const int64_t *endpoint, const int *handler, subroutine function)
{
    const am_function run = *handler == 0 ? (am_function)run_returned : (am_function)run_subroutine;
    const int answer = nx_am_set_handler(ENDPOINT(endpoint), *handler, run);
    if (answer == AM_OK)
        *place_of(ENDPOINT(endpoint), *handler) = function;
    return answer;
}
int am_sethandlerany_(const int64_t *endpoint, int *handler, subroutine function)
{
    handler_t chosen = 0;
    const int answer = nx_am_set_handler_any(ENDPOINT(endpoint), &chosen, (am_function)run_subroutine);
    if (answer != AM_OK)
        return answer;
    *place_of(ENDPOINT(endpoint), chosen) = function;
    *handler = chosen;
    return answer;
}
int am_getnumhandlers_(const int64_t *endpoint, int *count)
{
    return AM_GetNumHandlers(ENDPOINT(endpoint), count);
}
int am_setnumhandlers_(const int64_t *endpoint, const int *count)
{
    return AM_SetNumHandlers(ENDPOINT(endpoint), *count);
}

int am_getsourceendpoint_(const int64_t *token, int name[3])
{
    return AM_GetSourceEndpoint(TOKEN(token), (en_t *)name);
}
int am_getdestendpoint_(const int64_t *token, int64_t *endpoint)
{
    return AM_GetDestEndpoint(TOKEN(token), (ep_t *)endpoint);
}
int am_getmsgtag_(const int64_t *token, int64_t *tag)
{
    return AM_GetMsgTag(TOKEN(token), (tag_t *)tag);
}

int am_poll_(const int64_t *bundle)
{
    return AM_Poll(BUNDLE(bundle));
}
int am_geteventmask_(const int64_t *bundle, int *mask)
{
    return AM_GetEventMask(BUNDLE(bundle), mask);
}
int am_seteventmask_(const int64_t *bundle, const int *mask)
{
    return AM_SetEventMask(BUNDLE(bundle), *mask);
}
int am_waitsema_(const int64_t *bundle)
{
    return AM_WaitSema(BUNDLE(bundle));
}

/* As many bytes as a C program would say: a number below 0 is refused as one that is too large. */
#define BYTES(b) ((size_t)(long)*(b))

#define WORDS_0
#define WORDS_1 , *a0
#define WORDS_2 WORDS_1, *a1
#define WORDS_3 WORDS_2, *a2
#define WORDS_4 WORDS_3, *a3
#define WORDS_5 WORDS_4, *a4
#define WORDS_6 WORDS_5, *a5
#define WORDS_7 WORDS_6, *a6
#define WORDS_8 WORDS_7, *a7
#define CALLS(n)                                                                                             \
    int am_request##n##_(const int64_t *endpoint, const int *entry, const int *handler NX_AM_REFERENCES_##n) \
    {                                                                                                        \
        return AM_Request##n(ENDPOINT(endpoint), *entry, *handler WORDS_##n);                                \
    }                                                                                                        \
    int am_requesti##n##_(const int64_t *endpoint, const int *entry, const int *handler, const void *source, \
                          const int *bytes NX_AM_REFERENCES_##n)                                             \
    {                                                                                                        \
        return AM_RequestI##n(ENDPOINT(endpoint), *entry, *handler, source, BYTES(bytes) WORDS_##n);         \
    }                                                                                                        \
    int am_requestxfer##n##_(const int64_t *endpoint, const int *entry, const int64_t *offset,               \
                             const int *handler, const void *source, const int *bytes NX_AM_REFERENCES_##n)  \
    {                                                                                                        \
        return AM_RequestXfer##n(ENDPOINT(endpoint), *entry, (uintptr_t)*offset, *handler, source,           \
                                 BYTES(bytes) WORDS_##n);                                                    \
    }                                                                                                        \
    int am_reply##n##_(const int64_t *token, const int *handler NX_AM_REFERENCES_##n)                        \
    {                                                                                                        \
        return AM_Reply##n(TOKEN(token), *handler WORDS_##n);                                                \
    }                                                                                                        \
    int am_replyi##n##_(const int64_t *token, const int *handler, const void *source,                        \
                        const int *bytes NX_AM_REFERENCES_##n)                                               \
    {                                                                                                        \
        return AM_ReplyI##n(TOKEN(token), *handler, source, BYTES(bytes) WORDS_##n);                         \
    }                                                                                                        \
    int am_replyxfer##n##_(const int64_t *token, const int64_t *offset, const int *handler,                  \
                           const void *source, const int *bytes NX_AM_REFERENCES_##n)                        \
    {                                                                                                        \
        return AM_ReplyXfer##n(TOKEN(token), (uintptr_t)*offset, *handler, source, BYTES(bytes) WORDS_##n);  \
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
