// SPDX-License-Identifier: MIT
// A message library's port for tests of what nxrun does with semaphores: a waiter for each program, at the
// start of their memory, and nothing else.
#pragma once

#include "native/interface/library_port.h"
#include "sched/semaphore/semaphore_waiter.hpp"

#include <new>

namespace parley::native {

inline const parley_native_semaphores fake_semaphores = {
    .policy_processes = [](const parley_semaphore_kind*) { return 0u; },
    .bytes = [](unsigned programs) { return programs * sizeof(sched::SemaphoreWaiter); },
    .make = [](void* memory, unsigned long bytes, const parley_semaphore_kind*, unsigned programs,
               unsigned long) -> parley_job_semaphores* {
        auto* const waiters = static_cast<sched::SemaphoreWaiter*>(memory);
        for (unsigned program = 0; program < programs; ++program)
            new (&waiters[program]) sched::SemaphoreWaiter(program);
        return bytes < programs * sizeof *waiters ? nullptr : static_cast<parley_job_semaphores*>(memory);
    },
    .waiters = [](parley_job_semaphores* self) -> const void* { return self; },
    .serve = nullptr,
    .open = nullptr,
    .bind = nullptr,
    .p = nullptr,
    .v = nullptr,
    .v_all = nullptr,
    .read_counts = nullptr,
};

inline const parley_native_port fake_port = {.departure = {}, .semaphores = &fake_semaphores};

inline const parley_library& fake_library(parley_library& library)
{
    library.port = &fake_port;
    return library;
}

} // namespace parley::native
