// SPDX-License-Identifier: MIT
// The ring of one sender in a port of lanes. One process puts and one taker takes, so a number is counted and
// not drawn from others: there is no compare-and-swap, and no line that several senders write.
//   put   S1 is the next number within the limit, or within a new one?  S2 note it
//         S3 fill its entry, and number it
//   take  R1 has the next entry its number? read it   R2 go on to the next, and say so
//
// A message without memory finds a slot in the lane's own reserve where its taker keeps it for later. With
// `last` the number taken last, all before it are received or held; so of those up to last - 1 + (the spare
// slots of the reserve then), each finds a slot, since each that is received or held takes no more than
// one.
//
// A lane counts its users: its port, and each message that is held in its reserve.
#pragma once

#include "messaging/port.hpp"
#include "messaging/port/carried.hpp"
#include "messaging/port/reserve.hpp"

namespace parley::messaging {

class Lane {
public:
    static constexpr std::uint32_t capacity = 16;

    // The lane's sender puts a message. False: there is no number within the limit, and nothing has been put.
    bool put(const Envelope& envelope, MessageMemory* memory)
    {
        const std::uint64_t number = next(memory != nullptr ? limit_ : limit_without_memory_, true);
        if (number == 0) [[unlikely]]
            return false;
        Carried& entry = entry_of(number);
        entry.envelope = envelope;
        if (memory != nullptr)
            entry.set_memory(memory);
        publish(entry, number, memory != nullptr ? Carried::in_memory : Carried::whole);
        return true;
    }
    // Does the same with a message whose bytes `source` brings. If it cannot, the entry is void.
    template <class S>
    Put put_bytes(const Envelope& envelope, const S& source)
    {
        const std::uint64_t number = next(limit_without_memory_, envelope.length() <= Carried::in_first_line);
        if (number == 0) [[unlikely]]
            return Put::full;
        Carried& entry = entry_of(number);
        entry.envelope = envelope;
        const bool is_whole = source.fill(entry.bytes).has_value();
        publish(entry, number, is_whole ? Carried::whole : Carried::void_entry);
        return is_whole ? Put::in : Put::unreadable;
    }

    // Takes the lane's oldest message. The entry stays as it is until the lane's next take().
    Taken take(MailboxHeld)
    {
        for (;;) {
            const std::uint64_t number = last_.load(std::memory_order_relaxed) + 1;
            const Carried& entry = entry_of(number);
            const std::uint64_t kind =
                entry.word.load(std::memory_order_acquire) - Carried::word_of(number, Carried::whole); // R1
            if (kind > Carried::void_entry)
                return {};
            last_.store(number, std::memory_order_release); // R2: pairs with S1
            if (kind == Carried::whole) [[likely]]
                return {entry.envelope, nullptr};
            if (kind == Carried::in_memory)
                return {entry.envelope, entry.memory()};
        }
    }
    // Whether an entry has been published that nobody has taken, perhaps a void one.
    bool has_more(MailboxHeld) const
    {
        const std::uint64_t number = last_.load(std::memory_order_relaxed) + 1;
        return entries_[number % capacity].holds(number, std::memory_order_acquire); // as R1
    }
    // Answers memory for a message that came without memory and was taken last.
    Message& hold(MailboxHeld held, const Taken& taken)
    {
        users_.fetch_add(1, std::memory_order_relaxed);
        return reserve_.hold(held, taken);
    }

    // Anyone calls this when a message that hold() has answered is over. True: the lane has no user any more.
    bool give_back(const MessageMemory& memory)
    {
        reserve_.give_back(memory);
        return let_go();
    }
    // One of the lane's users is gone. True: it was the last, and the caller sees all that others did in the
    // lane before: acquire pairs with their release.
    bool let_go() { return users_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

    // The sender's process is no more: an entry that it had noted and not numbered is void now.
    void leave()
    {
        const std::uint64_t number = noted_.load(std::memory_order_relaxed);
        Carried& entry = entry_of(number);
        if (number != 0 &&
            entry.word.load(std::memory_order_relaxed) < Carried::word_of(number, Carried::whole))
            publish(entry, number, Carried::void_entry);
    }

private:
    // All entries but the one that was taken last, which stays as it is.
    static constexpr std::uint64_t reach = capacity - 1;

    // The next number, noted; 0: there is none within the limit.
    std::uint64_t next(const std::uint64_t& limit, bool in_one_line)
    {
        const std::uint64_t number = noted_.load(std::memory_order_relaxed) + 1;
        // The line that a stream of such messages fills next comes while this one goes. This is not done when
        // two lines are filled: the receiver, who looks at the first, would fetch both back.
        if (in_one_line)
            __builtin_prefetch(&entry_of(number) + 1,
                               1); // behind the last entry, too, where it brings nothing
        if (number > limit && number > ask_limit(limit)) [[unlikely]]
            return 0;
        noted_.store(number, std::memory_order_relaxed); // S2: whoever ends the process reads it afterwards
        return number;
    }
    // S1: acquire pairs with R2, so the entry has been read (R1) before S3 fills it again.
    [[gnu::noinline]] std::uint64_t ask_limit(const std::uint64_t& which)
    {
        const std::uint64_t last = last_.load(std::memory_order_acquire);
        limit_ = last + reach;
        limit_without_memory_ = last - 1 + reserve_.spare();
        return which;
    }
    // S3: pairs with R1
    static void publish(Carried& entry, std::uint64_t number, Carried::Kind kind)
    {
        entry.word.store(Carried::word_of(number, kind), std::memory_order_release);
    }
    Carried& entry_of(std::uint64_t number) { return entries_[number % capacity]; }

    Carried entries_[capacity];
    // What the sender uses.
    alignas(64) std::uint64_t limit_ = reach;
    std::uint64_t limit_without_memory_ = reach;
    Atomic<std::uint64_t> noted_{0}; // the number of the message that it has put last, or is putting
    // What takers use.
    alignas(64) Atomic<std::uint64_t> last_{0}; // the number taken last; written under the mailbox's lock
    Atomic<std::uint32_t> users_{1};
    Reserve<SlotsInPort<capacity>> reserve_;
};

} // namespace parley::messaging
