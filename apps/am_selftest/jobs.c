/* SPDX-License-Identifier: MIT */
/* A job as programs for the AMX family start it, beside the one of these tests. */
#include "am_selftest.h"

#include <amx.h>
#include <string.h>

enum { request = 1, answer = 2, announcement = 3, rounds = 6, asks = 20 };

static struct {
    uint64_t number;
    eb_t bundle;
    ep_t endpoint;
} job;

#define JOB_UNTIL(condition)                     \
    while (!(condition)) {                       \
        CHECK(AM_WaitSema(job.bundle) == AM_OK); \
        CHECK(AM_Poll(job.bundle) == AM_OK);     \
    }

static void a_job_starts_once(void)
{
    uint64_t all[numnodes()];
    tag_t tag;
    CHECK(AMX_SPMDBarrier() == AM_ERR_NOT_INIT);
    CHECK(AMX_SPMDAllGather(&job.number, all, sizeof job.number) == AM_ERR_NOT_INIT);
    CHECK(AMX_SPMDExit(3) == AM_ERR_NOT_INIT);
    CHECK(AMX_SPMDStartup(0, 0, 0, 0, 0, &job.endpoint) == AM_ERR_BAD_ARG);
    CHECK(AMX_SPMDStartup(0, 0, -1, 0, &job.bundle, &job.endpoint) == AM_ERR_BAD_ARG);
    CHECK(!job.bundle);
    CHECK(AMX_SPMDStartup(0, 0, 1000, &job.number, &job.bundle, &job.endpoint) == AM_OK);
    CHECK(AMX_SPMDStartup(0, 0, 0, 0, &job.bundle, &job.endpoint) == AM_ERR_IN_USE);
    CHECK(AMX_SPMDIsWorker(0));
    CHECK(AMX_SPMDNumProcs() == numnodes());
    CHECK(AMX_SPMDMyProc() == mynode());

    CHECK(AMX_SPMDAllGather(&job.number, all, sizeof job.number) == AM_OK);
    for (int node = 1; node < numnodes(); node++)
        CHECK(all[node] == all[0]);
    CHECK(AM_GetTag(job.endpoint, &tag) == AM_OK);
    CHECK(AMX_SPMDAllGather(&tag, all, sizeof tag) == AM_OK);
    for (int node = 0; node < numnodes(); node++) {
        CHECK(AM_GetTranslationTag(job.endpoint, node, &tag) == AM_OK);
        CHECK(tag == all[node]);
        for (int other = 0; other < node; other++)
            CHECK(all[other] != all[node]);
    }
    CHECK(AM_GetTranslationInuse(job.endpoint, (int)numnodes()) == AM_ERR_RESOURCE);
}

static int announced, is_inside;

static void take_request(void *token, int sender)
{
    int entry = -1;
    en_t name, mapped;
    ep_t endpoint;
    seen.count++;
    CHECK(is_inside);
    CHECK(AMX_GetSourceId(token, &entry) == AM_OK);
    CHECK(entry == sender);
    CHECK(AM_GetSourceEndpoint(token, &name) == AM_OK);
    CHECK(AM_GetDestEndpoint(token, &endpoint) == AM_OK && endpoint == job.endpoint);
    CHECK(AM_GetTranslationName(job.endpoint, sender, &mapped) == AM_OK);
    CHECK(AMX_enEqual(name, mapped));
    CHECK(AM_Reply0(token, answer) == AM_OK);
}

static void take_answer(void *token)
{
    (void)token;
    seen.sum++;
}

static void take_announcement(void *token)
{
    (void)token;
    announced++;
}

/* One node comes late to each meeting. It asks the others, which wait for it, again and again. */
static void a_barrier_holds_and_polls(void)
{
    const int self = AMX_SPMDMyProc(), nodes = AMX_SPMDNumProcs();
    CHECK(AM_SetHandler(job.endpoint, request, take_request) == AM_OK);
    CHECK(AM_SetHandler(job.endpoint, answer, take_answer) == AM_OK);
    CHECK(AM_SetHandler(job.endpoint, announcement, take_announcement) == AM_OK);
    CHECK(AMX_SPMDBarrier() == AM_OK);
    for (int round = 0; round < rounds; round++) {
        const int late = round % nodes;
        forget();
        announced = 0;
        CHECK(AMX_SPMDBarrier() == AM_OK);
        is_inside = 1;
        CHECK(AM_Request0(job.endpoint, late, announcement) == AM_OK);
        if (self == late)
            JOB_UNTIL(announced == nodes);
        for (int node = 0; self == late && node < asks * nodes; node++) {
            CHECK(AM_Request1(job.endpoint, node % nodes, request, self) == AM_OK);
            JOB_UNTIL(seen.sum == node + 1);
        }
        CHECK(AMX_SPMDBarrier() == AM_OK);
        is_inside = 0;
        CHECK(seen.count == asks);
    }
}

