// SPDX-License-Identifier: MIT
// Times computed by hand, of two processors with a cache of eight lines each, 1 ns beyond the instruction; 50
// ns for a line of the other's cache, 20 to have a line alone, 100 for memory; 4 ns of the bus.
#include "tools/machine_model/coherent_memory.hpp"
#include "tools/machine_model/out_of_order.hpp"

#include "testing/catch.hpp"

#include <algorithm>
#include <vector>

using namespace parley::machine_model;

namespace {

constexpr Picoseconds ns = nanosecond;
constexpr std::uint64_t line = 64;

struct Scene {
    explicit Scene(const Overlap& overlap, Picoseconds transfer = 4 * ns)
        : memory{2,
                 {.line = line, .own = {{64 * line, 8, 1 * ns}}, .shared = {}},
                 {.transfer = transfer, .bank = 0, .banks = 1, .width = line},
                 {.from_cache = 50 * ns, .from_memory = 100 * ns, .upgrade = 20 * ns}},
          core{memory, 2, overlap}
    {
    }

    // When the processor goes on.
    Picoseconds write(unsigned processor, std::uint64_t number, Picoseconds at, std::uint64_t position = 0,
                      Picoseconds known = 0)
    {
        Access access{processor, number * line, 8, at};
        core.write(access, position, known);
        return access.at;
    }
    struct Read {
        Picoseconds goes_on;
        Picoseconds there;
    };
    Read read(unsigned processor, std::uint64_t number, Picoseconds at, std::uint64_t position = 0,
              Picoseconds known = 0)
    {
        Access access{processor, number * line, 8, at};
        const Picoseconds there = core.read(access, position, known);
        return {access.at, there};
    }

    CoherentMemory memory;
    OutOfOrder core;
};

// Copies lines by the routine that copies, with 4 ns of other instructions before each access but the first,
// as long as a transfer has the bus; answers when the processor goes on after each line.
std::vector<Picoseconds> copy(Scene& scene, std::uint64_t source, std::uint64_t target, unsigned lines)
{
    std::vector<Picoseconds> went_on;
    Picoseconds at = 0;
    for (unsigned number = 0; number < lines; ++number)
        for (unsigned half = 0; half < 2; ++half) {
            Access read{0, (source + number) * line + half * line / 2, line / 2, at};
            scene.core.read_to_copy(read, 0, 0);
            Access write{0, (target + number) * line + half * line / 2, line / 2, read.at + 4 * ns};
            scene.core.write_copy(write, 0, 0);
            at = write.at + 4 * ns;
            if (half == 1)
                went_on.push_back(write.at);
        }
    return went_on;
}

// One that copies lines, each in one access to the source and one to the target, after which come 50 ns of
// other instructions.
struct Copier {
    unsigned processor;
    std::uint64_t source, target;
    Picoseconds at = 0;

    void copy_line(Scene& scene)
    {
        Access read{processor, source++ * line, line, at};
        scene.core.read_to_copy(read, 0, 0);
        Access write{processor, target++ * line, line, read.at};
        scene.core.write_copy(write, 0, 0);
        at = write.at + 50 * ns;
    }
};

constexpr Overlap nothing{.line = line, .stores = 0, .window = 0, .misses = 64, .ahead = 0};

Overlap with_stores(unsigned stores)
{
    Overlap overlap = nothing;
    overlap.stores = stores;
    return overlap;
}

Overlap in_turn(unsigned stores)
{
    Overlap overlap = with_stores(stores);
    overlap.in_turn = true;
    overlap.from_cache = 50 * ns;
    return overlap;
}

Overlap copies_lines_in(Picoseconds time)
{
    Overlap overlap = with_stores(8);
    overlap.copied = time;
    return overlap;
}

Overlap with_window(unsigned window, unsigned misses = 64)
{
    Overlap overlap = with_stores(8);
    overlap.window = window;
    overlap.misses = misses;
    return overlap;
}

} // namespace

