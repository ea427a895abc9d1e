// SPDX-License-Identifier: MIT
#include "native/nxrun/job_trace.hpp"
#include "testing/catch.hpp"

#include <unistd.h>

using namespace parley;
using namespace parley::native;

namespace {

constexpr unsigned endpoints = 3;
constexpr std::size_t room = 100; // records each
constexpr unsigned long hertz = 1'000'000'000;

// A machine on which one process, of this endpoint, has written one record, after it had lost some.
struct TracedMachine {
    explicit TracedMachine(unsigned endpoint)
        : area(endpoints, room), memory(area.bytes() / sizeof(TraceBuffer))
    {
        area.lie_at(reinterpret_cast<std::byte*>(memory.data()));
        area.begun(endpoint);
        parley_start start{};
        area.describe(start);
        auto& buffer = *reinterpret_cast<TraceBuffer*>(start.trace_base + endpoint * start.trace_bytes);
        const std::uint64_t capacity = trace_capacity(start.trace_bytes);
        for (std::uint64_t i = 0; i < capacity + 5; ++i)
            buffer.keep(buffer.draw(), capacity,
                        {.time = 6000 + 10 * i,
                         .length = i,
                         .message = 1,
                         .type = 2,
                         .job = 0,
                         .process = static_cast<unsigned short>(endpoint),
                         .peer = 1,
                         .event = 1,
                         .processor = static_cast<unsigned char>(i == 0 ? 1 : PARLEY_TRACE_NOWHERE)});
        buffer.time_use.calls = 7;
        buffer.time_use.inside = 1000;
        area.ended(endpoint, {}, hertz);
    }

    TraceArea area;
    std::vector<TraceBuffer> memory;
};

// Half as fast as the first one's, and at first 1000 behind it.
constexpr ClockReadings slow{.begin = {6000, 5000, 40}, .end = {8000, 6000, 30}};

} // namespace

TEST_CASE("another machine's part crosses whole, and is by the first one's clock then")
{
    const TracedMachine first(0), second(2);
    JobTrace trace(first.area, hertz, 4000);
    const TracePart own(second.area, hertz / 2);
    trace.add(own.packed(), slow);
    REQUIRE(trace.parts().size() == 2);
    const TracePart& part = trace.parts()[1];
    REQUIRE(part.sources().size() == 1);
    const TracePart::Source &source = part.sources().front(), &before = own.sources().front();
    CHECK(source.time.endpoint == 2);
    CHECK(source.lost == 5);
    REQUIRE(source.records.size() == before.records.size());
    CHECK(source.records[0].time == 8000);
    CHECK(source.records[1].time == 8020);
    CHECK(source.records[1].length == 1);
    CHECK(source.time.use.calls == 7);
    CHECK(source.time.use.inside == 2000);
    CHECK(part.seen().size() == own.seen().size());
    // Processors of different machines have different numbers, and unknown ones stay so.
    CHECK(source.records[0].processor == 1 + sysconf(_SC_NPROCESSORS_CONF));
    CHECK(source.records[1].processor == PARLEY_TRACE_NOWHERE);
    CHECK(trace.doubt_nanoseconds() == 40);
    CHECK_FALSE(trace.about_missing());
    const std::vector<RankTime> times = trace.times();
    REQUIRE(times.size() == 2);
    CHECK((times[0].endpoint == 0 && times[1].endpoint == 2));
}

TEST_CASE("two machines beside the first may both be wrong")
{
    const TracedMachine first(0), second(1), third(2);
    JobTrace trace(first.area, hertz, 0);
    for (const TracedMachine* other : {&second, &third})
        trace.add(TracePart(other->area, hertz).packed(), slow);
    CHECK(trace.machines() == 3);
    CHECK(trace.doubt_nanoseconds() == 80);
}

TEST_CASE("a machine whose part has not come, or not whole, is told")
{
    const TracedMachine first(0), second(1);
    JobTrace trace(first.area, hertz, 0);
    std::vector<std::byte> half = TracePart(second.area, hertz).packed();
    half.resize(half.size() / 2);
    SECTION("one")
    {
        trace.add({}, slow);
        CHECK(*trace.about_missing() ==
              "The records of machine 1 are missing, since it could not be asked for them any more.");
    }
    SECTION("two")
    {
        trace.add(half, slow);
        trace.add(TracePart(second.area, hertz).packed(), {});
        CHECK(
            *trace.about_missing() ==
            "The records of machines 1 and 2 are missing, since these could not be asked for them any more.");
    }
    CHECK(trace.parts().size() == 1);
    CHECK(trace.doubt_nanoseconds() == 0);
}

TEST_CASE("a program that ends in a call has been in it until its end")
{
    TraceArea area(1, room);
    std::vector<TraceBuffer> memory(area.bytes() / sizeof(TraceBuffer));
    area.lie_at(reinterpret_cast<std::byte*>(memory.data()));
    area.begun(0);
    memory.front().time_use.enter(1); // long before it began
    area.ended(0, {}, hertz);
    const std::vector<RankTime> times = area.times();
    REQUIRE(times.size() == 1);
    CHECK(times[0].use.inside >= times[0].life);
}
