// SPDX-License-Identifier: MIT
// Parties spin, and a lock serves them in the order of their coming: `word` is the next ticket, `turn` the
// one being served.
#pragma once

#include "messaging/spinning.hpp"
#include "messaging/synchronization.hpp"

#include <string_view>

namespace parley::messaging {

class TicketSynchronization final : public Synchronization {
public:
    static constexpr std::string_view name = "ticket";
    static constexpr std::string_view promise =
        "as spinlock, and a lock is handed on in the order of requests";
    static constexpr bool spins = true;

    // A ticket cannot be given back: who must end waits for its turn all the same, and passes it on.
    Result<void> acquire(Lock& lock) override
    {
        const std::uint32_t ticket = lock.word.fetch_add(1, std::memory_order_relaxed);
        if (lock.turn.load(std::memory_order_acquire) == ticket)
            return {};
        bool lives = true;
        {
            platform::SpinWait spin;
            while (lock.turn.load(std::memory_order_acquire) != ticket) // pairs with release()
                lives = spin.once();
        }
        if (lives)
            return {};
        release(lock);
        return std::unexpected(Error::killed);
    }

    void release(Lock& lock) override
    {
        const std::uint32_t served = lock.turn.load(std::memory_order_relaxed);
        lock.turn.store(served + 1, std::memory_order_release); // pairs with the loads in acquire()
    }

    Result<void> wait(Event& event, std::uint32_t seen) override { return spin_while_unchanged(event, seen); }

    // Pairs with the acquire in spin_while_unchanged().
    void signal(Event& event) override { event.sequence.fetch_add(1, std::memory_order_acq_rel); }
};

} // namespace parley::messaging
