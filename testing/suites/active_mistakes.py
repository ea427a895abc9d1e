# SPDX-License-Identifier: MIT
"""What programs do wrong with Active Messages, and what they are told, booted and on Linux."""

NINE_WORDS = """
#include <am.h>
int main(void)
{
    return AM_Request8(0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9);
}
"""
NINE_WORDS_ARE = "too many arguments to function"

_PROGRAM = """
#include "apps/support/am_job.h"
#include <string.h>
enum { ask = 1, answer };
static const char *mistake;
static char bulk[AM_MaxMedium() + 1];
static int asked, answered;
static int is(const char *name) { return !strcmp(mistake, name); }
static void says(void *token)
{
    asked++;
    %s
}
static void hears(void *token)
{
    (void)token;
    answered++;
    %s
}
static void begin(void)
{
    am_job_begin();
    am_must(AM_SetHandler(am_job.endpoint, ask, says));
    am_must(AM_SetHandler(am_job.endpoint, answer, hears));
}
int main(int count, char **arguments)
{
    eb_t bundle;
    mistake = arguments[count - 1];
    %s
    return 0;
}
"""
_BEGIN = "begin();"
_ASK = _BEGIN + " am_must(AM_Request0(am_job.endpoint, 0, ask)); AM_JOB_UNTIL(asked && answered);"
_BACK = " the message has come back: "

# By a name: what the program does, in the handler of a request and in that of a reply besides; what it is
# told; and its status.
MISTAKES = {
    "no_beginning": ("AM_SetTag(0, 5);", "", "", "AM_SetTag: AM_Init has not been called", 0),
    "threads": (
        "AM_Init(); AM_AllocateBundle(AM_PAR, &bundle);",
        "",
        "",
        "AM_AllocateBundle: AM_PAR: threads of a program cannot share a bundle here; take AM_SEQ",
        0,
    ),
    "handler_out_of_range": (
        _BEGIN + " AM_Request0(am_job.endpoint, 0, 300);",
        "",
        "",
        "AM_Request0: messages are for handlers 1 to 255",
        0,
    ),
    "too_much_bulk": (
        _BEGIN + " AM_RequestI0(am_job.endpoint, 0, ask, bulk, sizeof bulk);",
        "",
        "",
        "AM_RequestI0: a message has at most 8192 bytes of bulk",
        0,
    ),
    "unmapped_destination": (
        _BEGIN + " AM_Request1(am_job.endpoint, 200, ask, 1);",
        "",
        "",
        "AM_Request1: no destination is mapped there",
        0,
    ),
    "reply_outside_of_a_handler": (
        _BEGIN + " AM_Reply0((void *)1, answer);",
        "",
        "",
        "AM_Reply0: only the handler of a request replies to it, and no such handler runs",
        0,
    ),
    "two_replies": (
        _ASK,
        "AM_Reply0(token, answer); AM_Reply0(token, answer);",
        "",
        "AM_Reply0: this message has its reply, or is one: a request has exactly one",
        0,
    ),
    "reply_to_a_reply": (
        _ASK,
        "AM_Reply0(token, answer);",
        "AM_Reply0(token, answer);",
        "AM_Reply0: this message has its reply, or is one: a request has exactly one",
        0,
    ),
    "request_in_a_requests_handler": (
        _ASK,
        "AM_Request0(am_job.endpoint, 0, ask); AM_Reply0(token, answer);",
        "",
        "AM_Request0: a handler makes no request: that of a request may reply, that of a reply sends nothing",
        0,
    ),
    "request_in_a_replys_handler": (
        _ASK,
        "AM_Reply0(token, answer);",
        "AM_Request0(am_job.endpoint, 0, ask);",
        "AM_Request0: a handler makes no request: that of a request may reply, that of a reply sends nothing",
        0,
    ),
    "poll_in_a_handler": (
        _ASK,
        "AM_Poll(am_job.bundle); AM_Reply0(token, answer);",
        "",
        "AM_Poll: a handler may not poll",
        0,
    ),
    "wait_in_a_handler": (
        _ASK,
        "AM_WaitSema(am_job.bundle); AM_Reply0(token, answer);",
        "",
        "AM_WaitSema: a handler may not wait for messages",
        0,
    ),
    "no_such_handler": (
        _BEGIN + " AM_Request2(am_job.endpoint, 0, 9, 1, 2); AM_JOB_UNTIL(0);",
        "",
        "",
        "AM_Request(entry 0, handler 9, 2 words, 0 bytes):" + _BACK + "the destination has no such handler",
        1,
    ),
    "wrong_tag": (
        _BEGIN + " AM_SetTag(am_job.endpoint, 3); AM_Request1(am_job.endpoint, 0, ask, 7); AM_JOB_UNTIL(0);",
        "",
        "",
        "AM_Request(entry 0, handler 1, 1 words, 0 bytes):" + _BACK + "its tag is not the destination's",
        1,
    ),
    "bytes_beyond_the_segment": (
        _BEGIN + " AM_RequestXfer0(am_job.endpoint, 0, 0, ask, bulk, 64); AM_JOB_UNTIL(0);",
        "",
        "",
        "AM_RequestXfer(entry 0, handler 1, 0 words, 64 bytes):"
        + _BACK
        + "its bytes go beyond the end of the destination's segment",
        1,
    ),
}

