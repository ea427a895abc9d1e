// SPDX-License-Identifier: MIT
// A process is killed at each of the places where it may end, under every protocol and lock: whoever had to
// do with it goes on, and so do the messages of the others.
#include "arch/hosted/hosted.hpp"
#include "messaging/behaviours/test_messages.hpp"
#include "testing/catch.hpp"
#include "testing/every_design.hpp"
#include "testing/hosted_job.hpp"
#include "testing/mapped_memory.hpp"

#include <array>
#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace parley;
using behaviours::Answer;
using behaviours::TestProcess;

namespace {

constexpr unsigned nodes = 3;
constexpr long posted_type = 1, type = 2;
constexpr long length = 150'000;      // many pieces, under every protocol
constexpr unsigned most_steps = 2000; // a spin takes as many as one likes

// Every way to wait and every protocol, with and without a delivery process and sends that wait; of a sample,
// every few of them.
std::vector<messaging::Design> designs()
{
    const std::size_t stride = (testing::sample_stride() + 3) / 4 | 1; // odd: of two leaves it meets both
    std::size_t number = 0;
    std::vector<messaging::Design> designs;
    for (const auto& transport : testing::choices_of("transport"))
        for (const auto& synchronization : testing::choices_of("synchronization"))
            for (const auto& transfer : testing::choices_of("transfer"))
                for (const auto& interaction : testing::choices_of("interaction")) {
                    messaging::Design design;
                    REQUIRE(messaging::parse_design("exp6", design).empty());
                    design.transport = transport;
                    design.synchronization = synchronization;
                    design.transfer = transfer;
                    design.interaction = interaction;
                    if (number++ % stride == 0 && messaging::refusal(design, {nodes, nodes}).empty())
                        designs.push_back(design);
                }
    return designs;
}

enum Node : int { victim, partner, other };

class Scene {
public:
    explicit Scene(const messaging::Design& design)
        : job_({.design = design,
                .nodes = nodes,
                .system_bytes = 8 << 20,
                .shared_bytes = 8 << 20,
                .seconds = 20})
    {
    }

    // Whether the victim was killed at that step; it may have ended before.
    template <class Victim, class Partner>
    bool kill_at(unsigned step, Victim victim_runs, Partner partner_runs)
    {
        const std::string failures = job_.run([&](TestProcess& peer) {
            if (peer.node() == victim) {
                hosted::current_process()->kill_after(step);
                victim_runs(peer);
                was_killed_ = hosted::current_process()->is_killed();
                return;
            }
            if (peer.node() == partner)
                partner_runs(peer);
            talk(peer);
        });
        CHECK(failures == "");
        return was_killed_;
    }

    bool victim_lives()
    {
        return job_.system().records()[victim].state.load() == messaging::EndpointState::live;
    }

private:
    // Those who live still reach each other, by every lock that the victim may have held. The partner begins
    // when it has nothing of the victim's in its hands any more: what was the victim's may be written to
    // then.
    static void talk(TestProcess& peer)
    {
        for (long turn = 0; turn < 3; ++turn) {
            if (peer.node() == other)
                behaviours::take_test_message(peer, 10 + turn, 2000);
            const int to = peer.node() == partner ? other : partner;
            const long id = behaviours::start_test_message(peer, 10 + turn, 2000, to);
            if (peer.node() == partner)
                behaviours::take_test_message(peer, 10 + turn, 2000);
            behaviours::wait_for(peer, id);
        }
    }

    testing::HostedJob job_;
    std::atomic<bool> was_killed_ = false;
};

// Every step of the victim's, until it gets through without being killed.
template <class Victim, class Partner>
void kill_at_each_step(Victim victim_runs, Partner partner_runs)
{
    for (const messaging::Design& design : designs()) {
        unsigned step = 0;
        for (bool killed = true; killed && step < most_steps; step += 1 + step / 4) {
            INFO(std::string(messaging::canonical(design).text()) << ", step " << step);
            Scene scene(design);
            killed = scene.kill_at(step, victim_runs, [&](TestProcess& peer) { partner_runs(scene, peer); });
        }
    }
}

// A job of two processes and a delivery process whose turns the test gives, one after another, so that a full
// port is met in one way alone.
class SteppedJob {
public:
    explicit SteppedJob(std::string_view text) : memory_(8 << 20), shared_(1 << 20)
    {
        messaging::Design design;
        REQUIRE(messaging::parse_design(text, design).empty());
        const auto system = messaging::create(memory_.start(), memory_.bytes(),
                                              {design, 2, 1, {shared_.address(), shared_.bytes(), false}});
        REQUIRE(system);
        system_ = *system;
    }

    // Process 0 sends; killed: it must end as soon as it would wait.
    long send(const void* bytes, long bytes_length, bool is_killed = false)
    {
        hosted::ProcessThread process;
        if (is_killed)
            process.kill();
        const parley_calls calls = system_->calls_of(0);
        return calls.send(calls.self, type, reinterpret_cast<unsigned long>(bytes), bytes_length, 1, 0);
    }
    // The delivery process goes on until it would wait, or finds a port full.
    void deliver()
    {
        hosted::ProcessThread process;
        process.kill_after(0);
        CHECK(system_->deliver(helper, nullptr).error() == Error::killed);
    }
    // Both processes and the delivery process end; answers how much of the job's memory is not free then.
    std::size_t end()
    {
        for (const unsigned endpoint : {0u, 1u, helper})
            system_->close(endpoint, messaging::EndpointState::killed);
        return system_->leaks();
    }

private:
    static constexpr unsigned helper = 2;

