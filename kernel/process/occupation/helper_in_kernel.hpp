// SPDX-License-Identifier: MIT
// The process delivers messages in the kernel and never leaves it, so it needs no domain.
#pragma once

#include "kernel/job/job.hpp"
#include "kernel/process/occupation.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/report/panic.hpp"

namespace parley::kernel {

class HelperInKernel final : public Occupation {
public:
    void prepare(UserProcess& process) override
    {
        process.prepare_in_kernel([](UserProcess& self) {
            return self.system().deliver(self.endpoint(), self.job().network()).has_value();
        });
    }
    [[noreturn]] LinuxValue linux_call(UserProcess&, long, const long (&)[6]) override
    {
        panic("a process without user mode made a Linux call");
    }
    void finish() override { }
};

// It has no state, so one serves all processes.
inline constinit HelperInKernel helper_in_kernel;

} // namespace parley::kernel
