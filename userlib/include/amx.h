/* SPDX-License-Identifier: MIT */
/* What the libraries of the AMX family (AMUDP, AMMPI) have beside Active Messages II: the start, the
 * meetings and the end of a job whose processes all run one program. Programs of theirs include ammpi.h and
 * ammpi_spmd.h, or amudp.h and amudp_spmd.h, each of which is this header: docs/active-messages.md. The job
 * is NX's, whose nodes are there when main begins. Calls answer AM_OK or an AM_ERR number, as those of am.h
 * do. */
#ifndef PARLEY_AMX_H
#define PARLEY_AMX_H

#include <am.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef am_function amx_handler_fn_t;

/* All nodes call this before the other calls of this header, once. A bundle with an endpoint, whose tag is no
 * other node's, and which has each node at the entry of its number: it may send when all have set their
 * handlers, which an AMX_SPMDBarrier tells. `depth`: how many requests may be without their replies
 * (AM_SetExpectedResources), at most 256; 0: as many as usual. `job`: a number that is the same on all nodes;
 * may be null. The arguments of main stay as they are. The bundle has one more endpoint, the barrier's. */
int AMX_SPMDStartup(int *argc, char ***argv, int depth, uint64_t *job, eb_t *bundle, ep_t *endpoint);
#define AMX_SPMDIsWorker(argv) ((void)(argv), 1)
int AMX_SPMDNumProcs(void);
int AMX_SPMDMyProc(void);
/* Returns when all nodes have called it, and polls the bundle meanwhile. */
int AMX_SPMDBarrier(void);
/* What all nodes bring, so many bytes each, in the order of nodes. Runs no handlers while it waits. */
int AMX_SPMDAllGather(void *part, void *all, size_t bytes);
/* The environment is the same everywhere that nxrun, or the boot, has given it to. */
#define AMX_SPMDgetenvMaster getenv
/* Ends this process, after a call of what AMX_SPMDSetExitCallback was told last and AM_Terminate. A status
 * other than 0 ends the whole job, which has failed then, whatever the number. */
int AMX_SPMDExit(int status);
int AMX_SPMDSetExitCallback(void (*callback)(int status));
extern void (*AMX_SPMDkillmyprocess)(int status); /* what ends it where the status is 0: exit */

/* In a handler: at which entry its endpoint has the sender. */
int AMX_GetSourceId(void *token, int *entry);
#define AMX_enEqual(one, other) \
    ((one).node == (other).node && (one).pid == (other).pid && (one).endpoint == (other).endpoint)

/* Says so, and ends the job. */
__attribute__((noreturn, format(printf, 1, 2))) void AMX_FatalErr(const char *format, ...);
extern int AMX_VerboseErrors; /* is not read: a call always says why it is not AM_OK */

/* No statistics are kept: these are all 0, and their text says so. */
typedef struct {
    uint64_t nothing;
} amx_stats_t;
extern const amx_stats_t AMX_initial_stats;
int AMX_GetEndpointStatistics(ep_t endpoint, amx_stats_t *statistics);
int AMX_ResetEndpointStatistics(ep_t endpoint);
int AMX_AggregateStatistics(amx_stats_t *sum, amx_stats_t *added);
const char *AMX_DumpStatistics(FILE *file, amx_stats_t *statistics, int of_all_nodes); /* file: may be null */

#ifdef __cplusplus
}
#endif

#endif
