// SPDX-License-Identifier: MIT
// A context switch that only a test composes: two processes share a domain, each in a slot of its own.
#pragma once

#include "kernel/job/domain_slots.hpp"
#include "kernel/job/residency.hpp"
#include "kernel/job/sentences.hpp"

namespace parley::kernel {

class PairedResidency final : public Residency {
public:
    static constexpr std::string_view name = "paired";

    unsigned domains_for(unsigned processes) const override { return (processes + 1) / 2; }
    Residence residence(unsigned process) const override
    {
        return {process / 2, shared_slot(process % 2), true};
    }
    void equip(Domain& domain) const override { domain.set_shared_by_processes(); }
    void clear(Domain& domain, unsigned slot) const override
    {
        (void)domain.unmap({domain_slot_start(slot)}, domain_slot_bytes);
    }
    std::string_view caution() const override { return unprotected; }
};

} // namespace parley::kernel
