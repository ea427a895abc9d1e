// SPDX-License-Identifier: MIT
// The two ends of NX/2's protocol alone, in every order of their steps: a sender whose message has come to
// the port of a mailbox, and the owner of that mailbox, who brings it to rest and receives it.
#include "messaging/message/message.hpp"
#include "messaging/transfer/nx2/handshake.hpp"
#include "sched/synchronization/spinning.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/fake_factors.hpp"
#include "testing/mapped_memory.hpp"

#include <array>
#include <cstring>
#include <memory>

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::size_t length = 200;
constexpr std::size_t arena_bytes = 1 << 20;
using Bytes = std::array<std::byte, length>;

// A mailbox of which there is the lock alone.
class LockedExchange final : public Exchange {
public:
    explorer::Noted<unsigned> completed = 0;
    explorer::Noted<bool> kills = false; // the sender must end as soon as it would wait
    explorer::Noted<bool> receiver_is_gone = false, ends_for_nobody = false;
    Atomic<unsigned> ended{0}, matched{0};

    EndpointState state_of(unsigned) const override { return EndpointState::live; }
    void signal(unsigned) override { }
    void notify(unsigned) override { }
    bool lock(unsigned caller, unsigned endpoint) override
    {
        lock_always(caller, endpoint);
        return true;
    }
    void unlock(unsigned, unsigned) override { lock_.unlock(); }
    void lock_always(unsigned, unsigned) override
    {
        while (!lock_.try_lock())
            explorer::spin();
    }
    void end(unsigned, Receive&, const Result<void>&) override
    {
        ends_for_nobody = receiver_is_gone;
        ended.store(1);
    }
    void match(unsigned, Receive&) override { matched.store(1); }
    Result<void> await_arrival(unsigned, const Message&, const WaitDetails&, Condition) override
    {
        return kills ? Result<void>(std::unexpected(Error::killed)) : Result<void>();
    }
    bool take_back(unsigned, Message&) override { return false; }
    Result<void> await(unsigned, const WaitDetails&, Condition) override { return {}; }
    Result<void> await_budget(unsigned, const WaitDetails&, Condition) override { return {}; }
    void complete(Message&) override { ++completed; }

private:
    sched::ShortLock lock_;
};

struct Scene {
    Scene()
    {
        if (!buffers.start())
            throw std::bad_alloc();
        message.write(Envelope().addressed(0, length, 0, 0));
        rendezvous.begin(message);
        receive.buffer = {reinterpret_cast<std::uintptr_t>(in.data())};
        out.fill(std::byte{1});
        platform::explored::begin();
    }

    void send()
    {
        const Offer offer{.sender = 0, .buffer = {reinterpret_cast<std::uintptr_t>(out.data())}, .copies = 1};
        brought = rendezvous.bring(message, offer, {WaitReason::delivery, 0, 0, -1}).has_value();
    }
    void bring_to_rest()
    {
        exchange.lock_always(1, 1);
        rendezvous.queued(message);
        exchange.unlock(1, 1);
    }
    // True: the sender brings the bytes.
    bool match()
    {
        exchange.lock_always(1, 1);
        const bool engaged = rendezvous.matched(message, receive) == Protocol::Step::engaged;
        exchange.unlock(1, 1);
        return engaged;
    }
    // The process that has posted the receive is no more, and its mailbox is emptied.
    void end_receiver(bool has_receive)
    {
        exchange.lock_always(1, 1);
        const bool is_engaged = has_receive && exchange.ended.load() == 0 && exchange.matched.load() == 0;
        if (is_engaged)
            rendezvous.abandoned(message);
        exchange.receiver_is_gone = true;
        exchange.unlock(1, 1);
        if (is_engaged || exchange.ended.load() != 0 || rendezvous.refused(message))
            return; // its sender retires it
        if (message.data != nullptr)
            buffers.release(message.data);
        exchange.complete(message);
    }
    void take_out()
    {
        platform::copy(in.data(), message.data, length);
        buffers.release(message.data);
    }

