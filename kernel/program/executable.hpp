// SPDX-License-Identifier: MIT
// A static ELF64 program for x86-64 Linux, linked at fixed addresses or position-independent (static-pie).
// parse() takes the file to be hostile and checks everything that load() uses. Nothing is relocated here:
// static-pie programs relocate themselves. A request for an executable stack is passed over: no page is ever
// writable and executable.
#pragma once

#include "kernel/program/address_space.hpp"
#include "kernel/program/failure.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace parley::kernel {

// The addresses that a program's segments may use, whole pages.
struct ImageWindow {
    std::uintptr_t start;
    std::uintptr_t end;
};

struct Segment {
    std::uintptr_t address; // before the base is added
    std::size_t memory_bytes;
    std::span<const std::byte> contents;
    Protection protection;

    std::uintptr_t first_page() const { return round_down(address, page_bytes); }
    std::uintptr_t end_page() const { return round_up(address + memory_bytes, page_bytes); }
};

// Where a loaded program came to lie.
struct LoadedImage {
    UserAddress base; // 0 for a program linked at fixed addresses
    UserAddress entry;
    UserAddress program_headers; // 0 when they are in no segment
    std::size_t program_header_count;
    UserAddress end; // first page after the image
};

class Executable {
public:
    static Loaded<Executable> parse(std::span<const std::byte> file);

    bool position_independent() const { return independent_; }
    std::span<const Segment> segments() const { return {segments_.data(), count_}; }

    // Maps and fills the segments inside the window: at their own addresses, or from the window's start on.
    Loaded<LoadedImage> load(AddressSpace& space, ImageWindow window) const;

private:
    static constexpr std::size_t max_segments = 16;

    Loaded<void> add(std::span<const std::byte> file, std::size_t header);
    Loaded<void> check_entry() const;
    void find_program_headers(const std::byte* table);

    std::array<Segment, max_segments> segments_{};
    std::size_t count_ = 0;
    std::uintptr_t entry_ = 0;
    std::uintptr_t program_headers_ = 0;
    std::size_t program_header_count_ = 0;
    bool program_headers_loaded_ = false;
    bool independent_ = false;
};

} // namespace parley::kernel
