// SPDX-License-Identifier: MIT
// The two ends of NX/2's protocol alone, in every order of their steps: a sender whose message has come to
// the port of a mailbox, and the owner of that mailbox, who brings it to rest and receives it.
#include "messaging/message/message.hpp"
#include "messaging/transfer/nx2/handshake.hpp"
#include "messaging/waiter.hpp"
#include "sched/synchronization/semaphore.hpp"
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

constexpr unsigned sender = 0, receiver = 1;

class CAPABILITY("lock") MailboxLock {
public:
    void take() ACQUIRE()
    {
        while (is_held_.exchange(1, std::memory_order_acquire) != 0)
            explorer::spin();
    }
    void leave() RELEASE() { is_held_.store(0, std::memory_order_release); }
    void assert_held() const ASSERT_CAPABILITY(this) { }

private:
    Atomic<unsigned> is_held_{0};
};

// A mailbox of which there is the lock alone, and two processes that sleep where they wait.
class LockedExchange final : public Exchange {
public:
    explorer::Noted<unsigned> completed = 0;
    explorer::Noted<bool> carries = false; // a helper does, so that the sender waits for an answer
    explorer::Noted<bool> kills = false;   // the sender must end as soon as it would wait
    explorer::Noted<bool> receiver_is_gone = false, ends_for_nobody = false;
    Atomic<unsigned> ended{0}, matched{0};

    EndpointState state_of(unsigned) const override { return EndpointState::live; }
    void signal(unsigned endpoint) override { (endpoint == sender ? sender_ : receiver_).signal(); }
    void notify(unsigned) override { }
    bool lock(unsigned caller, unsigned endpoint) override TRY_ACQUIRE(true, a_mailbox)
    {
        lock_always(caller, endpoint);
        return true;
    }
    void unlock(unsigned, unsigned) override RELEASE(a_mailbox)
    {
        lock_.assert_held();
        lock_.leave();
        a_mailbox.left();
    }
    void lock_always(unsigned, unsigned) override ACQUIRE(a_mailbox)
    {
        lock_.take();
        a_mailbox.entered(PassedLock(lock_));
    }
    void end(unsigned, Receive&, const Result<void>&) override
    {
        ends_for_nobody = receiver_is_gone;
        ended.store(1);
    }
    void match(unsigned, Receive&) override { matched.store(1); }
    Result<void> await_arrival(unsigned, const Message&, const WaitDetails& details,
                               Condition arrived) override
    {
        if (kills)
            return std::unexpected(Error::killed);
        return carries ? sleep_until(sender_, details, arrived) : Result<void>();
    }
    bool take_back(unsigned, Message&) override { return false; }
    Result<void> await(unsigned, const WaitDetails&, Condition) override { return {}; }
    Result<void> await_budget(unsigned, const WaitDetails& details, Condition condition) override
    {
        return sleep_until(sender_, details, condition);
    }
    void complete(Message&) override { ++completed; }

    // The receiver waits until its receive is so.
    void await_receive(const Atomic<unsigned>& is_so)
    {
        (void)sleep_until(receiver_, {WaitReason::message, 0, 0, -1}, [&] { return is_so.load() != 0; });
    }

private:
    using Sleeper = Waiter<sched::SemaphoreSynchronization>;

    template <class Holds>
    static Result<void> sleep_until(Sleeper& waiter, const WaitDetails& details, const Holds& holds)
    {
        for (;;) {
            const std::uint32_t seen = waiter.sequence();
            if (holds())
                return {};
            TRY_VOID(waiter.wait(details, seen));
        }
    }

    MailboxLock lock_;
    sched::SemaphoreSynchronization synchronization_;
    std::array<WaitRecord, 2> records_;
    Sleeper sender_{synchronization_, records_[sender], {sender, nullptr}};
    Sleeper receiver_{synchronization_, records_[receiver], {receiver, nullptr}};
};

// Where the sender waits: nowhere, since its message comes to rest at once and there is a buffer for it; for
// an answer, while a helper carries the message; or for an answer or a buffer, and there is no buffer.
enum class Waits { nowhere, for_the_answer, without_buffers };

struct Scene {
    explicit Scene(Waits waits)
    {
        if (!buffers.start())
            throw std::bad_alloc();
        exchange.carries = waits == Waits::for_the_answer;
        if (waits == Waits::without_buffers && !buffers.allocate(buffers.largest()))
            throw std::bad_alloc();
        held_by_others = buffers.used_units();
        message.write(Envelope().addressed(0, length, 0, 0));
        message.destination = receiver;
        rendezvous.begin(message);
        receive.buffer = {reinterpret_cast<std::uintptr_t>(in.data())};
        out.fill(std::byte{1});
        platform::explored::begin();
    }

