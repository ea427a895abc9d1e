/* SPDX-License-Identifier: MIT */
/* A rank that its own job ends (native/interface/departure.h): in the message library it is let go on until
 * it returns from there; anywhere else in its program it goes on at the library's `leave`. */
#define _GNU_SOURCE

#include "native/libnx/departure.h"

#include "native/interface/library_port.h"
#include "native/libnx/child.h"
#include "native/libnx/library_code.h"
#include "native/libnx/program_handlers.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <link.h>
#include <signal.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>

enum { most_segments = 512, page = 4096, killed_status = 137 };

static struct parley_native_place *own;
static struct parley_native_code code[most_segments];
static unsigned segments;

static int take_code(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (object->dlpi_addr == getauxval(AT_SYSINFO_EHDR))
        return 0; /* Linux's own, which all ranks of one address space use; it calls nobody */
    for (int i = 0; i < object->dlpi_phnum && segments < most_segments; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        const unsigned long address = object->dlpi_addr + segment->p_vaddr;
        const unsigned long start = address & ~(page - 1ul);
        const unsigned long end = (address + segment->p_memsz + page - 1) & ~(page - 1ul);
        code[segments++] = (struct parley_native_code){start, end - start};
    }
    return 0;
}

/* The message library calls nothing outside itself, so whoever is in there has the dynamic linker's lists to
 * itself. */
static void told_to_end(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    const struct parley_library *library = (const struct parley_library *)own->start.library_table;
    const struct parley_native_departure *departure = &parley_native_port_of(library)->departure;
    const void *at = (const void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (!nx_is_rank() || !__atomic_load_n(&own->must_end, __ATOMIC_SEQ_CST))
        return; /* somebody else has sent the signal */
    if (!nx_is_library_code(at))
        library->leave(own->start.endpoint, own->successor_receives != 0);
    dl_iterate_phdr(take_code, 0);
    departure->unwind(context, code, segments);
}

/* Its waits are given up from the moment at which it must end, and the signal comes a little later. */
void nx_wait_for_own_end(void)
{
    nx_leave_to_parent(); /* what clone() has started has not done it */
    while (own && nx_is_rank() && __atomic_load_n(&own->must_end, __ATOMIC_SEQ_CST))
        pause();
}

void nx_listen_for_the_end(struct parley_native_place *place)
{
    own = place;
    struct sigaction action = {.sa_sigaction = told_to_end, .sa_flags = SA_SIGINFO};
    sigfillset(&action.sa_mask);
    nx_set_own_handler(PARLEY_NATIVE_DEPART, &action, 0);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, PARLEY_NATIVE_DEPART);
    sigprocmask(SIG_UNBLOCK, &signals, 0);
    __atomic_store_n(&place->listens, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&place->must_end, __ATOMIC_SEQ_CST))
        _exit(killed_status);
}
