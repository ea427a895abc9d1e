// SPDX-License-Identifier: MIT
// The state of a state machine: an atomic word that moves only as may_follow(from, to) of its type allows.
// Checked builds assert that at each move; in others a move is a plain store.
#pragma once

#include "base/atomic.hpp"

#include "assertion.hpp"

namespace parley::messaging {

template <class S>
class State {
public:
    explicit constexpr State(S first) : now_(first) { }

    // Anybody may load the state; `order` is what the caller's next steps need.
    S load(std::memory_order order) const { return now_.load(order); }
    // The word, to sleep on.
    const Atomic<S>& word() const { return now_; }
    bool is(S state) const { return now_.load(std::memory_order_relaxed) == state; }

    // The owner of the moment moves the state: nobody else does meanwhile.
    void move(S to, std::memory_order order)
    {
        assert_that([&] { return may_follow(now_.load(std::memory_order_relaxed), to); });
        now_.store(to, order);
    }
    // Moves a state that several may move. False: it is not in the state `from`.
    bool move_from(S from, S to)
    {
        assert_that([&] { return may_follow(from, to); });
        return now_.compare_exchange_strong(from, to, std::memory_order_acq_rel);
    }

private:
    Atomic<S> now_;
};

} // namespace parley::messaging