TEST_CASE("a processor that overlaps nothing waits for every access")
{
    Scene scene{nothing};
    CHECK(scene.write(0, 0, 0) == 100 * ns);
    CHECK(scene.read(0, 8, 200 * ns).goes_on == 300 * ns);
    CHECK(scene.core.counts(0).for_stores == 100 * ns);
    CHECK(scene.core.counts(0).for_window == 100 * ns);
}

TEST_CASE("what is read others may have, too, what is stored nobody else")
{
    Scene scene{nothing};
    scene.read(0, 0, 0);
    CHECK(scene.read(1, 0, 200 * ns).there == 250 * ns);
    CHECK(scene.read(0, 0, 300 * ns).there == 301 * ns);
    CHECK(scene.write(0, 0, 400 * ns) == 421 * ns);
    CHECK(scene.read(1, 0, 500 * ns).there == 550 * ns);
}

TEST_CASE("a store does not stop its processor, until the buffer is full")
{
    Scene scene{with_stores(2)};
    CHECK(scene.write(0, 0, 0) == 0);
    CHECK(scene.write(0, 1, 10 * ns) == 10 * ns);
    CHECK(scene.write(0, 2, 20 * ns) == 100 * ns); // when the first has gone
    CHECK(scene.core.counts(0).for_stores == 80 * ns);
    CHECK(scene.write(0, 3, 105 * ns) == 110 * ns);
}

TEST_CASE("stores leave their buffer in their order, and none before the reads that come before it are there")
{
    Scene scene{with_window(100)};
    scene.write(0, 0, 0);       // its line is there at 100 ns
    scene.write(0, 0, 10 * ns); // as is this one's, but not before the first
    CHECK(scene.core.drain(0, 20 * ns) == 100 * ns);
    CHECK(scene.read(0, 8, 200 * ns).there == 300 * ns);
    CHECK(scene.write(0, 0, 210 * ns) == 210 * ns); // a line that is its own
    CHECK(scene.read(1, 0, 220 * ns).there == 300 * ns);
    CHECK(scene.core.drain(0, 220 * ns) == 300 * ns);
    CHECK(scene.core.counts(0).for_drains == 160 * ns);
    scene.write(0, 16, 400 * ns); // at 500 ns
    scene.write(0, 0, 410 * ns);  // after that
    CHECK(scene.read(1, 0, 420 * ns).there == 500 * ns);
    scene.read(0, 24, 600 * ns); // at 700 ns
    scene.read(0, 24, 610 * ns);
    scene.read(0, 16, 620 * ns); // at once
    CHECK(scene.core.drain(0, 630 * ns) == 700 * ns);
}

TEST_CASE("another processor has a line no earlier than the store to it has left the buffer")
{
    Scene scene{with_stores(8)};
    scene.write(0, 8, 0);
    scene.write(0, 0, 500 * ns);                         // at 600 ns
    CHECK(scene.read(1, 8, 510 * ns).there == 560 * ns); // one that has left it long since
    CHECK(scene.read(1, 0, 520 * ns).there == 600 * ns); // it was asked for meanwhile
}

TEST_CASE("a read of what its own processor has stored does not wait for the line, one of its neighbour does")
{
    Scene scene{with_stores(8)};
    scene.write(0, 0, 0);
    CHECK(scene.read(0, 0, 10 * ns).there == 10 * ns);
    CHECK(scene.core.counts(0).forwarded == 1);
    Access neighbour{0, 8, 8, 20 * ns};
    CHECK(scene.core.read(neighbour, 0, 0) == 100 * ns);
    CHECK(scene.read(0, 0, 150 * ns).there == 151 * ns); // it has left the buffer
    CHECK(scene.core.counts(0).forwarded == 1);
}

TEST_CASE("a store's line is asked for when there is room in the buffer, and its address is known")
{
    Scene scene{with_stores(1)};
    scene.write(0, 0, 0);
    CHECK(scene.write(0, 8, 10 * ns) == 100 * ns);
    CHECK(scene.core.drain(0, 100 * ns) == 200 * ns);
    CHECK(scene.write(0, 16, 300 * ns, 0, 350 * ns) == 300 * ns);
    CHECK(scene.core.drain(0, 300 * ns) == 450 * ns);
}

