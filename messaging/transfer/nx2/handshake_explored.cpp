// SPDX-License-Identifier: MIT
// The two ends of NX/2's protocol alone, in every order of their steps: a sender whose message has come to
// the port of a mailbox, and the owner of that mailbox, who brings it to rest and receives it.
#include "messaging/message/message.hpp"
#include "messaging/transfer/nx2/handshake.hpp"
#include "sched/synchronization/spinning.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
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

class PlainLocation final : public Location {
public:
    Result<void> copy_in(std::byte* to, UserAddress from, std::size_t bytes) override
    {
        platform::copy(to, reinterpret_cast<const std::byte*>(from.value), bytes);
        return {};
    }
    Result<void> copy_out(UserAddress to, const std::byte* from, std::size_t bytes) override
    {
        platform::copy(reinterpret_cast<std::byte*>(to.value), from, bytes);
        return {};
    }
    Result<void> copy_across(UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return copy_out(to, reinterpret_cast<const std::byte*>(from.value), bytes);
    }
    Result<void> copy_to(unsigned, UserAddress to, UserAddress from, std::size_t bytes) override
    {
        return copy_across(to, from, bytes);
    }
    const SharedRange& shared() const override { return shared_; }
    bool checks_addresses() const override { return false; }

private:
    SharedRange shared_{0, 0};
};

// A mailbox of which there is the lock alone.
class LockedExchange final : public Exchange {
public:
    explorer::Noted<unsigned> completed = 0;
    Atomic<unsigned> ended{0};

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
    void end(unsigned, Receive&, const Result<void>&) override { ended.store(1); }
    void match(unsigned, Receive&) override { }
    Result<void> await_arrival(unsigned, const Message&, const WaitDetails&, Condition) override
    {
        return {};
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
    void take_out()
    {
        platform::copy(in.data(), message.data, length);
        buffers.release(message.data);
    }

    testing::MappedMemory memory{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{memory.start(), arena_bytes, table.start()};
    PlainLocation plain;
    Location& location = plain;
    LockedExchange exchange;
    nx2::Rendezvous<Location> rendezvous{location, buffers, exchange};
    Message message{};
    Receive receive;
    Bytes out{}, in{};
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

} // namespace

TEST_CASE("nx2's two ends agree on what becomes of a message in every order of steps there is")
{
    const explorer::Options options{.preemptions = explorer::unlimited};
    CHECK(explorer::explore(options, nobody_receives).failure == "");
    CHECK(explorer::explore(options, one_receives).failure == "");
}
