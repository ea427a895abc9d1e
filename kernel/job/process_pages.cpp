// SPDX-License-Identifier: MIT
#include "kernel/job/process_pages.hpp"

#include "arch/x86_64/clock.hpp"
#include "kernel/job/places.hpp"
#include "kernel/kernel.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

unsigned ProcessPages::write_back(unsigned endpoint)
{
    UserProcess& process = processes_[endpoint];
    if (process.domain == nullptr) // it never leaves the kernel
        return 0;
    // One with a domain to itself may have linked its image elsewhere.
    const bool alone = process.place == 0;
    process.pages_away =
        process.domain->clean_pages({alone ? AddressSpace::user_start : place_start(process.place)},
                                    {alone ? AddressSpace::user_end : place_end(process.place)});
    // A killed policy process does not wait.
    if (disks_ && process.pages_away != 0)
        (void)kernel().timers.sleep_until(
            disks_->written_at(endpoint, process.pages_away, arch::nanoseconds()));
    return process.pages_away;
}

unsigned ProcessPages::bring_back(unsigned endpoint)
{
    const unsigned pages = processes_[endpoint].pages_away;
    if (disks_ && pages != 0)
        (void)kernel().timers.sleep_until(disks_->read_at(endpoint, pages, arch::nanoseconds()));
    return pages;
}

} // namespace parley::kernel
