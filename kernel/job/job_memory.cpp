// SPDX-License-Identifier: MIT
#include "kernel/job/job_memory.hpp"

namespace parley::kernel {

Result<void> JobMemory::make_region(std::size_t bytes)
{
    region_ = TRY(SharedRegion::create(window_, frames_, bytes));
    return {};
}

Result<void> JobMemory::make_room_for_domains(unsigned count)
{
    domains_ = reinterpret_cast<Domain**>(TRY(window_.allocate(count * sizeof(Domain*), alignof(Domain*))));
    return {};
}

Result<Domain*> JobMemory::make_domain()
{
    Domain* const domain = TRY(Domain::create(window_, frames_));
    domains_[domain_count_++] = domain;
    TRY_VOID(domain->share(*region_));
    return domain;
}

Domain& JobMemory::domain(unsigned index) const { return *domains_[index]; }

void JobMemory::release()
{
    for (unsigned i = 0; i < domain_count_; ++i)
        domains_[i]->release();
    if (region_ != nullptr)
        region_->release();
    window_.release();
}

} // namespace parley::kernel
