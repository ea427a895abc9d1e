// SPDX-License-Identifier: MIT
// What a waiting thread could do instead of waiting: run tasks of its team. There is one for each thread.
#pragma once

#include "userlib/loops/signal.hpp"

#include <cstdint>

namespace parley::loops {

class Meanwhile {
public:
    Meanwhile() = default;
    Meanwhile(const Meanwhile&) = delete;
    Meanwhile& operator=(const Meanwhile&) = delete;

    // The thread itself calls these.
    bool has_work() const { return queued_ != nullptr && queued_->load(std::memory_order_relaxed) != 0; }
    virtual void work() { }

    // Another thread has added to what is queued, and calls this afterwards.
    void notice_work()
    {
        if (Signal* const signal = asleep_on_.load(std::memory_order_seq_cst); signal != nullptr)
            signal->nudge();
    }

protected:
    ~Meanwhile() = default;
    // The word says how much there is to do; whoever adds to it does so with a sequentially consistent step.
    void watch(const Atomic<std::uint32_t>* queued) { queued_ = queued; }

private:
    friend class Signal;

    const Atomic<std::uint32_t>* queued_ = nullptr;
    Atomic<Signal*> asleep_on_{nullptr};
};

// For a thread that may hold what a task wants while it waits.
class NothingElse final : public Meanwhile { };

// Either this thread sees what was queued before it sleeps, or who queued it sees that this thread has marked
// the word: both write before they look, in one order that all agree on.
inline void Signal::sleep(std::uint32_t before, Meanwhile& meanwhile)
{
    if (meanwhile.queued_ != nullptr)
        meanwhile.asleep_on_.store(this, std::memory_order_seq_cst);
    std::uint32_t found = before;
    const bool marked = word_.compare_exchange_strong(found, before | asleep, std::memory_order_seq_cst,
                                                      std::memory_order_seq_cst) ||
                        found == (before | asleep);
    if (marked && (meanwhile.queued_ == nullptr || meanwhile.queued_->load(std::memory_order_seq_cst) == 0))
        platform::block(word_, before | asleep);
    if (meanwhile.queued_ != nullptr)
        meanwhile.asleep_on_.store(nullptr, std::memory_order_relaxed);
}

} // namespace parley::loops
