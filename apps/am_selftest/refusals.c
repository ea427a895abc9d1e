/* SPDX-License-Identifier: MIT */
/* Wrong arguments: what the caller can know is the call's answer, and what only the destination knows comes
 * back to handler 0. */
#include "am_selftest.h"

#include <string.h>

enum { request = 1, answer = 2, nowhere = 77, most = 8192 };

static char out[most + 1], segment[100];

static int next(void)
{
    return (int)((mynode() + 1) % numnodes());
}

static void calls_refuse(void)
{
    ep_t ep = am_job.endpoint;
    const int to = next();
    eb_t bundle;
    en_t name = am_job.name;
    CHECK(AM_AllocateBundle(AM_PAR, &bundle) == AM_ERR_RESOURCE);
    CHECK(AM_AllocateBundle(7, &bundle) == AM_ERR_BAD_ARG);
    CHECK(AM_Request0(ep, to, 0) == AM_ERR_BAD_ARG);
    CHECK(AM_Request0(ep, to, 256) == AM_ERR_BAD_ARG);
    CHECK(AM_Request0(ep, to, -1) == AM_ERR_BAD_ARG);
    CHECK(AM_RequestI0(ep, to, request, out, most + 1) == AM_ERR_BAD_ARG);
    CHECK(AM_RequestXfer0(ep, to, 0, request, out, most + 1) == AM_ERR_BAD_ARG);
    CHECK(AM_RequestI0(ep, to, request, 0, 1) == AM_ERR_BAD_ARG);
    CHECK(AM_Request0(ep, nowhere, request) == AM_ERR_BAD_ARG);
    CHECK(AM_Request0(ep, -1, request) == AM_ERR_BAD_ARG);
    CHECK(AM_Request0(ep, 100000, request) == AM_ERR_BAD_ARG);
    CHECK(AM_Request0(0, to, request) == AM_ERR_BAD_ARG);
    CHECK(AM_Request0((ep_t)&bundle, to, request) == AM_ERR_BAD_ARG);
    CHECK(AM_Map(ep, to, name, 0) == AM_ERR_IN_USE);
    CHECK(AM_Map(ep, 100000, name, 0) == AM_ERR_BAD_ARG);
    name.endpoint = 15;
    CHECK(AM_Map(ep, nowhere, name, 0) == AM_ERR_BAD_ARG);
    CHECK(AM_UnMap(ep, nowhere) == AM_ERR_BAD_ARG);
    CHECK(AM_GetTranslationInuse(ep, nowhere) == AM_ERR_RESOURCE);
    CHECK(AM_GetTranslationName(ep, to, 0) == AM_ERR_BAD_ARG);
    CHECK(AM_GetTranslationTag(ep, to, 0) == AM_ERR_BAD_ARG);
    CHECK(AM_SetHandler(ep, 256, count_short) == AM_ERR_BAD_ARG);
    CHECK(AM_SetHandler(ep, 0, 0) == AM_ERR_BAD_ARG);
    CHECK(AM_SetExpectedResources(ep, 1, 0) == AM_ERR_BAD_ARG);
    CHECK(AM_SetEventMask(am_job.bundle, 9) == AM_ERR_BAD_ARG);
    CHECK(AM_Poll(0) == AM_ERR_BAD_ARG);
    CHECK(AM_SetEventMask(am_job.bundle, AM_NOEVENTS) == AM_OK);
    CHECK(AM_WaitSema(am_job.bundle) == AM_ERR_NOT_INIT);
    CHECK(AM_SetEventMask(am_job.bundle, AM_NOTEMPTY) == AM_OK);
}

