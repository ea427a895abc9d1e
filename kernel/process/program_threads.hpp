// SPDX-License-Identifier: MIT
// The threads of a process's programs beside their first, which is the process itself: it is what the job
// knows, has the endpoint, and ends last. Whoever ends the program says how, and has the process end; the
// process stops all threads and waits until they are gone. A thread's object serves another one afterwards.
#pragma once

#include "base/atomic.hpp"
#include "base/intrusive_list.hpp"
#include "base/result.hpp"
#include "base/spin_lock.hpp"
#include "base/text.hpp"
#include "sched/wait_table.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::kernel {

class UserProcess;
class UserThread;
enum class Ending : std::uint8_t;

class ProgramThreads {
public:
    static constexpr unsigned most = 512; // at a time

    struct Verdict {
        Ending ending;
        int status;
    };

    explicit ProgramThreads(UserProcess& first) : first_(first) { }
    ProgramThreads(const ProgramThreads&) = delete;

    // ---- called by the process itself

    // A program begins, which has no other thread.
    void begin();
    // Returns when no other thread is left; false: the process must end before that.
    bool await_others();
    // Stops the others, and returns when none is left and none can be made.
    void end_others();
    // How another thread has ended the program, if one has. The reason is kept until the next program begins.
    std::optional<Verdict> verdict();
    std::string_view reason() const { return reason_.view(); }

    // ---- called by any thread of the program

    // A thread that is nobody's yet, for start() or give_back(). Errors: would_block, when there are too
    // many; no_memory; killed, when the program ends.
    Result<UserThread*> take();
    void give_back(UserProcess& thread);
    // It runs from now on.
    void start(UserProcess& thread);
    // The program ends so, unless a thread has said otherwise before. The caller then stops the process.
    void decide(Verdict verdict, std::string_view reason);
    // The calling thread is gone; it must not do anything but leave its processor.
    void gone(UserProcess& thread);

    // What all threads share is the caller's, until leave(). False: it must end.
    bool enter();
    void leave();

    // ---- called by anybody

    // All threads but the first are to end as soon as they can, and no more are made.
    void stop();
    // Whether every other thread sleeps until another wakes it, and a number that is the same later if none
    // has gone on.
    struct Waits {
        bool all;
        std::uint32_t epoch;
    };
    Waits waits();
    // A hint.
    unsigned count() const { return count_.load(std::memory_order_relaxed); }

private:
    // As stop(), by the process itself, and so that others are not kept from the lock meanwhile.
    void stop_one_by_one();
    sched::Process* first_spare();
    sched::Process* spare_after(const sched::Process& thread);
    // One fewer has been taken.
    void forget_one();

    UserProcess& first_;
    SpinLock lock_;
    List<sched::Process, &sched::Process::gang_link> running_ GUARDED_BY(lock_);
    List<sched::Process, &sched::Process::gang_link> spare_ GUARDED_BY(lock_);
    Atomic<unsigned> count_{0};              // that have been taken and are not gone
    unsigned numbers_ GUARDED_BY(lock_) = 0; // that have been given out
    bool ending_ GUARDED_BY(lock_) = false;
    bool first_waits_ GUARDED_BY(lock_) = false; // for the last to be gone
    std::optional<Verdict> verdict_ GUARDED_BY(lock_);
    Text<240> reason_;

    // 0: nobody is inside, 1: a thread is, 2: and others may wait.
    Atomic<std::uint32_t> inside_{0};
};

} // namespace parley::kernel
