// SPDX-License-Identifier: MIT
#include "native/nxrun/ranks.hpp"

#include "native/interface/departure.h"
#include "native/nxrun/ranks_test.hpp"

#include <csignal>
#include <cstring>

using namespace parley;
using namespace parley::native;

namespace {

using Scene = RankScene;

} // namespace

TEST_CASE("a rank has a process and a socket from its start until its end")
{
    Scene scene;
    Place& place = scene.places[0];
    scene.starter.life = [](const RankStart& rank) {
        tell_nxrun(rank.socket, 5, 77);
        _exit(3);
    };
    place.fault = "of the program before";
    REQUIRE(scene.ranks.start(place));
    CHECK(scene.ranks.alive() == 1);
    CHECK(place.process > 0);
    CHECK(place.socket >= 0);
    CHECK(place.fault.empty());
    CHECK(scene.starter.inputs[0]);
    const int status = scene.collect();
    CHECK(WEXITSTATUS(status) == 3);
    CHECK(scene.log == "0 asks 77; "); // what it had asked before it ended
    CHECK(scene.ranks.alive() == 0);
    CHECK(place.process == 0);
    CHECK(place.socket == -1);
}

TEST_CASE("only the first rank has the input of a job without a host")
{
    Scene scene;
    REQUIRE(scene.ranks.start(scene.places[1]));
    CHECK_FALSE(scene.starter.inputs[1]);
}

TEST_CASE("a rank that cannot be started leaves its place as it was")
{
    Scene scene(true);
    Place& place = scene.places[0];
    scene.starter.refusal = "There is no room.";
    const auto begun = scene.ranks.start(place);
    REQUIRE_FALSE(begun);
    CHECK(begun.error() == "There is no room.");
    CHECK(scene.ranks.alive() == 0);
    CHECK(place.process == 0);
    CHECK(place.socket == -1);
    CHECK(place.output == -1);
}

TEST_CASE("ranks that are halted are stopped, also one that starts meanwhile, and go on together")
{
    Scene scene;
    Place& first = scene.places[0];
    Place& second = scene.places[1];
    REQUIRE(scene.ranks.start(first));
    scene.ranks.halt();
    CHECK(scene.ranks.are_halted());
    REQUIRE(is_stopped(first.process));
    CHECK(first.begun); // else it could be left behind
    REQUIRE(scene.ranks.start(second));
    REQUIRE(is_stopped(second.process));
    scene.ranks.go_on();
    CHECK_FALSE(scene.ranks.are_halted());
    CHECK(scene.starter.resumed == 1);
    for (const Place* place : {&first, &second}) {
        int status = 0;
        CHECK(waitpid(place->process, &status, WCONTINUED) == place->process);
        CHECK(WIFCONTINUED(status));
    }
}

TEST_CASE("all are ended at once, but the process that has the network, which is told to let go of the job")
{
    Scene scene;
    sigset_t told;
    sigemptyset(&told);
    sigaddset(&told, PARLEY_NATIVE_DEPART);
    sigprocmask(SIG_BLOCK, &told, nullptr); // the ranks wait for it
    scene.starter.life = [told](const RankStart&) {
        int number = 0;
        sigwait(&told, &number);
        _exit(7);
    };
    REQUIRE(scene.ranks.start(scene.places[0]));
    REQUIRE(scene.ranks.start(scene.places[1]));
    scene.places[1].role = Role::network;
    scene.ranks.end_all();
    siginfo_t ended{};
    CHECK(waitid(P_PID, static_cast<id_t>(scene.places[0].process), &ended, WEXITED | WNOWAIT) == 0);
    CHECK(ended.si_status == SIGKILL);
    CHECK(waitid(P_PID, static_cast<id_t>(scene.places[1].process), &ended, WEXITED | WNOWAIT) == 0);
    CHECK(ended.si_status == 7);
    sigprocmask(SIG_UNBLOCK, &told, nullptr);
    scene.places[1].role = Role::program;
}

TEST_CASE("a killed rank that is not in the message system is ended at once")
{
    Scene scene;
    Place& place = scene.places[0];
    REQUIRE(scene.ranks.start(place));
    scene.ranks.kill(place, true);
    CHECK(scene.shared[0].must_end == 1);
    CHECK(scene.shared[0].successor_receives == 1);
    std::optional<std::string> lost;
    CHECK(WTERMSIG(scene.collect(&lost)) == SIGKILL);
    CHECK_FALSE(lost);
    scene.ranks.kill(place, true); // nobody is there
}

TEST_CASE("a killed rank that ends in the message library is told of, as what others may have lost")
{
    Scene scene;
    Place& place = scene.places[1];
    scene.starter.life = [](const RankStart&) {
        std::signal(PARLEY_NATIVE_DEPART, SIG_DFL);
        for (;;)
            pause();
    };
    REQUIRE(scene.ranks.start(place));
    scene.await_begun(place);
    __atomic_store_n(&scene.shared[1].listens, 1, __ATOMIC_SEQ_CST);
    scene.ranks.kill(place, false);
    REQUIRE(place.end_request);
    std::optional<std::string> lost;
    scene.collect(&lost); // the signal has ended it, for it has no handler
    REQUIRE(lost);
    CHECK(lost->starts_with("The job failed: node 1 was to end and was ended by signal "));
}

TEST_CASE("an answer reaches the rank that has asked, and one that has ended needs none")
{
    Scene scene;
    Place& place = scene.places[0];
    scene.starter.life = [](const RankStart& rank) {
        parley_native_answer answer{};
        (void)recv(rank.socket, &answer, sizeof answer, 0);
        _exit(static_cast<int>(answer.value));
    };
    REQUIRE(scene.ranks.start(place));
    scene.ranks.answer(place, 7, 42, 0);
    CHECK(WEXITSTATUS(scene.collect()) == 42);
    scene.ranks.answer(place, 8, 1, 0);
}

TEST_CASE("a message that is too short for a request is none")
{
    Scene scene;
    scene.starter.life = [](const RankStart& rank) {
        (void)send(rank.socket, "x", 1, MSG_NOSIGNAL);
        tell_nxrun(rank.socket, 5, 9);
    };
    REQUIRE(scene.ranks.start(scene.places[0]));
    scene.collect();
    CHECK(scene.log == ""); // nor is what follows it believed
}
