// SPDX-License-Identifier: MIT
#include "arch/x86_64/pci.hpp"

#include "arch/x86_64/registers.hpp"

namespace parley::arch {

namespace {

constexpr std::uint16_t address_port = 0xcf8;
constexpr std::uint16_t data_port = 0xcfc;
constexpr unsigned slots = 32;

// Offsets in a device's configuration.
constexpr unsigned identity = 0x00;
constexpr unsigned command = 0x04;
constexpr unsigned regions = 0x10;
constexpr unsigned first_capability = 0x34;

constexpr std::uint32_t ports_memory_and_master = 7;
constexpr unsigned messages_capability = 0x11; // MSI-X

} // namespace

std::uint32_t PciDevice::read(unsigned offset) const
{
    write_port_long(address_port, 1u << 31 | slot_ << 11 | offset);
    return read_port_long(data_port);
}

void PciDevice::write(unsigned offset, std::uint32_t value)
{
    write_port_long(address_port, 1u << 31 | slot_ << 11 | offset);
    write_port_long(data_port, value);
}

std::optional<PciDevice> PciDevice::find(std::uint16_t vendor, std::uint16_t device)
{
    for (unsigned slot = 0; slot < slots; ++slot) {
        const PciDevice candidate(slot);
        if (candidate.read(identity) == (std::uint32_t{device} << 16 | vendor))
            return candidate;
    }
    return {};
}

void PciDevice::enable() { write(command, (read(command) & 0xffff) | ports_memory_and_master); }

std::uint32_t PciDevice::region(unsigned number) const { return read(regions + 4 * number); }

std::uint16_t PciDevice::ports(unsigned number) const
{
    return static_cast<std::uint16_t>(region(number) & 0xfffc);
}

// Where the capability is in the configuration; 0: there is none.
unsigned PciDevice::message_capability() const
{
    unsigned at = read(first_capability) & 0xfc;
    while (at != 0 && (read(at) & 0xff) != messages_capability)
        at = read(at) >> 8 & 0xfc;
    return at;
}

std::optional<PciDevice::MessageTable> PciDevice::message_table() const
{
    const unsigned capability = message_capability();
    if (capability == 0)
        return {};
    const std::uint32_t place = read(capability + 4); // the region's number, and an offset of whole words
    const std::uint32_t address = (region(place & 7) & ~15u) + (place & ~7u);
    return MessageTable{{round_down(address, page_bytes)}, static_cast<unsigned>(address % page_bytes)};
}

void PciDevice::send_interrupts(std::uintptr_t table, std::uint32_t apic_id, unsigned vector)
{
    constexpr std::uint32_t interrupt_controllers = 0xfee0'0000;
    constexpr std::uint32_t enabled = 1u << 31;
    auto* const entry = reinterpret_cast<volatile std::uint32_t*>(table);
    entry[0] = interrupt_controllers | apic_id << 12;
    entry[1] = 0;
    entry[2] = vector;
    entry[3] = 0; // not masked
    const unsigned capability = message_capability();
    write(capability, read(capability) | enabled);
}

} // namespace parley::arch