    void send()
    {
        const Offer offer{
            .sender = sender, .buffer = {reinterpret_cast<std::uintptr_t>(out.data())}, .copies = 1};
        brought = rendezvous.bring(message, offer, {WaitReason::delivery, 0, 0, -1}).has_value();
    }
    void bring_to_rest()
    {
        exchange.lock_always(receiver, receiver);
        rendezvous.queued(message);
        exchange.unlock(receiver, receiver);
    }
    // True: the sender brings the bytes.
    bool match()
    {
        exchange.lock_always(receiver, receiver);
        const bool engaged = rendezvous.matched(message, receive) == Protocol::Step::engaged;
        exchange.unlock(receiver, receiver);
        return engaged;
    }
    // The process that has posted the receive is no more, and its mailbox is emptied.
    void end_receiver(bool has_receive)
    {
        exchange.lock_always(receiver, receiver);
        const bool is_engaged = has_receive && exchange.ended.load() == 0 && exchange.matched.load() == 0;
        if (is_engaged)
            rendezvous.abandoned(message);
        exchange.receiver_is_gone = true;
        exchange.unlock(receiver, receiver);
        if (is_engaged || exchange.ended.load() != 0 || rendezvous.refused(message))
            return; // its sender discards it
        if (message.data != nullptr)
            buffers.release(message.data);
        exchange.complete(message);
    }
    bool keeps_a_buffer() const { return buffers.used_units() != held_by_others; }
    void take_out()
    {
        platform::copy(in.data(), message.data, length);
        buffers.release(message.data);
    }

    testing::MappedMemory memory{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{memory.start(), arena_bytes, table.start()};
    std::size_t held_by_others = 0;
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
explorer::Play nobody_receives(Waits waits)
{
    const auto scene = std::make_shared<Scene>(waits);
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
explorer::Play one_receives(Waits waits)
{
    const auto scene = std::make_shared<Scene>(waits);
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(); });
    play.parties.push_back([scene] {
        scene->bring_to_rest();
        if (!scene->match())
            scene->take_out();
        else
            scene->exchange.await_receive(scene->exchange.ended);
    });
    play.check = [scene]() -> std::string {
        const bool is_straight = scene->exchange.ended.load() != 0;
        if (!scene->brought || scene->exchange.completed != (is_straight ? 1u : 0u))
            return "the sender does not know what became of it";
        if (scene->keeps_a_buffer())
            return "a buffer is kept";
        return scene->in == scene->out ? "" : "the bytes are not those that were sent";
    };
    return play;
}

// The receiver is no more before or after its receive has the message, or while the bytes come.
explorer::Play the_receiver_ends(Waits waits, bool posts_a_receive, bool sender_ends)
{
    const auto scene = std::make_shared<Scene>(waits);
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
        return scene->keeps_a_buffer() ? "a buffer is kept" : "";
    };
    return play;
}

// The sender must end before it has brought the bytes: a receive that has its message is given it without.
explorer::Play the_sender_ends()
{
    const auto scene = std::make_shared<Scene>(Waits::nowhere);
    scene->exchange.kills = true;
    explorer::Play play;
    play.parties.push_back([scene] { scene->send(); });
    play.parties.push_back([scene] {
        scene->bring_to_rest();
        if (scene->match())
            scene->exchange.await_receive(scene->exchange.matched);
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
    CHECK(explorer::explore(options, [] { return nobody_receives(Waits::nowhere); }).failure == "");
    CHECK(explorer::explore(options, [] { return one_receives(Waits::nowhere); }).failure == "");
}

TEST_CASE("an nx2 sender that waits hears of each answer in any order of steps")
{
    const explorer::Options options{.preemptions = 1, .weak_executions = 200};
    const auto fault = [&](auto make_play) { return explorer::explore(options, make_play).failure; };
    CHECK(fault([] { return nobody_receives(Waits::for_the_answer); }) == "");
    CHECK(fault([] { return one_receives(Waits::without_buffers); }) == "");
    CHECK(fault([] { return the_receiver_ends(Waits::without_buffers, false, false); }) == "");
}

TEST_CASE("an nx2 message is over once when either of its ends is no more in every order of steps there is")
{
    const explorer::Options options{.preemptions = explorer::unlimited, .weak_executions = 1000};
    for (const bool posts_a_receive : {false, true})
        for (const bool sender_ends : {false, true})
            CHECK(explorer::explore(options, [=] {
                      return the_receiver_ends(Waits::nowhere, posts_a_receive, sender_ends);
                  }).failure == "");
    CHECK(explorer::explore(options, the_sender_ends).failure == "");
}
