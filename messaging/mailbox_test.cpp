// SPDX-License-Identifier: MIT
#include "messaging/mailbox.hpp"

#include "testing/fatal.hpp"
#include "testing/lone_process.hpp"
#include "testing/taken_for_held.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <utility>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

// Who contends becomes the lock's last waiter, as queue locks mark it, and has it at once.
class NumberingSynchronization final : public sched::Synchronization {
public:
    Result<void> contend(sched::Lock& lock, sched::Party& party) override
    {
        lock.word.store(party.number() + 2);
        return {};
    }
    void hand_on(sched::Lock& lock, sched::Party&) override { lock.set_free(); }
    Result<void> wait(sched::Event&, std::uint32_t) override { return {}; }
    void wake(sched::Event&) override { }
};

class ListPort final : public Port {
public:
    std::size_t capacity = 100;
    bool is_left = false; // by whoever has drawn a slot and ended

    bool put(unsigned, Envelope envelope, MessageMemory* memory) override
    {
        Message& message = memory->open(envelope);
        if (entries_.size() == capacity)
            return false;
        entries_.push_back(&message);
        return true;
    }
    Taken take(MailboxHeld, unsigned) override
    {
        if (entries_.empty())
            return {};
        Message* const message = entries_.front();
        entries_.pop_front();
        return {*message, message};
    }
    bool leave(unsigned) override { return is_left; }

private:
    std::deque<Message*> entries_;
};

// Notes what it is asked, and of which type the message is.
class NotingProtocol final : public Protocol {
public:
    Step answer = Step::engaged;

    std::string asked()
    {
        std::string all;
        all.swap(asked_);
        return all;
    }

    Step matched(Message& message, Receive& receive) override
    {
        CHECK(receive.message == &message);
        note("matched", message);
        return answer;
    }
    void queued(Message& message) override { note("queued", message); }
    void withdrawn(Message& message) override { note("withdrawn", message); }
    void abandoned(Message& message) override { note("abandoned", message); }
    bool refused(Message& message) override
    {
        note("refused", message);
        return false;
    }
    Result<void> bring(Message& message, const Offer&, const WaitDetails&) override
    {
        note("bring", message);
        return {};
    }
    void abandoned_by_sender(Message& message, unsigned) override { note("left", message); }

private:
    void note(const char* question, const Message& message)
    {
        asked_ += (asked_.empty() ? "" : ", ") + std::string(question) + " " + std::to_string(message.type());
    }

    std::string asked_;
};

// A mailbox, its owner, and messages named by their types.
class Box {
public:
    explicit Box(bool marks_waiters = false) : mailbox(port, owner.waiter)
    {
        mailbox.equip({.marks_waiters = marks_waiters}, 0);
    }

    testing::LoneProcess owner;
    testing::LoneProcess other{1};
    ListPort port;
    Mailbox<> mailbox;
    NotingProtocol protocol;

    Party& sender() { return other.waiter.party(); }

    // Into the port, as a sender does it; false: the port is full.
    bool send(std::uint32_t type, std::uint32_t length = 0, bool has_protocol = false)
    {
        Message& message = messages_.emplace_back();
        if (has_protocol)
            message.follow(protocol);
        const Envelope envelope = Envelope({1, 0}, 1).addressed(type, length, 0, 0);
        const bool is_in = mailbox.put(1, envelope, &message);
        if (is_in)
            owner.waiter.announce();
        owner.signals(); // the announcement is the sender's own
        return is_in;
    }
    void send_with_protocol(std::uint32_t type) { CHECK(send(type, 0, true)); }
    Message& last() { return messages_.back(); }

    Receive& receive(std::int32_t types, std::uint64_t maximum = 1000)
    {
        Receive& result = receives_.emplace_back();
        result.selector.types = types;
        result.maximum = maximum;
        return result;
    }
    Receive& posted(std::int32_t types, std::uint64_t maximum = 1000)
    {
        Receive& result = receive(types, maximum);
        REQUIRE(mailbox.post(result));
        return result;
    }