/* A poll of one bundle finds nothing, and the other's next one finds what has come for it. */
static void polls_of_two_bundles_leave_each_other_their_messages(void)
{
    const int self = AMX_SPMDMyProc(), nodes = AMX_SPMDNumProcs();
    for (int round = 0; round < asks; round++) {
        announced = 0;
        CHECK(AMX_SPMDBarrier() == AM_OK);
        CHECK(AM_Request0(job.endpoint, (self + 1) % nodes, announcement) == AM_OK);
        while (!announced) {
            CHECK(AM_Poll(am_job.bundle) == AM_OK);
            CHECK(AM_Poll(job.bundle) == AM_OK);
        }
        CHECK(AMX_SPMDBarrier() == AM_OK);
    }
}

static void what_is_no_token_has_no_sender(void)
{
    int entry = -1;
    CHECK(AMX_GetSourceId(0, &entry) == AM_ERR_BAD_ARG);
    CHECK(AMX_GetSourceId(&entry, &entry) == AM_ERR_BAD_ARG);
    CHECK(entry == -1);
}

static void no_statistics_are_kept(void)
{
    amx_stats_t sum = AMX_initial_stats, statistics = {1};
    CHECK(AMX_GetEndpointStatistics(job.endpoint, &statistics) == AM_OK);
    CHECK(memcmp(&statistics, &AMX_initial_stats, sizeof statistics) == 0);
    CHECK(AMX_AggregateStatistics(&sum, &statistics) == AM_OK);
    CHECK(AMX_ResetEndpointStatistics(job.endpoint) == AM_OK);
    CHECK(strstr(AMX_DumpStatistics(0, &sum, 1), "No statistics"));
    CHECK(AMX_GetEndpointStatistics(0, &statistics) == AM_ERR_BAD_ARG);
    CHECK(AMX_GetEndpointStatistics(job.endpoint, 0) == AM_ERR_BAD_ARG);
    CHECK(AMX_AggregateStatistics(&sum, 0) == AM_ERR_BAD_ARG);
}

static void take_bulk(void *token, void *bytes, size_t count, int fill)
{
    (void)token;
    seen.count++;
    CHECK(count == AM_MaxMedium() && ((unsigned char *)bytes)[count - 1] == fill);
}

static void send_bulk_round(void)
{
    static unsigned char bulk[AM_MaxMedium()];
    CHECK(AM_SetHandler(am_job.endpoint, request, take_bulk) == AM_OK);
    forget();
    am_job_meet();
    for (int fill = 0; fill < asks; fill++) {
        memset(bulk, fill, sizeof bulk);
        CHECK(AM_RequestI1(am_job.endpoint, (int)((mynode() + 1) % numnodes()), request, bulk, sizeof bulk,
                           fill) == AM_OK);
    }
    AM_JOB_UNTIL(seen.count == asks);
    am_job_meet();
}

/* The last test: what an endpoint had is no more. */
static void a_layer_that_has_ended_begins_again(void)
{
    for (int life = 0; life < 2; life++) {
        send_bulk_round();
        CHECK(AM_Terminate() == AM_OK);
        am_job = (struct am_job){.meetings = 0};
        am_job_begin();
    }
    send_bulk_round();
}

static const struct test tests[] = {
    {"a job of the AMX family starts once, and all nodes are told of each other", a_job_starts_once},
    {"its barrier holds until all have come, and takes messages meanwhile", a_barrier_holds_and_polls},
    {"polls of two bundles leave each other their messages",
     polls_of_two_bundles_leave_each_other_their_messages},
    {"what is no token has no sender", what_is_no_token_has_no_sender},
    {"no statistics are kept, and they say so", no_statistics_are_kept},
    {"a layer that has ended begins again", a_layer_that_has_ended_begins_again},
};
const struct test_list job_tests = {tests, sizeof tests / sizeof tests[0]};
