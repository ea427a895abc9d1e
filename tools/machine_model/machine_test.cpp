// SPDX-License-Identifier: MIT
#include "tools/machine_model/machine.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

constexpr std::string_view multimax = "instruction.plain 500000\ncache.bytes 65536\ncache.line 16\n"
                                      "cache.subline 4\ncache.fill 8\ncache.read_miss 320000\n"
                                      "cache.write 120000\nbus.transfer 80000\nmemory.banks 8\n"
                                      "memory.bank 320000\nmemory.width 8\n";

std::expected<Machine, std::string> made(std::string text)
{
    const auto file = MachineFile::parse(text);
    REQUIRE(file.has_value());
    return Machine::make(*file, 2);
}

std::string changed(std::string_view from, std::string_view to)
{
    std::string text{multimax};
    return text.replace(text.find(from), from.size(), to);
}

bool refused(const std::string& text, std::string_view with)
{
    const auto machine = made(text);
    return !machine && machine.error().contains(with);
}

} // namespace

TEST_CASE("what a file does not say of a class of instructions is as for plain ones")
{
    const auto machine = made("instruction.plain 1000\ninstruction.divide 9000\n");
    REQUIRE(machine.has_value());
    CHECK(machine->time_of(InstructionClass::multiply) == 1000);
    CHECK(machine->time_of(InstructionClass::divide) == 9000);
}

TEST_CASE("what moves more than a word of the machine takes its time for each word")
{
    const auto machine = made("instruction.plain 1000\ninstruction.store 2000\ninstruction.word 4\n");
    REQUIRE(machine.has_value());
    CHECK(machine->accesses_take_time());
    CHECK(machine->steps_of(InstructionClass::plain).bytes == 4);
    CHECK(machine->steps_of(InstructionClass::plain).again == 1000);
    CHECK(machine->steps_of(InstructionClass::store).again == 2000);
    CHECK(machine->steps_of(InstructionClass::floating).again == 0); // whose data are as wide as they are
    CHECK(machine->steps_of(InstructionClass::floating).bytes >= 64);
    const auto of_any_width = made("instruction.plain 1000\n");
    CHECK(of_any_width->steps_of(InstructionClass::plain).bytes >= 64);
    CHECK_FALSE(of_any_width->accesses_take_time());
}

TEST_CASE("a machine without a cache has memory that takes no time, one with a cache takes what it says")
{
    CHECK_FALSE(made("instruction.plain 1000\n")->memory().takes_time());
    auto machine = made(std::string{multimax});
    REQUIRE(machine.has_value());
    CHECK(machine->memory().read({0, 0, 4, 0}) == 320'000);
}

TEST_CASE("what cannot be a machine is refused in a sentence")
{
    CHECK(refused("instruction.plane 1\n", "instruction.plane"));
    CHECK(refused("cache.bytes 65536\n", "instruction.plain"));
    CHECK(refused("instruction.plain 1\ninstruction.word 6\n", "a power of two, and not 6"));
    CHECK(refused(changed("cache.line 16", "cache.line 24"), "powers of two, and one is 24"));
    CHECK(refused(changed("cache.fill 8", "cache.fill 32"), "none is larger"));
    CHECK(refused(changed("memory.banks 8", "memory.banks 0"), "1 to 1024 banks"));
    CHECK_FALSE(MachineFile::parse("instruction.plain one\n").has_value());
}
