// SPDX-License-Identifier: MIT
// The end of processes and of memory: whoever is killed, and wherever it waits, nothing is left and nobody is
// wedged.
#include "messaging/behaviours/test_messages.hpp"
#include "messaging/job_messages.hpp"
#include "testing/catch.hpp"
#include "testing/every_design.hpp"
#include "testing/hosted_job.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

using namespace parley;
using behaviours::TestProcess;

namespace {

constexpr long last_type = 99;

messaging::Design design_of(std::string_view text)
{
    messaging::Design design;
    REQUIRE(messaging::parse_design(text, design).empty());
    return design;
}

bool is_waiting(testing::HostedJob& job, unsigned endpoint)
{
    const messaging::WaitRecord& record = job.system().records()[endpoint];
    return record.epoch.load() % 2 == 1 && record.seen.load() == record.event.sequence.load();
}

void until_waiting(testing::HostedJob& job, unsigned endpoint)
{
    for (int turn = 0; turn < 20000 && !is_waiting(job, endpoint); ++turn)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void until_ended(testing::HostedJob& job, unsigned endpoint)
{
    while (job.system().records()[endpoint].state.load() == messaging::EndpointState::live)
        std::this_thread::yield();
}

// Every transport, synchronization and transfer; the other factors do not matter to the ends of processes.
template <class Try>
void with_designs(Try try_design)
{
    for (const auto& transport : testing::choices_of("transport"))
        for (const auto& synchronization : testing::choices_of("synchronization"))
            for (const auto& transfer : testing::choices_of("transfer")) {
                messaging::Design design = design_of("exp6");
                design.transport = transport;
                design.synchronization = synchronization;
                design.transfer = transfer;
                INFO(std::string(messaging::canonical(design).text()));
                try_design(design);
            }
}

} // namespace

TEST_CASE("a process killed in a receive leaves nothing, and others go on")
{
    with_designs([](const messaging::Design& design) {
        testing::HostedJob job({.design = design, .nodes = 3});
        CHECK(job.run([&](TestProcess& peer) {
            if (peer.node() == 1)
                peer.expect(!peer.receive_block(last_type, peer.allocate(64), 64).good(),
                            "the receive is ended");
            if (peer.node() == 1)
                return;
            if (peer.node() == 0) {
                until_waiting(job, 1);
                behaviours::start_test_message(peer, 3, 500, 1); // lies unread when the receiver is killed
                job.kill(1);
            }
            for (long turn = 0; turn < 10; ++turn) {
                if (peer.node() == 0)
                    behaviours::send_test_message(peer, turn, 100, 2);
                else
                    behaviours::take_test_message(peer, turn, 100);
            }
        }) == "");
    });
}

TEST_CASE("a process killed in a synchronous csend leaves nothing")
{
    with_designs([](messaging::Design design) {
        design.interaction = "synchronous";
        testing::HostedJob job({.design = design, .nodes = 2});
        CHECK(job.run([&](TestProcess& peer) {
            if (peer.node() == 0)
                peer.expect(!peer.send(1, behaviours::filled(peer, 1, 300), 300, 1).good(),
                            "the send is ended");
            if (peer.node() == 0)
                return;
            until_waiting(job, 0);
            job.kill(0);
            until_ended(job, 0); // our own end would let the send go on as if it had been received
        }) == "");
    });
}

TEST_CASE("a process that ends normally takes nothing of what it has sent with it")
{
    with_designs([](const messaging::Design& design) {
        testing::HostedJob job({.design = design, .nodes = 2});
        CHECK(job.run([&](TestProcess& peer) {
            if (peer.node() == 0) {
                behaviours::send_test_message(peer, 1, 2000, 1);
                return; // at once, while the message may still be on its way
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            peer.expect(behaviours::take_test_message(peer, 1, 2000).length == 2000,
                        "the message has outlived its sender");
        }) == "");
    });
}

TEST_CASE("messages to a process that has ended are discarded quietly")
{
    with_designs([](const messaging::Design& design) {
        testing::HostedJob job({.design = design, .nodes = 2});
        CHECK(job.run([&](TestProcess& peer) {
            if (peer.node() == 1)
                return;
            until_ended(job, 1);
            for (long turn = 0; turn < 300; ++turn)
                behaviours::send_test_message(peer, 1, turn, 1);
        }) == "");
    });
}

TEST_CASE("a sender waits when the budget is used up, and every message arrives")
{
    for (const std::string_view text : {"exp6", "exp4", "exp3", "exp6,synchronization=ticket"}) {
        INFO(std::string(text));
        testing::HostedJob job(
            {.design = design_of(text), .nodes = 2, .system_bytes = 4 << 20, .shared_bytes = 8 << 20});
        CHECK(job.run([&](TestProcess& peer) {
            constexpr long count = 200;
            constexpr long length = 100'000; // 20 MB through less than 4 MB
            for (long turn = 0; turn < count; ++turn) {
                if (peer.node() == 0)
                    behaviours::send_test_message(peer, turn, length, 1);
                else
                    peer.expect(behaviours::take_test_message(peer, turn, length).length == length,
                                "it arrives");
            }
        }) == "");
    }
}

TEST_CASE("a message larger than the whole budget is an error")
{
    testing::HostedJob job(
        {.design = design_of("exp6"), .nodes = 1, .system_bytes = 4 << 20, .shared_bytes = 16 << 20});
    CHECK(job.run([](TestProcess& peer) {
        constexpr long length = 8 << 20;
        peer.expect(peer.send(1, peer.allocate(length), length, 0).value ==
                        -static_cast<long>(Error::over_budget),
                    "csend says so");
    }) == "");
}

TEST_CASE("sixteen nodes exchange a megabyte each, all sending first")
{
    testing::HostedJob job(
        {.design = design_of("exp4"), .nodes = 16, .system_bytes = 128 << 20, .shared_bytes = 64 << 20});
    CHECK(job.run([](TestProcess& peer) {
        behaviours::send_test_message(peer, 1, 1 << 20, peer.node() ^ 1);
        behaviours::take_test_message(peer, 1, 1 << 20);
    }) == "");
}

TEST_CASE("the last reader of a block that ends wakes who waits for the memory of the readers' set")
{
    constexpr unsigned nodes = 70; // more than a word has bits
    constexpr std::size_t shared = 1 << 20;
    const std::size_t bytes = messaging::system_bytes(nodes, 256 << 10, {.base = 0, .bytes = shared});
    testing::HostedJob job({.design = design_of("exp4,transfer=pointer"),
                            .nodes = nodes,
                            .system_bytes = bytes,
                            .shared_bytes = shared});
    std::atomic<bool> has_waited = false, went_on = false;
    CHECK(job.run([&](TestProcess& peer) {
        const auto until = [](const std::atomic<bool>& what) {
            for (int turn = 0; turn < 200'000 && !what; ++turn)
                std::this_thread::sleep_for(std::chrono::microseconds(50));
        };
        if (peer.node() == 0) {
            peer.expect(peer.send(1, peer.allocate(64), 64, -1).good(), "the block is broadcast");
            while (!has_waited)
                peer.expect(peer.send(2, nullptr, 0, 1).good(), "the budget is used up with messages");
            went_on = true;
            return;
        }
        const behaviours::Answer block = peer.receive_block(1, nullptr, 64);
        if (peer.node() == 1) {
            peer.expect(peer.release(block.block).good(), "a reader lets go");
            until(went_on); // its own end would make room too
            peer.expect(went_on, "the sender goes on when the readers' set has gone");
        } else if (peer.node() == 2) {
            const messaging::WaitRecord& record = job.system().records()[0];
            for (int turn = 0; turn < 200'000 && !has_waited; ++turn) {
                std::this_thread::sleep_for(std::chrono::microseconds(50));
                has_waited = is_waiting(job, 0) && record.reason.load() == messaging::WaitReason::budget;
            }
        }
    }) == "");
    CHECK(has_waited);
}

TEST_CASE(
    "two nodes that both csend first wait for ever under a synchronous design, and their records say so")
{
    const long length = GENERATE(0, 100);
    testing::HostedJob job({.design = design_of("exp1"), .nodes = 2});
    std::atomic<bool> both = false;
    std::jthread watcher([&] {
        for (int turn = 0; turn < 20000 && !both; ++turn) {
            both = is_waiting(job, 0) && is_waiting(job, 1);
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
        job.kill(0);
        job.kill(1);
    });
    CHECK(job.run([length](TestProcess& peer) {
        for (int turn = 0; turn < 4; ++turn) { // so that spare messages are there, as later in a program
            if (turn % 2 == peer.node())
                (void)peer.send(1, nullptr, 0, 1 - peer.node());
            else
                (void)peer.receive(1, nullptr, 0);
        }
        (void)peer.send(5, behaviours::filled(peer, 5, length), length, 1 - peer.node());
    }) == "");
    CHECK(both);
    const messaging::WaitRecord& record = job.system().records()[0];
    CHECK(record.reason.load() == messaging::WaitReason::delivery);
    CHECK((record.type.load() == 5 && record.length.load() == length && record.peer.load() == 1));
}

TEST_CASE("a place whose program has ended while it looked into its port serves the next one")
{
    testing::HostedJob job({.design = design_of("exp6"), .nodes = 2});
    messaging::MessageSystem& system = job.system();
    auto& endpoint =
        *static_cast<messaging::ComposedEndpoint<messaging::Factors<>>*>(system.calls_of(1).self);
    REQUIRE(endpoint.peer().mailbox.enter());
    [[maybe_unused]] const messaging::PassedLock kept(endpoint.peer().mailbox); // by whoever has ended
    messaging::StatusWord& status = endpoint.peer().waiter.status();
    status.set_wants_delivery(true);
    status.set_wants_budget(true);
    status.set_notification(messaging::Notification::armed);
    system.reset(1, messaging::Waiting::kept); // would wait for the lock for ever
    REQUIRE(endpoint.peer().mailbox.enter());
    endpoint.peer().mailbox.unlock_at_once();
    CHECK(status.is_ordinary());
    CHECK(job.run([](TestProcess& peer) {
        if (peer.node() == 0)
            behaviours::send_test_message(peer, 1, 8, 1);
        else
            behaviours::take_test_message(peer, 1, 8);
    }) == "");
}

TEST_CASE("a place that is made ready again has no block of its last program, and its messages or none")
{
    testing::HostedJob job({.design = design_of("exp6"), .nodes = 2});
    messaging::MessageSystem& system = job.system();
    const parley_calls sender = system.calls_of(0), receiver = system.calls_of(1);
    REQUIRE(sender.send(sender.self, 7, 0, 0, 1, 0) == 0);
    const bool is_kept = GENERATE(false, true);
    const std::size_t before = system.leaks();
    REQUIRE(receiver.allocate(receiver.self, 64, 0) > 0);
    system.reset(1, is_kept ? messaging::Waiting::kept : messaging::Waiting::dropped);
    CHECK(system.leaks() <= before);
    const parley_receive_status found =
        receiver.probe(receiver.self, 7, parley_probe_looks, 0, PARLEY_SENDER_CONTEXT);
    CHECK(found.contents == (is_kept ? 7 : -static_cast<long>(Error::would_block)));
}

TEST_CASE("the end of a process is told to whoever waits for memory")
{
    testing::HostedJob job({.design = design_of("exp6"), .nodes = 2});
    messaging::MessageSystem& system = job.system();
    auto& waits = *static_cast<messaging::ComposedEndpoint<messaging::Factors<>>*>(system.calls_of(0).self);
    const auto signals = [&] { return waits.peer().waiter.sequence(); };
    std::uint32_t before = 0;
    const auto other_ends = [&] {
        before = signals();
        system.close(1, messaging::EndpointState::ended);
        return true;
    };
    CHECK(waits.progress().await_budget({messaging::WaitReason::budget, 0, 0, -1}, other_ends));
    CHECK(signals() != before);
}

TEST_CASE("who has come to a meeting is forgotten with what was sent to the process of node 0")
{
    testing::HostedJob job({.design = design_of("exp6"), .nodes = 2});
    messaging::MessageSystem& system = job.system();
    const auto comes = [&system](unsigned node) {
        const parley_calls calls = system.calls_of(node);
        return calls.meet(calls.self, parley_library_call_gsync, 0, 0,
                          parley_address(0, PARLEY_CONTEXT_LIBRARY));
    };
    CHECK(comes(1) == 0);
    SECTION("its place is kept as it was")
    {
        system.reset(0, messaging::Waiting::kept);
        CHECK(comes(0) == 1);
    }
    SECTION("it is forgotten")
    {
        system.reset(0, messaging::Waiting::dropped);
        CHECK(comes(0) == 0);
        CHECK(comes(1) == 1);
    }
    SECTION("it has ended, and who comes too late counts no more")
    {
        system.close(0, messaging::EndpointState::ended);
        CHECK(comes(1) == 0);
        system.open(0);
        CHECK(comes(0) == 0);
        CHECK(comes(1) == 1);
    }
    SECTION("it was killed")
    {
        system.close(0, messaging::EndpointState::killed);
        CHECK(comes(1) == -static_cast<long>(Error::closed));
    }
}

TEST_CASE("a budget is what is left for messages when the system has taken its own")
{
    constexpr std::size_t budget = 1 << 20;
    constexpr std::size_t shared = 8 << 20;
    const std::size_t bytes = messaging::system_bytes(16, budget, {.base = 0, .bytes = shared});
    testing::HostedJob job(
        {.design = design_of("exp6"), .nodes = 16, .system_bytes = bytes, .shared_bytes = shared});
    CHECK(job.run([](TestProcess& peer) {
        if (peer.node() != 0)
            return;
        behaviours::send_test_message(peer, 1, budget / 2, 0);
        behaviours::take_test_message(peer, 1, budget / 2);
    }) == "");
    CHECK(bytes < budget + (16 << 17) + (shared >> 2));
}

TEST_CASE("a system is made in just as much memory as it needs, and in less it is refused")
{
    const messaging::SystemOptions options{design_of("exp6"), 2, 1, {.base = 0, .bytes = 64 << 10}};
    const std::size_t enough = messaging::system_bytes(2, page_bytes, options.blocks);
    std::size_t pages = 0;
    const auto is_made = [&] {
        const testing::MappedMemory memory(pages * page_bytes);
        const auto made = messaging::create(memory.start(), memory.bytes(), options);
        CHECK((made || made.error() == Error::no_memory));
        return made.has_value();
    };
    for (pages = 1; !is_made(); ++pages)
        REQUIRE(pages * page_bytes < enough);
    for (; pages * page_bytes <= enough; ++pages)
        CHECK(is_made());
}
