// SPDX-License-Identifier: MIT
#include "platform.hpp"

#include "kernel/found.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/upcall.hpp"

namespace parley::platform {

// Where it has the processor for itself the emulator may let others run, which runs processors in turn when
// it counts instructions, and ends a turn early only for a pause.
void give_way()
{
    kernel::UserProcess& self = kernel::UserProcess::here();
    if (self.shares_processor())
        self.yield();
    else
        arch::pause();
}

bool block(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    return kernel::wait_table().block({reinterpret_cast<std::uint64_t>(&word), 0},
                                      [&] { return word.load(std::memory_order_seq_cst) == expected; });
}

unsigned wake(std::atomic<std::uint32_t>& word, unsigned count)
{
    return kernel::wait_table().wake({reinterpret_cast<std::uint64_t>(&word), 0}, count);
}

// Only processes of jobs come here, and a job whose design has no such words does not.
bool suspend(std::atomic<std::uint32_t>& word, std::uint32_t expected)
{
    kernel::UserProcess& self = kernel::UserProcess::here();
    return self.job().word_waits()->block(self.endpoint(), reinterpret_cast<std::uintptr_t>(&word),
                                          [&] { return word.load(std::memory_order_seq_cst) == expected; });
}

unsigned resume(std::atomic<std::uint32_t>& word, unsigned count)
{
    return kernel::UserProcess::here().job().word_waits()->wake(reinterpret_cast<std::uintptr_t>(&word),
                                                                count);
}

void notify(unsigned endpoint)
{
    if (kernel::UserProcess* process = kernel::UserProcess::here().job().processes().find(endpoint))
        kernel::interrupt_program(*process);
}

Result<void> copy_to_process(unsigned endpoint, UserAddress to, UserAddress from, std::size_t bytes)
{
    kernel::UserProcess& self = kernel::UserProcess::here();
    kernel::UserProcess* const receiver = self.job().processes().find_program(endpoint);
    if (receiver == nullptr)
        return std::unexpected(Error::bad_buffer);
    return receiver->domain()->copy_from(*self.domain(), to, from, bytes);
}

Result<void> populate(std::byte* start, std::size_t bytes)
{
    // The shared region's pages appear when they are touched.
    if (reinterpret_cast<std::uintptr_t>(start) < WINDOW_BASE)
        return {};
    return kernel::machine_memory().window_of(start).populate(start, bytes);
}

} // namespace parley::platform
