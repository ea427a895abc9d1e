// SPDX-License-Identifier: MIT
// Which machine is told what of a job's programs, and when.
#include "kernel/network/program_notices.hpp"

#include "testing/catch.hpp"

#include <array>
#include <string>

using namespace parley::kernel;

namespace {

using What = ProgramNotices::What;

// Three programs, and machines 0 and 2 beside this one.
struct Scene {
    std::array<ProgramNotices::OwedNotices, 3> entries{};
    ProgramNotices notices{entries, 0b101};
    std::array<bool, 8> has_room{true, true, true, true, true, true, true, true};

    // What is told in one turn, as "pid 1 to 0: 7".
    std::string turn()
    {
        std::string told;
        notices.begin_turn();
        notices.send([&](unsigned machine, const ProgramNotices::Notice& notice) {
            if (!has_room[machine])
                return false;
            constexpr std::array<const char*, 3> names{"pid", "kill", "end"};
            told += std::string(told.empty() ? "" : ", ") + names[static_cast<unsigned>(notice.what)] + " " +
                    std::to_string(notice.endpoint) + " to " + std::to_string(machine) + ": " +
                    std::to_string(notice.value) + (notice.was_killed ? " killed" : "");
            return true;
        });
        return told;
    }
};

} // namespace

TEST_CASE("each other machine is told once")
{
    Scene scene;
    CHECK(scene.turn().empty());
    scene.notices.note({What::end, 1, 5, false});
    CHECK(scene.notices.owes_any());
    CHECK(scene.turn() == "end 1 to 0: 5, end 1 to 2: 5");
    CHECK_FALSE(scene.notices.owes_any());
    CHECK(scene.turn().empty());
}

TEST_CASE("a machine without room is told later, the others at once")
{
    Scene scene;
    scene.has_room[0] = false;
    scene.notices.note({What::kill, 2, 1, false});
    CHECK(scene.turn() == "kill 2 to 2: 1");
    CHECK(scene.notices.owes_any());
    scene.has_room[0] = true;
    CHECK(scene.turn() == "kill 2 to 0: 1");
    CHECK_FALSE(scene.notices.owes_any());
}

TEST_CASE("of one program its pid is told before its kill, and its kill before its end")
{
    Scene scene;
    scene.has_room[2] = false;
    scene.notices.note({What::end, 0, 3, true});
    scene.notices.note({What::kill, 0, 0, false});
    scene.notices.note({What::pid, 0, 7, false});
    CHECK(scene.turn() == "pid 0 to 0: 7, kill 0 to 0: 0, end 0 to 0: 3 killed");
}

TEST_CASE("an end that is noted while a turn goes on waits for the next")
{
    Scene scene;
    scene.notices.note({What::pid, 0, 7, false});
    scene.notices.begin_turn();
    scene.notices.note({What::end, 0, 3, false});
    scene.notices.send([](unsigned, const ProgramNotices::Notice& notice) {
        CHECK(notice.what == What::pid);
        return true;
    });
    CHECK(scene.notices.owes_any());
    CHECK(scene.turn() == "end 0 to 0: 3, end 0 to 2: 3");
}

TEST_CASE("a pid that changes again before all know it is told again")
{
    Scene scene;
    scene.has_room[2] = false;
    scene.notices.note({What::pid, 0, 7, false});
    CHECK(scene.turn() == "pid 0 to 0: 7");
    scene.notices.note({What::pid, 0, 8, false});
    scene.has_room[2] = true;
    CHECK(scene.turn() == "pid 0 to 0: 8, pid 0 to 2: 8");
    CHECK_FALSE(scene.notices.owes_any());
}

TEST_CASE("what is noted again while it is told is told again, though it says the same")
{
    const What what = GENERATE(What::pid, What::kill, What::end);
    Scene scene;
    scene.notices.note({what, 0, 7, false});
    scene.notices.begin_turn();
    unsigned told = 0;
    scene.notices.send([&](unsigned machine, const ProgramNotices::Notice& notice) {
        ++told;
        if (machine == 2)
            scene.notices.note(notice);
        return true;
    });
    CHECK(told == 2);
    CHECK(scene.notices.owes_any());
    const std::string again = scene.turn();
    CHECK(again.contains("to 0: 7"));
    CHECK(again.contains("to 2: 7"));
    CHECK_FALSE(scene.notices.owes_any());
}

TEST_CASE("an end that is noted again while it is told waits for the next turn, with all that it says")
{
    Scene scene;
    scene.notices.note({What::end, 0, 3, false});
    scene.notices.begin_turn();
    unsigned told = 0;
    scene.notices.send([&](unsigned, const ProgramNotices::Notice&) {
        scene.notices.note({What::end, 0, 3, true});
        ++told;
        return true;
    });
    CHECK(told == 1);
    CHECK(scene.turn() == "end 0 to 0: 3 killed, end 0 to 2: 3 killed");
}

TEST_CASE("a notice for which there was no room is told once, as it is by then")
{
    Scene scene;
    scene.notices.note({What::pid, 0, 7, false});
    scene.notices.send([&](unsigned machine, const ProgramNotices::Notice&) {
        if (machine == 0)
            scene.notices.note({What::pid, 0, 8, false});
        return false;
    });
    CHECK(scene.turn() == "pid 0 to 0: 8, pid 0 to 2: 8");
    CHECK_FALSE(scene.notices.owes_any());
}