    testing::MappedMemory memory_, shared_;
    messaging::MessageSystem* system_ = nullptr;
};

// Of what is there to receive, or was half sent.
void receive_whatever_comes(TestProcess& peer, long typesel)
{
    const bool brings = !peer.capabilities().transfers_ownership;
    void* const own = brings ? peer.allocate(length) : nullptr;
    const Answer answer = peer.receive_block(typesel, own, length);
    const bool is_lost = answer.value == -static_cast<long>(Error::closed);
    peer.expect(answer.good() || is_lost, "a receive has its message, or hears that its sender has ended");
    if (answer.good())
        peer.expect(behaviours::holds_pattern(answer.block, answer.type, answer.length), "it is whole");
    void* const block = brings ? own : answer.good() ? answer.block : nullptr;
    if (block != nullptr)
        peer.expect(peer.release(block).good(), "a block that was received in can be released");
}

} // namespace

TEST_CASE("a sender is killed at each step: its receiver has the message or hears of the end")
{
    const auto sends = [](TestProcess& peer) {
        const auto send = [&](long which, long bytes) {
            return peer.send(which, behaviours::filled(peer, which, bytes), bytes, partner).good();
        };
        (void)(send(posted_type, length) && send(type, length) && send(type, 90) && send(type, 0));
    };
    kill_at_each_step(sends, [](Scene& scene, TestProcess& peer) {
        const bool posts = !peer.capabilities().transfers_ownership;
        void* const buffer = posts ? peer.allocate(length) : nullptr;
        const long id = posts ? peer.start_receive(posted_type, buffer, length).value : 0;
        const auto receive_all = [&](long which) {
            while (peer.probe(which, false).value == 1)
                receive_whatever_comes(peer, which);
        };
        for (bool lives = true; lives; std::this_thread::yield()) {
            lives = scene.victim_lives();
            receive_all(type);
            if (!posts)
                receive_all(posted_type);
        }
        if (!posts)
            return;
        const long done = peer.done(id).value;
        peer.expect(done >= 0 || done == -static_cast<long>(Error::closed), "so does a posted receive");
        if (done == 0)
            peer.expect(peer.cancel(id).good(), "one without a message can be taken back");
        peer.expect(peer.release(buffer).good(), "its buffer is the program's again");
    });
}

TEST_CASE("a receiver is killed at each step: who sends to it goes on")
{
    const auto receives = [](TestProcess& peer) {
        const bool posts = !peer.capabilities().transfers_ownership;
        void* const own = posts ? peer.allocate(length) : nullptr;
        const long id = posts ? peer.start_receive(posted_type, peer.allocate(length), length).value : 0;
        if (!posts && !peer.receive_block(posted_type, own, length).good())
            return;
        for (int turn = 0; turn < 2; ++turn)
            if (!peer.receive_block(type, own, length).good())
                return;
        if (posts)
            (void)peer.wait(id);
    };
    kill_at_each_step(receives, [](Scene&, TestProcess& peer) {
        const auto send = [&](long which, long bytes) {
            const long sent = peer.send(which, behaviours::filled(peer, which, bytes), bytes, victim).value;
            peer.expect(sent >= 0 || sent == -static_cast<long>(Error::closed),
                        "a csend ends, or says that its receiver has");
        };
        send(posted_type, length);
        send(type, length);
        send(type, 90);
    });
}

TEST_CASE("a sender that finds a port full is killed at each step: the owner of the port and others go on")
{
    constexpr long count = 400; // more than any port holds
    const auto floods = [](TestProcess& peer) {
        for (long turn = 0; turn < count; ++turn)
            if (peer.start_send(type, nullptr, 0, partner).value < 0)
                return;
    };
    kill_at_each_step(floods, [](Scene& scene, TestProcess& peer) {
        while (scene.victim_lives())
            std::this_thread::yield();
        while (peer.probe(type, false).value == 1)
            receive_whatever_comes(peer, type);
    });
}

TEST_CASE("a delivery process that is killed before a full port drops the message that it has taken")
{
    constexpr int slots = 64;
    std::array<std::byte, 200> bytes{};
    // The message has memory alone; or its sender was to bring its bytes, and is killed, too.
    for (const bool has_bytes : {false, true}) {
        SteppedJob job("nx2,synchronization=spinlock,transport=process,port=reuse");
        REQUIRE(job.send(nullptr, 0) == 0);
        job.deliver();
        // Now the receiver's port has a slot less than the delivery process's own.
        for (int message = 1; message < slots; ++message)
            REQUIRE(job.send(nullptr, 0) == 0);
        const long sent = has_bytes ? job.send(bytes.data(), bytes.size(), true) : job.send(nullptr, 0);
        REQUIRE(sent == (has_bytes ? -static_cast<long>(Error::killed) : 0));
        job.deliver();
        CHECK(job.end() == 0);
    }
}
