/* SPDX-License-Identifier: MIT */
/* An adapter (native/network/adapter.h) for tests of two machines, which are processes of one: what they
 * gather crosses a pair of sockets that the test has made. It carries nothing else. */
#include "native/network/adapter.h"

#include <string.h>
#include <unistd.h>

/* Set by the test, before it begins the machine's helper. */
unsigned fake_machine, fake_machines;
int fake_socket; /* to the other machine */
int fake_mpi_ends;

static void begin(unsigned *machine, unsigned *machines)
{
    if (fake_mpi_ends)
        _exit(1);
    *machine = fake_machine;
    *machines = fake_machines;
}

static void move(int reads, char *bytes, unsigned long count)
{
    while (count > 0) {
        const long moved = reads ? read(fake_socket, bytes, count) : write(fake_socket, bytes, count);
        if (moved <= 0)
            _exit(1);
        bytes += moved;
        count -= (unsigned long)moved;
    }
}

static void gather(const void *own, void *all, unsigned long bytes)
{
    char *const first = all;
    memcpy(first + fake_machine * bytes, own, bytes);
    move(0, first + fake_machine * bytes, bytes);
    move(1, first + (1 - fake_machine) * bytes, bytes);
}

static void end(void) { }

const struct parley_network_adapter parley_network_adapter = {
    .version = PARLEY_ADAPTER_VERSION, .begin = begin, .gather = gather, .end = end};
