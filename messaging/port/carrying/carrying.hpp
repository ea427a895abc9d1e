// SPDX-License-Identifier: MIT
// A ring like CircularPort's whose entries carry short messages whole, and for longer ones the address of
// their memory: on a machine where one cache line costs more than all the instructions of a message, a
// receiver touches no other line. The entry itself says when it is there. Senders ask how far the receiver is
// only when they have come to the limit that followed from its last answer: once a lap, if it keeps up with
// them.
//   put   S1 is the next number within the limit, or within a new one?  S2 draw it, and note who has
//         S3 fill its entry, and number it
//   take  R1 has the next entry its number? read it   R2 go on to the next, and say so
//
// Messages without memory of their own are held in the port's reserve, where their taker keeps them for
// later. So only as many may be under way as there is reserve for: that is the second limit. With `last` the
// number taken last, all before it are received or held; so of those up to last - 1 + (the spare slots of
// the reserve then), each finds a slot, since each of them that is received or held takes no more than one.
//
// The number drawn last is noted together with who has drawn it. Before another draws the next one, that note
// is written into the table of drawers. So at every step it is known who has drawn each entry that is not yet
// published, and leave() makes such an entry void.
//
// Numbers are counted in steps of `one`, here and in every word: so the number and who has drawn it, and the
// number and the kind of its entry, are one word without a shift.
#pragma once

#include "messaging/port.hpp"
#include "messaging/port/carried.hpp"
#include "messaging/port/reserve.hpp"
#include "messaging/sources.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

class CarryingPort final : public Port {
public:
    static constexpr std::string_view name = "carrying";
    static constexpr std::string_view promise =
        "as circular; up to 100 bytes cross in two cache lines, up to 200 in four";
    static constexpr std::uint32_t capacity = 64;
    using ShortWays = TriedFirst;

    std::uint32_t room() const override { return Entry::room; }

    bool put(unsigned caller, Envelope envelope, MessageMemory* memory) override
    {
        const std::uint64_t number = draw(caller, memory == nullptr, true);
        if (number == 0) [[unlikely]]
            return std::launder(this)->put_slowly(caller, envelope, memory);
        publish(number, envelope, memory);
        return true;
    }

    Put put_bytes(unsigned caller, Envelope envelope, const Source& source) override
    {
        if (envelope.length() <= Entry::in_first_line)
            return put_staged<Entry::in_first_line>(*this, caller, envelope, source);
        return put_from(caller, envelope, source, envelope.length());
    }
    // Does the same with a source whose class is known, and which says how many bytes it writes.
    template <class S>
        requires requires(const S& source) { source.bytes(); }
    Put put_bytes(unsigned caller, Envelope envelope, const S& source)
    {
        return put_from(caller, envelope, source, source.bytes());
    }

    template <class S>
    [[nodiscard]] Put put_at_once(unsigned caller, Envelope envelope, const S& source)
    {
        const std::uint64_t number = draw(caller, true, source.bytes() <= Entry::in_first_line);
        if (number == 0) [[unlikely]]
            return Put::full;
        return publish_from(number, envelope, source);
    }

    Taken take(MailboxHeld, unsigned looks) override
    {
        const std::uint64_t number = last_.load(std::memory_order_relaxed) + one;
        const Entry& entry = entry_of(number);
        if (entry.word.load(std::memory_order_acquire) != word_of(number, Entry::whole)) // R1
            [[unlikely]]
            return take_other(looks);
        return go_on(number, entry, true);
    }
    Taken take_at_once(MailboxHeld, bool in_stream)
    {
        const std::uint64_t number = last_.load(std::memory_order_relaxed) + one;
        const Entry& entry = entry_of(number);
        if (entry.word.load(std::memory_order_acquire) != word_of(number, Entry::whole)) // R1
            [[unlikely]]
            return {};
        return go_on(number, entry, in_stream);
    }
    Watched watched(MailboxHeld) const override
    {
        const std::uint64_t number = last_.load(std::memory_order_relaxed) + one;
        return {&entry_of(number).word, word_of(number, Entry::whole)};
    }
    Sight sight() const override
    {
        const std::uint64_t number = last_.load(std::memory_order_relaxed) + one;
        const std::uint64_t word = entry_of(number).word.load(std::memory_order_acquire);
        switch (word - word_of(number, Entry::whole)) {
        case Entry::whole:
        case Entry::in_memory: return Sight::message;
        case Entry::void_entry: return Sight::unknown;
        default: return Sight::nothing;
        }
    }

