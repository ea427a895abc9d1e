// SPDX-License-Identifier: MIT
#include "kernel/job/semaphores.hpp"

#include "arch/x86_64/page_table.hpp"
#include "interface/start_info.h"

#include <atomic>

namespace parley::kernel {

std::size_t JobSemaphores::offset_of(unsigned number) const
{
    return region_->bytes() - PARLEY_SEMAPHORE_AREA + number * std::size_t{PARLEY_SEMAPHORE_LINE};
}

Result<std::uint64_t> JobSemaphores::open(std::uint64_t number, std::uint64_t count)
{
    const long id = TRY(table_.open(number, count, [&](unsigned made) -> Result<void> {
        if (!kind_.semaphore().in_user())
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

Result<JobSemaphores::UserBinding> JobSemaphores::bind(long id) const
{
    TRY(table_.find(id));
    if (!kind_.semaphore().in_user())
        return UserBinding{0, {0}};
    return UserBinding{kind_.semaphore().delay(),
                       {PARLEY_SHARED_BASE + offset_of(PARLEY_SEMAPHORE_NUMBER(id))}};
}

} // namespace parley::kernel