    // What the owner does when it looks: the receives that have got messages, in the order in which they are
    // to be accepted, as "types of the receive<type of the message".
    std::string matched()
    {
        REQUIRE(mailbox.look_into_port());
        std::string all;
        while (Receive* const receive = mailbox.next_matched().value())
            all += (all.empty() ? "" : " ") + std::to_string(receive->selector.types) + "<" +
                   std::to_string(receive->message->type());
        CHECK_FALSE(mailbox.has_matched());
        return all;
    }

    // All that nobody has received, by types; it is here no longer.
    std::string rest()
    {
        MessageList list = mailbox.empty(owner.waiter.party());
        std::string all;
        while (const Message* const message = list.pop_front())
            all += (all.empty() ? "" : " ") + std::to_string(message->type());
        return all;
    }

    // What a search finds, or -1.
    long found(Receive& receive, bool post = false)
    {
        REQUIRE(mailbox.lock(owner.waiter.party()));
        const Message* const message = mailbox.search(receive, post);
        return message != nullptr ? static_cast<long>(message->type()) : -1;
    }

    // As a protocol does it, by the sender.
    bool nothing_older()
    {
        REQUIRE(mailbox.lock(sender()));
        const bool nothing = mailbox.nothing_older();
        mailbox.unlock(sender());
        return nothing;
    }
    void end_engaged(Receive& receive, const Result<void>& brought)
    {
        REQUIRE(mailbox.lock(sender()));
        mailbox.end_engaged(receive, brought);
        mailbox.unlock(sender());
    }
    void match_engaged(Receive& receive)
    {
        REQUIRE(mailbox.lock(sender()));
        mailbox.match_engaged(receive);
        mailbox.unlock(sender());
    }

    bool is_unlocked()
    {
        if (!mailbox.enter())
            return false;
        mailbox.unlock(owner.waiter.party());
        return true;
    }

private:
    std::deque<Message> messages_;
    std::deque<Receive> receives_;
};

constexpr std::int32_t any = -1;

} // namespace

TEST_CASE("messages that nobody has asked for stay in the order of their arrival")
{
    Box box;
    for (const std::uint32_t type : {3, 1, 2})
        box.send(type);
    CHECK(box.mailbox.next().value()->type() == 3);
    REQUIRE(box.mailbox.look_into_port());
    box.send(4);
    CHECK(box.mailbox.next().value()->type() == 1); // at rest, and older than the port's
    CHECK(box.rest() == "2 4");
    CHECK(box.mailbox.next().value() == nullptr);
    CHECK(box.rest() == "");
}

TEST_CASE("a search finds the oldest message that the receive wants, and leaves the others in their order")
{
    Box box;
    for (const std::uint32_t type : {5, 6, 5, 7})
        box.send(type);
    Receive& six = box.receive(6);
    CHECK(box.found(six) == 6);
    CHECK(six.state.is(ReceiveState::idle));
    CHECK(box.found(box.receive(any)) == 5);
    CHECK(box.found(box.receive(8)) == -1);
    CHECK(box.found(box.receive(7)) == 7);
    CHECK(box.rest() == "5");
    CHECK(box.is_unlocked());
}

TEST_CASE("a search that finds nothing posts the receive if it is told to, and only then")
{
    Box box;
    Receive& only_looks = box.receive(any);
    CHECK(box.found(only_looks, false) == -1);
    CHECK(only_looks.state.is(ReceiveState::idle));
    Receive& posts = box.receive(any);
    CHECK(box.found(posts, true) == -1);
    CHECK(posts.state.is(ReceiveState::posted));
    box.send(1);
    CHECK(box.matched() == "-1<1");
    CHECK(only_looks.state.is(ReceiveState::idle));
}

TEST_CASE("a receive that is posted when its message is here is matched at once")
{
    Box box;
    box.send(1);
    Receive& receive = box.posted(1);
    CHECK(receive.state.is(ReceiveState::matched));
    CHECK(box.mailbox.has_matched());
    CHECK(box.matched() == "1<1");
}

