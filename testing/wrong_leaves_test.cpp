// SPDX-License-Identifier: MIT
// The tests of leaves catch wrong leaves: each of wrong_leaves.hpp is found, and what it does is named.
#include "testing/catch.hpp"
#include "testing/port_faults.hpp"
#include "testing/selection.hpp"
#include "testing/synchronization_faults.hpp"
#include "testing/transfer_faults.hpp"
#include "testing/wrong_leaves.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace parley::testing;
using Catch::Matchers::Contains;

TEST_CASE("the tests of ports find a port that loses, doubles, reorders, mislabels or refuses")
{
    CHECK_THAT(fault_of_port(port_leaf<LossyPort>), Contains("loses a message"));
    CHECK_THAT(fault_of_port(port_leaf<DoublingPort>), Contains("a message twice"));
    CHECK_THAT(fault_of_port(port_leaf<ReorderingPort>), Contains("another order"));
    CHECK_THAT(fault_of_port(port_leaf<MislabellingPort>), Contains("envelope of another"));
    CHECK_THAT(fault_of_port(port_leaf<StuckPort>),
               Contains("refuses messages although it has been emptied"));
}

TEST_CASE("the tests of transfers find one that drops the last byte, mixes up bytes or keeps a buffer")
{
    CHECK_THAT(fault_of_transfer<ShorteningTransfer>(), Contains("loses the last byte of a message of 101"));
    CHECK_THAT(fault_of_transfer<ScramblingTransfer>(), Contains("brings number 2 wrong"));
    CHECK_THAT(fault_of_transfer<HoardingTransfer>(), Contains("keeps a system buffer"));
}

TEST_CASE("the tests of transfers find one that lends wrongly")
{
    CHECK_THAT(fault_of_transfer<HastyTransfer>(), Contains("buffer is free, and reads it afterwards"));
    CHECK_THAT(fault_of_transfer<GenerousTransfer>(), Contains("lends a buffer that may not be lent"));
}

namespace {

// What a child says on its standard error before it ends.
template <class Body>
std::string words_of_child(Body&& body)
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        body();
        _exit(0);
    }
    close(ends[1]);
    std::string words;
    char text[512];
    for (ssize_t length = 0; (length = read(ends[0], text, sizeof text)) > 0;)
        words.append(text, static_cast<std::size_t>(length));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return words + (WIFSIGNALED(status) ? "(ended by a signal)" : "");
}

} // namespace

TEST_CASE("the tests of locks find one that lets two in, however seldom, and one that is never left")
{
    // A party may still leave a lock that another has left before anybody has seen that, which is fatal.
    const auto expect_found = [](const std::string& words) {
        CHECK_THAT(words, Contains("two parties in at once") || Contains("(ended by a signal)"));
    };
    using Count = std::atomic<long>;
    const auto open = [] {
        std::fputs(fault_in_excluding<Count>(synchronization_leaf<OpenSynchronization>).c_str(), stderr);
    };
    const auto leaky = [] {
        std::fputs(fault_in_excluding<Count>(synchronization_leaf<LeakySynchronization>).c_str(), stderr);
    };
    expect_found(words_of_child(open));
    expect_found(words_of_child(leaky));
    synchronization_limit = std::chrono::milliseconds(250); // they do wait for ever
    CHECK_THAT(fault_in_excluding(synchronization_leaf<SelfishSynchronization>),
               Contains("waits for ever for its lock"));
    CHECK_THAT(fault_in_waking(synchronization_leaf<SilentSynchronization>), Contains("is not woken"));
    CHECK_THAT(fault_after_a_kill(synchronization_leaf<GraspingSynchronization>), Contains("stays held"));
    synchronization_limit = std::chrono::seconds(10);
}

TEST_CASE("a class under which a test crashes is named, in whichever of its threads")
{
    const std::string words = words_of_child([] {
        at("insistent");
        std::jthread([] { std::raise(SIGSEGV); }).join();
    });
    CHECK_THAT(words, Contains("SIGSEGV at insistent, in: a class under which a test crashes is named"));
    CHECK_THAT(words, Contains("(ended by a signal)"));
}

TEST_CASE("a class that there is not is refused with the nearest, and no test runs")
{
    CHECK(refusal_of_leaf("") == "");
    CHECK(refusal_of_leaf("two-phase") == "");
    CHECK(refusal_of_leaf("policy-1") == "");
    const std::string words = words_of_child([] {
        setenv("PARLEY_LEAF", "tiket", 1);
        execl("/proc/self/exe", "messaging", static_cast<char*>(nullptr));
    });
    CHECK(words == "PARLEY_LEAF: there is no class 'tiket'; did you mean 'ticket'?\n");
}

TEST_CASE("time goes on for a limit only while every party can go on, and begins anew when one has got on")
{
    FairTime time;
    const auto end_after = [&](auto&& each_tick) {
        FairTime::Duration idle{0};
        for (unsigned tick = 0; tick < 4; ++tick) {
            each_tick();
            std::this_thread::sleep_for(FairTime::tick);
            idle = time.without_progress();
        }
        return idle;
    };
    CHECK(end_after([] { }) >= 3 * FairTime::tick);
    CHECK(end_after([] { get_on(); }) == FairTime::Duration{0});
}
