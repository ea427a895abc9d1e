// SPDX-License-Identifier: MIT
// What is said of machines that do not take part as they should.
#include "kernel/network/attendance.hpp"

#include "testing/catch.hpp"

using namespace parley::kernel;

namespace {

constexpr std::uint64_t second = 1'000'000'000, start = 5 * second;

// Machine 0 of two.
struct Scene {
    Trouble trouble;
    Attendance attendance{{.machines = 2, .here = 0, .kernel = 77, .boot = 5}, trouble};
    FrameHead head{};

    Scene()
    {
        head.kernel = 77;
        head.boot = 6;
        head.from = 1;
        attendance.begin(start);
    }
};

} // namespace

TEST_CASE("a frame of another machine of the job is let in, and nothing is wrong")
{
    Scene scene;
    CHECK(scene.attendance.admits(scene.head));
    CHECK(scene.trouble.sentence().empty());
}

TEST_CASE("a frame for another machine, from oneself or from no machine of the job is left alone")
{
    Scene scene;
    SECTION("for another") { scene.head.to = 1; }
    SECTION("a card brings back one's own") { scene.head.from = 0, scene.head.boot = 5; }
    SECTION("from no machine of the job") { scene.head.from = 2; }
    CHECK_FALSE(scene.attendance.admits(scene.head));
    CHECK(scene.trouble.sentence().empty());
}

TEST_CASE("two machines of one number are found out")
{
    Scene scene;
    scene.head.from = 0;
    CHECK_FALSE(scene.attendance.admits(scene.head));
    CHECK(scene.trouble.sentence() ==
          "there is another machine 0 in the network: give each a number of its own");
}

TEST_CASE("a machine with another kernel, or another request, is found out")
{
    Scene scene;
    scene.head.kernel = 78;
    CHECK_FALSE(scene.attendance.admits(scene.head));
    CHECK(
        scene.trouble.sentence() ==
        "machine 1 runs another kernel, or was asked for other jobs or another number of machines: boot all "
        "from the same files");
}

TEST_CASE("a machine is lost when nothing is heard of it for ten seconds, not before")
{
    Scene scene;
    scene.attendance.look(1, start, start + 10 * second);
    CHECK_FALSE(scene.trouble.is_there());
    scene.attendance.look(1, start, start + 10 * second + 1);
    CHECK(scene.trouble.sentence() == "machine 1 is lost: nothing was heard of it for 10 s");
}

TEST_CASE("a machine that never came is waited for a minute")
{
    Scene scene;
    scene.attendance.look(1, 0, start + 60 * second);
    CHECK_FALSE(scene.trouble.is_there());
    scene.attendance.look(1, 0, start + 60 * second + 1);
    CHECK(scene.trouble.sentence() == "machine 1 was never heard of in 60 s");
}

TEST_CASE("a machine is expected until it is lost, or has not come")
{
    Scene scene;
    const std::uint64_t heard = start + second;
    CHECK(scene.attendance.expects(heard, heard + 10 * second));
    CHECK_FALSE(scene.attendance.expects(heard, heard + 10 * second + 1));
    CHECK(scene.attendance.expects(0, start + 60 * second));
    CHECK_FALSE(scene.attendance.expects(0, start + 60 * second + 1));
}

TEST_CASE("of several troubles the first is told")
{
    Scene scene;
    scene.attendance.note_new_boot(1);
    scene.attendance.look(1, start, start + 11 * second);
    CHECK(scene.trouble.sentence() == "machine 1 is lost: it was booted again");
}
