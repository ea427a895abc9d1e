// SPDX-License-Identifier: MIT
// The first of three machines reads the clocks of two that answer at once.
#include "native/network/clock_rounds.hpp"
#include "testing/catch.hpp"

#include <array>
#include <cstring>
#include <deque>
#include <vector>

using namespace parley::native;

namespace {

struct Frame {
    unsigned machine;
    std::array<std::uint64_t, 2> words; // its clock, and of a question whether it is the last
};
std::deque<Frame> arriving;
// Called for a question to this machine, before its answer arrives.
void (*asked)(unsigned machine) = nullptr;

constexpr std::uint64_t clock_of(unsigned machine) { return 1000 * machine; }

unsigned gathered = 0;
void gather(const void* own, void* all, unsigned long bytes)
{
    std::memcpy(all, own, bytes);
    ++gathered;
}

void* send(unsigned machine, parley_channel, const void*, unsigned long)
{
    asked(machine);
    arriving.push_back({machine, {clock_of(machine), 0}});
    return nullptr;
}

int done(void*) { return 1; }

long look(unsigned* machine)
{
    if (arriving.empty())
        return -1;
    *machine = arriving.front().machine;
    return sizeof arriving.front().words;
}

void take(unsigned, void* bytes, unsigned long count)
{
    std::memcpy(bytes, arriving.front().words.data(), count);
    arriving.pop_front();
}

const parley_network_adapter wire{.version = PARLEY_ADAPTER_VERSION,
                                  .begin = nullptr,
                                  .gather = gather,
                                  .send = send,
                                  .receive = nullptr,
                                  .done = done,
                                  .begin_gather = nullptr,
                                  .look = look,
                                  .take = take,
                                  .end = nullptr};

std::vector<ClockReadings> readings_of_three()
{
    arriving.clear();
    gathered = 0;
    std::vector<ClockReadings> readings(3);
    ClockRounds(wire, 0, 3).read(readings, &ClockReadings::begin);
    return readings;
}

} // namespace

TEST_CASE("each other machine's clock is read")
{
    asked = [](unsigned) { };
    const auto readings = readings_of_three();
    CHECK(gathered == 2); // nobody sends anything else before all have done
    CHECK(!readings[0].begin.is_taken());
    for (const unsigned machine : {1u, 2u}) {
        CHECK(readings[machine].begin.is_taken());
        CHECK(readings[machine].begin.there == clock_of(machine));
    }
}

TEST_CASE("an answer that comes after its machine was given up is not taken for another's")
{
    asked = [](unsigned machine) {
        if (machine == 2 && arriving.empty())
            arriving.assign(1000, {1, {clock_of(1), 0}}); // more than there are questions
    };
    const auto readings = readings_of_three();
    CHECK(readings[2].begin.is_taken());
    CHECK(readings[2].begin.there == clock_of(2));
}