TEST_CASE("a message goes to the first posted receive that wants it")
{
    Box box;
    box.posted(6);
    box.posted(any);
    Receive& last = box.posted(5);
    for (const std::uint32_t type : {5, 6, 7})
        box.send(type);
    CHECK(box.matched() == "-1<5 6<6");
    CHECK(last.state.is(ReceiveState::posted));
    box.send(5);
    CHECK(box.matched() == "5<5");
    CHECK(box.rest() == "7");
}

TEST_CASE("a posted receive is older than a search: it gets the message that both want")
{
    Box box;
    box.posted(any);
    box.send(5);
    box.send(6);
    CHECK(box.found(box.receive(any)) == 6);
    CHECK(box.matched() == "-1<5");
    CHECK(box.rest() == "");
}

TEST_CASE("a message that is too long fails the receive and is there for the next that wants it")
{
    Box box;
    Receive& small = box.posted(5, 10);
    box.posted(any, 11);
    box.send(5, 11);
    CHECK(box.matched() == "-1<5");
    CHECK(small.state.is(ReceiveState::failed));
    CHECK(small.error == Error::message_too_long);
    CHECK(small.has_ended());
}

TEST_CASE("a message that is too long for every posted receive stays")
{
    Box box;
    Receive& first = box.posted(5, 10);
    Receive& second = box.posted(5, 5);
    box.send(5, 11);
    CHECK(box.matched() == "");
    CHECK((first.has_ended() && second.has_ended()));
    CHECK(box.found(box.receive(5, 11)) == 5);
}

TEST_CASE("a search for which a message is too long fails, whether that is at rest or in the port")
{
    for (const bool at_rest : {false, true}) {
        Box box;
        box.send(5, 11);
        if (at_rest)
            REQUIRE(box.mailbox.look_into_port());
        Receive& small = box.receive(5, 10);
        CHECK(box.found(small) == -1);
        CHECK(small.error == Error::message_too_long);
        CHECK(small.state.is(ReceiveState::failed));
        CHECK(box.rest() == "5");
    }
}

TEST_CASE("a posted receive that is withdrawn gets nothing any more and can be used again")
{
    Box box;
    Receive& receive = box.posted(any);
    box.mailbox.withdraw(receive);
    CHECK(receive.state.is(ReceiveState::idle));
    box.send(1);
    CHECK(box.matched() == "");
    REQUIRE(box.mailbox.post(receive));
    CHECK(box.matched() == "-1<1");
}

TEST_CASE("the message of a receive that is withdrawn goes to the next that wants it")
{
    Box box;
    Receive& first = box.posted(5);
    box.posted(6);
    box.posted(any);
    box.send(5);
    REQUIRE(box.mailbox.look_into_port());
    REQUIRE(first.state.is(ReceiveState::matched));
    box.mailbox.withdraw(first);
    CHECK(first.state.is(ReceiveState::idle));
    CHECK(first.message == nullptr);
    CHECK(box.matched() == "-1<5");
}

TEST_CASE("the message of a receive that is withdrawn is older than all that came after it")
{
    Box box;
    Receive& receive = box.posted(any);
    for (const std::uint32_t type : {1, 2, 3})
        box.send(type);
    REQUIRE(box.mailbox.look_into_port());
    box.mailbox.withdraw(receive);
    CHECK(box.matched() == "");
    CHECK(box.rest() == "1 2 3");
}

TEST_CASE("a receive that has ended stays so when it is withdrawn")
{
    Box box;
    Receive& receive = box.posted(any, 1);
    box.send(1, 2);
    REQUIRE(box.mailbox.look_into_port());
    box.mailbox.withdraw(receive);
    CHECK(receive.state.is(ReceiveState::failed));
    CHECK(receive.error == Error::message_too_long);
}

