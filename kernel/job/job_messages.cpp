// SPDX-License-Identifier: MIT
#include "kernel/job/job_messages.hpp"

#include "kernel/process/user_process.hpp"

namespace parley::kernel {

void JobMessages::introduce(UserProcess& process)
{
    if (system_ != nullptr)
        process.enter(*system_);
}

void JobMessages::open(unsigned endpoint)
{
    if (system_ != nullptr)
        system_->open(endpoint);
}

Result<void> JobMessages::set_pid(unsigned endpoint, int pid)
{
    return system_ == nullptr ? Result<void>() : system_->set_pid(endpoint, pid);
}

Result<void> JobMessages::drain(unsigned endpoint)
{
    return system_ == nullptr ? Result<void>() : system_->drain(endpoint);
}

void JobMessages::close(unsigned endpoint, messaging::EndpointState how)
{
    if (system_ != nullptr)
        system_->close(endpoint, how);
}

void JobMessages::reset(unsigned endpoint, messaging::Waiting messages)
{
    if (system_ != nullptr)
        system_->reset(endpoint, messages);
}

std::size_t JobMessages::leaks() const { return system_ == nullptr ? 0 : system_->leaks(); }

} // namespace parley::kernel
