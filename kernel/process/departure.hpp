// SPDX-License-Identifier: MIT
// How a process ends that its own job ends (killcube, killproc). Where its job's message system is code that
// it runs itself (kernel/job/system_home.hpp: SystemCode), it is not ended in the middle of that, as it may
// hold what others wait for. It is told to give up, as waits in the kernel are, and returns; the rest of its
// code has been hidden, made not executable, so that the return faults. From there, as from any other place
// in its program, it goes on at the system's own last instructions for it, which close its endpoint, and
// ends.
//
// A process whose job ends as a whole, or has reached its limit, ends at once: nobody is left to wait for
// it.
#pragma once

#include "arch/x86_64/trap.hpp"

#include <cstdint>

namespace parley::kernel {

class UserProcess;

struct Departure {
    enum class Step : std::uint8_t {
        none,
        unwinding, // it has been found in the system's code, and is on its way out of it
        leaving,   // it closes its endpoint
    };
    Step step = Step::none;
    bool closes_endpoint = true; // false: it has none, and is never in the system's code
    std::uint64_t since = 0;     // its ticks then
};

// Called on the way back to user mode by a process that must end. Returns where it has to go on for a while;
// the frame then says where.
void depart(UserProcess& self, arch::TrapFrame& frame);
void depart(UserProcess& self, arch::CallFrame& frame);
// A program tried to execute memory that it may not. True: it was on its way out, and goes on where the
// frame says.
bool depart_from_hidden_code(UserProcess& self, arch::TrapFrame& frame);

// The process has ended: whoever runs the system needs not look for it any more. Called by itself.
void end_departure(UserProcess& self);

} // namespace parley::kernel