TEST_CASE("a sender that finds the port full makes room, and the order stays")
{
    Box box;
    box.port.capacity = 2;
    CHECK(box.send(1));
    CHECK(box.send(2));
    CHECK_FALSE(box.send(3));
    REQUIRE(box.mailbox.make_room(box.sender()));
    CHECK(box.owner.signals() == 0); // nobody waits for any of these
    CHECK(box.mailbox.put(1, Envelope({1, 0}, 1).addressed(3, 0, 0, 0), &box.last()));
    CHECK(box.is_unlocked());
    CHECK(box.rest() == "1 2 3");
}

TEST_CASE("the owner is signalled when another brings the message of a posted receive to rest")
{
    Box box;
    box.posted(2);
    box.send(1);
    box.send(2);
    REQUIRE(box.mailbox.drain(box.sender()));
    CHECK(box.owner.signals() == 1);
    CHECK(box.mailbox.has_matched());
    CHECK(box.matched() == "2<2");
}

TEST_CASE("the owner is signalled when another finds a message too long for a posted receive")
{
    Box box;
    const Receive& small = box.posted(any, 1);
    box.send(1, 2);
    REQUIRE(box.mailbox.drain(box.sender()));
    CHECK(box.owner.signals() == 1);
    CHECK(small.has_ended());
}

TEST_CASE("the owner is signalled when a process that is no more has left something in the port")
{
    Box box;
    box.owner.signals();
    CHECK_FALSE(box.mailbox.leave(1));
    CHECK(box.owner.signals() == 0);
    box.port.is_left = true;
    CHECK(box.mailbox.leave(1));
    CHECK(box.owner.signals() == 1);
}

TEST_CASE("a sender takes back what nobody has received, and nothing else")
{
    Box box;
    box.send(1);
    box.send(2);
    const Message& message = box.last();
    box.send(3);
    CHECK_FALSE(box.mailbox.take_back(message, box.sender())); // still in the port
    REQUIRE(box.mailbox.look_into_port());
    CHECK(box.mailbox.take_back(message, box.sender()));
    CHECK_FALSE(box.mailbox.take_back(message, box.sender()));
    CHECK(box.rest() == "1 3");

    box.posted(4);
    box.send(4);
    REQUIRE(box.mailbox.look_into_port());
    CHECK_FALSE(box.mailbox.take_back(box.last(), box.sender())); // a receive has it
    CHECK(box.matched() == "4<4");
}

TEST_CASE("the receives of an owner that has ended are forgotten; their messages stay, the oldest first")
{
    Box box;
    box.posted(1);
    box.posted(2);
    box.posted(9);
    box.posted(4);
    for (const std::uint32_t type : {1, 2, 3})
        box.send(type);
    box.send_with_protocol(4);
    REQUIRE(box.mailbox.look_into_port());
    CHECK(box.protocol.asked() == "matched 4");
    box.mailbox.abandon_receives();
    CHECK(box.protocol.asked() == "abandoned 4"); // and it is the protocol's
    CHECK(box.matched() == "");
    box.send(9);
    CHECK(box.matched() == "");
    CHECK(box.rest() == "1 2 3 9");
}

TEST_CASE("what a look finds stays where it is")
{
    Box box;
    const Selector five{.types = 5};
    CHECK(box.mailbox.look(five).error() == Error::not_found);
    box.send(4, 40);
    box.send(5, 50);
    REQUIRE(box.mailbox.look_into_port());
    CHECK(box.mailbox.look(five)->length() == 50);
    CHECK(box.mailbox.look(five)->length() == 50);
    CHECK(box.mailbox.look(Selector{})->length() == 40);
    CHECK(box.mailbox.look(Selector{.types = 6}).error() == Error::not_found);
    CHECK(box.rest() == "4 5");
}

TEST_CASE("a receive that is matched again is accepted after the others")
{
    Box box;
    box.posted(1);
    box.posted(2);
    box.send(1);
    box.send(2);
    REQUIRE(box.mailbox.look_into_port());
    Receive* const first = box.mailbox.next_matched().value();
    REQUIRE(first != nullptr);
    box.mailbox.match_again(*first);
    CHECK(box.matched() == "2<2 1<1");
}

