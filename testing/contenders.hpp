// SPDX-License-Identifier: MIT
// One lock and the parties that want it, as a composed system makes them for a Synchronization's leaf.
#pragma once

#include "testing/made_synchronization.hpp"
#include "testing/taken_for_held.hpp"

#include <cstddef>
#include <new>
#include <vector>

namespace parley::testing {

class Contenders {
public:
    Contenders(const SynchronizationLeaf& leaf, unsigned parties) : synchronization_(leaf.make())
    {
        const auto space = [this](std::size_t bytes, std::size_t alignment) -> Result<std::byte*> {
            auto* const place = static_cast<std::byte*>(::operator new(bytes, std::align_val_t(alignment)));
            memory_.push_back({place, alignment});
            return place;
        };
        const sched::States states = leaf.place(space, parties);
        states.equip(lock_, 0);
        for (unsigned number = 0; number < parties; ++number)
            parties_.push_back(states.party(number));
    }
    ~Contenders()
    {
        for (const Piece& piece : memory_)
            ::operator delete(piece.place, std::align_val_t(piece.alignment));
    }
    Contenders(const Contenders&) = delete;
    Contenders& operator=(const Contenders&) = delete;

    Result<void> acquire(unsigned party)
    {
        if (lock_.take_free())
            return {};
        return synchronization_->contend(lock_, parties_[party]);
    }
    // As acquire(), and whoever has found the lock held is counted as long as it waits.
    template <class Counter>
    Result<void> acquire(unsigned party, Counter& waiting)
    {
        if (lock_.take_free())
            return {};
        ++waiting;
        const Result<void> result = synchronization_->contend(lock_, parties_[party]);
        --waiting;
        return result;
    }
    void release(unsigned party)
    {
        take_for_held(lock_);
        lock_.release(*synchronization_, parties_[party]);
    }

    // Whether the lock is free. Asked while nobody waits for it.
    bool is_free() const { return lock_.word.load(std::memory_order_relaxed) == 0; }

private:
    struct Piece {
        std::byte* place;
        std::size_t alignment;
    };

    const std::shared_ptr<sched::Synchronization> synchronization_;
    sched::Lock lock_;
    std::vector<sched::Party> parties_;
    std::vector<Piece> memory_;
};

} // namespace parley::testing
