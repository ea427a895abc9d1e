// SPDX-License-Identifier: MIT
// All processes of a job live in one domain, each in a slot of its own.
#pragma once

#include "kernel/job/domain_slots.hpp"
#include "kernel/job/residency.hpp"
#include "kernel/job/sentences.hpp"
#include "messaging/context_switch/light.hpp"

namespace parley::kernel {

class LightResidency final : public Residency {
public:
    static constexpr std::string_view name = messaging::LightContextSwitch::name;

    unsigned domains_for(unsigned) const override { return 1; }
    Residence residence(unsigned process) const override { return {0, shared_slot(process), true}; }
    void equip(Domain& domain) const override { domain.set_shared_by_processes(); }
    // What the program mapped outside its slot stays until the job's end: nobody else can tell whose it is.
    void clear(Domain& domain, unsigned slot) const override
    {
        (void)domain.unmap({domain_slot_start(slot)}, domain_slot_bytes);
    }
    std::string_view caution() const override { return unprotected; }
};

} // namespace parley::kernel
