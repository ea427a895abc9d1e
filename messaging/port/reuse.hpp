// SPDX-License-Identifier: MIT
// A pool of entries that are used again and again, each with a lock of its own. A sender locks any entry that
// is free and keeps it locked until its message is in; an order number drawn while it holds the lock says
// whose turn it is.
//   claim    S1 lock a free entry  S2 draw an order number   publish  S3 fill the entry, unlock
//   take     R1 lock each entry in use   R2 is its order number the next one?   R3 free it
#pragma once

#include "messaging/message/message.hpp"
#include "messaging/port.hpp"
#include "sched/synchronization/spinning.hpp"

#include <string_view>

#include "platform.hpp"

namespace parley::messaging {

class ReusePort final : public Port {
public:
    static constexpr std::string_view name = "reuse";
    static constexpr std::string_view promise =
        "entries are used again, with a lock each; a sender finds a free one by search";
    static constexpr std::uint32_t capacity = 64;

    bool put(unsigned, Envelope envelope, MessageMemory* memory) override
    {
        const std::uint32_t start = hint_.load(std::memory_order_relaxed);
        for (std::uint32_t step = 0; step < capacity; ++step) {
            const std::uint32_t index = (start + step) % capacity;
            Entry& entry = entries_[index];
            if (entry.used.load(std::memory_order_relaxed) != 0 || !entry.lock.try_lock()) // S1
                continue;
            const bool is_free = entry.used.load(std::memory_order_relaxed) == 0;
            if (is_free) {
                hint_.store((index + 1) % capacity, std::memory_order_relaxed);
                entry.order = orders_.fetch_add(1, std::memory_order_relaxed); // S2
                entry.memory = memory;                                         // S3
                entry.envelope = envelope;
                entry.used.store(1, std::memory_order_relaxed);
            }
            entry.lock.unlock(); // pairs with R1
            if (is_free)
                return true;
        }
        (void)memory->open(envelope);
        return false;
    }

    // Takes the entry that holds order number `next_`: takes follow the order of claims, so one sender's
    // messages stay in order.
    Taken take(MailboxHeld, unsigned looks) override
    {
        Taken taken = take_next();
        for (; !taken && looks > 0; --looks) {
            platform::between_looks();
            taken = take_next();
        }
        return taken;
    }

    // A sender claims before it fills its entry.
    Watched watched(MailboxHeld) const override { return {&orders_, next_ + 1}; }

private:
    struct Entry {
        sched::ShortLock lock;
        Atomic<std::uint32_t> used{0}; // written under `lock`; read without it as a hint
        std::uint64_t order GUARDED_BY(lock) = 0;
        MessageMemory* memory GUARDED_BY(lock) = nullptr;
        Envelope envelope GUARDED_BY(lock);
    };

    Taken take_next()
    {
        if (orders_.load(std::memory_order_relaxed) == next_)
            return {}; // nobody has claimed; a sender claims before it signals
        for (std::uint32_t step = 0; step < capacity; ++step) {
            Entry& entry = entries_[(expected_ + step) % capacity];
            if (entry.used.load(std::memory_order_relaxed) == 0)
                continue;
            const sched::ShortGuard guard(entry.lock); // R1: acquire pairs with S3, release with the next S1
            if (entry.order != next_)                  // R2
                continue;
            entry.used.store(0, std::memory_order_relaxed); // R3
            ++next_;
            expected_ = (expected_ + step + 1) % capacity;
            taken_ = entry.envelope; // the entry is a sender's again
            return {taken_, entry.memory};
        }
        return {};
    }

    alignas(64) std::uint64_t next_ = 0; // this and the next two: guarded by the mailbox's lock
    std::uint32_t expected_ = 0;
    Envelope taken_;
    alignas(64) Atomic<std::uint64_t> orders_{0};
    Atomic<std::uint32_t> hint_{0};
    Entry entries_[capacity];
};

} // namespace parley::messaging
