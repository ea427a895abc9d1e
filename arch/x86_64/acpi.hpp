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

// Reads the tables. `root` 0: they are searched for in the BIOS area. The boot's mapping of the first 4 GiB
// is in force. Errors: not_found, where there are none.
Result<void> read_acpi(AcpiMachine& into, PhysAddr root);

} // namespace parley::arch
