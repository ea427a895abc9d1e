// SPDX-License-Identifier: MIT
// The `gangs` proxy. The nucleus has no part in it: this folder is linked to it in a measuring kernel only.
#include "kernel/found.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/proxy_methods.hpp"
#include "kernel/user_copy.hpp"
#include "measuring/gang_bench.hpp"

namespace parley::kernel {

namespace {

// One a job, made in the job's window when a process first asks for it; it goes with the window.
class GangBenches {
public:
    Result<GangBench*> of(UserProcess& process)
    {
        const unsigned index = Window::index_of(&process);
        LockGuard guard(lock_);
        JobBench& own = benches_[index];
        if (own.job != process.job().number()) {
            Window& window = machine_memory().window_of(&process);
            const GangQueue queue =
                gang_queue(configuration().gang_policy, process.job().design().shared_ready_queue);
            const GangBench::Surroundings machine{processors(), scheduler(), wait_table(), timers()};
            own.bench = TRY(window.create<GangBench>(machine, window, queue));
            own.job = process.job().number();
        }
        return own.bench;
    }

private:
    struct JobBench {
        unsigned job = ~0u; // whose bench it is: no two jobs of a run have one number
        GangBench* bench = nullptr;
    };
    SpinLock lock_;
    JobBench benches_[WINDOW_COUNT] GUARDED_BY(lock_);
};

constinit GangBenches benches;

Result<std::uint64_t> measure(UserProcess& self, std::uint64_t members, std::uint64_t load, UserAddress into)
{
    GangBench& bench = *TRY(benches.of(self));
    const nx_gang_times times = TRY(bench.measure(members, load));
    TRY_VOID(write_user(into, times));
    return 0;
}

} // namespace

std::uint64_t gangs_measure(UserProcess& self, arch::CallFrame& frame)
{
    return answer(measure(self, frame.rsi, frame.rdx, {frame.r10}));
}

} // namespace parley::kernel
