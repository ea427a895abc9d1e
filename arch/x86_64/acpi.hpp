// SPDX-License-Identifier: MIT
// What the ACPI tables say that we need: the processors, the interrupt controller's address, the timer's
// port.
#pragma once

#include "arch/x86_64/processor.hpp"
#include "base/result.hpp"

namespace parley::arch {

struct AcpiMachine {
    std::uint32_t apic_ids[max_processors + 1] = {};
    unsigned processors = 0; // enabled ones, at most max_processors and one for service
    PhysAddr apic{0xfee00000};
    std::uint16_t timer_port = 0;
};

// `root` 0: search the BIOS area. The boot mapping of the first 4 GiB must be in force. Error::not_found: no
// tables.
Result<void> read_acpi(AcpiMachine& into, PhysAddr root);

} // namespace parley::arch