TEST_CASE("the youngest store of what is read decides: of a part of it the read waits until that has left")
{
    Scene scene{with_window(100)};
    scene.write(0, 0, 0); // until 100 ns
    scene.read(0, 8, 10 * ns);
    Access part{0, 0, 4, 20 * ns};
    scene.core.write(part, 0, 0); // behind the read, until 110 ns
    CHECK(scene.read(0, 0, 30 * ns).there == 111 * ns);
    CHECK(scene.core.counts(0).forwarded == 0);
    Access of_part{0, 0, 4, 40 * ns};
    CHECK(scene.core.read(of_part, 0, 0) == 40 * ns);
    Access beyond{0, 4, 8, 50 * ns};
    CHECK(scene.core.read(beyond, 0, 0) == 111 * ns);
    CHECK(scene.core.counts(0).forwarded == 1);
}

TEST_CASE("steps of a string instruction that follow each other in a line have one entry of the buffer")
{
    Scene scene{with_stores(2)};
    const auto step = [&](std::uint64_t address, Picoseconds at, bool is_step = true) {
        Access access{0, address, 32, at};
        scene.core.write(access, 0, 0, is_step);
        return access.at;
    };
    CHECK(step(0, 0) == 0);
    CHECK(step(32, 1 * ns) == 1 * ns);
    CHECK(step(64, 2 * ns) == 2 * ns);
    CHECK(step(96, 3 * ns) == 3 * ns);
    Access second{0, 40, 8, 4 * ns};
    CHECK(scene.core.read(second, 0, 0) == 4 * ns);
    CHECK(step(128, 5 * ns) == 100 * ns); // a third entry
    CHECK(scene.core.drain(0, 100 * ns) == 200 * ns);
    CHECK(step(256, 300 * ns) == 300 * ns);
    CHECK(step(320, 301 * ns) == 301 * ns); // another line
    CHECK(step(336, 302 * ns) == 400 * ns); // it does not follow
    scene.core.drain(0, 500 * ns);
    CHECK(step(512, 600 * ns, false) == 600 * ns);
    CHECK(step(576, 601 * ns) == 601 * ns);
    CHECK(step(608, 602 * ns, false) == 700 * ns); // no step, after one
    Scene other{with_stores(1)};
    Access first{0, 0, 32, 0}, after{0, 32, 32, 1 * ns};
    other.core.write(first, 0, 0);
    other.core.write(after, 0, 0, true); // a step, after none
    CHECK(after.at == 100 * ns);
}

TEST_CASE("an access of two lines has both when the later one is there")
{
    Scene scene{with_window(100)};
    Access both{0, line - 4, 8, 0};
    CHECK(scene.core.read(both, 0, 0) == 104 * ns); // the second is behind the first on the bus
    CHECK(scene.read(0, 1, 10 * ns).there == 104 * ns);
}

TEST_CASE("reads of different lines are under way together, one whose address waits begins when it is known")
{
    Scene scene{with_window(100)};
    CHECK(scene.read(0, 0, 0).there == 100 * ns);
    const auto other = scene.read(0, 8, 1 * ns);
    CHECK(other.goes_on == 1 * ns);
    CHECK(other.there == 104 * ns); // behind the first on the bus
    CHECK(scene.read(0, 16, 2 * ns, 0, 100 * ns).there == 200 * ns);
}

TEST_CASE("a processor goes on past a read by its window, and has no more lines on their way than it may")
{
    Scene scene{with_window(10, 2)};
    scene.read(0, 0, 0, 0);
    CHECK(scene.read(0, 8, 1 * ns, 9).goes_on == 1 * ns);
    CHECK(scene.read(0, 16, 2 * ns, 9).there == 200 * ns); // two are on their way until 100 ns
    CHECK(scene.write(0, 24, 3 * ns, 10) == 100 * ns);
    CHECK(scene.core.counts(0).for_window == 97 * ns);
    CHECK(scene.read(0, 0, 110 * ns, 19).goes_on == 200 * ns); // that of position 9
    Scene other{with_window(100, 1)};
    other.read(0, 0, 0);
    CHECK(other.read(0, 8, 1 * ns, 1, 150 * ns).there == 250 * ns);
}

