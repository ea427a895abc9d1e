// SPDX-License-Identifier: MIT
// critical and atomic. A named critical's lock lies where the compiler has put a pointer for it, zero at
// first.
#include "userlib/loops/openmp/entries.hpp"
#include "userlib/loops/word_lock.hpp"

using namespace parley::loops;

namespace {

alignas(64) WordLock critical;
alignas(64) WordLock atomic;

WordLock& lock_at(void** place) { return *reinterpret_cast<WordLock*>(place); }

} // namespace

extern "C" {

void GOMP_critical_start() { critical.acquire(); }
void GOMP_critical_end() { critical.release(); }
void GOMP_critical_name_start(void** place) { lock_at(place).acquire(); }
void GOMP_critical_name_end(void** place) { lock_at(place).release(); }
void GOMP_atomic_start() { atomic.acquire(); }
void GOMP_atomic_end() { atomic.release(); }

} // extern "C"
