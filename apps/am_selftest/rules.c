/* SPDX-License-Identifier: MIT */
/* What handlers may do and when they run; tags; bundles; and NX/2 in the same program. */
#include "am_selftest.h"

enum { request = 1, answer = 2, type_nx = 5 };
enum shape { short_request, medium_request, long_request };

static int next(void)
{
    return (int)((mynode() + 1) % numnodes());
}

static void handlers_run_in_calls_only(void)
{
    AM_SetHandler(am_job.endpoint, request, count_short);
    am_job_meet();
    CHECK(AM_Request1(am_job.endpoint, next(), request, 1) == AM_OK);
    const long before = seen.count; /* the poll of the request may have found one */
    gsync(); /* now it has come for certain, where messages are not carried by others */
    for (volatile int i = 0; i < 100000; i++) { }
    CHECK(seen.count == before);
    AM_JOB_UNTIL(seen.count == 1);
}

static void a_poll_takes_four_messages(void)
{
    AM_SetHandler(am_job.endpoint, request, count_short);
    am_job_meet();
    if (mynode() == 1)
        for (int i = 0; i < 10; i++)
            CHECK(AM_Request1(am_job.endpoint, 0, request, i) == AM_OK);
    if (mynode() == 0) {
        AM_JOB_UNTIL(seen.count > 0);
        while (seen.count < 10) {
            const long before = seen.count;
            CHECK(AM_WaitSema(am_job.bundle) == AM_OK);
            CHECK(AM_Poll(am_job.bundle) == AM_OK);
            CHECK(seen.count - before <= 4);
        }
    }
}

/* ---- one reply ---- */

static void no_reply(void *token, int word)
{
    count_short(token, word);
}

static void the_layer_replies(void)
{
    AM_SetHandler(am_job.endpoint, request, no_reply);
    CHECK(AM_SetExpectedResources(am_job.endpoint, (int)numnodes(), 1) == AM_OK);
    am_job_meet();
    for (int i = 0; i < 10; i++)
        CHECK(AM_Request1(am_job.endpoint, next(), request, i) == AM_OK);
    AM_JOB_UNTIL(seen.count == 10);
    CHECK(seen.sum == 45);
}

static void *old_token;

static void reply_twice(void *token, int word)
{
    old_token = token;
    CHECK(AM_Reply1(token, answer, word) == AM_OK);
    CHECK(AM_Reply1(token, answer, word) == AM_ERR_RESOURCE);
}

static void replies_are_one_and_in_time(void)
{
    AM_SetHandler(am_job.endpoint, request, reply_twice);
    AM_SetHandler(am_job.endpoint, answer, count_short);
    old_token = 0;
    am_job_meet();
    CHECK(AM_Request1(am_job.endpoint, next(), request, 7) == AM_OK);
    AM_JOB_UNTIL(seen.count == 1 && old_token);
    CHECK(AM_Reply0(old_token, answer) == AM_ERR_RESOURCE);
    CHECK(AM_Reply0(0, answer) == AM_ERR_RESOURCE);
    am_job_meet();
    CHECK(seen.count == 1 && seen.sum == 7);
}

/* ---- what a handler may not do ---- */

static void try_all(void *token)
{
    (void)token;
    seen.sum++;
    CHECK(AM_Request0(am_job.endpoint, 0, request) == AM_ERR_RESOURCE);
    CHECK(AM_Poll(am_job.bundle) == AM_ERR_RESOURCE);
    CHECK(AM_SetNumTranslations(am_job.endpoint, 300) == AM_ERR_IN_USE);
    CHECK(AM_WaitSema(am_job.bundle) == AM_ERR_RESOURCE);
    CHECK(AM_Terminate() == AM_ERR_RESOURCE);
}

static void try_in_request(void *token)
{
    try_all(token);
    CHECK(AM_Reply0(token, answer) == AM_OK);
}

static void try_in_reply(void *token)
{
    try_all(token);
    CHECK(AM_Reply0(token, answer) == AM_ERR_RESOURCE);
}

static void handlers_only_reply(void)
{
    AM_SetHandler(am_job.endpoint, request, try_in_request);
    AM_SetHandler(am_job.endpoint, answer, try_in_reply);
    am_job_meet();
    CHECK(AM_Request0(am_job.endpoint, next(), request) == AM_OK);
    AM_JOB_UNTIL(seen.sum == 2);
}

