// SPDX-License-Identifier: MIT
#include "arch/x86_64/acpi.hpp"

#include "arch/x86_64/page_table.hpp"

#include <string_view>

namespace parley::arch {

namespace {

struct [[gnu::packed]] RootPointer {
    char signature[8];
    std::uint8_t checksum;
    char oem[6];
    std::uint8_t revision;
    std::uint32_t table;
};

struct [[gnu::packed]] TableHeader {
    char signature[4];
    std::uint32_t bytes;
    std::uint8_t rest[28];
};

struct [[gnu::packed]] ApicTable {
    TableHeader header;
    std::uint32_t address;
    std::uint32_t flags;
};

struct [[gnu::packed]] ApicEntry {
    std::uint8_t type;
    std::uint8_t bytes;
    std::uint8_t processor_id;
    std::uint8_t apic_id;
    std::uint32_t flags;
};

constexpr std::uint8_t local_apic = 0;
constexpr std::uint32_t enabled = 1;
constexpr std::size_t timer_port_offset = 76; // of the FADT

PhysAddr search_root()
{
    for (std::uint64_t at = 0xe0000; at < 0x100000; at += 16) {
        const auto* pointer = to_pointer<const RootPointer>(PhysAddr{at});
        if (std::string_view(pointer->signature, sizeof pointer->signature) == "RSD PTR ")
            return {at};
    }
    return {};
}

void read_processors(AcpiMachine& into, const ApicTable& table)
{
    into.apic = {table.address};
    const auto* bytes = reinterpret_cast<const std::byte*>(&table);
    for (std::uint32_t at = sizeof table; at + 2 <= table.header.bytes;) {
        const auto& entry = *reinterpret_cast<const ApicEntry*>(bytes + at);
        if (entry.type == local_apic && (entry.flags & enabled) != 0 && into.processors <= max_processors)
            into.apic_ids[into.processors++] = entry.apic_id;
        if (entry.bytes == 0)
            return;
        at += entry.bytes;
    }
}

void read_table(AcpiMachine& into, const TableHeader& header)
{
    const std::string_view signature(header.signature, sizeof header.signature);
    if (signature == "APIC")
        read_processors(into, reinterpret_cast<const ApicTable&>(header));
    if (signature == "FACP") {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&header);
        into.timer_port =
            static_cast<std::uint16_t>(bytes[timer_port_offset] | bytes[timer_port_offset + 1] << 8);
    }
}

} // namespace

Result<void> read_acpi(AcpiMachine& into, PhysAddr root)
{
    if (root.value == 0)
        root = search_root();
    if (root.value == 0)
        return std::unexpected(Error::not_found);
    const auto& list = *to_pointer<const TableHeader>(PhysAddr{to_pointer<const RootPointer>(root)->table});
    const auto* entries = reinterpret_cast<const std::byte*>(&list) + sizeof list;
    for (std::uint32_t at = 0; at + 4 <= list.bytes - sizeof list; at += 4) {
        std::uint32_t address;
        __builtin_memcpy(&address, entries + at, sizeof address);
        read_table(into, *to_pointer<const TableHeader>(PhysAddr{address}));
    }
    if (into.processors == 0 || into.timer_port == 0)
        return std::unexpected(Error::not_found);
    return {};
}

} // namespace parley::arch
