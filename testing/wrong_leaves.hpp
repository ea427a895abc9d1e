// SPDX-License-Identifier: MIT
// Leaves that each break one promise: the tests of leaves must name what (wrong_leaves_test.cpp and
// explored/). They are in no list of leaves, so no design can choose them. A leaf with a folder has its own
// there (wrong_leaf_test.cpp).
#pragma once

#include "messaging/port/circular.hpp"
#include "messaging/transfer/double_copy.hpp"
#include "messaging/transfer/single_copy.hpp"
#include "sched/synchronization/semaphore.hpp"
#include "sched/synchronization/spinlock.hpp"

namespace parley::testing {

// A CircularPort, and what is done to one message in a thousand.
class TamperingPort : public messaging::Port {
public:
    messaging::Taken take(messaging::MailboxHeld held, unsigned looks) override
    {
        return inner_.take(held, looks);
    }

protected:
    ~TamperingPort() = default;

    bool is_one_in_a_thousand() { return puts_.fetch_add(1) % 1000 == 999; }

    messaging::CircularPort inner_;

private:
    Atomic<std::uint32_t> puts_{0};
};

class LossyPort final : public TamperingPort {
public:
    bool put(unsigned caller, messaging::Envelope envelope, messaging::MessageMemory* memory) override
    {
        return is_one_in_a_thousand() || inner_.put(caller, envelope, memory);
    }
};

class DoublingPort final : public TamperingPort {
public:
    bool put(unsigned caller, messaging::Envelope envelope, messaging::MessageMemory* memory) override
    {
        if (is_one_in_a_thousand())
            (void)inner_.put(caller, envelope, memory);
        return inner_.put(caller, envelope, memory);
    }
};

// Keeps one back until the next has been put.
class ReorderingPort final : public TamperingPort {
public:
    bool put(unsigned caller, messaging::Envelope envelope, messaging::MessageMemory* memory) override
    {
        if (kept_ == nullptr && is_one_in_a_thousand()) {
            kept_ = memory;
            kept_envelope_ = envelope;
            return true;
        }
        const bool is_in = inner_.put(caller, envelope, memory);
        if (kept_ != nullptr && inner_.put(caller, kept_envelope_, kept_))
            kept_ = nullptr;
        return is_in;
    }

private:
    messaging::MessageMemory* kept_ = nullptr;
    messaging::Envelope kept_envelope_;
};

class MislabellingPort final : public TamperingPort {
public:
    bool put(unsigned caller, messaging::Envelope envelope, messaging::MessageMemory* memory) override
    {
        if (is_one_in_a_thousand())
            envelope = envelope.addressed(0, 0, 0, 0);
        return inner_.put(caller, envelope, memory);
    }
};

// Full once, full for ever.
class StuckPort final : public TamperingPort {
public:
    bool put(unsigned caller, messaging::Envelope envelope, messaging::MessageMemory* memory) override
    {
        if (was_full_.load() == 0 && inner_.put(caller, envelope, memory))
            return true;
        was_full_.store(1);
        (void)memory->open(envelope);
        return false;
    }

private:
    Atomic<std::uint32_t> was_full_{0};
};

// Gives back the youngest. For the explorer: nothing but the number of messages is atomic.
class StackPort final : public messaging::Port {
public:
    bool put(unsigned, messaging::Envelope envelope, messaging::MessageMemory* memory) override
    {
        const sched::ShortGuard guard(lock_);
        inside_[count_++] = &memory->open(envelope);
        return true;
    }
    messaging::Taken take(messaging::MailboxHeld, unsigned) override
    {
        const sched::ShortGuard guard(lock_);
        if (count_ == 0)
            return {};
        --count_;
        return {*inside_[count_], inside_[count_]};
    }

private:
    sched::ShortLock lock_;
    unsigned count_ = 0;
    messaging::Message* inside_[8] = {};
};

// A ring whose senders draw their index with two steps.
class UnlockedPort final : public messaging::Port {
public:
    bool put(unsigned, messaging::Envelope envelope, messaging::MessageMemory* memory) override
    {
        const std::uint32_t at = count_.load();
        inside_[at].store(&memory->open(envelope));
        count_.store(at + 1);
        return true;
    }
    messaging::Taken take(messaging::MailboxHeld, unsigned) override
    {
        if (next_ == count_.load())
            return {};
        messaging::Message* const message = inside_[next_++].load();
        return {*message, message};
    }

private:
    Atomic<std::uint32_t> count_{0};
    std::uint32_t next_ = 0;
    Atomic<messaging::Message*> inside_[8] = {};
};

// Spins for events, and every lock is open to all.
class SpinningSynchronization : public sched::Synchronization {
public:
    static constexpr bool spins = true;
    static constexpr bool marks_waiters = false;

    void hand_on(sched::Lock& lock, sched::Party&) override { lock.set_free(); }
    Result<void> wait(sched::Event& event, std::uint32_t seen) override
    {
        return sched::spin_while_unchanged(event, seen);
    }
    void wake(sched::Event&) override { }

protected:
    ~SpinningSynchronization() = default;
};

class OpenSynchronization final : public SpinningSynchronization {
public:
    Result<void> contend(sched::Lock&, sched::Party&) override { return {}; }
};

// Looks and takes in two steps: two who look at the same time both come in.
class HastySynchronization final : public SpinningSynchronization {
public:
    Result<void> contend(sched::Lock& lock, sched::Party&) override
    {
        platform::SpinWait spin;
        while (lock.word.load() != 0)
            if (!spin.once())
                return std::unexpected(Error::killed);
        lock.word.store(1);
        return {};
    }
};

// Lets one in a hundred in who had to wait.
class LeakySynchronization final : public SpinningSynchronization {
public:
    Result<void> contend(sched::Lock& lock, sched::Party& party) override
    {
        return waits_.fetch_add(1) % 100 == 99 ? Result<void>{} : inner_.contend(lock, party);
    }

private:
    sched::SpinlockSynchronization inner_;
    Atomic<std::uint32_t> waits_{0};
};

// Never gives a lock back that somebody waits for.
class SelfishSynchronization final : public SpinningSynchronization {
public:
    static constexpr bool marks_waiters = true;

