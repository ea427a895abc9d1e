// SPDX-License-Identifier: MIT
#include "tools/machine_model/machine.hpp"

#include "testing/catch.hpp"

using namespace parley::machine_model;

namespace {

constexpr std::string_view multimax = "instruction.plain 500000\ncache.bytes 65536\ncache.line 16\n"
                                      "cache.subline 4\ncache.fill 8\ncache.read_miss 320000\n"
                                      "cache.write 120000\nbus.transfer 80000\nmemory.banks 8\n"
                                      "memory.bank 320000\nmemory.width 8\n";

constexpr std::string_view coherent_parameters =
    "level1.bytes 128\nlevel1.ways 2\nlevel1.hit 1000\ncoherence.line 64\ncoherence.from_cache 50000\n"
    "coherence.from_memory 90000\ncoherence.upgrade 20000\nbus.transfer 4000\nmemory.banks 2\n"
    "memory.bank 40000\nmemory.width 64\n";

constexpr std::string_view clustered_parameters =
    "clusters.number 2\nclusters.processors 2\nclusters.memory 8192\nclusters.cache 128\nclusters.line 32\n"
    "clusters.ways 1\nclusters.banks 2\nclusters.bank 100\nclusters.hit 100\nclusters.miss 1000\n"
    "clusters.bus 300\nnetwork.stage 20\nnetwork.port 10\nglobal.memory 16384\nglobal.width 8\n"
    "global.module 400\n";

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

TEST_CASE("a machine's parameters say which kind of memory it has")
{
    auto coherent = made("instruction.plain 1000\n" + std::string{coherent_parameters});
    REQUIRE(coherent.has_value());
    CHECK(coherent->memory().read({0, 0, 4, 0}) == 90'000);
    CHECK(coherent->memory().read({1, 0, 4, 1'000'000}) == 50'000);
    auto banked = made("instruction.plain 1000\nmemory.banks 2\nmemory.bank 5000\nmemory.width 64\n"
                       "memory.word 2\nmemory.slow_banks 2\nmemory.slow_bank 6000\n");
    REQUIRE(banked.has_value());
    CHECK(banked->memory().read({0, 0, 4, 0}) == 10'000);
    CHECK(banked->memory().read({0, 64, 2, 0}) == 6'000);
    auto clustered = made("instruction.plain 1000\n" + std::string{clustered_parameters});
    REQUIRE(clustered.has_value());
    CHECK(clustered->memory().read({0, 0, 8, 0}) == 480);
    CHECK(clustered->memory().write({0, 0, 8, 1000}) == 40);
    CHECK(clustered->memory().read({0, 16384, 8, 0}) == 1'100);
    CHECK(clustered->memory().read({0, 16384, 8, 2000}) == 100);
    CHECK(clustered->memory().read({0, 16384 + 4096, 8, 0}) == 300);
}

TEST_CASE("processors overlap accesses where the file says so, and nowhere else")
{
    const std::string levels = "instruction.plain 1000\n" + std::string{coherent_parameters};
    CHECK(made(levels)->out_of_order() == nullptr);
    const auto overlapping = "overlap.stores 2\noverlap.window 0\noverlap.misses 4\noverlap.next 0\n"
                             "overlap.run 3\noverlap.ahead 0\n"
                             "overlap.jumps 16\noverlap.wrong_jump 3000\n";
    auto machine = made(levels + overlapping);
    REQUIRE(machine.has_value());
    REQUIRE(machine->out_of_order() != nullptr);
    CHECK(machine->jumps().counters == 16);
    CHECK(machine->jumps().wrong == 3000);
    Access access{0, 0, 8, 0};
    machine->out_of_order()->write(access, 0, 0);
    CHECK(access.at == 0);
    CHECK(machine->out_of_order()->drain(0, 0) == 90'000);
}

TEST_CASE("slow processors take so much more for their instructions")
{
    const auto machine = made("instruction.plain 1000\nslow.processors 2\nslow.percent 155\n");
    REQUIRE(machine.has_value());
    CHECK(machine->slower_by(0, 1000) == 0);
    CHECK(machine->slower_by(1, 1000) == 550);
}

TEST_CASE("what cannot be a machine is refused in a sentence")
{
    CHECK(refused("instruction.plane 1\n", "instruction.plane"));
    CHECK(refused("cache.bytes 65536\n", "instruction.plain"));
    CHECK(refused("instruction.plain 1\ninstruction.word 6\n", "a power of two, and not 6"));
    CHECK(refused(changed("cache.line 16", "cache.line 24"), "powers of two, and one is 24"));
    CHECK(refused(changed("cache.fill 8", "cache.fill 32"), "none is larger"));
    CHECK(refused(changed("memory.banks 8", "memory.banks 0"), "1 to 1024 banks"));
    const std::string levels = "instruction.plain 1\n" + std::string{coherent_parameters};
    CHECK(refused(levels + "level2.bytes 96\nlevel2.ways 1\n", "no multiple of 1 ways of 64 bytes"));
    CHECK(refused(levels + "level2.bytes 64\nlevel2.ways 1\n", "no smaller"));
    const std::string apart = "instructions.bytes 256\ninstructions.ways 1\ninstructions.hit 0\n";
    CHECK(refused(levels + apart, "needs a second level"));
    CHECK(refused(levels + apart + "level2.bytes 128\nlevel2.ways 1\n", "needs a second level"));
    CHECK(made(levels + apart + "level2.bytes 256\nlevel2.ways 1\nlevel2.hit 0\n").has_value());
    CHECK(refused(levels + "coherence.line 0\n", "powers of two, and one is 0"));
    CHECK(refused("instruction.plain 1\nmemory.banks 2\nmemory.width 1\nmemory.word 2\n", "no larger"));
    CHECK(refused("instruction.plain 1\nmemory.banks 2\nmemory.width 4\nmemory.word 2\nmemory.slow_banks 4\n",
                  "no bank 2"));
    const std::string overlap = levels + "overlap.misses 4\noverlap.run 3\n";
    CHECK(refused("instruction.plain 1\noverlap.misses 4\n", "written back"));
    CHECK(refused(levels + "overlap.misses 0\n", "is 1 to 4096"));
    CHECK(refused(overlap + "overlap.stores 4097\n", "overlap.stores is at most 4096"));
    CHECK(refused(levels + "overlap.misses 4\noverlap.run 0\n", "overlap.run, of lines after which"));
    CHECK(refused(overlap + "overlap.jumps 24\n", "a power of two up to"));
    CHECK(refused(overlap + "coherence.in_turn 2\n", "it is not 2"));
    CHECK(refused(levels + "coherence.in_turn 1\n", "coherence.in_turn is of processors that overlap"));
    CHECK(refused(levels + "copies.line 9000\n", "copies.line is of processors that overlap"));
    CHECK(made(overlap + "coherence.in_turn 1\ncopies.line 9000\n").has_value());
    const std::string clusters = "instruction.plain 1\n" + std::string{clustered_parameters};
    CHECK(refused(clusters + "clusters.number 3\n", "a multiple of the number of clusters"));
    CHECK(refused(clusters + "clusters.number 0\n", "1 to 64 clusters"));
    CHECK(refused(clusters + "clusters.processors 66\n", "1 to 64 processors each"));
    CHECK(refused(clusters + "clusters.number 1\nclusters.processors 1\n",
                  "2 processors, and no more than 1 in the clusters together"));
    CHECK(refused(clusters + "clusters.memory 4096\n", "larger than a page"));
    CHECK(refused(clusters + "clusters.memory 12288\n", "powers of two, and one is 12288"));
    CHECK(refused(clusters + "clusters.line 24\n", "powers of two, and one is 24"));
    CHECK(refused(clusters + "global.width 0\n", "powers of two, and one is 0"));
    CHECK(refused(clusters + "clusters.banks 0\n", "1 to 1024 banks"));
    // Whose lower 32 bits would be a machine.
    CHECK(refused(levels + "level1.ways 4294967297\n", "no multiple of 4294967297 ways"));
    CHECK(refused(clusters + "clusters.number 4294967298\n", "1 to 64 clusters"));
    CHECK(refused(clusters + "clusters.processors 4294967298\n", "1 to 64 processors each"));
    CHECK(refused(clusters + "clusters.ways 4294967297\n", "no multiple of 4294967297 ways"));
    CHECK(refused(clusters + "clusters.banks 4294967298\n", "1 to 1024 banks"));
    CHECK(refused(changed("cache.bytes 65536", "cache.bytes 1099511627776"), "at most 1073741824 bytes"));
    CHECK(refused(clusters + "clusters.cache 96\nclusters.ways 2\n", "no multiple of 2 ways of 32 bytes"));
    // What a line and its ways have together is more than a number of 64 bits holds.
    CHECK(refused(clusters + "clusters.line 1099511627776\nclusters.ways 16777216\n", "no multiple of"));
    CHECK(refused(clusters + "clusters.cache 1099511627776\n", "at most 1073741824 bytes"));
    CHECK(refused("instruction.plain 1\nslow.processors 1\nslow.percent 99\n", "100 to 10000 percent"));
    CHECK_FALSE(MachineFile::parse("instruction.plain one\n").has_value());
}

TEST_CASE("a machine of several multiprocessors has as many memories, or says why it cannot")
{
    const auto file = MachineFile::parse(multimax);
    REQUIRE(file.has_value());
    auto machine = Machine::make(*file, 4, 2);
    REQUIRE(machine.has_value());
    Memory& memory = machine->memory();
    const Picoseconds alone = memory.read({0, 0x1000, 4, 0});
    CHECK(memory.read({1, 0x2008, 4, 0}) > alone); // it waits for the bus
    CHECK(memory.read({2, 0x3010, 4, 0}) == alone);
    CHECK(Machine::make(*file, 4, 3).error().contains("4 processors cannot be divided into 3"));
    const auto clusters = MachineFile::parse("instruction.plain 1\n" + std::string{clustered_parameters});
    CHECK(Machine::make(*clusters, 4, 2).error().contains("is one multiprocessor"));
}