    bool shows_draws() const override { return true; }
    static_assert(capacity <= most_shown);
    bool is_under_way() const override
    {
        return number_in(drawn_.load(std::memory_order_seq_cst)) != last_.load(std::memory_order_relaxed);
    }

    Message* hold(MailboxHeld held, const Taken& taken) override { return &reserve_.hold(held, taken); }
    // The entry that was taken last stays as it is until the next one is taken.
    void release(const Taken& taken) override
    {
        if (taken.memory() != nullptr)
            reserve_.give_back(*taken.memory());
    }

    bool leave(unsigned caller) override
    {
        // This comes first, and acquire pairs with S2: before another draws a number, the last drawer is in
        // the table (record()), and who draws has seen it there.
        bool was_drawn = make_void(caller, drawn_.load(std::memory_order_acquire));
        for (const Atomic<std::uint64_t>& drawer : drawers_)
            was_drawn = make_void(caller, drawer.load(std::memory_order_relaxed)) || was_drawn;
        return was_drawn;
    }

private:
    // What a message's memory has room for, so that a taker can keep it.
    using Entry = CarriedUpTo<sizeof(Message::space)>;

    static constexpr std::uint64_t one = 1 << 13; // room for a caller, or a kind
    // All entries but the one that was taken last, which stays as it is.
    static constexpr std::uint64_t reach = (capacity - 1) * one;

    // How many entries further on the next line is that a taker asks for: fewer leave no time for it to come
    // from another processor, more keep lines from their sender.
    static constexpr std::uint64_t lines_ahead = 8;

    static std::uint64_t word_of(std::uint64_t number, Entry::Kind kind) { return number + kind; }

    // A word that has a number and who has drawn it; 0: nobody.
    static std::uint64_t number_in(std::uint64_t drawn) { return drawn & ~(one - 1); }
    static std::uint64_t drawn_by(std::uint64_t number, unsigned caller) { return number + caller + 1; }
    // The number that follows the one in `drawn`.
    static std::uint64_t number_after(std::uint64_t drawn)
    {
        const std::uint64_t number = (drawn | (one - 1)) + 1;
        if (number == 0) // none comes so far, and so the compiler knows that 0 is none
            __builtin_unreachable();
        return number;
    }
    static_assert(PARLEY_MAX_PROCESSES < one && Entry::void_entry < one);

    template <class S>
    Put put_from(unsigned caller, Envelope envelope, const S& source, std::size_t bytes)
    {
        std::uint64_t number = draw(caller, true, bytes <= Entry::in_first_line);
        if (number == 0) [[unlikely]] {
            number = std::launder(this)->draw_slowly(caller, true);
            if (number == 0)
                return Put::full;
        }
        return publish_from(number, envelope, source);
    }

    // Does the same when others draw, too, or the limit must be asked for. It is not inlined where put()
    // itself is called (cold), which ends with it and saves no registers for it.
    [[gnu::cold]] bool put_slowly(unsigned caller, Envelope envelope, MessageMemory* memory)
    {
        const std::uint64_t number = draw_slowly(caller, memory == nullptr);
        if (number != 0)
            publish(number, envelope, memory);
        else if (memory != nullptr)
            (void)memory->open(envelope);
        return number != 0;
    }

