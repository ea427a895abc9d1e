// SPDX-License-Identifier: MIT
#include "native/nxrun/rank_semaphores.hpp"

#include "native/interface/library_port.h"
#include "native/nxrun/options.hpp"

namespace parley::native {

RankSemaphores::RankSemaphores(const SemaphoreChoice& choice, unsigned programs,
                               const parley_library& library)
    : choice_(choice), programs_(programs), library_(*parley_native_port_of(&library)->semaphores)
{
}

parley_semaphore_kind RankSemaphores::kind() const
{
    return {choice_.name.data(), choice_.name.size(), choice_.values.data(), choice_.values.size()};
}

unsigned RankSemaphores::policy_processes() const
{
    const parley_semaphore_kind own = kind();
    return library_.policy_processes(&own);
}

std::size_t RankSemaphores::bytes() const { return library_.bytes(programs_); }

parley_job_semaphores* RankSemaphores::make(std::byte* memory, unsigned long hertz)
{
    const parley_semaphore_kind own = kind();
    parley_job_semaphores* const made = library_.make(memory, bytes(), &own, programs_, hertz);
    if (made == nullptr)
        throw BadRequest{"The message library beside nxrun has no semaphores '" + choice_.name +
                         "': build or install both again."};
    waiters_ = static_cast<const sched::SemaphoreWaiter*>(library_.waiters(made));
    return made;
}

} // namespace parley::native
