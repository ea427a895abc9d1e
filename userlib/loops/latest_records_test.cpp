// SPDX-License-Identifier: MIT
// A thread's latest records on their way to the buffer: each gets there once, or is known to be lost.
#include "testing/catch.hpp"
#include "userlib/loops/latest_records.hpp"

#include <memory>
#include <vector>

using namespace parley;
using namespace parley::loops;

namespace {

// A buffer with room for so many records, and a thread that writes numbers into it.
struct Written {
    explicit Written(std::uint64_t records)
        : memory(sizeof(TraceBuffer) + records * sizeof(parley_trace_record)),
          buffer(*new(memory.data()) TraceBuffer{}), capacity(trace_capacity(memory.size()))
    {
    }

    bool write(std::uint64_t number)
    {
        if (!latest->has_room() && !latest->make_room(buffer, capacity))
            return false;
        latest->next().length = number;
        latest->keep();
        return true;
    }
    std::uint64_t drawn() const { return buffer.drawn.load(); }

    std::vector<std::byte> memory;
    TraceBuffer& buffer;
    std::uint64_t capacity;
    std::unique_ptr<LatestRecords> latest = std::make_unique<LatestRecords>();
};

constexpr unsigned room = LatestRecords::room;

} // namespace

TEST_CASE("a thread's latest records go to the buffer together, and the rest at the end, in their order")
{
    Written written(2 * room);
    for (unsigned number = 0; number < room; ++number)
        REQUIRE(written.write(number));
    CHECK(written.drawn() == 0);
    REQUIRE(written.write(room));
    CHECK(written.drawn() == room);
    written.latest->end(written.buffer, written.capacity);
    REQUIRE(written.drawn() == room + 1);
    for (unsigned number = 0; number <= room; ++number)
        REQUIRE(written.buffer.records()[number].length == number);
}

TEST_CASE("records beyond a full buffer, and behind the end of the program, are lost")
{
    Written full(room);
    for (unsigned number = 0; number < room; ++number)
        REQUIRE(full.write(number));
    CHECK(!full.write(room));

    Written ended(2 * room);
    ended.latest->end(ended.buffer, ended.capacity);
    for (unsigned number = 0; number < room; ++number)
        REQUIRE(ended.write(number));
    CHECK(!ended.write(room));
    CHECK(ended.drawn() == 0);
}
