// SPDX-License-Identifier: MIT
#include "kernel/program/executable.hpp"

#include "kernel/program/elf.hpp"

#include <cstring>

namespace parley::kernel {

namespace {

// No address in a file is believed beyond this; a sum of two such numbers cannot overflow.
constexpr std::uint64_t address_limit = AddressSpace::user_end;

template <class T>
bool fetch(std::span<const std::byte> file, std::uint64_t offset, T& into)
{
    if (offset > file.size() || file.size() - offset < sizeof into)
        return false;
    std::memcpy(&into, file.data() + offset, sizeof into);
    return true;
}

bool is_x86_64_program(const elf::Header& header)
{
    return std::memcmp(header.magic,
                       "\x7f"
                       "ELF",
                       4) == 0 &&
           header.word_class == elf::class_64 && header.byte_order == elf::little_endian &&
           header.machine == elf::machine_x86_64 &&
           (header.type == elf::type_fixed || header.type == elf::type_independent);
}

Protection protection_of(std::uint32_t flags)
{
    if ((flags & elf::executable) != 0)
        return Protection::read_execute;
    return (flags & elf::writable) != 0 ? Protection::read_write : Protection::read;
}

} // namespace

Loaded<Executable> Executable::parse(std::span<const std::byte> file)
{
    elf::Header header;
    if (!fetch(file, 0, header) || !is_x86_64_program(header))
        return refuse("this file is not an x86-64 Linux program");
    if (header.program_header_bytes != sizeof(elf::ProgramHeader) || header.program_headers > file.size())
        return refuse("the program's table of segments is damaged");
    Executable program;
    program.independent_ = header.type == elf::type_independent;
    program.entry_ = header.entry;
    program.program_header_count_ = header.program_header_count;
    for (std::size_t index = 0; index < header.program_header_count; ++index)
        TRY_VOID(program.add(file, header.program_headers + index * sizeof(elf::ProgramHeader)));
    TRY_VOID(program.check_entry());
    program.find_program_headers(file.data() + header.program_headers);
    return program;
}

void Executable::find_program_headers(const std::byte* table)
{
    const std::byte* end = table + program_header_count_ * sizeof(elf::ProgramHeader);
    for (const Segment& segment : segments()) {
        const std::byte* start = segment.contents.data();
        if (table >= start && end <= start + segment.contents.size()) {
            program_headers_ = segment.address + static_cast<std::size_t>(table - start);
            program_headers_loaded_ = true;
        }
    }
}

Loaded<void> Executable::add(std::span<const std::byte> file, std::size_t header_offset)
{
    elf::ProgramHeader header;
    if (!fetch(file, header_offset, header))
        return refuse("the program's table of segments does not lie inside the file");
    if (header.type == elf::interpreter)
        return refuse("this program needs a dynamic loader; link it with -static-pie (the wrappers do)");
    if (header.type != elf::load || header.memory_bytes == 0)
        return {};
    if (count_ == segments_.size())
        return refuse("the program has too many segments");
    if (header.offset > file.size() || header.file_bytes > file.size() - header.offset)
        return refuse("a segment's contents do not lie inside the file");
    if (header.file_bytes > header.memory_bytes)
        return refuse("a segment has more contents than memory");
    if (header.address > address_limit || header.memory_bytes > address_limit - header.address)
        return refuse("a segment lies outside of user space");
    if ((header.flags & elf::executable) != 0 && (header.flags & elf::writable) != 0)
        return refuse("a segment is both writable and executable");
    const Segment segment{header.address, header.memory_bytes, file.subspan(header.offset, header.file_bytes),
                          protection_of(header.flags)};
    if (count_ != 0 && segment.first_page() < segments_[count_ - 1].end_page())
        return refuse("the program's segments overlap or are out of order");
    segments_[count_++] = segment;
    return {};
}

Loaded<void> Executable::check_entry() const
{
    if (count_ == 0)
        return refuse("the program has no segment to load");
    for (const Segment& segment : segments()) {
        if (segment.protection == Protection::read_execute && entry_ >= segment.address &&
            entry_ - segment.address < segment.memory_bytes)
            return {};
    }
    return refuse("the program's entry point is not code of the program");
}

Loaded<LoadedImage> Executable::load(AddressSpace& space, ImageWindow window) const
{
    const std::uintptr_t lowest = segments_[0].first_page();
    const std::uintptr_t end = segments_[count_ - 1].end_page();
    // Unsigned wrap-around is meant: base + address is right for any lowest address.
    const std::uintptr_t base = independent_ ? window.start - lowest : 0;
    if (base + lowest < window.start || end - lowest > window.end - window.start || base + end > window.end)
        return refuse("the program does not fit into the part of user space that is for programs");
    for (const Segment& segment : segments()) {
        const UserAddress start{base + segment.first_page()};
        const std::size_t bytes = segment.end_page() - segment.first_page();
        TRY(explain(space.map(start, bytes, segment.protection, Replace::no),
                    "there is no room for a segment"));
        TRY_VOID(
            explain(space.store({base + segment.address}, segment.contents.data(), segment.contents.size()),
                    "there is too little memory for the program; boot with more (MEMORY=)"));
    }
    return LoadedImage{.base = {base},
                       .entry = {base + entry_},
                       .program_headers = {program_headers_loaded_ ? base + program_headers_ : 0},
                       .program_header_count = program_headers_loaded_ ? program_header_count_ : 0,
                       .end = {base + end}};
}

} // namespace parley::kernel