    testing::MappedMemory memory{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{memory.start(), arena_bytes, table.start()};
    testing::FakeLocation programs;
    Location& location = programs;
    LockedExchange exchange;
    nx2::Rendezvous<Location> rendezvous{location, buffers, exchange};
    Message message{};
    Receive receive;
    Bytes out{};
    // In one page, wherever the scene lies: a receive in two is filled in two pieces, which are other steps.
    alignas(256) Bytes in{};
    static_assert(length <= 256);
    explorer::Noted<bool> brought = false;
};

// Nobody posts a receive: however it comes to rest, one system buffer gets the bytes, once.
explorer::Play nobody_receives()
{
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(); });
    play.parties.push_back([scene] { scene->bring_to_rest(); });
    play.check = [scene]() -> std::string {
        if (!scene->brought || nx2::handshake_of(scene->message).now() != nx2::HandshakeState::buffered)
            return "the bytes are not there";
        return platform::explored::copied == length ? "" : "a message was copied more often than once";
    };
    return play;
}

// It is received at any step: by way of a buffer, or straight from its sender.
explorer::Play one_receives()
{
    const auto scene = std::make_shared<Scene>();
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(); });
    play.parties.push_back([scene] {
        scene->bring_to_rest();
        if (!scene->match())
            scene->take_out();
        else
            while (scene->exchange.ended.load() == 0)
                explorer::spin();
    });
    play.check = [scene]() -> std::string {
        const bool is_straight = scene->exchange.ended.load() != 0;
        if (!scene->brought || scene->exchange.completed != (is_straight ? 1u : 0u))
            return "the sender does not know what became of it";
        if (scene->buffers.used_units() != 0)
            return "a buffer is kept";
        return scene->in == scene->out ? "" : "the bytes are not those that were sent";
    };
    return play;
}

// The receiver is no more before or after its receive has the message, or while the bytes come.
explorer::Play the_receiver_ends(bool posts_a_receive, bool sender_ends)
{
    const auto scene = std::make_shared<Scene>();
    scene->exchange.kills = sender_ends;
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(); });
    play.parties.push_back([=] {
        scene->bring_to_rest();
        scene->end_receiver(posts_a_receive && scene->match());
    });
    play.check = [scene]() -> std::string {
        if (scene->exchange.ends_for_nobody)
            return "bytes are brought to a process that is no more";
        if (scene->exchange.completed != 1)
            return "the message is never over, or twice";
        return scene->buffers.used_units() == 0 ? "" : "a buffer is kept";
    };
    return play;
}

// The sender must end before it has brought the bytes: a receive that has its message is given it without.
explorer::Play the_sender_ends()
{
    const auto scene = std::make_shared<Scene>();
    scene->exchange.kills = true;
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(); });
    play.parties.push_back([scene] {
        scene->bring_to_rest();
        if (scene->match())
            while (scene->exchange.matched.load() == 0)
                explorer::spin();
    });
    play.check = [scene]() -> std::string {
        return !scene->brought && scene->message.data == nullptr && scene->exchange.completed == 0
                   ? ""
                   : "the message is not its receiver's, without its bytes";
    };
    return play;
}

} // namespace

TEST_CASE("nx2's two ends agree on what becomes of a message in every order of steps there is")
{
    const explorer::Options options{.preemptions = explorer::unlimited};
    CHECK(explorer::explore(options, nobody_receives).failure == "");
    CHECK(explorer::explore(options, one_receives).failure == "");
}

TEST_CASE("an nx2 message is over once when either of its ends is no more in every order of steps there is")
{
    const explorer::Options options{.preemptions = explorer::unlimited, .weak_executions = 1000};
    for (const bool posts_a_receive : {false, true})
        for (const bool sender_ends : {false, true})
            CHECK(explorer::explore(options, [=] {
                      return the_receiver_ends(posts_a_receive, sender_ends);
                  }).failure == "");
    CHECK(explorer::explore(options, the_sender_ends).failure == "");
}