    // The entry was there at the first look. In a stream there may be more then: their lines come while
    // others are read. A receiver that looks again and again for each message finds it in take_other(), and
    // takes no line from its sender.
    Taken go_on(std::uint64_t number, const Entry& entry, bool in_stream)
    {
        if (in_stream)
            __builtin_prefetch(&entry + lines_ahead); // behind the last one, too: that is the port's as well
        last_.store(number, std::memory_order_release); // R2: pairs with S1
        return {entry.envelope, nullptr};
    }

    // The next entry has not come yet, or is void, or has its message in memory.
    [[gnu::noinline]] Taken take_other(unsigned looks)
    {
        for (std::uint64_t number = last_.load(std::memory_order_relaxed) + one;; number += one) {
            const Entry& entry = entry_of(number);
            const std::uint64_t whole = word_of(number, Entry::whole);
            std::uint64_t word = 0;
            while ((word = entry.word.load(std::memory_order_acquire)) != whole && // R1
                   word - whole > Entry::void_entry) {
                if (looks-- == 0)
                    return {};
                platform::between_looks();
            }
            last_.store(number, std::memory_order_release); // R2: pairs with S1
            if (word == whole)
                return {entry.envelope, nullptr};
            if (word - whole == Entry::in_memory)
                return {entry.envelope, entry.memory()};
        }
    }

    // S3
    void publish(std::uint64_t number, const Envelope& envelope, MessageMemory* memory)
    {
        Entry& entry = entry_of(number);
        entry.envelope = envelope;
        if (memory != nullptr)
            entry.set_memory(memory);
        mark(entry, number, memory != nullptr ? Entry::in_memory : Entry::whole);
    }
    template <class S>
    Put publish_from(std::uint64_t number, const Envelope& envelope, const S& source)
    {
        Entry& entry = entry_of(number);
        entry.envelope = envelope;
        if (!source.fill(entry.bytes)) [[unlikely]] {
            mark(entry, number, Entry::void_entry);
            return Put::unreadable;
        }
        mark(entry, number, Entry::whole);
        return Put::in;
    }
    // Pairs with R1
    static void mark(Entry& entry, std::uint64_t number, Entry::Kind kind)
    {
        entry.word.store(word_of(number, kind), std::memory_order_release);
    }

    const Atomic<std::uint64_t>& limit(bool without_memory) const
    {
        return without_memory ? limit_without_memory_ : limit_;
    }

    // Draws the next number at the first try; 0: draw_slowly() may still draw one.
    std::uint64_t draw(unsigned caller, bool without_memory, bool in_one_line)
    {
        std::uint64_t drawn = drawn_.load(std::memory_order_acquire); // pairs with S2: the limit is as new
        const std::uint64_t number = number_after(drawn);
        // The entry's line is on its way while the number is drawn. So are the two that a stream of such
        // messages fills next: they come while this one goes. This is not done when more lines are filled:
        // the receiver, who looks at the first, would fetch them back.
        if (in_one_line) {
            const Entry* const entry = &entry_of(number);
            __builtin_prefetch(entry, 1);
            __builtin_prefetch(entry + 1, 1); // behind the last one, too: that is the port's as well
            __builtin_prefetch(entry + 2, 1);
        }
        const std::uint64_t mine = drawn_by(number, caller);
        // S1. Acquire pairs with R2, directly or through the sender that has moved the limit: so the entry
        // has been read (R1) before S3 fills it again. The address is laundered, because else the compiler
        // keeps it in one more register.
        if (!is_recorded(drawn) || number > limit(without_memory).load(std::memory_order_acquire) ||
            !std::launder(this)->drawn_.compare_exchange_strong(drawn, mine, std::memory_order_seq_cst,
                                                                std::memory_order_acquire)) [[unlikely]] // S2
            return 0;
        drawer_of(number).store(mine, std::memory_order_relaxed);
        return number;
    }