TEST_CASE("what is locked waits for all before it, and what comes after waits for it")
{
    Scene scene{with_window(100)};
    scene.write(0, 0, 0);
    Access locked{0, 8 * line, 8, 10 * ns};
    scene.core.exchange(locked);
    CHECK(locked.at == 200 * ns);
    CHECK(scene.core.counts(0).for_drains == 90 * ns);
    CHECK(scene.read(1, 8, 120 * ns).there == 200 * ns); // the same for another processor, which is behind
}

TEST_CASE("with a line that is missed the next ones of its page are brought, with one that is there none")
{
    Overlap overlap = with_window(100);
    overlap.next = 1;
    Scene scene{overlap};
    scene.read(0, 8, 0);
    CHECK(scene.core.counts(0).asked_ahead == 1);
    CHECK(scene.read(0, 9, 200 * ns).there == 201 * ns); // it is there, so that it brings none
    CHECK(scene.core.counts(0).asked_ahead == 1);
    CHECK(scene.read(0, 10, 300 * ns).there == 400 * ns);
    CHECK(scene.core.counts(0).asked_ahead == 2);
    scene.read(0, 63, 500 * ns); // the last one of its page
    CHECK(scene.core.counts(0).asked_ahead == 2);
}

TEST_CASE("of lines that are longer than a page none is brought ahead")
{
    constexpr std::uint64_t long_line = 8192;
    CoherentMemory memory{1,
                          {.line = long_line, .own = {{8 * long_line, 8, 1 * ns}}, .shared = {}},
                          {.transfer = 4 * ns, .bank = 0, .banks = 1, .width = line},
                          {.from_cache = 50 * ns, .from_memory = 100 * ns, .upgrade = 20 * ns}};
    OutOfOrder core{memory, 1, {.line = long_line, .misses = 64, .next = 2}};
    Access access{0, long_line, 8, 0};
    CHECK(core.read(access, 0, 0) == 100 * ns);
    CHECK(core.counts(0).asked_ahead == 0);
}

TEST_CASE("a run that is long enough asks for as many lines ahead as it has behind, in their page alone")
{
    Overlap overlap = with_window(100);
    overlap.run = 3;
    overlap.ahead = 3;
    Scene scene{overlap};
    scene.read(0, 57, 0);
    scene.read(0, 58, 200 * ns);
    CHECK(scene.core.counts(0).asked_ahead == 0); // two are no run
    scene.read(0, 59, 400 * ns);                  // and 60 and 61
    CHECK(scene.core.counts(0).asked_ahead == 2);
    scene.read(0, 60, 600 * ns); // and 62 and 63
    CHECK(scene.core.counts(0).asked_ahead == 4);
    CHECK(scene.read(0, 63, 800 * ns).there == 801 * ns);
    scene.read(0, 61, 900 * ns);
    scene.read(0, 62, 1000 * ns);
    CHECK(scene.core.counts(0).asked_ahead == 4); // 64 lies in another page
    for (const std::uint64_t number : {0, 8, 9, 17, 18, 26})
        scene.read(1, number, 2000 * ns);
    CHECK(scene.core.counts(1).asked_ahead == 0);
}

TEST_CASE("a run of stores asks for one line more with as many lines as make it a run")
{
    Overlap overlap = with_window(100);
    overlap.run = 3;
    overlap.ahead = 8;
    Scene scene{overlap};
    const unsigned asked[] = {0, 0, 1, 3, 4, 5, 7};
    for (std::uint64_t number = 0; number < 7; ++number) {
        scene.write(1, number, number * 200 * ns);
        CHECK(scene.core.counts(1).asked_ahead == asked[number]);
    }
    CHECK(scene.read(0, 8, 1600 * ns).there == 1650 * ns); // which it has alone
}