# Whoever makes the calls of the library's own may send what no process of this layer does. Node 0 goes on.
DAMAGED = """
#include "apps/support/am_job.h"
#include "userlib/am/packet.h"
#include "userlib/nx/operations.h"
#include <nx.h>
#include <stdio.h>
static void send_damaged(int kind)
{
    struct nx_am_packet packet = {.tag = AM_ALL, .handler = 9};
    long length = nx_am_length(&packet);
    switch (kind) {
    case 0: packet.words = 15; break;
    case 1: packet.shape = 7; break;
    case 2: packet.source = 15; break;
    case 3: packet.status = 15; break;
    case 4: packet.words = 4; break; /* that have not come */
    case 5: packet.shape = nx_am_long; break; /* whose offset has not come */
    case 6: packet.bytes = 100, packet.shape = nx_am_medium, length = 64; break; /* of bulk that is nowhere */
    default: length = 8;
    }
    for (int is_reply = 0; is_reply < 2; is_reply++) {
        const long type = nx_am_type(0, is_reply);
        const long way = NX_CALL(find_active, type, 0, nx_address(0, nx_active));
        if (way > 0)
            NX_CALL(send_active, way, type | length << 32, (unsigned long)&packet);
        else
            nx_send(type, &packet, length, 0, nx_address(0, nx_active));
    }
}
static void heard(void *token, int word)
{
    (void)token, (void)word;
    printf("a handler has run\\n");
}
int main(void)
{
    am_job_begin();
    AM_SetTag(am_job.endpoint, AM_ALL);
    AM_SetHandler(am_job.endpoint, 9, (am_function)heard);
    if (mynode() == 0) {
        crecv(5, 0, 0);
        for (int i = 0; i < 20; i++)
            AM_Poll(am_job.bundle);
        printf("goes on\\n");
        return 0;
    }
    for (int kind = 0; kind < 8; kind++)
        send_damaged(kind);
    csend(5, 0, 0, 0, 0);
    return 0;
}
"""


def _chosen(part: int) -> str:
    parts = {name: mistake[part] for name, mistake in MISTAKES.items()}
    return "\n    ".join(f'if (is("{name}")) {{ {code} }}' for name, code in parts.items() if code)


def program() -> str:
    """It makes the mistake that its argument names."""
    return _PROGRAM % (_chosen(1), _chosen(2), _chosen(0))


def told(mistake: str) -> str:
    return f"node 0, pid 0: {MISTAKES[mistake][3]}\n"


def status(mistake: str) -> int:
    return MISTAKES[mistake][4]
