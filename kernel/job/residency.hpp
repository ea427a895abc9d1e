// SPDX-License-Identifier: MIT
// Factor "context-switch": do the processes of a job share an address space? Asked when a job is made and
// when a slot is cleared for another program; its leaves are in kernel/job/residency/.
#pragma once

#include "kernel/memory/domain.hpp"

#include <string_view>

namespace parley::kernel {

// Where a process lives.
struct Residence {
    unsigned domain; // index among the job's domains
    unsigned slot;   // in it: domain_slots.hpp
    bool shared;     // with other processes
};

class Residency {
public:
    // How many domains so many processes need.
    virtual unsigned domains_for(unsigned processes) const = 0;
    // `process`: its index among those that live in domains.
    virtual Residence residence(unsigned process) const = 0;
    // A domain of the job has been made, and no process runs in it.
    virtual void equip(Domain& domain) const = 0;
    // The program of that slot has ended: gives its memory back, for another program.
    virtual void clear(Domain& domain, unsigned slot) const = 0;
    // What a user of the job should know before it starts, or nothing.
    virtual std::string_view caution() const = 0;

protected:
    ~Residency() = default;
};

} // namespace parley::kernel
