// SPDX-License-Identifier: MIT
#include "kernel/process/shared_words.hpp"

#include "interface/start_info.h"
#include "kernel/found.hpp"
#include "kernel/job/job.hpp"

#include <atomic>

namespace parley::kernel {

namespace {

// The word through the kernel's own mapping: looking at it under a lock can neither fault nor wait.
Result<std::atomic<std::uint32_t>*> kernel_view(UserProcess& self, UserAddress word)
{
    SharedRegion& region = *self.job().shared();
    const std::uintptr_t offset = word.value - PARLEY_SHARED_BASE;
    if (offset >= region.bytes() || word.value % sizeof(std::uint32_t) != 0)
        return std::unexpected(Error::bad_buffer);
    const PhysAddr page = TRY(region.page(offset));
    return arch::to_pointer<std::atomic<std::uint32_t>>(page + offset % page_bytes);
}

sched::WaitKey key_of(const UserProcess& self, UserAddress word)
{
    return {word.value, self.job().number() + 1ul};
}

} // namespace

Result<std::uint64_t> block_on_shared_word(UserProcess& self, UserAddress word, std::uint32_t expected)
{
    auto* view = TRY(kernel_view(self, word));
    const auto still_wanted = [&] { return view->load(std::memory_order_seq_cst) == expected; };
    JobWordWaits* const by_semaphores = self.job().word_waits();
    const bool alive = by_semaphores == nullptr
                           ? wait_table().block(key_of(self, word), still_wanted)
                           : by_semaphores->block(self.endpoint(), word.value, still_wanted);
    if (!alive)
        return std::unexpected(Error::killed);
    return 0;
}

Result<std::uint64_t> wake_shared_word(UserProcess& self, UserAddress word, unsigned count)
{
    TRY(kernel_view(self, word));
    if (JobWordWaits* const by_semaphores = self.job().word_waits())
        return by_semaphores->wake(word.value, count);
    return wait_table().wake(key_of(self, word), count);
}

} // namespace parley::kernel