TEST_CASE("a protocol is asked when its message meets a receive, and brings the bytes")
{
    Box box;
    Receive& receive = box.posted(any);
    box.send_with_protocol(7);
    REQUIRE(box.mailbox.look_into_port());
    CHECK(box.protocol.asked() == "matched 7");
    CHECK(receive.state.is(ReceiveState::engaged));
    CHECK(box.matched() == "");
    box.end_engaged(receive, {});
    CHECK(receive.state.is(ReceiveState::finished));
    CHECK(receive.received.type() == 7);
    CHECK(box.rest() == "");
}

TEST_CASE("a protocol that cannot bring the bytes fails the receive")
{
    Box box;
    Receive& receive = box.posted(any);
    box.send_with_protocol(7);
    REQUIRE(box.mailbox.look_into_port());
    box.end_engaged(receive, std::unexpected(Error::bad_buffer));
    CHECK(receive.state.is(ReceiveState::failed));
    CHECK(receive.error == Error::bad_buffer);
}

TEST_CASE("a protocol may hand its receive to the owner, or say at once that the message is whole")
{
    Box box;
    Receive& engaged = box.posted(7);
    box.send_with_protocol(7);
    REQUIRE(box.mailbox.look_into_port());
    REQUIRE(engaged.state.is(ReceiveState::engaged));
    box.match_engaged(engaged);
    CHECK(engaged.state.is(ReceiveState::matched));
    box.protocol.answer = Protocol::Step::whole;
    Receive& whole = box.posted(8);
    box.send_with_protocol(8);
    CHECK(box.matched() == "7<7 8<8");
    CHECK(whole.state.is(ReceiveState::matched));
}

TEST_CASE("a protocol is told that its message found no receive, and asked when one comes, posted or not")
{
    for (const bool post : {false, true}) {
        Box box;
        box.send_with_protocol(7);
        REQUIRE(box.mailbox.look_into_port());
        CHECK(box.protocol.asked() == "queued 7");
        Receive& receive = box.receive(any);
        CHECK(box.found(receive, post) == -1);
        CHECK(box.protocol.asked() == "matched 7");
        CHECK(receive.state.is(ReceiveState::engaged));
        box.end_engaged(receive, {});
    }
}

TEST_CASE("an engaged receive that is withdrawn gives its message to the next")
{
    Box box;
    Receive& first = box.posted(any);
    box.send_with_protocol(7);
    REQUIRE(box.mailbox.look_into_port());
    Receive& second = box.posted(any);
    CHECK(box.protocol.asked() == "matched 7");
    box.mailbox.withdraw(first);
    CHECK(box.protocol.asked() == "withdrawn 7, matched 7");
    CHECK(first.state.is(ReceiveState::idle));
    CHECK(second.state.is(ReceiveState::engaged));
    box.mailbox.withdraw(second);
    CHECK(box.protocol.asked() == "withdrawn 7");
    CHECK(box.rest() == "7");
}

TEST_CASE("no protocol is asked of messages that have none")
{
    Box box;
    Receive& withdrawn = box.posted(1);
    box.send(1);
    box.send(2);
    REQUIRE(box.mailbox.look_into_port());
    box.mailbox.withdraw(withdrawn);
    CHECK(box.found(box.receive(1)) == 1);
    box.posted(2);
    box.mailbox.abandon_receives();
    CHECK(box.rest() == "2");
    CHECK(box.protocol.asked() == "");
}

TEST_CASE("the ends of receives that notify do so once for each arming, those of others never")
{
    Box box;
    StatusWord& status = box.owner.waiter.status();
    status.set_notification(Notification::armed);
    box.posted(1);
    box.send(1);
    REQUIRE(box.mailbox.look_into_port());
    CHECK(status.notification() == Notification::armed);
    for (int arming = 0; arming < 2; ++arming) {
        status.set_notification(Notification::armed);
        REQUIRE(box.mailbox.watch(box.posted(2)));
        REQUIRE(box.mailbox.watch(box.posted(2)));
        box.send(2);
        REQUIRE(box.mailbox.look_into_port());
        CHECK(status.notification() == Notification::pending);
        CHECK(box.owner.signals() == 1);
        box.send(2);
        REQUIRE(box.mailbox.look_into_port());
        CHECK(status.notification() == Notification::pending);
        CHECK(box.owner.signals() == 0);
    }
    CHECK(box.matched() == "1<1 2<2 2<2 2<2 2<2");
}

