// SPDX-License-Identifier: MIT
// NX/2's protocol where it differs from copying twice: bytes that go straight into a posted receive, receives
// that are taken back while they come, and ends of processes in the middle of it.
#include "messaging/behaviours/test_messages.hpp"
#include "testing/catch.hpp"
#include "testing/hosted_job.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

using namespace parley;
using behaviours::TestProcess;

namespace {

constexpr std::size_t small_system = 7 << 20;
constexpr long too_much = 5 << 20; // for any system buffer of a small system

// Runs a program on two nodes under nx2 and under its variants.
template <class Program>
void try_variants(std::size_t system_bytes, Program program)
{
    for (const std::string_view text :
         {"nx2", "nx2,port=reuse,synchronization=ticket", "nx2,synchronization=semaphore",
          "nx2,transport=process,synchronization=semaphore", "nx2,synchronous", "nx2,location=user,light"}) {
        INFO(std::string(text));
        messaging::Design design;
        REQUIRE(messaging::parse_design(text, design).empty());
        testing::HostedJob job(
            {.design = design, .nodes = 2, .system_bytes = system_bytes, .shared_bytes = 32 << 20});
        CHECK(job.run([&](TestProcess& peer) { program(job, peer); }) == "");
    }
}

void until_waiting(testing::HostedJob& job, unsigned endpoint)
{
    const messaging::WaitRecord& record = job.system().records()[endpoint];
    while (record.epoch.load() % 2 == 0 || record.seen.load() != record.event.sequence.load())
        std::this_thread::yield();
}

} // namespace

TEST_CASE("nx2: a message that no system buffer could hold goes straight into the receive that waits for it")
{
    try_variants(small_system, [](testing::HostedJob&, TestProcess& peer) {
        if (peer.node() == 0)
            behaviours::send_test_message(peer, 1, too_much, 1);
        else
            peer.expect(behaviours::take_test_message(peer, 1, too_much).length == too_much, "it arrives");
    });
}

TEST_CASE("nx2: a posted receive is served while its owner does not look")
{
    try_variants(small_system, [](testing::HostedJob&, TestProcess& peer) {
        constexpr long length = too_much;
        auto* const buffer = static_cast<char*>(peer.allocate(length));
        if (peer.node() == 0) {
            behaviours::take_test_message(peer, 2, 8);
            behaviours::send_test_message(peer, 1, length, 1);
            return;
        }
        const long id = peer.start_receive(1, buffer, length).value;
        behaviours::send_test_message(peer, 2, 8, 0);
        behaviours::wait_for(peer, id);
        peer.expect(behaviours::holds_pattern(buffer, 1, length), "the bytes are those that were sent");
    });
}

TEST_CASE("nx2: both nodes may send first, short of what the budget holds")
{
    try_variants(64 << 20, [](testing::HostedJob&, TestProcess& peer) {
        if (peer.capabilities().synchronous)
            return;
        for (int turn = 0; turn < 50; ++turn) {
            behaviours::send_test_message(peer, 1, 100'000 + turn, 1 - peer.node());
            peer.expect(behaviours::take_test_message(peer, 1, 200'000).length == 100'000 + turn,
                        "both arrive");
        }
    });
}

TEST_CASE("nx2: receives that are cancelled while bytes come lose no message")
{
    try_variants(64 << 20, [](testing::HostedJob&, TestProcess& peer) {
        constexpr int count = 200;
        constexpr long length = 60'000;
        if (peer.node() == 0) {
            for (int turn = 0; turn < count; ++turn)
                behaviours::send_test_message(peer, turn, length, 1);
            return;
        }
        auto* const buffer = static_cast<char*>(peer.allocate(length));
        for (int turn = 0; turn < count; ++turn) {
            const long first = peer.start_receive(turn, buffer, length).value;
            for (int pause = 0; pause < turn % 7; ++pause)
                std::this_thread::yield();
            if (peer.done(first).value == 0)
                peer.cancel(
                    first); // the bytes may have come just now: then the message is gone with its receive
        }
        while (peer.probe(-1, false).value == 1)
            behaviours::take_test_message(peer, -1, length);
    });
}

TEST_CASE("nx2: order holds between short and long messages")
{
    try_variants(64 << 20, [](testing::HostedJob&, TestProcess& peer) {
        for (int turn = 0; turn < 300; ++turn) {
            const long length = turn % 3 == 0 ? 100 : turn % 3 == 1 ? 101 : 9000;
            if (peer.node() == 0)
                behaviours::send_test_message(peer, 1, length, 1);
            else
                peer.expect(behaviours::take_test_message(peer, -1, 9000).length == length,
                            "they come in order");
        }
    });
}

TEST_CASE("nx2: whoever is killed while long messages pass, nothing is left")
{
    for (const unsigned victim : {0u, 1u})
        for (int delay = 0; delay < 6; ++delay)
            try_variants(small_system, [&](testing::HostedJob& job, TestProcess& peer) {
                constexpr long length = 1 << 20;
                auto* const buffer = static_cast<char*>(peer.allocate(length));
                std::jthread killer;
                if (peer.node() != static_cast<int>(victim))
                    killer = std::jthread([&] {
                        std::this_thread::sleep_for(std::chrono::microseconds(100 + 300 * delay));
                        job.kill(0);
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        job.kill(1);
                    });
                for (int turn = 0; turn < 10'000; ++turn) {
                    const auto answer =
                        peer.node() == 0 ? peer.send(1, buffer, length, 1) : peer.receive(1, buffer, length);
                    if (!answer.good())
                        break;
                }
            });
}

TEST_CASE("nx2: a sender that waits for the budget is served by the receive that comes")
{
    try_variants(small_system, [](testing::HostedJob& job, TestProcess& peer) {
        if (peer.node() == 0) {
            behaviours::send_test_message(peer, 1, too_much, 1);
            return;
        }
        until_waiting(job, 0);
        peer.expect(behaviours::take_test_message(peer, 1, too_much).length == too_much, "it arrives");
    });
}
