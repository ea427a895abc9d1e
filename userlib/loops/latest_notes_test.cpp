// SPDX-License-Identifier: MIT
// A thread's latest notes: each is handed over once, in its order, or is known to be lost; and their sums.
#include "testing/catch.hpp"
#include "userlib/loops/activity_sums.hpp"

#include <memory>
#include <vector>

using namespace parley::loops;

namespace {

struct Writer {
    explicit Writer(unsigned room) : notes(std::make_unique<LatestNotes>(room)) { }

    void write(std::uint64_t number)
    {
        if (notes->add(number, number << Note::count_at))
            notes->hand_over([this](auto some) { take(some); });
    }
    void take(std::span<const Note> some) { taken.insert(taken.end(), some.begin(), some.end()); }
    void end()
    {
        notes->end([this](auto some) { take(some); });
    }

    std::unique_ptr<LatestNotes> notes;
    std::vector<Note> taken;
};

constexpr unsigned room = LatestNotes::most;
constexpr unsigned first = 20, activities = 7, parts = 6;
using Sums = ActivitySums<first, activities, parts>;

Note note(std::uint64_t time, unsigned event, unsigned part = 0)
{
    return {time, event | part << Note::part_at};
}

Sums::Sum sum_of(const Sums& sums, unsigned event, unsigned part = 0)
{
    Sums::Sum found;
    sums.each([&](unsigned of, unsigned activity, const Sums::Sum& sum) {
        if (of == part && activity == event)
            found = sum;
    });
    return found;
}

} // namespace

TEST_CASE("a thread's latest notes are handed over together, and the rest at the end, in their order")
{
    Writer writer(room);
    for (unsigned number = 0; number + 1 < room; ++number)
        writer.write(number);
    CHECK(writer.taken.empty());
    writer.write(room - 1);
    CHECK(writer.taken.size() == room);
    writer.write(room);
    writer.end();
    REQUIRE(writer.taken.size() == room + 1);
    for (unsigned number = 0; number <= room; ++number)
        REQUIRE(writer.taken[number].count() == number);
}

TEST_CASE("with room for one each note is handed over at once, and the latest is known")
{
    Writer writer(1);
    CHECK(writer.notes->latest().what == 0);
    for (unsigned number = 1; number <= 3; ++number) {
        writer.write(number);
        CHECK(writer.taken.size() == number);
        CHECK(writer.notes->latest().count() == number);
    }
}

TEST_CASE("notes behind the end of the program are lost")
{
    Writer writer(room);
    writer.end();
    for (unsigned number = 0; number < 2 * room; ++number)
        writer.write(number);
    CHECK(writer.taken.empty());
}

TEST_CASE("each activity of each kind of loop has the time until the thread's next note")
{
    Sums sums;
    sums.add(note(100, 20));
    sums.add(note(130, 23, 2));
    sums.add(note(150, 20));
    sums.end(155);
    CHECK(sum_of(sums, 20).spent == 35);
    CHECK(sum_of(sums, 20).begun == 2);
    CHECK(sum_of(sums, 23, 2).spent == 20);
    CHECK(sum_of(sums, 23).begun == 0);
}

TEST_CASE("sums begin at one moment, whether a thread's notes were added before it or are added later")
{
    Sums early, late;
    early.add(note(100, 20));
    early.add(note(110, 26));
    for (Sums* sums : {&early, &late})
        sums->count_from(120);
    late.add(note(100, 20));
    late.add(note(110, 26));
    for (Sums* sums : {&early, &late}) {
        sums->add(note(150, 23));
        sums->end(160);
        CHECK(sum_of(*sums, 20).spent == 0);
        CHECK(sum_of(*sums, 20).begun == 0);
        CHECK(sum_of(*sums, 26).spent == 30);
        CHECK(sum_of(*sums, 26).begun == 0);
        CHECK(sum_of(*sums, 23).spent == 10);
        CHECK(sum_of(*sums, 23).begun == 1);
    }
}

TEST_CASE("what handing notes over took is in no sum")
{
    Sums sums;
    sums.add(note(100, 20));
    sums.resume(180);
    sums.end(200);
    CHECK(sum_of(sums, 20).spent == 20);
}
