// SPDX-License-Identifier: MIT
#include "kernel/job/process_pages.hpp"

#include "arch/x86_64/clock.hpp"
#include "kernel/job/domain_slots.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

Result<void> ProcessPages::know(Arena& arena, const JobProcesses& processes)
{
    processes_ = processes;
    away_ = reinterpret_cast<unsigned*>(
        TRY(arena.allocate(processes.size() * sizeof(unsigned), alignof(unsigned))));
    return {};
}

unsigned ProcessPages::write_back(unsigned endpoint)
{
    const UserProcess& process = processes_[endpoint];
    unsigned& away = away_[endpoint];
    if (process.domain() == nullptr) // it never leaves the kernel
        return 0;
    // One with a domain to itself may have linked its image elsewhere.
    const bool alone = process.domain_slot() == 0;
    away = process.domain()->clean_pages(
        {alone ? AddressSpace::user_start : domain_slot_start(process.domain_slot())},
        {alone ? AddressSpace::user_end : domain_slot_end(process.domain_slot())});
    // A killed policy process does not wait.
    if (disk_ != nullptr && away != 0)
        (void)timers_.sleep_until(disk_->written_at(endpoint, away, arch::nanoseconds()));
    return away;
}

unsigned ProcessPages::bring_back(unsigned endpoint)
{
    const unsigned pages = away_[endpoint];
    if (disk_ != nullptr && pages != 0)
        (void)timers_.sleep_until(disk_->read_at(endpoint, pages, arch::nanoseconds()));
    return pages;
}

} // namespace parley::kernel
