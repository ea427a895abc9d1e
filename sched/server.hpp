// SPDX-License-Identifier: MIT
// A processor as ready queues see it: it serves a queue, may be idle, and can be woken. The kernel's
// dispatchers are servers; simulations bring their own.
#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace parley::sched {

class Process;
class ReadyQueue;

class Server {
public:
    explicit Server(unsigned index) : index_(index) { }
    Server(const Server&) = delete;

    unsigned index() const { return index_; }
    // The one that it serves; a hint, for it may be told to serve another at any time.
    ReadyQueue& queue() const { return *queue_.load(std::memory_order_acquire); }
    // From its own next decision on.
    void serve(ReadyQueue& queue) { queue_.store(&queue, std::memory_order_seq_cst); }
    // What its queue gives it to run; null: nothing.
    Process* next_process();
    // Whether it is asking that queue right now. After it has been told to serve another, a false is final:
    // then the queue may go.
    bool asks(const ReadyQueue& queue) const { return asked_.load(std::memory_order_seq_cst) == &queue; }

    // Whether it has nothing to do. A hint.
    bool is_idle() const { return idle_.load(std::memory_order_relaxed); }
    // Takes the idle mark away: true for the one caller that must then wake() it.
    bool claim_idle()
    {
        return idle_.load(std::memory_order_seq_cst) && idle_.exchange(false, std::memory_order_seq_cst);
    }
    // Have it decide again.
    virtual void wake() = 0;
    // The same although it runs something, as soon as that may be interrupted. False: it has been asked
    // already, or never can be.
    virtual bool interrupt() { return false; }

protected:
    ~Server() = default;
    void set_idle(bool idle) { idle_.store(idle, std::memory_order_seq_cst); }
    // Takes the mark away by itself: false when somebody has claimed it meanwhile.
    bool unmark_idle() { return idle_.exchange(false, std::memory_order_seq_cst); }

private:
    const unsigned index_;
    Atomic<ReadyQueue*> queue_{nullptr};
    Atomic<ReadyQueue*> asked_{nullptr};
    Atomic<bool> idle_{false};
};

} // namespace parley::sched