TEST_CASE("a receive that notifies does so as well when its message is too long or its protocol ends it")
{
    Box box;
    StatusWord& status = box.owner.waiter.status();
    status.set_notification(Notification::armed);
    REQUIRE(box.mailbox.watch(box.posted(1, 10)));
    box.send(1, 11);
    REQUIRE(box.mailbox.look_into_port());
    CHECK(status.notification() == Notification::pending);

    status.set_notification(Notification::armed);
    Receive& engaged = box.posted(2);
    REQUIRE(box.mailbox.watch(engaged));
    box.send_with_protocol(2);
    REQUIRE(box.mailbox.look_into_port());
    CHECK(status.notification() == Notification::armed); // the bytes are still to come
    box.end_engaged(engaged, {});
    CHECK(status.notification() == Notification::pending);
}

TEST_CASE("the short way is open only when no message and no receive is older")
{
    Box box;
    CHECK(box.nothing_older());
    box.send(1);
    REQUIRE(box.mailbox.enter());
    const Taken taken = box.mailbox.take(0);
    REQUIRE(taken);
    CHECK(&box.mailbox.keep(taken) == &box.last());
    box.mailbox.unlock_at_once();
    CHECK(box.is_unlocked());

    box.send(2);
    REQUIRE(box.mailbox.look_into_port());
    CHECK_FALSE(box.nothing_older());
    CHECK(box.rest() == "2");
    CHECK(box.nothing_older());
    Receive& receive = box.posted(any);
    CHECK_FALSE(box.nothing_older());
    box.send(3);
    REQUIRE(box.mailbox.look_into_port());
    CHECK_FALSE(box.nothing_older());
    CHECK(box.matched() == "-1<3");
    CHECK(box.nothing_older());
    CHECK(receive.state.is(ReceiveState::matched));
}

TEST_CASE("what needs the lock is fatal without it")
{
    Box box;
    Receive& receive = box.posted(any);
    box.send_with_protocol(7);
    REQUIRE(box.mailbox.look_into_port());
    REQUIRE(receive.state.is(ReceiveState::engaged));
    Message message;
    const std::string unlocked = "messaging/mailbox.hpp: lock_.is_held()";
    CHECK(testing::tripped_by([&] {
              testing::take_for_held(box.mailbox);
              box.mailbox.end_engaged(receive, {});
          }) == unlocked);
    CHECK(testing::tripped_by([&] {
              testing::take_for_held(box.mailbox);
              (void)box.mailbox.nothing_older();
          }) == unlocked);
    CHECK(testing::tripped_by([&] {
              testing::take_for_held(box.mailbox);
              box.mailbox.match_engaged(receive);
          }) == unlocked);
    CHECK(testing::tripped_by([&] {
              testing::take_for_held(box.mailbox);
              box.mailbox.assign(message);
          }) == unlocked);
    CHECK(testing::tripped_by([&] {
              testing::take_for_held(box.mailbox);
              (void)box.mailbox.take(0);
          }) == unlocked);
    CHECK(testing::tripped_by([&] {
              testing::take_for_held(box.mailbox);
              (void)box.mailbox.search(receive, false);
          }) == unlocked);
    CHECK_FALSE(testing::is_fatal([&] { box.end_engaged(receive, {}); }));
}