static void bundles_and_endpoints_run_out(void)
{
    eb_t bundles[15];
    ep_t endpoints[15];
    en_t name;
    int made = 0;
    while (made < 15 && AM_AllocateBundle(AM_SEQ, &bundles[made]) == AM_OK)
        made++;
    CHECK(made == 14);
    for (int i = 0; i < 14; i++)
        CHECK(AM_AllocateEndpoint(bundles[0], &endpoints[i], &name) == AM_OK);
    CHECK(AM_AllocateEndpoint(bundles[0], &endpoints[14], &name) == AM_ERR_RESOURCE);
    for (int i = 0; i < 14; i++)
        CHECK(AM_FreeBundle(bundles[i]) == AM_OK);
    CHECK(AM_SetTag(endpoints[3], AM_ALL) == AM_ERR_BAD_ARG);
}

static void expect_return(int status, op_t opcode, size_t bytes)
{
    AM_JOB_UNTIL(seen.returned == 1);
    CHECK(seen.status == status && seen.opcode == opcode);
    CHECK(seen.what.entry == next() && seen.what.bytes == bytes && seen.what.words == 2);
    CHECK(seen.what.word[0] == 11 && seen.what.word[1] == 12);
    seen.returned = 0;
}

static int is_segment_untouched(void)
{
    for (size_t i = 0; i < sizeof segment; i++)
        if (segment[i])
            return 0;
    return 1;
}

static void messages_come_back(void)
{
    ep_t ep = am_job.endpoint;
    const int to = next();
    AM_SetHandler(ep, request, count_short);
    AM_SetSeg(ep, segment, sizeof segment);
    memset(segment, 0, sizeof segment);
    memset(out, 1, sizeof out);
    am_job_meet();
    CHECK(AM_Request2(ep, to, answer, 11, 12) == AM_OK); /* nobody has installed it */
    expect_return(EBADHANDLER, AM_REQUEST_M, 0);
    CHECK(AM_RequestI2(ep, to, answer, out, 500, 11, 12) == AM_OK);
    expect_return(EBADHANDLER, AM_REQUEST_IM, 500);
    CHECK(AM_RequestXfer2(ep, to, 0, answer, out, 50, 11, 12) == AM_OK);
    expect_return(EBADHANDLER, AM_REQUEST_XFER_M, 50);
    CHECK(AM_RequestXfer2(ep, to, sizeof segment + 1, request, out, 1, 11, 12) == AM_OK);
    expect_return(EBADSEGOFF, AM_REQUEST_XFER_M, 1);
    CHECK(AM_RequestXfer2(ep, to, 60, request, out, 41, 11, 12) == AM_OK);
    expect_return(EBADLENGTH, AM_REQUEST_XFER_M, 41);
    am_job_meet();
    CHECK(is_segment_untouched());
    am_job_meet();
    CHECK(AM_RequestXfer2(ep, to, 60, request, out, 40, 11, 12) == AM_OK);
    am_job_meet();
    CHECK(seen.count == 1 && seen.returned == 0);
}

static void reply_to_nobody(void *token)
{
    CHECK(AM_Reply0(token, 0) == AM_ERR_BAD_ARG);
    CHECK(AM_ReplyI0(token, answer, out, most + 1) == AM_ERR_BAD_ARG);
    CHECK(AM_Reply2(token, answer, 11, 12) == AM_OK);
}

static void replies_to_no_handler_are_told(void)
{
    AM_SetHandler(am_job.endpoint, request, reply_to_nobody);
    am_job_meet();
    CHECK(AM_Request0(am_job.endpoint, next(), request) == AM_OK);
    AM_JOB_UNTIL(seen.returned == 1);
    CHECK(seen.status == EBADHANDLER && seen.opcode == AM_REPLY_M && seen.what.entry == -1);
    CHECK(seen.what.handler == answer && seen.what.word[1] == 12);
}

static const struct test tests[] = {
    {"wrong arguments are refused", calls_refuse},
    {"a process has 15 bundles and 15 endpoints", bundles_and_endpoints_run_out},
    {"what the destination cannot take comes back to handler 0", messages_come_back},
    {"a reply for no handler is told to handler 0", replies_to_no_handler_are_told},
};

const struct test_list refusal_tests = {tests, sizeof tests / sizeof tests[0]};
