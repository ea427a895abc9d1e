/* SPDX-License-Identifier: MIT */
/* What a program's start-up needs to know about its process and its job: the auxiliary vector's entry
 * PARLEY_AT_START points here. The kernel writes it above the program's stack before the first instruction;
 * nobody writes it afterwards, by convention. */
#ifndef PARLEY_KERNEL_INTERFACE_START_INFO_H
#define PARLEY_KERNEL_INTERFACE_START_INFO_H

#define PARLEY_AT_START 0x5041524cUL
#define PARLEY_START_VERSION 9

enum parley_location { PARLEY_IN_KERNEL = 0, PARLEY_IN_USER = 1 };

/* Addresses that are the same in every domain. */
#define PARLEY_LIBRARY_BASE 0x300000000000UL /* the user-level message library */
#define PARLEY_SHARED_BASE 0x310000000000UL  /* the job's shared region */
/* Where each cluster has its own memory, pages that a program maps in the cluster's window lie in it; the
 * first cluster's window begins here, and each has so many addresses. */
#define PARLEY_CLUSTER_BASE 0x320000000000UL
#define PARLEY_CLUSTER_BYTES 0x2000000000UL

struct parley_start {
    unsigned int version;
    int node;
    int nodes; /* number of nodes; myhost() is this number */
    int pid;
    int location;                /* enum parley_location */
    unsigned int capabilities;   /* bits of enum nx_capability (capabilities.h) */
    int pause;                   /* 1: spin with PAUSE */
    unsigned int messages_proxy; /* 0: none */
    unsigned int results_proxy;
    unsigned int process_proxy;
    unsigned int endpoint;  /* index of this process among the job's endpoints, for the user-level library */
    unsigned int endpoints; /* how many endpoints the job has, the delivery process included */
    unsigned int gangs_proxy;
    unsigned long shared_base;
    unsigned long shared_bytes;
    unsigned long library_table; /* struct parley_library in the user-level library; 0 in kernel location */
    unsigned long clock_hertz;   /* frequency of the time-stamp counter */
    unsigned long clock_start;   /* its value when the job started */
    char design[256];            /* canonical: all factors and their arguments written out */
    int processors;              /* of the machine, that run jobs */
    int host;                    /* 1: the job has a host process, whose node number is `nodes` */
    unsigned long trace_base;    /* where programs and a traced library write what they see; 0: nowhere */
    unsigned int job_proxy;
    /* Not 0: others may wait for its processor, so polling should give way; on Linux, how many share each. */
    int shares_processor;
    unsigned long
        system_bytes;   /* in user location: the message system's part of the shared region (library.h) */
    char semaphore[64]; /* the kind of the job's semaphores, with all arguments: "policy-1:300ms:2" */
    unsigned int semaphores_proxy;
    unsigned long setting;     /* what the Transport is told of this job (messaging/composition.hpp), or 0 */
    unsigned long equipment;   /* of a delivery process: where its messaging::Equipment lies, or 0 */
    unsigned long trace_bytes; /* each endpoint's part there, one after another; 0: nothing is traced */
    unsigned int clusters;     /* that the processors are of; 0: the machine has none */
    unsigned int cluster_processors; /* of each */
    int machines_meet;               /* 1: the processes of several machines meet (calls.def: meet) */
    int clusters_have_memory;        /* 1: windows lie in the clusters' own (PARLEY_CLUSTER_BASE) */
};

#endif
