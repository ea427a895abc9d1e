// SPDX-License-Identifier: MIT
// What a process of a job is there for: programs, or the message system's work. Leaves are in
// kernel/process/occupation/.
#pragma once

#include "kernel/program/linux_errno.hpp"

namespace parley::kernel {

class UserProcess;

class Occupation {
public:
    // Makes the process ready for its first run.
    virtual void prepare(UserProcess& process) = 0;
    // What runs in the process has made a Linux call. Answers the call's value, or does not return. Called
    // by the process itself.
    virtual LinuxValue linux_call(UserProcess& self, long number, const long (&arguments)[6]) = 0;
    // What runs in the process has ended, in whatever way: gives back what it held. Called by the process.
    virtual void finish() = 0;

protected:
    ~Occupation() = default;
};

} // namespace parley::kernel
