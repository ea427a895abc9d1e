// SPDX-License-Identifier: MIT
// Each processor has a dispatcher. It asks the ready queue that it serves what runs next, and switches to
// that. Whoever calls it has interrupts off and holds no lock.
#pragma once

#include "arch/dispatching.hpp"
#include "base/atomic.hpp"
#include "sched/process.hpp"
#include "sched/ready_queue.hpp"
#include "sched/server.hpp"
#include "sched/thread_queue.hpp"

namespace parley::sched {

inline constexpr std::uint64_t time_slice_nanoseconds = 10'000'000;

// Whether a processor's tick goes on while it runs uninterruptible processes: only where it keeps the
// machine's time.
enum class Tick : bool { as_needed, always };

class Dispatcher final : public Server {
public:
    explicit Dispatcher(unsigned index) : Server(index) { }

    // The dispatcher of the processor that runs this.
    static Dispatcher& here() { return *static_cast<Dispatcher*>(arch::local_dispatcher()); }

    // Makes this the dispatcher of `processor`, serving `queue`. Called on that processor; what runs there
    // becomes the idle process. `period`: nanoseconds between its ticks, where they do not always go on.
    void start(arch::Processor& processor, ReadyQueue& queue, Tick tick,
               std::uint64_t period = time_slice_nanoseconds);
    // Threads run here as well, when there is time: when the queue that it serves has nothing, and in turn
    // with what is sliced. Called before start().
    void also_serve(ThreadQueue& threads) { threads_ = &threads; }
    // What a processor does when it has nothing to do.
    [[noreturn]] void idle();

    // The caller's process waits or has ended: runs another, and returns when that process is dispatched
    // again.
    void run_next();
    // The caller's process gives way to the others that are ready.
    void preempt();

    // The caller's process goes on on another processor, whose idle mark the caller has taken away, as
    // ReadyQueue::idle_server_for does. This one decides again after its next interrupt, so that it does not
    // take the process back; its ticks always go on.
    void hand_over(Server& taker);

    // The ticks go on until this processor runs another process, even if the caller's process has none: the
    // processor must look at it again.
    void keep_ticking();

    void wake() override;
    bool interrupt() override;
    bool gives_way() const override { return gives_way_.load(std::memory_order_relaxed); }
    // Whether `process` is the one that runs here. A hint: it may change at any time.
    bool runs(const Process& process) const { return current_.load(std::memory_order_seq_cst) == &process; }
    // Whether nothing runs here. This is a hint, too.
    bool idles() const { return runs(idle_process_); }
    // All processors decide again at the next interrupt; set before wake().
    void request_decision() { decision_wanted_.store(true, std::memory_order_release); }
    bool take_decision_request() { return decision_wanted_.exchange(false, std::memory_order_acq_rel); }

private:
    friend void finish_switch();

    void switch_to(Process& next);
    void preempt_thread(Process& self);
    Process* next_after(const Process& self);
    Process* next_of_idle();
    void set_tick(const Process& next);

    arch::Processor* processor_ = nullptr;
    Tick tick_ = Tick::as_needed;
    std::uint64_t period_ = time_slice_nanoseconds; // of ticks that come as needed
    bool ticking_ = false;
    ThreadQueue* threads_ = nullptr;
    Process idle_process_;
    Process* previous_ = nullptr;
    // The process that the idle process runs next; its context may still be being saved. The idle process
    // itself: the processor rests until it is interrupted.
    Process* after_idle_ = nullptr;
    Atomic<Process*> current_{nullptr};
    Atomic<bool> decision_wanted_{false};
    Atomic<bool> gives_way_{true};
};

// Queues a process, and wakes an idle processor that serves its queue if there is one.
void make_ready(Process& process);
// A new process's context must call this before anything else.
void finish_switch();

// The process that runs this; in an interrupt, the one that was interrupted.
inline Process& current()
{
    void* const process = arch::current_process();
    if (process == nullptr)
        __builtin_unreachable(); // there is one from start() on
    return *static_cast<Process*>(process);
}

} // namespace parley::sched
