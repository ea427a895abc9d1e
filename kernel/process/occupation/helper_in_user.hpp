// SPDX-License-Identifier: MIT
// The process delivers messages in user mode, in the library's code. That has no C library and knows one
// Linux call, its end.
#pragma once

#include "kernel/process/occupation.hpp"
#include "kernel/process/user_process.hpp"

namespace parley::kernel {

class HelperInUser final : public Occupation {
public:
    void prepare(UserProcess& process) override { process.prepare(); }
    [[noreturn]] LinuxValue linux_call(UserProcess& self, long number, const long (&arguments)[6]) override
    {
        constexpr long exit_group = 231;
        if (number == exit_group)
            self.exit(static_cast<int>(arguments[0]));
        self.fail("made a Linux call in its delivery process");
    }
    void finish() override { }
};

// It has no state, so one serves all processes.
inline constinit HelperInUser helper_in_user;

} // namespace parley::kernel
