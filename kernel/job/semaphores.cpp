// SPDX-License-Identifier: MIT
#include "kernel/job/semaphores.hpp"

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/page_table.hpp"
#include "kernel/interface/start_info.h"
#include "kernel/kernel.hpp"

#include "sched/leaves.hpp"

#include <type_traits>

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

Result<JobSemaphores*> JobSemaphores::create(Window& window, unsigned job, unsigned programs,
                                             const messaging::LeafChoice& choice)
{
    JobSemaphores* const made = TRY(window.create<JobSemaphores>(window, job, programs, choice));
    const sched::SemaphoreSurroundings surroundings{made->clock_, made->store_, made->counts_};
    Result<void> result = std::unexpected(Error::not_found);
    sched::SemaphoreLeaves::with(choice.name, [&]<class Leaf>() {
        const Result<Leaf*> leaf = create_leaf<Leaf>(window, surroundings, choice.values);
        if (leaf)
            made->kind_ = *leaf;
        result = leaf ? Result<void>{} : std::unexpected(leaf.error());
    });
    TRY_VOID(result);
    made->table_.use(*made->kind_);
    return made;
}

std::size_t JobSemaphores::offset_of(unsigned number) const
{
    return region_->bytes() - PARLEY_SEMAPHORE_AREA + number * std::size_t{PARLEY_SEMAPHORE_LINE};
}

Result<std::uint64_t> JobSemaphores::open(std::uint64_t number, std::uint64_t count)
{
    const long id = TRY(table_.open(number, count, [&](unsigned made) -> Result<void> {
        if (!kind_->in_user())
            return {};
        // Through the kernel's own mapping, which can neither fault nor wait.
        const std::size_t offset = offset_of(made);
        const PhysAddr page = TRY(region_->page(offset));
        arch::to_pointer<std::atomic<std::uint32_t>>(page + offset % page_bytes)
            ->store(static_cast<std::uint32_t>(count), std::memory_order_release);
        return {};
    }));
    return static_cast<std::uint64_t>(id);
}

Result<JobSemaphores::Binding> JobSemaphores::bind(long id) const
{
    TRY(table_.find(id));
    if (!kind_->in_user())
        return Binding{0, {0}};
    return Binding{kind_->delay(), {PARLEY_SHARED_BASE + offset_of(PARLEY_SEMAPHORE_NUMBER(id))}};
}

void JobSemaphores::program_gone()
{
    if (live_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        kind_->close();
}

std::uint64_t JobSemaphores::Clock::nanoseconds() { return arch::nanoseconds(); }

bool JobSemaphores::Clock::sleep_until(std::uint64_t nanoseconds, const Atomic<bool>& closed)
{
    return kernel().timers.sleep_until(nanoseconds, closed);
}

} // namespace parley::kernel
