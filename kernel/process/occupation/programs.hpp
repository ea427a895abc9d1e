// SPDX-License-Identifier: MIT
// The process runs programs, one after the other; a place of a cube may stay empty until one is loaded.
#pragma once

#include "kernel/process/occupation.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/program/personality.hpp"

#include <optional>

namespace parley::kernel {

class Programs final : public Occupation {
public:
    // The next program has been loaded. Called before it runs.
    void load(const PersonalityOptions& options)
    {
        program_.emplace(options);
        personality_.emplace(*program_, options.control);
    }
    // What its threads share.
    ProgramState& program() { return *program_; }

    void prepare(UserProcess& process) override { process.prepare(); }
    LinuxValue linux_call(UserProcess&, long number, const long (&arguments)[6]) override
    {
        return kernel::linux_call(*personality_, number, arguments);
    }
    void finish() override { program_->finish(); }

private:
    // The state of the program that runs in this process; between programs, of the last one.
    std::optional<ProgramState> program_;
    std::optional<Personality> personality_;
};

} // namespace parley::kernel
