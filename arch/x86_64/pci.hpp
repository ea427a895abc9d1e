// SPDX-License-Identifier: MIT
// Devices on the first PCI bus, as the firmware has set them up. Kernel mode, one caller at a time.
#pragma once

#include "base/address.hpp"

#include <cstdint>
#include <optional>

namespace parley::arch {

class PciDevice {
public:
    // The first device of that vendor and kind; nothing: there is none.
    static std::optional<PciDevice> find(std::uint16_t vendor, std::uint16_t device);

    // Lets the device answer at its ports and addresses, and reach memory by itself.
    void enable();
    // The first port of a region of ports.
    std::uint16_t ports(unsigned region) const;
    // What has to be mapped before send_interrupts(): the page with the table of its interrupt messages, and
    // where in it the table begins. Nothing: the device has no such table.
    struct MessageTable {
        PhysAddr page;
        unsigned offset;
    };
    std::optional<MessageTable> message_table() const;
    // Has the device's interrupt messages of number 0 raise `vector` on that processor. `table`: where the
    // table is mapped.
    void send_interrupts(std::uintptr_t table, std::uint32_t apic_id, unsigned vector);

private:
    explicit PciDevice(unsigned slot) : slot_(slot) { }

    std::uint32_t read(unsigned offset) const;
    void write(unsigned offset, std::uint32_t value);
    std::uint32_t region(unsigned number) const;
    unsigned message_capability() const;

    unsigned slot_;
};

} // namespace parley::arch
