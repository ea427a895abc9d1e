/* SPDX-License-Identifier: MIT */
/* Start-up of a rank: nxrun has made the job, and says in the environment where. Maps the arena, the job area
 * and the message library at the addresses that all ranks have them at, and joins. Where all share one
 * address space these are there already, and no files are named. */
#include "native/interface/library_image.h"
#include "native/interface/widest_move.h"
#include "native/libnx/child.h"
#include "native/libnx/debugger.h"
#include "native/libnx/departure.h"
#include "native/libnx/faults.h"
#include "native/libnx/rank.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

struct nx_process nx_process;
int nx_socket = -1;

static _Noreturn void cannot(const char *what)
{
    char line[256];
    snprintf(line, sizeof line, "parley: cannot map %s: %s\n", what, strerror(errno ? errno : ENOEXEC));
    nx_end(line);
}

static void map_shared(unsigned long address, unsigned long bytes, int file, const char *what)
{
    void *place = mmap((void *)address, bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, 0);
    if (place != (void *)address)
        cannot(what);
}

static void map_all(int job_file, int arena_file, int library_file)
{
    struct stat size;
    if (fstat(job_file, &size) < 0)
        cannot("the job");
    map_shared(PARLEY_NATIVE_JOB_BASE, (unsigned long)size.st_size, job_file, "the job");
    map_shared(PARLEY_SHARED_BASE, nx_native_job()->arena_bytes, arena_file, "the arena");
    if (!parley_map_library(library_file))
        cannot("the message library");
    nx_tell_debuggers(library_file);
    close(job_file);
    close(arena_file);
    close(library_file);
}

static void lower_widest_move(unsigned *widest)
{
    const unsigned own = parley_widest_move();
    unsigned known = __atomic_load_n(widest, __ATOMIC_RELAXED);
    while (own < known &&
           !__atomic_compare_exchange_n(widest, &known, own, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Priority 101 is the first that programs may use, so NX calls work in their own constructors. */
__attribute__((constructor(101))) static void enter(void)
{
    nx_bind_proxies(); /* until it has joined, so that it can also end before */
    const char *place = getenv(PARLEY_NATIVE_VARIABLE);
    unsigned version = 0, endpoint = 0;
    int job_file, arena_file, library_file;
    if (!place)
        nx_end("parley: this program is one of many: start it with `nxrun -n NODES program`\n");
    if (sscanf(place, "%u:%d:%d:%d:%d:%u", &version, &job_file, &arena_file, &library_file, &nx_socket,
               &endpoint) != 6 ||
        version != PARLEY_NATIVE_VERSION)
        nx_end("parley: this program's libnx and nxrun are of different versions: build both again\n");
    unsetenv(PARLEY_NATIVE_VARIABLE); /* for what the program itself starts */
    if (job_file >= 0)
        map_all(job_file, arena_file, library_file);
    fcntl(nx_socket, F_SETFD, FD_CLOEXEC);
    nx_be_rank();
    nx_tell_faults();
    lower_widest_move(&nx_native_job()->widest_move);
    struct parley_native_place *own = &nx_native_job()->places[endpoint];
    const struct parley_start *start = &own->start;
    if (start->version != PARLEY_START_VERSION)
        nx_end("parley: this program's libnx and nxrun are of different versions: build both again\n");
    setvbuf(stdout, 0, _IOLBF, BUFSIZ); /* the lines that it has printed are there however the rank ends */
    nx_take_place(start);
    nx_listen_for_the_end(own);
    nx_join(start);
}

__attribute__((destructor(101))) static void leave(void)
{
    if (nx_is_rank()) /* the end of a child is not its parent's */
        nx_leave();
}
