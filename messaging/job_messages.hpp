// SPDX-License-Identifier: MIT
// A job's message system, composed: the endpoints of its processes and helpers, their names, the budget and
// the blocks that they share. JobMessages<Factors<>> calls abstract factors; with leaves as arguments the
// very same code, with the same layout, calls them directly.
#pragma once

#include "base/copy.hpp"
#include "messaging/endpoint.hpp"
#include "messaging/machine_meetings.hpp"
#include "messaging/message_system.hpp"

namespace parley::messaging {

template <class F>
struct SystemParts {
    typename F::Transport& transport;
    typename F::Transfer& transfer;
    Budget<typename F::Synchronization>& budget;
    Blocks& blocks;
    Directory& directory;
    Router<F>& router;
    Exchange& exchange;
    std::span<WaitRecord> records;
    // By index: the endpoints of the job's processes, then those of the helpers. A process that is away
    // (Transport::is_away) has none, but null here.
    std::span<ComposedEndpoint<F>* const> endpoints;
    const ActiveMaker<F>* active = nullptr; // null: there are no Active Messages
    JointMeeting* joint = nullptr;          // null: nobody meets processes of other machines
};

template <class F>
class JobMessages final : public MessageSystem {
    using EndpointType = ComposedEndpoint<F>;
    using PeerType = Peer<F>;

public:
    // What its parts have taken of the budget until now is theirs as long as it lives, and no leak.
    explicit JobMessages(const SystemParts<F>& parts)
        : parts_(parts), units_of_parts_(parts.budget.heap().used_units())
    {
    }

    parley_calls calls_of(unsigned caller) override { return endpoint(caller).calls(); }

    Result<void> deliver(unsigned index, Equipment* equipment) override
    {
        DeliveryProcess helper(*this, index, equipment);
        TRY_VOID(parts_.transport.help(helper));
        return helper.is_told_to_end() ? Result<void>(std::unexpected(Error::killed)) : Result<void>();
    }

    Result<void> drain(unsigned caller) override
    {
        EndpointType& self = endpoint(caller);
        return self.progress().await({WaitReason::lent, 0, 0, -1}, [&] { return self.has_lent_nothing(); });
    }

    void close(unsigned index, EndpointState how) override
    {
        PeerType& self = peer(index);
        self.waiter.set_state(how);
        self.waiter.signal(); // pairs with Router::attend(): orders the state before what comes later
        if (!is_away(index))
            clear(self, how);
        for (unsigned helper = parts_.directory.processes(); helper < parts_.endpoints.size(); ++helper)
            peer(helper).waiter.signal(); // it may be waiting for the last process to end
    }

    void reset(unsigned index, Waiting messages) override
    {
        if (is_away(index))
            return open(index);
        // What the process has lent is gone with it, and receivers must hear of that.
        if (endpoint(index).has_lent())
            return close(index, EndpointState::killed);
        PeerType& self = peer(index);
        release(self);
        if (messages == Waiting::dropped) {
            self.meetings.of_row.forget();
            parts_.router.discard_all(self.waiter.party(), self);
        }
        release_blocks(index);
        open(index);
    }

    void open(unsigned index) override
    {
        if (is_away(index))
            peer(index).waiter.set_state(EndpointState::live);
        else
            endpoint(index).reset();
    }

    Result<void> set_pid(unsigned index, std::int32_t pid) override
    {
        WaitRecord& record = peer(index).waiter.record();
        TRY_VOID(parts_.directory.rename(index, pid));
        if (is_away(index))
            record.set_name({record.node, pid});
        else
            endpoint(index).set_name({record.node, pid});
        return {};
    }

    std::span<const WaitRecord> records() const override { return parts_.records; }
    std::size_t leaks() const override
    {
        const std::size_t of_parts =
            units_of_parts_ + (parts_.active != nullptr ? parts_.active->budget_units() : 0);
        return parts_.budget.heap().used_units() - of_parts + parts_.blocks.used_units();
    }

private:
    // Each of these has a pause: together they take tens of microseconds, and a store is seen by others
    // within one.
    static constexpr unsigned most_looks_at_an_end = 1'000;

    // Only the delivery process that the endpoints signal calls this (ComposedEndpoint::meet()).
    class JointMeetings final : public MachineMeetings {
    public:
        explicit JointMeetings(JobMessages& job) : job_(job), joint_(job.parts_.joint) { }

        MachineMeetings* where_joint() { return joint_ == nullptr ? nullptr : this; }

        std::optional<Come> next(std::span<std::byte> room) override
        {
            JointMeeting::HandedOver over;
            if (!joint_->last(over) || (has_begun_ && over.meeting == now_.meeting))
                return {};
            has_begun_ = true;
            now_ = over;
            std::size_t bytes = 0;
            for_each_here([&](PeerType& peer) {
                const Brought::Part& part = peer.meetings.brought.of(now_.meeting);
                if (bytes + part.length <= room.size())
                    copy_bytes(room.data() + bytes, part.bytes, part.length);
                bytes += part.length;
            });
            return Come{now_.call, bytes};
        }
        // Signals pair with the looks at the sequence in await(), as ComposedEndpoint::end_meeting()'s.
        void end(std::optional<std::span<const std::byte>> whole) override
        {
            JointMeeting::Whole& told = joint_->whole();
            told.is_too_long = !whole || whole->size() > sizeof told.bytes;
            told.length = told.is_too_long ? 0 : static_cast<std::uint32_t>(whole->size());
            if (told.length != 0)
                copy_bytes(told.bytes, whole->data(), whole->size());
            job_.peer(joint_->first()).meetings.of_row.end();
            for_each_here([](PeerType& peer) { peer.waiter.signal(); });
        }