TEST_CASE("no more lines are asked for ahead than may be on their way")
{
    Overlap overlap = with_window(100, 2);
    overlap.ahead = 8;
    Scene scene{overlap};
    // One of the two that may be on their way at once is the line that is read itself.
    const unsigned asked[] = {0, 1, 2, 3};
    for (std::uint64_t number = 0; number < 4; ++number) {
        scene.read(0, number, number * 200 * ns);
        CHECK(scene.core.counts(0).asked_ahead == asked[number]);
    }
}

TEST_CASE("a hint brings a line, and nothing waits for it")
{
    Scene scene{with_window(1)};
    scene.core.ask({0, 0, 1, 0}, 10 * ns, false);
    CHECK(scene.core.drain(0, 20 * ns) == 20 * ns);
    CHECK(scene.read(0, 0, 30 * ns).there == 110 * ns); // it was asked for when its address was known
    scene.core.ask({1, 0, 1, 200 * ns}, 0, true);
    CHECK(scene.write(1, 0, 300 * ns) == 300 * ns);
    CHECK(scene.core.drain(1, 300 * ns) == 301 * ns); // it has the line alone
}

TEST_CASE("stores that ask in turn bring one line at a time, and others two at once")
{
    Scene in_order{in_turn(8)}, at_once{with_stores(8)};
    for (Scene* const scene : {&in_order, &at_once}) {
        CHECK(scene->write(0, 0, 0) == 0);
        CHECK(scene->write(0, 8, 0) == 0);
    }
    CHECK(in_order.core.drain(0, 0) == 200 * ns);
    CHECK(at_once.core.drain(0, 0) == 104 * ns); // the bus has one transfer after the other
}

TEST_CASE("a walk that stores to lines of another's cache takes what one of them takes for each, in turn")
{
    constexpr unsigned lines = 40;
    Scene scene{in_turn(8)};
    Picoseconds at = 0;
    for (unsigned number = 0; number < lines; ++number)
        at = scene.write(1, number, at);
    at = scene.core.drain(1, at);
    const Picoseconds began = at;
    for (unsigned number = 0; number < lines; ++number)
        at = scene.write(0, number, at);
    CHECK(scene.core.drain(0, at) - began == lines * 50 * ns);
}

TEST_CASE("stores to the line that a store waits for leave with it, and whoever has asked meanwhile has both")
{
    Scene scene{in_turn(8)};
    scene.read(0, 8, 0);
    scene.read(1, 8, 200 * ns); // both have it
    CHECK(scene.write(0, 8, 1000 * ns) == 1000 * ns);
    CHECK(scene.read(1, 8, 1010 * ns).there == 1060 * ns);
    CHECK(scene.write(0, 8, 1015 * ns) == 1015 * ns);
    CHECK(scene.core.drain(0, 1015 * ns) == 1021 * ns);
    CHECK(scene.read(1, 8, 1070 * ns).there == 1071 * ns); // it has the line still
    CHECK(scene.write(0, 8, 1100 * ns) == 1100 * ns);      // that one is too late
    CHECK(scene.read(1, 8, 1130 * ns).there == 1180 * ns);
}

TEST_CASE("stores to the line of one that waits for an older read leave with it, too")
{
    Overlap overlap = in_turn(8);
    overlap.window = 100;
    Scene scene{overlap};
    scene.write(0, 8, 0);
    scene.core.drain(0, 200 * ns);
    CHECK(scene.read(0, 16, 1000 * ns).there == 1100 * ns);
    scene.write(0, 8, 1010 * ns); // the line is its own
    scene.write(0, 8, 1020 * ns);
    CHECK(scene.core.drain(0, 1030 * ns) == 1100 * ns);
}

