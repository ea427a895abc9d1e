// SPDX-License-Identifier: MIT
// omp_lock_t and omp_nest_lock_t, for which the compiler's omp.h has 4 bytes, and 16; a nested lock's owner
// is a task. Fortran passes their addresses, as C does, but has 8 bytes for a nested lock: a pointer to one
// that is allocated.
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"
#include "userlib/loops/word_lock.hpp"

#include <cstdlib>
#include <new>

using namespace parley::loops;

namespace {

struct NestedLock {
    WordLock lock;
    std::int32_t count = 0;
    parley::Atomic<Task*> owner{nullptr}; // only the caller's own task means anything to it
};
static_assert(sizeof(WordLock) == 4 && sizeof(NestedLock) == 16);

} // namespace

extern "C" {

void omp_init_lock(void* place) { new (place) WordLock(); }
void omp_destroy_lock(void*) { }
void omp_set_lock(WordLock* lock) { lock->acquire(); }
void omp_unset_lock(WordLock* lock) { lock->release(); }
int omp_test_lock(WordLock* lock) { return lock->try_acquire(); }

void omp_init_nest_lock(void* place) { new (place) NestedLock(); }
void omp_destroy_nest_lock(void*) { }
int omp_test_nest_lock(NestedLock* nested)
{
    Task* const self = &this_thread().task();
    if (nested->owner.load(std::memory_order_relaxed) != self) {
        if (!nested->lock.try_acquire())
            return 0;
        nested->owner.store(self, std::memory_order_relaxed);
    }
    return ++nested->count;
}
void omp_set_nest_lock(NestedLock* nested)
{
    Task* const self = &this_thread().task();
    if (nested->owner.load(std::memory_order_relaxed) != self) {
        nested->lock.acquire();
        nested->owner.store(self, std::memory_order_relaxed);
    }
    ++nested->count;
}
void omp_unset_nest_lock(NestedLock* nested)
{
    if (--nested->count != 0)
        return;
    nested->owner.store(nullptr, std::memory_order_relaxed);
    nested->lock.release();
}

void omp_init_lock_(void* place) { omp_init_lock(place); }
void omp_destroy_lock_(void*) { }
void omp_set_lock_(WordLock* lock) { lock->acquire(); }
void omp_unset_lock_(WordLock* lock) { lock->release(); }
std::int32_t omp_test_lock_(WordLock* lock) { return omp_test_lock(lock); }
void omp_init_nest_lock_(NestedLock** place)
{
    auto* const memory = static_cast<NestedLock*>(std::malloc(sizeof(NestedLock)));
    if (memory == nullptr)
        give_up("there is no memory for a lock");
    *place = new (memory) NestedLock();
}
void omp_destroy_nest_lock_(NestedLock** place)
{
    std::free(*place);
    *place = nullptr;
}
void omp_set_nest_lock_(NestedLock** place) { omp_set_nest_lock(*place); }
void omp_unset_nest_lock_(NestedLock** place) { omp_unset_nest_lock(*place); }
std::int32_t omp_test_nest_lock_(NestedLock** place) { return omp_test_nest_lock(*place); }

} // extern "C"
