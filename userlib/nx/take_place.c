/* SPDX-License-Identifier: MIT */
#include "userlib/nx/this_process.h"

void nx_take_place(const struct parley_start *start)
{
    nx_process.start = start;
    nx_process.node = start->node;
    nx_process.nodes = start->nodes;
    nx_process.pid = start->pid;
    nx_process.pause = start->pause;
    nx_process.has_few_processors =
        start->processors < start->nodes && (start->capabilities & NX_SEVERAL_MACHINES) == 0;
    nx_process.machines_meet = start->machines_meet;
    nx_take_capabilities(start->capabilities);
    nx_process.messages_proxy = start->messages_proxy;
    nx_process.job_proxy = start->job_proxy;
    nx_process.results_proxy = start->results_proxy;
    nx_process.process_proxy = start->process_proxy;
    nx_process.gangs_proxy = start->gangs_proxy;
    nx_process.semaphores_proxy = start->semaphores_proxy;
}