TEST_CASE("no message that is kept is wanted when the lock is left")
{
    Box box;
    Receive& receive = box.posted(7);
    box.send(1);
    REQUIRE(box.mailbox.look_into_port());
    const std::string wanted = "messaging/mailbox.hpp: wants_nothing_unexpected()";
    receive.selector.types = any;
    CHECK(testing::tripped_by([&] { (void)box.mailbox.watch(receive); }) == wanted);
    CHECK(testing::tripped_by([&] {
              if (box.mailbox.enter())
                  box.mailbox.unlock_at_once();
          }) == wanted);
    receive.selector.types = 7;
    CHECK_FALSE(testing::is_fatal([&] { (void)box.mailbox.watch(receive); }));
}

TEST_CASE("a receive has its message, which is in no list, when the lock is left")
{
    Box box;
    Receive& matched = box.posted(1);
    Receive& engaged = box.posted(7);
    box.send(1);
    box.send_with_protocol(7);
    box.send(2);
    REQUIRE(box.mailbox.look_into_port());
    REQUIRE(matched.state.is(ReceiveState::matched));
    REQUIRE(engaged.state.is(ReceiveState::engaged));
    const std::string lost = "messaging/mailbox.hpp: has_what_was_matched()";
    const auto leaves_lock = [&] { (void)box.mailbox.watch(matched); };
    CHECK_FALSE(testing::is_fatal(leaves_lock));
    Message* const kept = &box.last(); // the last one, which nobody wants
    Message* const own = std::exchange(matched.message, kept);
    CHECK(testing::tripped_by(leaves_lock) == lost);
    matched.message = nullptr;
    CHECK(testing::tripped_by(leaves_lock) == lost);
    matched.message = own;
    engaged.message = kept;
    CHECK(testing::tripped_by(leaves_lock) == lost);
}

TEST_CASE("a process that is killed while another has the lock changes nothing")
{
    Box box;
    box.send(1);
    REQUIRE(box.mailbox.lock(box.sender()));
    box.owner.synchronization.kills = true;
    Receive& receive = box.receive(any);
    CHECK(box.mailbox.post(receive).error() == Error::killed);
    CHECK(receive.state.is(ReceiveState::idle));
    CHECK(box.mailbox.look_into_port().error() == Error::killed);
    CHECK(box.mailbox.look(Selector{}).error() == Error::killed);
    CHECK(box.mailbox.next().error() == Error::killed);
    CHECK(box.mailbox.make_room(box.sender()).error() == Error::killed);
    box.mailbox.unlock(box.sender());
    CHECK(box.rest() == "1");
}

TEST_CASE("the lock of an owner that ended with it is told free, that of another is not")
{
    Box box;
    REQUIRE(box.mailbox.enter());
    [[maybe_unused]] const PassedLock kept(box.mailbox); // by the owner
    CHECK_FALSE(box.is_unlocked());
    box.mailbox.release_lock_of_ended_owner();
    CHECK(box.is_unlocked());
    REQUIRE(box.mailbox.lock(box.sender()));
    box.mailbox.release_lock_of_ended_owner();
    CHECK_FALSE(box.is_unlocked());
    box.mailbox.unlock(box.sender());
    CHECK(box.is_unlocked());
}

TEST_CASE("a lock that names its last waiter stays held when its owner has ended, whoever that is")
{
    for (const unsigned number : {1u, 2u, 3u}) {
        NumberingSynchronization numbering;
        WaitRecord record;
        Waiter<> owner(numbering, record, {0, nullptr});
        testing::LoneProcess other(number);
        ListPort port;
        Mailbox<> mailbox(port, owner);
        mailbox.equip({.marks_waiters = true}, 0);
        REQUIRE(mailbox.lock(other.waiter.party()));
        [[maybe_unused]] const PassedLock passed(mailbox);
        REQUIRE(mailbox.lock(other.waiter.party())); // another waits, and then has it
        [[maybe_unused]] const PassedLock kept(mailbox);
        mailbox.release_lock_of_ended_owner();
        CHECK_FALSE(mailbox.enter());
    }
}

TEST_CASE("locks that mark their waiters are left as they were taken")
{
    Box box(true);
    box.send(1);
    box.posted(any);
    CHECK(box.matched() == "-1<1");
    REQUIRE(box.mailbox.drain(box.sender()));
    CHECK(box.is_unlocked());
}
