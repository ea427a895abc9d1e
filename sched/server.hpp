// SPDX-License-Identifier: MIT
// A processor as ready queues see it: it serves a queue, may be idle, and can be woken. The kernel's
// servers are its dispatchers; host tests have servers of their own.
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
    // The queue that it serves. This is a hint, because others may change it at any time.
    ReadyQueue& queue() const { return *queue_.load(std::memory_order_acquire); }
    // It serves this queue from its own next decision on.
    void serve(ReadyQueue& queue) { queue_.store(&queue, std::memory_order_seq_cst); }
    // What its queue gives it to run; null: nothing.
    Process* next_process();
    // Whether it is asking that queue right now. Once it has been made to serve another queue, the answer
    // false stays false, and the first queue may be destroyed.
    bool asks(const ReadyQueue& queue) const { return asked_.load(std::memory_order_seq_cst) == &queue; }

    // Whether it has nothing to do. This is a hint.
    bool is_idle() const { return idle_.load(std::memory_order_relaxed); }
    // Takes the idle mark away. True for one caller only, which must then call wake().
    bool claim_idle()
    {
        return idle_.load(std::memory_order_seq_cst) && idle_.exchange(false, std::memory_order_seq_cst);
    }
    // Makes it decide again.
    virtual void wake() = 0;
    // Makes it decide again although it runs something, as soon as that may be interrupted. False:
    // somebody has done this already, or what it runs is never interrupted.
    virtual bool interrupt() { return false; }
    // Whether what it runs gives way to others some time. This is a hint.
    virtual bool gives_way() const { return true; }

protected:
    ~Server() = default;
    void set_idle(bool idle) { idle_.store(idle, std::memory_order_seq_cst); }
    // The processor takes its own mark away. False: somebody else has taken it meanwhile.
    bool unmark_idle() { return idle_.exchange(false, std::memory_order_seq_cst); }

private:
    const unsigned index_;
    Atomic<ReadyQueue*> queue_{nullptr};
    Atomic<ReadyQueue*> asked_{nullptr};
    Atomic<bool> idle_{false};
};

} // namespace parley::sched
