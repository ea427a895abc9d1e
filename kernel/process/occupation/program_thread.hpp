// SPDX-License-Identifier: MIT
// The process is a thread of a program.
#pragma once

#include "kernel/process/occupation.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/program/personality.hpp"

#include <optional>

namespace parley::kernel {

class ProgramThread final : public Occupation {
public:
    // It runs for that program from now on. Called before it runs.
    void work_for(ProgramState& program, UserProcess& thread) { personality_.emplace(program, thread); }

    void prepare(UserProcess& process) override { process.prepare(); }
    LinuxValue linux_call(UserProcess&, long number, const long (&arguments)[6]) override
    {
        return kernel::linux_call(*personality_, number, arguments);
    }
    void finish() override { }

private:
    std::optional<Personality> personality_;
};

} // namespace parley::kernel
