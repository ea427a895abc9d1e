// SPDX-License-Identifier: MIT
#include "kernel/job/semaphore_kind.hpp"

#include "arch/x86_64/clock.hpp"

#include "sched/leaves.hpp"

namespace parley::kernel {

namespace {

template <class Leaf>
Result<Leaf*> create_leaf(Arena& arena, const sched::SemaphoreSurroundings& surroundings,
                          const LeafValues& values)
{
    if constexpr (messaging::HasArguments<Leaf>)
        return arena.create<Leaf>(surroundings, values);
    else
        return arena.create<Leaf>(surroundings);
}

} // namespace

Result<SemaphoreKind*> SemaphoreKind::create(Window& window, const messaging::LeafChoice& choice,
                                             unsigned users, sched::BackingStore& store, TimerQueue& timers)
{
    SemaphoreKind* const made = TRY(window.create<SemaphoreKind>(choice, users, timers));
    const sched::SemaphoreSurroundings surroundings{made->clock_, store, made->counts_};
    Result<void> result = std::unexpected(Error::not_found);
    sched::SemaphoreLeaves::with(choice.name, [&]<class Leaf>() {
        const Result<Leaf*> leaf = create_leaf<Leaf>(window, surroundings, choice.values);
        if (leaf)
            made->semaphore_ = *leaf;
        result = leaf ? Result<void>{} : std::unexpected(leaf.error());
    });
    TRY_VOID(result);
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
