// SPDX-License-Identifier: MIT
#include "kernel/program/executable_builder.hpp"
#include "kernel/program/program.hpp"
#include "kernel/program/program_fakes.hpp"

#include "testing/catch.hpp"

#include <map>

using namespace parley;
using namespace parley::kernel;
using kernel::testing::ExecutableBuilder;
using kernel::testing::FakeSpace;

namespace {

const LoadOptions options{.shared_space = false,
                          .window = {0x40'0000, 0x1000'0000},
                          .stack_low = {0x7000'0000},
                          .stack_top = {0x7001'0000}};
constexpr std::string_view arguments[] = {"bin/ring", "--access", "write"};

Loaded<StartedProgram> start(FakeSpace& space, std::uint16_t type, const LoadOptions& load,
                             std::size_t scratch_bytes)
{
    const auto file = ExecutableBuilder(type, type == elf::type_fixed ? 0x40'0000 : 0).build();
    parley_start info{};
    info.version = PARLEY_START_VERSION;
    info.node = 3;
    std::vector<std::byte> scratch(scratch_bytes, std::byte{0xaa});
    return start_program(space, file, load,
                         {.arguments = arguments, .start = info, .seed = 1, .loops = "barrier=tree"},
                         scratch);
}

struct StackReader {
    const FakeSpace& space;
    std::uintptr_t at;
    std::uint64_t word()
    {
        at += 8;
        return space.get<std::uint64_t>(at - 8);
    }
};

} // namespace

TEST_CASE("the first stack holds arguments, environment and the auxiliary vector as Linux lays them out")
{
    FakeSpace space;
    const auto program = start(space, elf::type_independent, options, 8192);
    REQUIRE(program);
    REQUIRE(program->entry.value == 0x40'1010);
    REQUIRE(program->heap_start.value == 0x40'5000);
    REQUIRE(program->stack_pointer.value % 16 == 0);
    StackReader stack{space, program->stack_pointer.value};
    REQUIRE(stack.word() == 3);
    for (const std::string_view argument : arguments)
        REQUIRE(space.get_text(stack.word()) == argument);
    REQUIRE(stack.word() == 0);
    for (const std::string_view variable : standard_environment())
        REQUIRE(space.get_text(stack.word()) == variable);
    REQUIRE(space.get_text(stack.word()) == "PARLEY_LOOPS=barrier=tree");
    REQUIRE(stack.word() == 0);
    std::map<std::uint64_t, std::uint64_t> auxiliary;
    for (std::uint64_t type = stack.word(); type != 0; type = stack.word())
        auxiliary[type] = stack.word();
    REQUIRE(auxiliary[3] == 0x40'0040);
    REQUIRE(auxiliary[4] == 56);
    REQUIRE(auxiliary[5] == 3);
    REQUIRE(auxiliary[6] == 4096);
    REQUIRE(auxiliary[9] == 0x40'1010);
    REQUIRE(space.get_text(auxiliary[15]) == "x86_64");
    REQUIRE(space.get_text(auxiliary[31]) == "bin/ring");
    REQUIRE(space.get<std::uint64_t>(auxiliary[25]) != 0);
    const auto info = space.get<parley_start>(auxiliary[PARLEY_AT_START]);
    REQUIRE(info.version == PARLEY_START_VERSION);
    REQUIRE(info.node == 3);
}

TEST_CASE(
    "there is a guard page below the stack, and nothing of the kernel's scratch memory reaches the program")
{
    FakeSpace space;
    const auto program = start(space, elf::type_independent, options, 8192);
    REQUIRE(space.mapped(0x7000'0000 - 1));
    REQUIRE(space.protection_at(0x7000'0000 - 1) == Protection::none);
    REQUIRE(space.protection_at(0x7000'0000) == Protection::read_write);
    const std::size_t bytes = options.stack_top.value - program->stack_pointer.value;
    const std::string used = space.get_bytes(program->stack_pointer.value, bytes);
    REQUIRE(used.find("\xaa\xaa") == std::string::npos);
}

TEST_CASE("a fixed-address program cannot share a domain, and the sentence says what to do")
{
    FakeSpace space;
    LoadOptions shared = options;
    shared.shared_space = true;
    const auto program = start(space, elf::type_fixed, shared, 8192);
    REQUIRE(!program);
    REQUIRE(program.error().sentence.find("-static-pie") != std::string_view::npos);
    REQUIRE(start(space, elf::type_fixed, options, 8192));
}

TEST_CASE("arguments that do not fit are refused")
{
    for (std::size_t scratch = 0; scratch < 900; scratch += 8) {
        FakeSpace space;
        const auto program = start(space, elf::type_independent, options, scratch);
        if (!program)
            REQUIRE(program.error().error == Error::bad_length);
    }
    FakeSpace space;
    REQUIRE(!start(space, elf::type_independent, options, 300));
}
