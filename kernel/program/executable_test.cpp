// SPDX-License-Identifier: MIT
#include "kernel/program/executable.hpp"
#include "kernel/program/executable_builder.hpp"
#include "kernel/program/program_fakes.hpp"

#include "testing/catch.hpp"

#include <functional>
#include <limits>

using namespace parley::kernel;
using testing::ExecutableBuilder;
using testing::FakeSpace;

namespace {

constexpr ImageWindow window{0x40'0000, 0x1000'0000};

std::string_view refusal(const std::function<void(ExecutableBuilder&)>& spoil)
{
    ExecutableBuilder builder(elf::type_independent);
    spoil(builder);
    const auto file = builder.build();
    const auto program = Executable::parse(file);
    return program ? std::string_view{} : program.error().sentence;
}

} // namespace

TEST_CASE("a position-independent program is loaded at the window's start with each segment's protection")
{
    const auto file = ExecutableBuilder(elf::type_independent).build();
    const auto program = Executable::parse(file);
    REQUIRE(program);
    REQUIRE(program->position_independent());
    FakeSpace space;
    const auto image = program->load(space, window);
    REQUIRE(image);
    REQUIRE(image->entry.value == 0x40'1010);
    REQUIRE(image->program_headers.value == 0x40'0040);
    REQUIRE(image->program_header_count == 3);
    REQUIRE(image->end.value == 0x40'5000);
    REQUIRE(space.protection_at(0x40'0000) == Protection::read);
    REQUIRE(space.protection_at(0x40'1000) == Protection::read_execute);
    REQUIRE(space.protection_at(0x40'2f00) == Protection::read_write);
    REQUIRE(space.protection_at(0x40'4fff) == Protection::read_write);
    REQUIRE(space.get<std::byte>(0x40'1010) == file[0x1010]);
    REQUIRE(space.get<std::byte>(0x40'30ff) == file[0x30ff]);
    REQUIRE(space.get<std::uint64_t>(0x40'3100) == 0);
}

TEST_CASE("a fixed program is loaded where it says, if that is inside the window")
{
    const auto file = ExecutableBuilder(elf::type_fixed, 0x50'0000).build();
    const auto program = Executable::parse(file);
    REQUIRE(program);
    REQUIRE(!program->position_independent());
    FakeSpace space;
    REQUIRE(program->load(space, window)->entry.value == 0x50'1010);
    FakeSpace other;
    REQUIRE(!program->load(other, {0x60'0000, 0x1000'0000}));
    REQUIRE(!program->load(other, {0x40'0000, 0x50'4000}));
    REQUIRE(program->load(other, {0x40'0000, 0x50'5000}));
    REQUIRE(!program->load(other, window)); // its place is taken by now
}

TEST_CASE("programs that a kernel must not believe are refused with a sentence")
{
    constexpr auto huge = std::numeric_limits<std::uint64_t>::max();
    REQUIRE(refusal([](auto&) { }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.magic[0] = 0; }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.word_class = 1; }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.machine = 3; }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.type = 1; }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.program_header_bytes = 55; }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.program_headers = huge; }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.program_headers = ExecutableBuilder::file_bytes - 60; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments.clear(); }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.entry = 0x2f00; }).empty());
    REQUIRE(!refusal([](auto& b) { b.header.entry = 0; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments[1].flags = 7; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments[1].file_bytes = 0x900; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments[1].offset = huge; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments[1].offset = ExecutableBuilder::file_bytes - 1; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments[2].memory_bytes = huge; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments[2].address = huge; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments[2].address = 0x1800; }).empty());
    REQUIRE(!refusal([](auto& b) { b.segments.resize(40, b.segments[2]); }).empty());
    REQUIRE(refusal([](auto& b) { b.add(elf::interpreter, 4, 0, 0, 8, 8); }).find("dynamic loader") !=
            std::string_view::npos);
}

TEST_CASE("a file cut off anywhere is refused or loads within its bytes")
{
    const auto file = ExecutableBuilder(elf::type_independent).build();
    for (std::size_t bytes = 0; bytes < file.size(); bytes += 13) {
        const std::vector<std::byte> part(file.begin(), file.begin() + static_cast<long>(bytes));
        REQUIRE(!Executable::parse(part));
    }
}

TEST_CASE("no memory for a segment is an error of its own")
{
    const auto file = ExecutableBuilder(elf::type_independent).build();
    FakeSpace space;
    space.page_limit = 2;
    const auto image = Executable::parse(file)->load(space, window);
    REQUIRE(!image);
    REQUIRE(image.error().error == parley::Error::no_memory);
}