static void note_source(void *token, int node)
{
    en_t source;
    ep_t mine;
    tag_t tag;
    CHECK(AM_GetSourceEndpoint(token, &source) == AM_OK && source.node == node && source.pid == 0);
    CHECK(AM_GetDestEndpoint(token, &mine) == AM_OK && mine == am_job.endpoint);
    CHECK(AM_GetMsgTag(token, &tag) == AM_OK && tag == am_job_tag);
    seen.count++;
}

static void handlers_know_their_message(void)
{
    AM_SetHandler(am_job.endpoint, request, note_source);
    am_job_meet();
    CHECK(AM_Request1(am_job.endpoint, next(), request, (int)mynode()) == AM_OK);
    AM_JOB_UNTIL(seen.count == 1);
    en_t source;
    CHECK(AM_GetSourceEndpoint(0, &source) == AM_ERR_BAD_ARG);
}

/* ---- what a handler takes from under a request ---- */

static void unmap(void *token, int entry)
{
    (void)token;
    seen.count++;
    CHECK(AM_UnMap(am_job.endpoint, entry) == AM_OK);
}

static int request_of(enum shape shape, int entry)
{
    switch (shape) {
    case short_request: return AM_Request1(am_job.endpoint, entry, request, entry);
    case medium_request: return AM_RequestI1(am_job.endpoint, entry, request, "x", 1, entry);
    default: return AM_RequestXfer1(am_job.endpoint, entry, 0, request, "x", 1, entry);
    }
}

/* There is room for one request, so the second waits until the handler of the first has run. */
static void handlers_unmap(void)
{
    const int entry = (int)numnodes();
    AM_SetHandler(am_job.endpoint, request, unmap);
    CHECK(AM_SetExpectedResources(am_job.endpoint, entry, 1) == AM_OK);
    for (enum shape shape = short_request; shape <= long_request; shape++) {
        CHECK(AM_Map(am_job.endpoint, entry, am_job.name, am_job_tag) == AM_OK);
        CHECK(AM_Request1(am_job.endpoint, (int)mynode(), request, entry) == AM_OK);
        CHECK(request_of(shape, entry) == AM_ERR_BAD_ARG);
    }
    am_job_meet(); /* by then what went astray would have come back */
    CHECK(seen.count == 3 && seen.returned == 0);
}

/* ---- tags and bundles ---- */

static long let_in, replied;

static void count_let_in(void *token)
{
    let_in++;
    CHECK(AM_Reply0(token, answer) == AM_OK);
}

static void count_reply(void *token)
{
    (void)token;
    replied++;
}

static void try_tag(tag_t tag, int is_let_in)
{
    ep_t guarded;
    en_t name;
    long sent;
    en_t *names = malloc((size_t)numnodes() * sizeof *names);
    const int entry = (int)numnodes();
    char segment = 0;
    let_in = replied = 0;
    forget();
    AM_SetHandler(am_job.endpoint, answer, count_reply);
    CHECK(AM_AllocateEndpoint(am_job.bundle, &guarded, &name) == AM_OK);
    CHECK(AM_SetSeg(guarded, &segment, 1) == AM_OK);
    AM_SetHandler(guarded, request, count_let_in);
    if (tag != AM_NONE) /* which is what an endpoint begins with */
        CHECK(AM_SetTag(guarded, tag) == AM_OK);
    gcol(&name, sizeof name, names, numnodes() * (long)sizeof *names, &sent);
    CHECK(AM_Map(am_job.endpoint, entry, names[next()], 0x123456789abcdef0) == AM_OK);
    am_job_meet();
    CHECK(AM_Request0(am_job.endpoint, entry, request) == AM_OK);
    AM_JOB_UNTIL(replied + seen.returned == 1);
    am_job_meet();
    CHECK(replied == is_let_in && let_in == is_let_in && seen.returned == !is_let_in);
    if (!is_let_in)
        CHECK(seen.status == EBADTAG && seen.opcode == AM_REQUEST_M && seen.what.entry == entry &&
              seen.what.handler == request);
    if (!is_let_in) {
        CHECK(AM_RequestXfer0(am_job.endpoint, entry, 0, request, "x", 1) == AM_OK);
        AM_JOB_UNTIL(seen.returned == 2);
        am_job_meet();
        CHECK(segment == 0);
    }
    CHECK(AM_UnMap(am_job.endpoint, entry) == AM_OK);
    CHECK(AM_FreeEndpoint(guarded) == AM_OK);
    free(names);
}

