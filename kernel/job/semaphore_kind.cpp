// SPDX-License-Identifier: MIT
#include "kernel/job/semaphore_kind.hpp"

#include "arch/x86_64/clock.hpp"
#include "sched/semaphore/make_semaphore.hpp"

namespace parley::kernel {

Result<SemaphoreKind*> SemaphoreKind::create(Window& window, const messaging::LeafChoice& choice,
                                             unsigned users, sched::BackingStore& store, TimerQueue& timers)
{
    SemaphoreKind* const made = TRY(window.create<SemaphoreKind>(choice, users, timers));
    const sched::SemaphoreSurroundings surroundings{made->clock_, store, made->counts_};
    made->semaphore_ = TRY(sched::make_semaphore(window, choice.name, choice.values, surroundings));
    return made;
}

void SemaphoreKind::user_gone()
{
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        semaphore_->close();
}

std::uint64_t SemaphoreKind::Clock::nanoseconds() { return arch::nanoseconds(); }

bool SemaphoreKind::Clock::sleep_until(std::uint64_t nanoseconds, const Atomic<bool>& closed)
{
    return timers_.sleep_until(nanoseconds, closed);
}

} // namespace parley::kernel