TEST_CASE("a line that a store asks for later is another's as if it had asked then")
{
    Scene scene{in_turn(8)};
    scene.read(0, 8, 0);
    scene.read(1, 8, 200 * ns); // both have it
    CHECK(scene.write(0, 0, 1000 * ns) == 1000 * ns);
    CHECK(scene.write(0, 8, 1000 * ns) == 1000 * ns); // asks at 1100, and has it alone at 1124
    CHECK(scene.read(1, 8, 1010 * ns).there == 1150 * ns);
}

TEST_CASE("a copy of lines takes a time for each after the first, wherever they are")
{
    Scene scene{copies_lines_in(30 * ns)};
    CHECK(copy(scene, 0, 100, 5) ==
          std::vector<Picoseconds>{113 * ns, 130 * ns, 160 * ns, 190 * ns, 220 * ns}); // 1 of the second half
    CHECK(scene.core.drain(0, 220 * ns) == 237 * ns); // the last one is on its way
    CHECK(scene.memory.counts(0).read_misses == 5);
    CHECK(scene.memory.counts(0).write_misses == 5);
}

TEST_CASE("a copy of lines waits for the target where the source is at hand, and for nothing where both are")
{
    Scene scene{copies_lines_in(30 * ns)};
    copy(scene, 0, 100, 3);
    const auto target_alone = copy(scene, 0, 200, 3);
    CHECK(target_alone[2] - target_alone[1] == 30 * ns);
    Scene small{copies_lines_in(30 * ns)};
    copy(small, 0, 3, 3);
    const auto both = copy(small, 0, 3, 3);
    CHECK(both[2] - both[1] <= 20 * ns);
}

TEST_CASE("a copy of lines waits for a target that others have, too")
{
    Scene scene{copies_lines_in(30 * ns)};
    copy(scene, 0, 100, 4);
    for (std::uint64_t number = 100; number < 104; ++number)
        scene.read(1, number, 1000 * ns);
    const auto shared = copy(scene, 0, 100, 4);
    CHECK(shared[3] - shared[2] == 30 * ns);
    const auto own = copy(scene, 0, 100, 4);
    CHECK(own[3] - own[2] <= 20 * ns);
}

TEST_CASE("what a copy of lines waits for is counted")
{
    Scene scene{copies_lines_in(30 * ns)};
    copy(scene, 0, 100, 5);
    CHECK(scene.core.counts(0).for_copies == 3 * 13 * ns); // 17 of 30 go by with other accesses
}

TEST_CASE("others get what a copy has written when its line has been moved")
{
    Scene scene{copies_lines_in(30 * ns)};
    copy(scene, 0, 100, 5);
    CHECK(scene.read(1, 104, 200 * ns).there == 250 * ns); // from the other's cache
    Scene slow{copies_lines_in(400 * ns)};
    copy(slow, 0, 100, 3);
    CHECK(slow.read(1, 102, 510 * ns).there == 917 * ns); // 117, and two lines
    Scene whole{copies_lines_in(400 * ns)};               // a line in one access
    for (std::uint64_t number = 100; number < 102; ++number) {
        Access write{0, number * line, line, (number - 100) * 4 * ns};
        whole.core.write_copy(write, 0, 0);
    }
    CHECK(whole.read(1, 101, 10 * ns).there == 404 * ns);
}

TEST_CASE("copiers that share a slow bus take as long as it does, and one that has it alone its own time")
{
    constexpr unsigned lines = 40;
    const auto last = [](std::vector<Copier> copiers) {
        Scene scene{copies_lines_in(150 * ns), 40 * ns};
        for (unsigned left = lines * static_cast<unsigned>(copiers.size()); left > 0; --left)
            std::ranges::min_element(copiers, {}, &Copier::at)->copy_line(scene);
        return std::ranges::max_element(copiers, {}, &Copier::at)->at;
    };
    const Copier one{0, 1000, 2000}, other{1, 3000, 4000};
    const Picoseconds alone = last({one}), both = last({one, other});
    CHECK(alone < (lines + 1) * 150 * ns);
    CHECK(both >= lines * 4 * 40 * ns); // two lines of each
}