static void tags_let_in(void)
{
    try_tag(0x123456789abcdef0, 1);
    try_tag(0x1123456789abcdef, 0);
    try_tag(0x9abcdef0, 0); /* its low half */
    try_tag(AM_NONE, 0);
    try_tag(AM_ALL, 1);
}

static long second_count;

static void count_second(void *token)
{
    (void)token;
    second_count++;
}

static void bundles_are_polled_by_themselves(void)
{
    eb_t bundle;
    ep_t second;
    en_t name;
    second_count = 0;
    CHECK(AM_AllocateBundle(AM_SEQ, &bundle) == AM_OK);
    CHECK(AM_AllocateEndpoint(bundle, &second, &name) == AM_OK);
    CHECK(name.endpoint != am_job.name.endpoint && name.node == mynode());
    AM_SetHandler(second, request, count_second);
    AM_SetTag(second, AM_ALL);
    const int entry = (int)numnodes();
    CHECK(AM_Map(am_job.endpoint, entry, name, 0) == AM_OK);
    CHECK(AM_Request0(am_job.endpoint, entry, request) == AM_OK);
    for (int i = 0; i < 100; i++)
        CHECK(AM_Poll(am_job.bundle) == AM_OK);
    CHECK(second_count == 0);
    CHECK(AM_SetEventMask(bundle, AM_NOTEMPTY) == AM_OK);
    CHECK(AM_WaitSema(bundle) == AM_OK);
    CHECK(AM_Poll(bundle) == AM_OK);
    CHECK(second_count == 1);
    CHECK(AM_FreeBundle(bundle) == AM_OK);
    /* now nobody is there */
    CHECK(AM_Request0(am_job.endpoint, entry, request) == AM_OK);
    AM_JOB_UNTIL(seen.returned == 1);
    CHECK(seen.status == EBADENDPOINT && seen.what.entry == entry);
    CHECK(AM_UnMap(am_job.endpoint, entry) == AM_OK);
}

/* ---- beside NX/2 ---- */

static void nx_and_active_messages_pass_each_other(void)
{
    if (nx_capabilities() & NX_ACTIVE_MESSAGES_ONLY)
        return;
    AM_SetHandler(am_job.endpoint, request, count_short);
    am_job_meet();
    const int from = (int)((mynode() + numnodes() - 1) % numnodes());
    for (int i = 0; i < 20; i++) {
        int *block = nx_alloc(sizeof *block), *came = 0;
        *block = 1000 * (int)mynode() + i;
        CHECK(AM_Request1(am_job.endpoint, next(), request, i) == AM_OK);
        const long id = isend(0, block, sizeof *block, next(), 0); /* of a type that packets have, too */
        crecvp(-1, (void **)&came, sizeof *came);
        CHECK(*came == 1000 * from + i && infonode() == from && infotype() == 0);
        msgwait(id);
        nx_free(came);
        nx_free(block);
    }
    gsync();
    CHECK(iprobe(-1) == 0);
    AM_JOB_UNTIL(seen.count == 20);
    CHECK(seen.sum == 190);
}

static const struct test tests[] = {
    {"handlers run in polls and sends only", handlers_run_in_calls_only},
    {"a poll takes four messages at most", a_poll_takes_four_messages},
    {"a request whose handler does not reply is over all the same", the_layer_replies},
    {"a second reply, and one outside of a handler, are refused", replies_are_one_and_in_time},
    {"a handler makes no request, and neither polls nor waits", handlers_only_reply},
    {"a handler knows who sent its message, to whom, with which tag", handlers_know_their_message},
    {"a request is refused whose entry a handler unmaps while it waits for room", handlers_unmap},
    {"a tag lets in who knows it, nobody, or everybody", tags_let_in},
    {"bundles are polled by themselves, and no endpoint answers for a freed one",
     bundles_are_polled_by_themselves},
    {"a program may send with NX/2 and Active Messages at once", nx_and_active_messages_pass_each_other},
};

const struct test_list rule_tests = {tests, sizeof tests / sizeof tests[0]};