    Result<void> contend(sched::Lock& lock, sched::Party&) override
    {
        platform::SpinWait spin;
        while (lock.word.exchange(2) != 0)
            if (!spin.once())
                return std::unexpected(Error::killed);
        return {};
    }
    void hand_on(sched::Lock&, sched::Party&) override { }
};

// Sleeps, and nobody wakes it.
class SilentSynchronization final : public sched::Synchronization {
public:
    static constexpr bool spins = false;
    static constexpr bool marks_waiters = true;

    Result<void> contend(sched::Lock& lock, sched::Party& party) override
    {
        return inner_.contend(lock, party);
    }
    void hand_on(sched::Lock& lock, sched::Party& party) override { inner_.hand_on(lock, party); }
    Result<void> wait(sched::Event& event, std::uint32_t seen) override { return inner_.wait(event, seen); }
    void wake(sched::Event&) override { }

private:
    sched::SemaphoreSynchronization inner_;
};

// A killed waiter takes the lock with it.
class GraspingSynchronization final : public SpinningSynchronization {
public:
    Result<void> contend(sched::Lock& lock, sched::Party&) override
    {
        unsigned patience = 1000;
        platform::SpinWait spin;
        while (!lock.take_free())
            if (!spin.once() && --patience == 0)
                break;
        return spin.once() ? Result<void>{} : std::unexpected(Error::killed);
    }
};

// Another Transfer, and what is done to what it brings.
template <class Inner>
class TamperingTransfer : public messaging::Transfer {
public:
    static constexpr unsigned capabilities = Inner::capabilities;

    explicit TamperingTransfer(const messaging::TransferParts<>& parts) : parts_(parts), inner_(parts) { }

    void bind(messaging::Binding& binding) const override { inner_.bind(binding); }
    Result<void> check(const messaging::ReceiveArguments& arguments, messaging::Want want) const override
    {
        return inner_.check(arguments, want);
    }
    Result<messaging::Custody> offer(messaging::Message& message, const messaging::Offer& offer) override
    {
        return inner_.offer(message, offer);
    }
    Result<messaging::Custody> repeat(messaging::Message& message, const messaging::Offer& offer) override
    {
        return inner_.repeat(message, offer);
    }
    void relay(messaging::Message& message) override { inner_.relay(message); }
    Result<UserAddress> accept(messaging::Message& message, unsigned receiver, UserAddress buffer) override
    {
        return inner_.accept(message, receiver, buffer);
    }
    void drop(messaging::Message& message) override { inner_.drop(message); }

protected:
    ~TamperingTransfer() = default;

    messaging::TransferParts<> parts_;
    Inner inner_;
};

// Drops the last byte of a long message.
class ShorteningTransfer final : public TamperingTransfer<messaging::DoubleCopyTransfer<>> {
public:
    using TamperingTransfer::TamperingTransfer;

    Result<UserAddress> accept(messaging::Message& message, unsigned receiver, UserAddress buffer) override
    {
        if (message.data_is_inside())
            return inner_.accept(message, receiver, buffer);
        const Result<void> copied = parts_.location.copy_out(buffer, message.data, message.length() - 1);
        inner_.drop(message);
        if (!copied)
            return std::unexpected(copied.error());
        return buffer;
    }
};

// Mixes up two bytes, once a message is longer than a page.
class ScramblingTransfer final : public TamperingTransfer<messaging::DoubleCopyTransfer<>> {
public:
    using TamperingTransfer::TamperingTransfer;

    Result<messaging::Custody> offer(messaging::Message& message, const messaging::Offer& offer) override
    {
        const Result<messaging::Custody> custody = inner_.offer(message, offer);
        if (custody && message.length() > page_bytes)
            message.data[1] = message.data[0];
        return custody;
    }
};

// Forgets the buffer of a message that nobody receives.
class HoardingTransfer final : public TamperingTransfer<messaging::DoubleCopyTransfer<>> {
public:
    using TamperingTransfer::TamperingTransfer;

    void drop(messaging::Message&) override { }
};

// Says of a buffer that it lends that it is free.
class HastyTransfer final : public TamperingTransfer<messaging::SingleCopyTransfer<>> {
public:
    using TamperingTransfer::TamperingTransfer;

    Result<messaging::Custody> offer(messaging::Message& message, const messaging::Offer& offer) override
    {
        const Result<messaging::Custody> custody = inner_.offer(message, offer);
        return custody ? Result<messaging::Custody>(messaging::Custody::taken) : custody;
    }
    Result<messaging::Custody> repeat(messaging::Message& message, const messaging::Offer& more) override
    {
        return offer(message, more);
    }
};

// Lends what it is told not to lend.
class GenerousTransfer final : public TamperingTransfer<messaging::SingleCopyTransfer<>> {
public:
    using TamperingTransfer::TamperingTransfer;

    Result<messaging::Custody> offer(messaging::Message& message, const messaging::Offer& offer) override
    {
        return inner_.repeat(message, offer);
    }
};

} // namespace parley::testing
