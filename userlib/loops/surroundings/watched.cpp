// SPDX-License-Identifier: MIT
// Whether this run is watched, and where what threads do is written down: under the kernel in the process's
// own buffer, of which its start information tells; on Linux in the buffer of the rank that the program runs
// as, or that has started it.
#include "userlib/loops/surroundings/booted.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/watch.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace parley::loops {

namespace {

void begin_as_process(const parley_start& start)
{
    if (start.trace_base == 0)
        return;
    const std::uintptr_t own = start.trace_base + start.endpoint * start.trace_bytes;
    Watch::begin(*reinterpret_cast<TraceBuffer*>(own), start.trace_bytes, start.endpoint);
}

// Ranks of one address space have no such file, and are not watched.
void begin_as_rank(const char* where)
{
    char name[64];
    long offset = 0;
    unsigned long bytes = 0;
    unsigned endpoint = 0;
    if (std::sscanf(where, "%63[^:]:%ld:%lu:%u", name, &offset, &bytes, &endpoint) != 4)
        return;
    const int file = open(name, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
    close(file);
    if (place != MAP_FAILED)
        Watch::begin(*static_cast<TraceBuffer*>(place), bytes, endpoint);
}

} // namespace

void watch_if_wanted()
{
    if (const parley_start* const start = told_by_kernel())
        begin_as_process(*start);
    else if (const char* const where = std::getenv(PARLEY_TRACE_VARIABLE); where != nullptr)
        begin_as_rank(where);
}

[[gnu::destructor]] static void end() { Watch::end(); }

} // namespace parley::loops
