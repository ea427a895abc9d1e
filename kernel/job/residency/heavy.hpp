// SPDX-License-Identifier: MIT
// Every process has a domain of its own, and the low slot in it.
#pragma once

#include "kernel/job/residency.hpp"
#include "messaging/context_switch/heavy.hpp"

namespace parley::kernel {

class HeavyResidency final : public Residency {
public:
    static constexpr std::string_view name = messaging::HeavyContextSwitch::name;

    unsigned domains_for(unsigned processes) const override { return processes; }
    Residence residence(unsigned process) const override { return {process, 0, false}; }
    void equip(Domain&) const override { }
    void clear(Domain& domain, unsigned) const override { domain.clear_program(); }
    std::string_view caution() const override { return {}; }
};

} // namespace parley::kernel
