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
    // A Linux call of what runs in the process, on its own behalf: the call's value, or it does not return.
    virtual LinuxValue linux_call(UserProcess& self, long number, const long (&arguments)[6]) = 0;
    // What runs in the process has ended, however it did: gives back what it held.
    virtual void finish() = 0;

protected:
    ~Occupation() = default;
};

} // namespace parley::kernel
