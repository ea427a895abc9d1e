// SPDX-License-Identifier: MIT
// A location that only a test composes: jobs are made as where the system lives in the kernel.
#pragma once

#include "kernel/job/system_home/kernel.hpp"

namespace parley::kernel {

class PiecewiseSystemHome final : public SystemHome {
public:
    static constexpr std::string_view name = "piecewise";

    std::size_t region_bytes(std::size_t budget, unsigned endpoints) const override
    {
        return kernel_.region_bytes(budget, endpoints);
    }
    unsigned in_domains(unsigned programs, unsigned helpers) const override
    {
        return kernel_.in_domains(programs, helpers);
    }
    Loaded<void> equip(Domain& domain, const Archive& archive) override
    {
        return kernel_.equip(domain, archive);
    }
    Loaded<JobMessageSystem*> make_messages(const SystemPlan& plan) override
    {
        return kernel_.make_messages(plan);
    }
    void describe(parley_start& start) const override { kernel_.describe(start); }
    Loaded<void> make_helper(UserProcess& process, const parley_start& start) override
    {
        return kernel_.make_helper(process, start);
    }
    SystemCode system_code() const override { return kernel_.system_code(); }
    std::string_view caution() const override { return kernel_.caution(); }

private:
    KernelSystemHome kernel_;
};

} // namespace parley::kernel
