/* SPDX-License-Identifier: MIT */
/* A job as the AMX family starts it, over NX's nodes. Its barrier has an endpoint of its own in the program's
 * bundle, so that a wait for the others is a wait for the program's messages, too. */
#include "userlib/am/layer.h"
#include "userlib/nx/this_process.h"

#include <amx.h>
#include <nx.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

/* In each round a node tells one that is twice as far as in the round before. */
enum { most_rounds = 31, come_handler = 1, meeting_tag = 0x6d656574 };

static struct {
    eb_t bundle; /* null: AMX_SPMDStartup has not been called */
    ep_t meeting;
    unsigned meetings;
    unsigned come[most_rounds]; /* in each round, to all meetings so far */
    void (*at_exit)(int status);
} spmd;

int AMX_VerboseErrors;
void (*AMX_SPMDkillmyprocess)(int) = exit;
const amx_stats_t AMX_initial_stats;

#define MUST(call)               \
    do {                         \
        const int done = (call); \
        if (done != AM_OK)       \
            return done;         \
    } while (0)

static int check_started(const char *call)
{
    return spmd.bundle ? AM_OK : nx_am_refuse(call, AM_ERR_NOT_INIT, "AMX_SPMDStartup has not been called");
}

static void note_arrival(void *token, int round)
{
    (void)token;
    spmd.come[round]++;
}

/* What a node tells the others. */
struct introduction {
    en_t name;
    en_t meeting;
    tag_t tag;
};

/* A number that no other node has, and hardly another job; neither AM_NONE nor AM_ALL. */
static tag_t choose_tag(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000) << 16 |
           (uint64_t)(nx_process.node + 2);
}

/* What the others' messages need is there before they know of it. */
static int open_endpoints(int depth, eb_t *bundle, ep_t *endpoint, ep_t *meeting, struct introduction *self)
{
    MUST(AM_Init());
    MUST(AM_AllocateBundle(AM_SEQ, bundle));
    MUST(AM_AllocateEndpoint(*bundle, endpoint, &self->name));
    MUST(AM_AllocateEndpoint(*bundle, meeting, &self->meeting));
    self->tag = choose_tag();
    MUST(AM_SetTag(*endpoint, self->tag));
    MUST(AM_SetTag(*meeting, meeting_tag));
    MUST(AM_SetHandler(*meeting, come_handler, note_arrival));
    MUST(AM_SetEventMask(*bundle, AM_NOTEMPTY));
    if (nx_process.nodes > 256)
        MUST(AM_SetNumTranslations(*endpoint, nx_process.nodes));
    if (depth)
        MUST(AM_SetExpectedResources(*endpoint, nx_process.nodes,
                                     depth > nx_am_most_requests ? nx_am_most_requests : depth));
    return AM_OK;
}

static int map_all(ep_t endpoint, ep_t meeting, const struct introduction all[])
{
    for (int node = 0; node < nx_process.nodes; node++)
        MUST(AM_Map(endpoint, node, all[node].name, all[node].tag));
    for (int round = 0; 1 << round < nx_process.nodes; round++) {
        const int told = (nx_process.node + (1 << round)) % nx_process.nodes;
        MUST(AM_Map(meeting, round, all[told].meeting, meeting_tag));
    }
    return AM_OK;
}

int AMX_SPMDStartup(int *argc, char ***argv, int depth, uint64_t *job, eb_t *bundle, ep_t *endpoint)
{
    static const char call[] = "AMX_SPMDStartup";
    (void)argc;
    (void)argv;
    if (spmd.bundle)
        return nx_am_refuse(call, AM_ERR_IN_USE, "the job has been started");
    if (!bundle || !endpoint)
        return nx_am_refuse(call, AM_ERR_BAD_ARG,
                            "there is nowhere to write the answer: the pointer is null");
    if (depth < 0)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "0 requests or more may be without their replies");
    struct introduction self;
    ep_t meeting;
    MUST(open_endpoints(depth, bundle, endpoint, &meeting, &self));
    const size_t bytes = (size_t)nx_process.nodes * sizeof self;
    struct introduction *all = malloc(bytes);
    if (!all)
        return nx_am_refuse(call, AM_ERR_RESOURCE, "there is no memory for the names of all nodes");
    long come;
    gcol(&self, sizeof self, all, (long)bytes, &come);
    const int mapped = map_all(*endpoint, meeting, all);
    if (job)
        *job = all[0].tag;
    free(all);
    MUST(mapped);
    spmd.bundle = *bundle;
    spmd.meeting = meeting;
    return AM_OK;
}

