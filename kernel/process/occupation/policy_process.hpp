// SPDX-License-Identifier: MIT
// The process is one of the policy processes of its job, and never leaves the kernel.
#pragma once

#include "kernel/job/job.hpp"
#include "kernel/process/occupation.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/report/panic.hpp"

namespace parley::kernel {

class PolicyProcess final : public Occupation {
public:
    void prepare(UserProcess& process) override
    {
        process.prepare_in_kernel([](UserProcess& self) {
            self.job().run_policy_process(self.endpoint() - self.job().processes().endpoints());
            return !self.pending_work.killed();
        });
    }
    [[noreturn]] LinuxValue linux_call(UserProcess&, long, const long (&)[6]) override
    {
        panic("a process without user mode made a Linux call");
    }
    void finish() override { }
};

// It has no state, so one serves all processes.
inline constinit PolicyProcess policy_process;

} // namespace parley::kernel
