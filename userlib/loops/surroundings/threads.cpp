// SPDX-License-Identifier: MIT
#include "userlib/loops/surroundings/threads.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace parley::loops {

namespace {

struct ThreadArguments {
    void (*body)(void*);
    void* argument;
    int processor, home;
};

void* started(void* given)
{
    const ThreadArguments start = *static_cast<ThreadArguments*>(given);
    std::free(given);
    if (start.home != no_home)
        run_at(start.home);
    else if (start.processor >= 0)
        pin(static_cast<unsigned>(start.processor));
    start.body(start.argument);
    return nullptr;
}

// Fortran's library calls these of the C library only where they are linked, and takes them to be there in a
// program that makes threads; so a program that is linked statically has them with this.
[[gnu::used]] void* const of_fortran[] = {
    reinterpret_cast<void*>(&pthread_cond_broadcast), reinterpret_cast<void*>(&pthread_cond_destroy),
    reinterpret_cast<void*>(&pthread_cond_init),      reinterpret_cast<void*>(&pthread_cond_wait),
    reinterpret_cast<void*>(&pthread_mutex_destroy),  reinterpret_cast<void*>(&pthread_mutex_init),
    reinterpret_cast<void*>(&pthread_mutex_lock),     reinterpret_cast<void*>(&pthread_mutex_trylock),
    reinterpret_cast<void*>(&pthread_mutex_unlock),
};

// What this process may use when it first asks.
const cpu_set_t& usable()
{
    static cpu_set_t set;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, [] {
        CPU_ZERO(&set);
        if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) == 0)
            for (long one = 0; one < sysconf(_SC_NPROCESSORS_ONLN) && one < CPU_SETSIZE; ++one)
                CPU_SET(static_cast<unsigned>(one), &set);
    });
    return set;
}

// Where there is no memory for it, the stack is the system's.
void lay_stack_at(int home, pthread_attr_t& attributes, Thread& thread)
{
    std::size_t bytes = 0;
    pthread_attr_getstacksize(&attributes, &bytes);
    void* const stack = take_memory(home, bytes);
    if (stack == nullptr || pthread_attr_setstack(&attributes, stack, bytes) != 0)
        return give_memory_back(home, stack, bytes);
    thread.stack = stack;
    thread.stack_bytes = bytes;
    thread.home = home;
}

} // namespace

bool start_thread(void (*body)(void*), void* argument, const ThreadPlace& place, Thread& thread)
{
    auto* const start = static_cast<ThreadArguments*>(std::malloc(sizeof(ThreadArguments)));
    if (start == nullptr)
        return false;
    *start = {body, argument, place.processor, place.home};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (place.stack_bytes != 0)
        pthread_attr_setstacksize(&attributes, std::max<std::size_t>(place.stack_bytes, PTHREAD_STACK_MIN));
    thread = {};
    if (place.home != no_home && machine_clusters().have_memory)
        lay_stack_at(place.home, attributes, thread);
    const bool made = pthread_create(&thread.handle, &attributes, &started, start) == 0;
    pthread_attr_destroy(&attributes);
    if (!made) {
        std::free(start);
        give_memory_back(thread.home, thread.stack, thread.stack_bytes);
    }
    return made;
}

void await_end(const Thread& thread)
{
    pthread_join(thread.handle, nullptr);
    give_memory_back(thread.home, thread.stack, thread.stack_bytes);
}

unsigned processors()
{
    const int count = CPU_COUNT(&usable());
    return count > 0 ? static_cast<unsigned>(count) : 1;
}

void add_processor(cpu_set_t& set, unsigned place)
{
    place %= processors();
    for (unsigned one = 0; one < CPU_SETSIZE; ++one)
        if (CPU_ISSET(one, &usable()) && place-- == 0) {
            CPU_SET(one, &set);
            return;
        }
}

void pin(unsigned place)
{
    cpu_set_t alone;
    CPU_ZERO(&alone);
    add_processor(alone, place);
    sched_setaffinity(0, sizeof alone, &alone);
}

bool at_end_of_thread(void (*forget)(void*), void* value)
{
    static pthread_key_t key;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static std::atomic<void (*)(void*)> what;
    static bool made;
    what.store(forget, std::memory_order_relaxed);
    pthread_once(&once, [] { made = pthread_key_create(&key, what.load(std::memory_order_relaxed)) == 0; });
    return made && pthread_setspecific(key, value) == 0;
}

void give_up(const char* sentence, const char* about)
{
    // Nobody unlocks it: who gives up meanwhile waits there for the end.
    static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&first);
    std::fflush(stdout);
    std::fprintf(stderr, "loops: %s%s.\n", about, sentence);
    std::_Exit(2);
}

} // namespace parley::loops
