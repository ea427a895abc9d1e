// SPDX-License-Identifier: MIT
#include "kernel/job/job_message_system.hpp"

#include "kernel/process/user_process.hpp"

namespace parley::kernel {

void JobMessageSystem::introduce(UserProcess& process)
{
    if (system_ != nullptr)
        process.enter(*system_);
}

void JobMessageSystem::open(unsigned endpoint)
{
    if (system_ != nullptr)
        system_->open(endpoint);
}

Result<void> JobMessageSystem::set_pid(unsigned endpoint, int pid)
{
    return system_ == nullptr ? Result<void>() : system_->set_pid(endpoint, pid);
}

Result<void> JobMessageSystem::drain(unsigned endpoint)
{
    return system_ == nullptr ? Result<void>() : system_->drain(endpoint);
}

void JobMessageSystem::close(unsigned endpoint, messaging::EndpointState how)
{
    if (system_ != nullptr)
        system_->close(endpoint, how);
}

void JobMessageSystem::reset(unsigned endpoint, messaging::Waiting messages)
{
    if (system_ != nullptr)
        system_->reset(endpoint, messages);
}

bool JobMessageSystem::helpers_see_the_end(unsigned programs) const
{
    for (unsigned endpoint = 0; system_ == nullptr && endpoint < programs; ++endpoint) {
        const messaging::WaitRecord* const record = records_.record(endpoint);
        if (record == nullptr || record->is_live())
            return false;
    }
    return true;
}

std::size_t JobMessageSystem::leaks() const { return system_ == nullptr ? 0 : system_->leaks(); }

} // namespace parley::kernel
