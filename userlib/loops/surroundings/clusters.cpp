// SPDX-License-Identifier: MIT
#include "userlib/loops/surroundings/clusters.hpp"

#include "userlib/loops/line.hpp"
#include "userlib/loops/surroundings/booted.hpp"
#include "userlib/loops/surroundings/threads.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

namespace parley::loops {

namespace {

constexpr std::size_t page_bytes = 4096;

Clusters said_by_the_kernel(const parley_start& start)
{
    if (start.clusters == 0)
        return {};
    return {start.clusters, start.cluster_processors, start.clusters_have_memory != 0};
}

Clusters said_by_the_user(const char* text)
{
    char* end = nullptr;
    const unsigned long number = *text >= '0' && *text <= '9' ? std::strtoul(text, &end, 10) : 0;
    if (number < 1 || *end != '\0' || number > processors())
        give_up("PARLEY_CLUSTERS is 1 to as many clusters as there are processors");
    return {static_cast<unsigned>(number), processors() / static_cast<unsigned>(number), false};
}

Clusters found()
{
    if (const parley_start* const start = told_by_kernel())
        return said_by_the_kernel(*start);
    const char* const text = std::getenv("PARLEY_CLUSTERS");
    return text == nullptr ? Clusters{} : said_by_the_user(text);
}

// Pages in a cluster's window, one piece behind another with a page between that nobody has: what runs over
// the end of a stack is told.
void* map_in_window(int home, std::size_t bytes)
{
    static std::atomic<std::uintptr_t> used[CPU_SETSIZE];
    const std::uintptr_t window = PARLEY_CLUSTER_BASE + static_cast<unsigned>(home) * PARLEY_CLUSTER_BYTES;
    for (;;) {
        const std::uintptr_t at = used[home].fetch_add(bytes + page_bytes, std::memory_order_relaxed);
        if (at + bytes + page_bytes > PARLEY_CLUSTER_BYTES)
            return nullptr;
        void* const wanted = reinterpret_cast<void*>(window + at + page_bytes);
        void* const place = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (place == wanted)
            return place;
        if (errno != EEXIST) // another program of this address space has it
            return nullptr;
    }
}

bool lies_in_window(int home) { return home != no_home && machine_clusters().have_memory; }

std::size_t in_pages(std::size_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

} // namespace

const Clusters& machine_clusters()
{
    static Clusters clusters;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, [] { clusters = found(); });
    return clusters;
}

void run_at(int home)
{
    const Clusters& clusters = machine_clusters();
    cpu_set_t set;
    CPU_ZERO(&set);
    for (unsigned at = 0; at < clusters.processors; ++at)
        add_processor(set, static_cast<unsigned>(home) * clusters.processors + at);
    sched_setaffinity(0, sizeof set, &set);
}

void* take_memory(int home, std::size_t bytes)
{
    if (lies_in_window(home))
        return map_in_window(home, in_pages(bytes));
    bytes = (bytes + line_bytes - 1) / line_bytes * line_bytes;
    void* const place = std::aligned_alloc(line_bytes, bytes);
    return place == nullptr ? nullptr : std::memset(place, 0, bytes);
}

void give_memory_back(int home, void* memory, std::size_t bytes)
{
    if (memory != nullptr && lies_in_window(home))
        munmap(memory, in_pages(bytes));
    else
        std::free(memory);
}

} // namespace parley::loops
