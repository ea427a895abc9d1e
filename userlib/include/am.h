/* SPDX-License-Identifier: MIT */
/* Active Messages II for C and C++, beside NX/2 in the same program: docs/active-messages.md. Every call
 * answers AM_OK or an AM_ERR number, and says in one sentence on standard error why it is not AM_OK. Only the
 * process that has made a bundle may use it. */
#ifndef PARLEY_AM_H
#define PARLEY_AM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t tag_t;
typedef uint8_t handler_t; /* calls take an int, so that a number above 255 is refused and not cut */
typedef int op_t;
typedef struct am_bundle *eb_t;
typedef struct am_endpoint *ep_t;
/* An endpoint's name in its job. Whoever wants to send there is told it, for example by NX's gcol. */
typedef struct {
    int node;
    int pid;
    int endpoint;
} en_t;

#ifdef __cplusplus
typedef void (*am_function)(...);
#else
typedef void (*am_function)(); /* handlers have as many parameters as their messages have words */
#endif

/* What calls answer. */
#define AM_OK 0
#define AM_ERR_NOT_INIT 1 /* before AM_Init, or AM_WaitSema without an event mask */
#define AM_ERR_BAD_ARG 2
#define AM_ERR_RESOURCE 3 /* not now, not here, or no more of them */
#define AM_ERR_NOT_SENT 4 /* no call answers this */
#define AM_ERR_IN_USE 5

/* Why a message comes back, as handler 0 is told. */
#define EBADARGS 1
#define EBADENTRY 2
#define EBADTAG 3
#define EBADHANDLER 4  /* the destination has no such handler */
#define EBADSEGOFF 5   /* the offset is not in the destination's segment */
#define EBADLENGTH 6   /* the bytes go beyond the segment's end */
#define EBADENDPOINT 7 /* the process has no such endpoint */
#define ECONGESTION 8
#define EUNREACHABLE 9 /* the send has found the process killed; not every design's does */
#define EREPLYREJECTED 10

/* What kind of message has come back. */
#define AM_REQUEST_M 1
#define AM_REQUEST_IM 2
#define AM_REQUEST_XFER_M 3
#define AM_REPLY_M 4
#define AM_REPLY_IM 5
#define AM_REPLY_XFER_M 6

/* What handler 0, void f(int status, op_t opcode, void *), gets last; it is valid until that returns. */
struct am_returned {
    int entry; /* of the table of destinations; -1 for a reply */
    int handler;
    int words;
    int32_t word[8];
    size_t bytes; /* of bulk, which do not come back */
};

enum { AM_NONE = 0, AM_ALL = 1 };          /* tags: no message is let in, every message is */
enum { AM_NOEVENTS = 0, AM_NOTEMPTY = 1 }; /* event masks */
enum { AM_SEQ = 0, AM_PAR = 1 };           /* kinds of bundles; AM_PAR is refused */

#define AM_MaxShort() 8
#define AM_MaxMedium() 8192
#define AM_MaxLong() 8192
#define AM_MaxNumHandlers() 256
#define AM_MaxNumTranslations(entries) (*(entries) = 4096, AM_OK)
int AM_MaxSegLength(uintptr_t *bytes);

/* The layer. Init may be called again; Terminate frees all endpoints and bundles. */
int AM_Init(void);
int AM_Terminate(void);

/* Bundles are polled as one. A process has at most 15 endpoints. A new endpoint lets no message in, has no
 * destinations, and has only handler 0, which ends the program with a sentence. */
int AM_AllocateBundle(int kind, eb_t *bundle);
int AM_FreeBundle(eb_t bundle);
int AM_AllocateEndpoint(eb_t bundle, ep_t *endpoint, en_t *name);
int AM_FreeEndpoint(ep_t endpoint);
int AM_MoveEndpoint(ep_t endpoint, eb_t from, eb_t to);

/* Only messages that carry the tag are let in here. */
int AM_SetTag(ep_t endpoint, tag_t tag);
int AM_GetTag(ep_t endpoint, tag_t *tag);
/* Where long messages may be put. */
int AM_SetSeg(ep_t endpoint, void *address, uintptr_t bytes);
int AM_GetSeg(ep_t endpoint, void **address, uintptr_t *bytes);

/* Destinations, by small numbers. IN_USE: map one only after it has been unmapped. */
int AM_Map(ep_t endpoint, int entry, en_t name, tag_t tag);
int AM_MapAny(ep_t endpoint, int *entry, en_t name, tag_t tag);
int AM_UnMap(ep_t endpoint, int entry);
int AM_GetTranslationInuse(ep_t endpoint, int entry); /* AM_OK, or AM_ERR_RESOURCE: it is free */
int AM_GetTranslationName(ep_t endpoint, int entry, en_t *name);
int AM_GetTranslationTag(ep_t endpoint, int entry, tag_t *tag);
int AM_GetNumTranslations(ep_t endpoint, int *entries);
int AM_SetNumTranslations(ep_t endpoint, int entries);
/* How many requests may be without their replies, at most 256: one more polls until a reply has come. 16
 * unless this says otherwise. */
