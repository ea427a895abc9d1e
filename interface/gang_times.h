/* SPDX-License-Identifier: MIT */
/* The times that the steps of one gang took, in nanoseconds (paper section 5.3). Programs get them from
 * nx_measure_gang(): nx.h includes this file. */
#ifndef PARLEY_KERNEL_INTERFACE_GANG_TIMES_H
#define PARLEY_KERNEL_INTERFACE_GANG_TIMES_H

/* Added to a load: its processes give way at random, and so does who asks. */
enum { NX_LOAD_AT_RANDOM = 0x100 };

struct nx_gang_times {
    unsigned long create_and_add;       /* make the gang and add its members */
    unsigned long schedule_and_collect; /* from queueing it until it has all its processors */
    unsigned long first;                /* of that, until the first processor came */
    unsigned long collect;              /* and from the first to the last */
    unsigned long ready_to_running_min; /* from then until a member ran: the quickest, */
    unsigned long ready_to_running_max; /* and the slowest */
    unsigned long single_dispatch; /* one timeshared process, from ready to running, on an idle machine */
};

#endif