int AMX_SPMDNumProcs(void)
{
    return nx_process.nodes;
}

int AMX_SPMDMyProc(void)
{
    return nx_process.node;
}

int AMX_SPMDBarrier(void)
{
    static const char call[] = "AMX_SPMDBarrier";
    MUST(check_started(call));
    spmd.meetings++;
    MUST(AM_Poll(spmd.bundle));
    for (int round = 0; 1 << round < nx_process.nodes; round++) {
        MUST(AM_Request1(spmd.meeting, round, come_handler, round));
        while (spmd.come[round] < spmd.meetings) {
            nx_am_await_message(call, spmd.bundle);
            MUST(AM_Poll(spmd.bundle));
        }
    }
    return AM_OK;
}

int AMX_SPMDAllGather(void *part, void *all, size_t bytes)
{
    MUST(check_started("AMX_SPMDAllGather"));
    long come;
    gcol(part, (long)bytes, all, (long)bytes * nx_process.nodes, &come);
    return AM_OK;
}

/* The others may poll for ever, so a process that fails takes them with it, whatever handlers of signals the
 * program has. */
static _Noreturn void end_job(void)
{
    fflush(0);
    signal(SIGABRT, SIG_DFL);
    abort();
}

int AMX_SPMDExit(int status)
{
    static const char call[] = "AMX_SPMDExit";
    MUST(check_started(call));
    if (nx_am_depth() == 0)
        AM_Terminate();
    if (spmd.at_exit)
        spmd.at_exit(status);
    if (status) {
        nx_am_refuse(call, 0, "the status is not 0, so the job ends");
        end_job();
    }
    AMX_SPMDkillmyprocess(0);
    exit(0);
}

int AMX_SPMDSetExitCallback(void (*callback)(int status))
{
    spmd.at_exit = callback;
    return AM_OK;
}

int AMX_GetSourceId(void *token, int *entry)
{
    static const char call[] = "AMX_GetSourceId";
    const struct nx_am_running *running = nx_am_find_running(token);
    if (!running || !entry)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "that is not the token of a handler that runs");
    const en_t source = {nx_am_node(running), nx_am_pid(running), running->packet->source};
    const struct am_endpoint *endpoint = running->endpoint;
    for (int i = 0; i < endpoint->entry_count; i++)
        if (endpoint->entries[i].is_mapped && AMX_enEqual(endpoint->entries[i].name, source)) {
            *entry = i;
            return AM_OK;
        }
    return nx_am_refuse(call, AM_ERR_RESOURCE, "the sender is no destination of the endpoint");
}

void AMX_FatalErr(const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    nx_am_refuse("AMX_FatalErr", 0, text);
    end_job();
}

int AMX_GetEndpointStatistics(ep_t endpoint, amx_stats_t *statistics)
{
    static const char call[] = "AMX_GetEndpointStatistics";
    MUST(nx_am_check_endpoint(call, endpoint));
    if (!statistics)
        return nx_am_refuse(call, AM_ERR_BAD_ARG,
                            "there is nowhere to write the answer: the pointer is null");
    *statistics = AMX_initial_stats;
    return AM_OK;
}

int AMX_ResetEndpointStatistics(ep_t endpoint)
{
    return nx_am_check_endpoint("AMX_ResetEndpointStatistics", endpoint);
}

int AMX_AggregateStatistics(amx_stats_t *sum, amx_stats_t *added)
{
    if (!sum || !added)
        return nx_am_refuse("AMX_AggregateStatistics", AM_ERR_BAD_ARG, "there are no statistics: null");
    return AM_OK;
}

const char *AMX_DumpStatistics(FILE *file, amx_stats_t *statistics, int of_all_nodes)
{
    static const char text[] = "No statistics are kept of Active Messages here.\n";
    (void)statistics;
    (void)of_all_nodes;
    if (file)
        fputs(text, file);
    return text;
}