    // Draws the next number; 0: there is none within the limit.
    std::uint64_t draw_slowly(unsigned caller, bool without_memory)
    {
        std::uint64_t drawn = drawn_.load(std::memory_order_acquire);
        for (;;) {
            const std::uint64_t number = number_after(drawn);
            record(drawn);
            if (number > limit(without_memory).load(std::memory_order_acquire) &&
                number > ask_limit(without_memory))
                return 0;
            const std::uint64_t mine = drawn_by(number, caller);
            if (drawn_.compare_exchange_weak(drawn, mine, std::memory_order_seq_cst,
                                             std::memory_order_acquire)) {
                drawer_of(number).store(mine, std::memory_order_relaxed);
                return number;
            }
        }
    }

    // Whether the table says who has drawn that number. Its drawer writes that, or has not come to it; then
    // record() does, before the next number is drawn. The table's words only grow.
    bool is_recorded(std::uint64_t drawn) const
    {
        return drawer_of(drawn).load(std::memory_order_relaxed) >= drawn;
    }
    void record(std::uint64_t drawn)
    {
        Atomic<std::uint64_t>& drawer = drawer_of(drawn);
        std::uint64_t known = drawer.load(std::memory_order_relaxed);
        while (known < drawn)
            if (drawer.compare_exchange_weak(known, drawn, std::memory_order_seq_cst))
                break;
    }

    // Makes an entry void that this caller has drawn and not published. False: `drawn` is no such entry.
    bool make_void(unsigned caller, std::uint64_t drawn)
    {
        const std::uint64_t number = number_in(drawn);
        if (drawn != drawn_by(number, caller))
            return false;
        Entry& entry = entry_of(number);
        if (entry.word.load(std::memory_order_acquire) >= word_of(number, Entry::whole))
            return false;
        mark(entry, number, Entry::void_entry);
        return true;
    }

    // Another sender may set an older limit afterwards; then the limit is only asked for again.
    std::uint64_t ask_limit(bool without_memory)
    {
        const std::uint64_t last = last_.load(std::memory_order_acquire);
        const std::uint64_t all = last + reach;
        // `last` was read first, so it may be 0 while the reserve has been used up since: then nothing is let
        // in, and the difference must not fall below 0.
        const std::uint64_t in_reserve = std::max(last + reserve_.spare() * one, one) - one;
        limit_.store(all, std::memory_order_release);
        limit_without_memory_.store(in_reserve, std::memory_order_release);
        return without_memory ? in_reserve : all;
    }

    // Where in a table the element of a number is; that of a word which has the number and something else is
    // the same. By its bytes, which are two instructions where an index is four.
    template <class T>
    static T& element(T* table, std::uint64_t number)
    {
        const std::uint64_t offset = number / (one / sizeof(T)) & (capacity - 1) * sizeof(T);
        return *reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(table) + offset);
    }
    static_assert(one % sizeof(Entry) == 0 && std::has_single_bit(sizeof(Entry)) &&
                  std::has_single_bit(capacity));
    // The address is laundered, because else the compiler computes it anew for each part of the entry.
    Entry& entry_of(std::uint64_t number) { return *std::launder(&element(entries_, number)); }
    const Entry& entry_of(std::uint64_t number) const { return element(entries_, number); }
    Atomic<std::uint64_t>& drawer_of(std::uint64_t number) { return element(drawers_, number); }
    const Atomic<std::uint64_t>& drawer_of(std::uint64_t number) const { return element(drawers_, number); }

    alignas(64) Atomic<std::uint64_t> last_{0}; // the number taken last; written under the mailbox's lock
    alignas(64) Atomic<std::uint64_t> limit_{reach};
    Atomic<std::uint64_t> limit_without_memory_{reach};
    Atomic<std::uint64_t> drawn_{0}; // the number drawn last, and who has drawn it
    alignas(64) Atomic<std::uint64_t> drawers_[capacity]{};
    Entry entries_[capacity + lines_ahead]; // those behind the capacity are only prefetched
    Reserve<SlotsInPort<capacity>, Entry> reserve_;
};

} // namespace parley::messaging
