// SPDX-License-Identifier: MIT
// The `semaphores` proxies.
#include "kernel/job/job.hpp"
#include "kernel/process/proxy_methods.hpp"
#include "kernel/user_copy.hpp"

namespace parley::kernel {

namespace {

using arch::CallFrame;

std::uint64_t answer_void(const Result<void>& result) { return result ? 0 : failure(result.error()); }

} // namespace

std::uint64_t semaphores_open(UserProcess& self, CallFrame& frame)
{
    if (self.job().network() != nullptr)
        return failure(Error::one_machine_only);
    return answer(self.job().semaphores().open(frame.rsi, frame.rdx));
}

std::uint64_t semaphores_bind(UserProcess& self, CallFrame& frame)
{
    const Result<JobSemaphores::UserBinding> binding =
        self.job().semaphores().bind(static_cast<long>(frame.rsi));
    if (!binding)
        return failure(binding.error());
    frame.rdx = binding->word.value;
    return binding->delay;
}

std::uint64_t semaphores_p(UserProcess& self, CallFrame& frame)
{
    return answer_void(self.job().semaphores().p(self.endpoint(), static_cast<long>(frame.rsi)));
}

std::uint64_t semaphores_v(UserProcess& self, CallFrame& frame)
{
    return answer_void(self.job().semaphores().v(static_cast<long>(frame.rsi)));
}

std::uint64_t semaphores_v_all(UserProcess& self, CallFrame& frame)
{
    long ids[PARLEY_MOST_AT_ONCE];
    const std::uint64_t count = frame.rdx;
    if (count > PARLEY_MOST_AT_ONCE)
        return failure(Error::bad_argument);
    if (const Result<void> copied = copy_from_user(ids, {frame.rsi}, count * sizeof(long)); !copied)
        return failure(copied.error());
    return answer_void(self.job().semaphores().v_all({ids, count}));
}

std::uint64_t semaphores_read_counts(UserProcess& self, CallFrame& frame)
{
    const parley_semaphore_counts counts = self.job().semaphores().counts();
    return answer_void(copy_to_user({frame.rsi}, &counts, sizeof counts));
}

} // namespace parley::kernel