int AM_SetExpectedResources(ep_t endpoint, int endpoints, int requests);

/* Handlers: void f(void *token, int word0, ...), and for bulk void f(void *token, void *buffer, size_t bytes,
 * int word0, ...). They run in calls of this header only, and one at a time. The handler of a request may
 * reply, once; where it does not, the layer replies for it. It makes no request, and that of a reply sends
 * nothing. A medium message's buffer is the layer's again when the handler returns. */
int nx_am_set_handler(ep_t endpoint, int handler, am_function function);
int nx_am_set_handler_any(ep_t endpoint, handler_t *handler, am_function function);
#define AM_SetHandler(endpoint, handler, function) \
    nx_am_set_handler((endpoint), (handler), (am_function)(function))
#define AM_SetHandlerAny(endpoint, handler, function) \
    nx_am_set_handler_any((endpoint), (handler), (am_function)(function))
int AM_GetNumHandlers(ep_t endpoint, int *handlers);
int AM_SetNumHandlers(ep_t endpoint, int handlers);

/* In a handler: about its message. */
int AM_GetSourceEndpoint(void *token, en_t *name);
int AM_GetDestEndpoint(void *token, ep_t *endpoint);
int AM_GetMsgTag(void *token, tag_t *tag);

/* Runs the handlers of what has come for the bundle: of at most four messages from the own machine or
 * multiprocessor, and of as many from others. */
int AM_Poll(eb_t bundle);
int AM_GetEventMask(eb_t bundle, int *mask);
int AM_SetEventMask(eb_t bundle, int mask);
/* Waits until something has come for the bundle, and runs no handler. */
int AM_WaitSema(eb_t bundle);

/* Requests and replies with 0 to 8 words: short ones; medium ones (I) with up to 8192 bytes, which the
 * handler finds in a buffer; long ones (Xfer), whose bytes are in the destination's segment, from the offset
 * on, before the handler runs. The source may be used again when the call returns.
 *
 * A request polls its bundle first, unless a poll of the bundle has run a handler since the last request:
 * that poll was for it. A reply polls for replies only, unless all has been taken that was there when the
 * poll began in which the reply is sent. So there is a poll for all of the bundle's messages between any two
 * requests, as the poll rules of Lumetta's section 3.4.2 ask. Those are for senders that wait for room: here
 * whoever finds a queue full empties it, so room in a queue never waits for another's poll. What a queue has
 * been emptied of, and bulk, lies in the job's memory for messages until its receiver takes it. Where all of
 * that memory is used up, a send waits until somebody takes messages, and runs no handler meanwhile; a job in
 * which everybody waits so ends with a report. */
#define PARLEY_AM_INTS_0
#define PARLEY_AM_INTS_1 , int a0
#define PARLEY_AM_INTS_2 PARLEY_AM_INTS_1, int a1
#define PARLEY_AM_INTS_3 PARLEY_AM_INTS_2, int a2
#define PARLEY_AM_INTS_4 PARLEY_AM_INTS_3, int a3
#define PARLEY_AM_INTS_5 PARLEY_AM_INTS_4, int a4
#define PARLEY_AM_INTS_6 PARLEY_AM_INTS_5, int a5
#define PARLEY_AM_INTS_7 PARLEY_AM_INTS_6, int a6
#define PARLEY_AM_INTS_8 PARLEY_AM_INTS_7, int a7
#define PARLEY_AM_CALLS(n)                                                                             \
    int AM_Request##n(ep_t endpoint, int entry, int handler PARLEY_AM_INTS_##n);                       \
    int AM_RequestI##n(ep_t endpoint, int entry, int handler, const void *source,                      \
                       size_t bytes PARLEY_AM_INTS_##n);                                               \
    int AM_RequestXfer##n(ep_t endpoint, int entry, uintptr_t offset, int handler, const void *source, \
                          size_t bytes PARLEY_AM_INTS_##n);                                            \
    int AM_Reply##n(void *token, int handler PARLEY_AM_INTS_##n);                                      \
    int AM_ReplyI##n(void *token, int handler, const void *source, size_t bytes PARLEY_AM_INTS_##n);   \
    int AM_ReplyXfer##n(void *token, uintptr_t offset, int handler, const void *source,                \
                        size_t bytes PARLEY_AM_INTS_##n);
PARLEY_AM_CALLS(0)
PARLEY_AM_CALLS(1)
PARLEY_AM_CALLS(2)
PARLEY_AM_CALLS(3)
PARLEY_AM_CALLS(4)
PARLEY_AM_CALLS(5)
PARLEY_AM_CALLS(6)
PARLEY_AM_CALLS(7)
PARLEY_AM_CALLS(8)

#ifdef __cplusplus
}
#endif

#endif
