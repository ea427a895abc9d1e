// SPDX-License-Identifier: MIT
#include "arch/x86_64/boot_info.hpp"

#include "arch/x86_64/page_table.hpp"
#include "arch/x86_64/text_screen.hpp"

namespace parley::arch {

namespace {

constexpr std::uint32_t pvh_magic = 0x336ec578;
constexpr std::uint32_t multiboot2_magic = 0x36d76289;
constexpr std::uint32_t usable = 1;
constexpr std::uint8_t text_kind = 2; // of a screen

struct PvhStart {
    std::uint32_t magic, version, flags, modules;
    std::uint64_t module_list, command_line, acpi_root, memory_map;
    std::uint32_t memory_entries, reserved;
};
struct PvhModule {
    std::uint64_t start, bytes, command_line, reserved;
};
struct PvhMemory {
    std::uint64_t start, bytes;
    std::uint32_t type, reserved;
};

struct Tag {
    std::uint32_t type, bytes;
};
struct ModuleTag {
    Tag tag;
    std::uint32_t start, end;
};
struct MemoryTag {
    Tag tag;
    std::uint32_t entry_bytes, version;
};
struct ScreenTag {
    Tag tag;
    std::uint64_t cells;
    std::uint32_t pitch, width, height;
    std::uint8_t bits, kind;
};
enum TagType : std::uint32_t {
    end_tag = 0,
    command_line_tag = 1,
    module_tag = 3,
    memory_tag = 6,
    screen_tag = 8,
    acpi_old = 14,
    acpi_new = 15
};

std::string_view text_at(const char* text) { return text; }

void read_pvh(BootInfo& into, const PvhStart& start)
{
    into.loader = "PVH";
    into.acpi_root = {start.acpi_root};
    if (start.command_line != 0)
        into.set_command_line(text_at(to_pointer<const char>(PhysAddr{start.command_line})));
    if (start.modules != 0) {
        const auto* module = to_pointer<const PvhModule>(PhysAddr{start.module_list});
        into.module = {{module->start}, {module->start + module->bytes}};
    }
    const auto* entries = to_pointer<const PvhMemory>(PhysAddr{start.memory_map});
    for (std::uint32_t i = 0; i < start.memory_entries; ++i) {
        if (entries[i].type == usable)
            into.add_memory(entries[i].start, entries[i].bytes);
    }
}

void read_memory_tag(BootInfo& into, const MemoryTag& tag)
{
    const auto* bytes = reinterpret_cast<const std::byte*>(&tag);
    for (std::uint32_t at = sizeof tag; at + tag.entry_bytes <= tag.tag.bytes; at += tag.entry_bytes) {
        const auto* entry = reinterpret_cast<const PvhMemory*>(bytes + at);
        if (entry->type == usable)
            into.add_memory(entry->start, entry->bytes);
    }
}

void read_screen_tag(BootInfo& into, const ScreenTag& tag)
{
    if (tag.kind == text_kind && tag.width == TextScreen::columns && tag.height == TextScreen::rows)
        into.text_screen = {tag.cells};
}

void read_tag(BootInfo& into, const Tag& tag)
{
    const auto* contents = reinterpret_cast<const char*>(&tag + 1);
    switch (tag.type) {
    case command_line_tag: return into.set_command_line(text_at(contents));
    case module_tag: {
        const auto& module = reinterpret_cast<const ModuleTag&>(tag);
        into.module = {{module.start}, {module.end}};
        return;
    }
    case screen_tag: return read_screen_tag(into, reinterpret_cast<const ScreenTag&>(tag));
    case memory_tag: return read_memory_tag(into, reinterpret_cast<const MemoryTag&>(tag));
    case acpi_old:
    case acpi_new: into.acpi_root = direct_map_address(contents); return;
    default: return;
    }
}

void read_multiboot2(BootInfo& into, PhysAddr information)
{
    into.loader = "Multiboot2";
    const auto total = *to_pointer<const std::uint32_t>(information);
    for (std::uint32_t at = 8; at + sizeof(Tag) <= total;) {
        const auto& tag = *to_pointer<const Tag>(information + at);
        if (tag.type == end_tag)
            return;
        read_tag(into, tag);
        at += static_cast<std::uint32_t>(round_up(tag.bytes, 8));
    }
}

} // namespace

void BootInfo::add_memory(std::uint64_t start, std::uint64_t bytes)
{
    if (memory_count < max_ranges)
        memory[memory_count++] = {{start}, {start + bytes}};
}

void BootInfo::set_command_line(std::string_view text)
{
    std::size_t length = 0;
    for (; length < text.size() && length < sizeof command_line - 1; ++length)
        command_line[length] = text[length];
    command_line[length] = 0;
}

Result<void> read_boot_info(BootInfo& into, std::uint32_t magic, PhysAddr information)
{
    if (magic == multiboot2_magic)
        read_multiboot2(into, information);
    else if (magic == pvh_magic && to_pointer<const PvhStart>(information)->magic == pvh_magic)
        read_pvh(into, *to_pointer<const PvhStart>(information));
    else
        return std::unexpected(Error::bad_argument);
    return {};
}

} // namespace parley::arch
