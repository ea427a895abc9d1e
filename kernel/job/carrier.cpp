// SPDX-License-Identifier: MIT
// The delivery process (transport: process): in kernel location it runs the message system's loop in the kernel, in user location
// the library's.
#include "kernel/job/job_builder.hpp"

namespace parley::kernel {

Loaded<void> JobBuilder::make_carrier(UserProcess& process)
{
    process.name = "delivery";
    process.domain = job_.domains_[0];
    if (!traits_.in_user)
        return {};
    return refuse("user location with a delivery process is being built", Error::bad_argument);
}

} // namespace parley::kernel