    private:
        template <class Step>
        void for_each_here(Step step)
        {
            for (unsigned index = joint_->first(); index < joint_->first() + joint_->here(); ++index)
                step(job_.peer(index));
        }

        JobMessages& job_;
        JointMeeting* const joint_;
        bool has_begun_ = false;
        JointMeeting::HandedOver now_{}; // the one that next() has answered last
    };

    class DeliveryProcess final : public Helper {
    public:
        DeliveryProcess(JobMessages& job, unsigned index, Equipment* equipment)
            : job_(job), self_(job.peer(index)), equipment_(equipment), meetings_(job),
              parts_{job.parts_.transfer, job.parts_.exchange, job.parts_.budget.heap(),
                     self_.delivery.pool(), self_.waiter.record()}
        {
        }

        unsigned number() const override { return self_.index() - job_.parts_.directory.processes(); }
        Result<Message*> next() override { return self_.mailbox.next(); }

        void relay(Message& message) override
        {
            if (message.length() > 0)
                job_.parts_.transfer.relay(message);
        }
        Result<void> put(Message& message) override
        {
            PeerType& to = job_.peer(message.destination);
            const bool asks = message.protocol() != nullptr;
            const Outcome put = job_.parts_.router.put(self_.waiter.party(), to, message);
            if (!put && put.error() != Error::closed) {
                job_.parts_.router.discard(message);
                return std::unexpected(put.error());
            }
            if (asks)
                TRY_VOID(to.mailbox.drain(self_.waiter.party())); // its sender waits for what becomes of it
            return {};
        }

        void wake(unsigned helper) override
        {
            job_.peer(job_.parts_.directory.processes() + helper).waiter.signal();
        }
        std::uint32_t sequence() const override { return self_.waiter.sequence(); }
        // What had come before this process was told to end is still there to be delivered.
        Result<void> wait(std::uint32_t seen) override
        {
            const Result<void> waited = self_.waiter.wait({WaitReason::delivery_process, 0, 0, -1}, seen);
            if (waited || waited.error() != Error::killed || told_to_end_)
                return waited;
            told_to_end_ = true;
            return {};
        }
        bool is_told_to_end() const { return told_to_end_; }

        bool all_have_ended() const override
        {
            if (told_to_end_)
                return true;
            for (unsigned index = 0; index < job_.parts_.directory.processes(); ++index)
                if (job_.peer(index).state() == EndpointState::live)
                    return false;
            return true;
        }

        void freed() override { job_.parts_.budget.freed(); }
        void want_budget(bool wants) override
        {
            if (wants)
                job_.parts_.budget.announce(self_.waiter);
            else
                job_.parts_.budget.withdraw(self_.waiter);
        }
        const HelperParts& parts() override { return parts_; }
        MachineMeetings* meetings() override { return meetings_.where_joint(); }
        Equipment* equipment() override { return equipment_; }

    private:
        JobMessages& job_;
        PeerType& self_;
        Equipment* const equipment_;
        JointMeetings meetings_;
        const HelperParts parts_;
        bool told_to_end_ = false; // while it waited
    };

    bool is_away(unsigned index) const { return parts_.endpoints[index] == nullptr; }
    EndpointType& endpoint(unsigned index)
    {
        assert_that([&] { return !is_away(index); });
        return *parts_.endpoints[index];
    }
    PeerType& peer(unsigned index) { return parts_.router.peer(index); }

    // What a process leaves that is no more, and what was sent to it.
    void clear(PeerType& self, EndpointState how)
    {
        release(self);
        if (how == EndpointState::ended)
            endpoint(self.index()).note_receives();
        self.meetings.of_row.forget(); // pairs with ComposedEndpoint::meet()
        // Comes after the new state: pairs with that in ActiveEndpoint::announce().
        std::atomic_thread_fence(std::memory_order_seq_cst);
        parts_.router.discard_all_under_way(self.waiter.party(), self, most_looks_at_an_end);
        while (MessageMemory* const message = self.delivery.pool().give_up())
            parts_.router.free_message(*message);
        (void)self.delivery.come_back(
            [this](MessageMemory& message) { parts_.router.free_message(message); });
        release_blocks(self.index());
    }
    // A process that is no more may have ended anywhere in the user-level library: what it held is released.
    void release(PeerType& self)
    {
        self.mailbox.release_lock_of_ended_owner();
        if (auto* const queues = self.active.load(std::memory_order_acquire)) {
            queues->requests().release_lock_of_ended_owner();
            queues->replies().release_lock_of_ended_owner();
        }
        for (EndpointType* const other : parts_.endpoints)
            if (other != nullptr)
                leave(self, other->peer());
        endpoint(self.index()).leave();
        self.waiter.status().set_wants_delivery(false);
        if (self.waiter.status().wants_budget())
            parts_.budget.withdraw(self.waiter);
        self.mailbox.abandon_receives();
    }
    // Leaves another's mailbox. The process's own mailbox is emptied by close().
    void leave(PeerType& self, PeerType& other)
    {
        bool has_left_something = other.mailbox.leave(self.index());
        if (auto* const queues = other.active.load(std::memory_order_acquire))
            for (auto* const queue : {&queues->requests(), &queues->replies()})
                if (queue->leave(self.index())) {
                    queue->drain_always(self.waiter.party()); // so that their owner sees it (Port::watched())
                    has_left_something = true;
                }
        if (has_left_something && &other != &self && other.state() != EndpointState::live)
            parts_.router.discard_all(self.waiter.party(), other);
    }
    void release_blocks(unsigned index)
    {
        parts_.blocks.release_all(index);
        parts_.budget.freed(); // perhaps the sets of their readers have been
    }

    SystemParts<F> parts_;
    const std::size_t units_of_parts_;
};

} // namespace parley::messaging
