// SPDX-License-Identifier: MIT
#include "kernel/network/attendance.hpp"

namespace parley::kernel {

bool Attendance::admits(const FrameHead& head)
{
    if (head.from == own_.here && head.boot != own_.boot) {
        trouble_.note("there is another machine ", own_.here,
                      " in the network: give each a number of its own");
        return false;
    }
    if (head.kernel != own_.kernel) {
        trouble_.note(
            "machine ", unsigned{head.from},
            " runs another kernel, or was asked for other jobs or another number of machines: boot all from "
            "the same files");
        return false;
    }
    return head.to == own_.here && head.from < own_.machines && head.from != own_.here;
}

void Attendance::note_new_boot(unsigned machine)
{
    trouble_.note("machine ", machine, " is lost: it was booted again");
}

void Attendance::look(unsigned machine, std::uint64_t heard, std::uint64_t now)
{
    constexpr std::uint64_t second = 1'000'000'000;
    if (expects(heard, now))
        return;
    if (heard == 0)
        trouble_.note("machine ", machine, " was never heard of in ", never_came_after / second, " s");
    else
        trouble_.note("machine ", machine, " is lost: nothing was heard of it for ", lost_after / second,
                      " s");
}

} // namespace parley::kernel
