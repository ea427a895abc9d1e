// SPDX-License-Identifier: MIT
// A process of a job: it runs a node's programs, delivers messages, or works for semaphores
// (occupation.hpp). The job's builder gives it what it needs before its first run. It ends exactly once, in
// finish(). What is otherwise for another thread of its program is the thread's own (user_thread.hpp).
#pragma once

#include "kernel/memory/domain.hpp"
#include "kernel/process/departure.hpp"
#include "kernel/process/occupation.hpp"
#include "kernel/process/program_threads.hpp"
#include "kernel/process/proxy_table.hpp"
#include "kernel/program/process_control.hpp"
#include "messaging/message_system.hpp"
#include "sched/dispatcher.hpp"

namespace parley::kernel {

class Job;

enum class Ending : std::uint8_t { exited, failed, killed };

// How a process's program is interrupted for its message handlers (upcall.hpp).
struct UpcallState {
    UserAddress entry; // 0, with an empty range of code: it cannot be
    UserAddress start;
    UserAddress end;
    bool code_hidden = false;
    bool due_at_tick = false; // where code cannot be hidden: at the next tick that finds it there
};

class UserProcess : public sched::Process, public ProcessControl {
public:
    // What linux_call() says where it is in none: its program runs, or has not begun.
    static constexpr long no_call = -1, not_begun = -2;

    // `endpoint`: its index among the job's processes.
    UserProcess(Job& job, unsigned endpoint, int node) : job_(job), endpoint_(endpoint), node_(node) { }

    // The running process. Called only by what traps and calls of user mode call.
    static UserProcess& here() { return static_cast<UserProcess&>(sched::current()); }

    Job& job() const { return job_; }
    unsigned endpoint() const { return endpoint_; }
    int node() const { return node_; }
    // The process whose program this runs: itself, unless it is a thread.
    UserProcess& first() const { return first_; }
    // Among its program's threads; 0: the first.
    unsigned number() const { return number_; }
    // The others of its program. Asked only of the first.
    ProgramThreads& threads() { return threads_; }

    // ---- called by who builds the job, before the first run

    // The process runs in user mode, in that slot of the domain (kernel/job/domain_slots.hpp).
    void live_in(Domain& domain, unsigned slot)
    {
        domain_ = &domain;
        domain_slot_ = slot;
    }
    // The process reaches a message system in the kernel by its proxy.
    void enter(messaging::MessageSystem& system_in_kernel);
    // Makes its other proxies.
    void make_proxies();
    void take_up(Occupation& occupation) { occupation_ = &occupation; }
    // Tells where its next program begins; also called when a program is loaded into a process that runs
    // none.
    void begin_at(UserAddress entry, UserAddress stack_pointer)
    {
        entry_ = entry;
        stack_pointer_ = stack_pointer;
    }
    // Whether begin_at() has told where the process begins.
    bool has_program() const { return entry_.value != 0; }

    // ---- called by its occupation

    // Makes the process ready for its first run, in its domain.
    void prepare();
    // As prepare(), for a process that stays in the kernel and does this work. The work answers false when
    // the process must end.
    using WorkInKernel = bool (*)(UserProcess& self);
    void prepare_in_kernel(WorkInKernel work);

    // ---- what it has been given

    // Null: the process never leaves the kernel.
    Domain* domain() const { return domain_; }
    // 0: the process has the domain to itself.
    unsigned domain_slot() const { return domain_slot_; }
    Occupation& occupation() const { return *occupation_; }
    const ProxyTable& proxies() const { return proxies_; }
    // The message system in the kernel, and the process's own calls of it. Asked only of a process that has
    // entered it.
    messaging::MessageSystem& system() const { return *system_; }
    const parley_calls& messages() const { return messages_; }

    // ---- ProcessControl: called on behalf of the program by itself

    [[noreturn]] void exit(int status) override;
    [[noreturn]] void exit_thread(int status) override;
    [[noreturn]] void fail(std::string_view sentence) final;
    void set_thread_pointer(std::uintptr_t value) final;
    std::uintptr_t thread_pointer() final { return execution.thread_pointer; }
    std::uint64_t nanoseconds() final;
    Result<void> sleep_until(std::uint64_t nanoseconds) final;
    void yield() final;
    Result<void> preemption_point() final;
    int process_id() final;
    int thread_id() final;
    Result<int> start_thread(const ThreadStart& start) final;
    void set_word_at_end(UserAddress word) final { word_at_end_ = word; }
    WordWait wait_on_word(UserAddress word, std::uint32_t expected, std::optional<std::uint64_t> until) final;
    unsigned wake_word(UserAddress word, unsigned count) final;
    unsigned processors() final;
    std::uint64_t own_processors() final;
    Result<void> run_on(std::uint64_t processors) final;
    Result<void> enter_program() final;
    void leave_program() final { first_.threads_.leave(); }
    void tell_refused(std::string_view sentence) final;
    void note_unknown_call(long number) final;

    // ---- what it does

    // Whether others may wait for the processor that it runs on: it has none for its own.
    bool shares_processor() const { return kind != sched::ProcessKind::uninterruptible; }
    // The number of the Linux call that its program is in. Written by itself, read by whoever reports it.
    long linux_call() const { return linux_call_; }
    void begin_linux_call(long number) { linux_call_ = number; }
    void end_linux_call() { linux_call_ = no_call; }
    // While it sleeps on a word of its program's memory, without a time: an odd number, which only grows.
    // Read by anybody.
    std::uint32_t word_wait() const { return word_wait_.load(std::memory_order_seq_cst); }
    // Whether it does, and nobody has woken it.
    bool waits_on_word() const
    {
        return word_wait() % 2 == 1 && waiting_in.load(std::memory_order_seq_cst) != nullptr;
    }
    // If it sleeps on a word of its program's memory: it and all others there look again, as they may at any
    // time. Called by whoever has set that its program is to be interrupted.
    void look_at_word_again();
    // How its program is interrupted, and how it leaves a system's code when it must end. Used by itself.
    UpcallState& upcall() { return upcall_; }
    const UpcallState& upcall() const { return upcall_; }
    Departure& departure() { return departure_; }

    // Ends the process, which has been killed and has reached a place where it can end. `instruction`: where
    // its program was interrupted; 0: it is in a call.
    [[noreturn]] virtual void end_killed(std::uint64_t instruction = 0);
    // Its program has made a call by a proxy that the process does not have.
    virtual void note_refused_call() { }
    // Writes what tells it from the other threads of its program, behind what names that.
    virtual void write_thread(TextWriter&) const { }
    // The process runs nothing any more and never will; its job counts it out.
    void note_ended() { ended_.store(true, std::memory_order_release); }
    // What the process was doing when its job's limit came has been told.
    void note_end_told() { end_is_told_.store(true, std::memory_order_relaxed); }
    bool end_is_told() const { return end_is_told_.load(std::memory_order_relaxed); }

protected:
    // Makes one more thread of the program whose first thread is `first`.
    UserProcess(UserProcess& first, unsigned number)
        : job_(first.job_), endpoint_(first.endpoint_), node_(first.node_),
          departure_{.closes_endpoint = false}, first_(first), number_(number)
    {
    }

    // Its program has failed, and its job has been told.
    [[noreturn]] virtual void end_failed(int status, std::string_view sentence);
    // Its program is about to have one more thread.
    virtual void have_threads();
    void clear_word_at_end();
    arch::FloatingPoint& registers() { return registers_; }

private:
    [[noreturn]] void finish(Ending ending, int status, std::string_view reason);
    [[noreturn]] void live();
    static void run(void* self);
    bool handler_is_due() const { return pending_work.interrupted() || upcall_.due_at_tick; }
    sched::WaitKey key_of(UserAddress word) const { return {word.value, domain_->table_root().value}; }
    static void work(void* self);

    Job& job_;
    const unsigned endpoint_;
    const int node_;
    messaging::MessageSystem* system_ = nullptr; // null: not in the kernel
    parley_calls messages_{};
    Domain* domain_ = nullptr;
    unsigned domain_slot_ = 0;
    Occupation* occupation_ = nullptr;
    ProxyTable proxies_;
    UserAddress entry_;
    UserAddress stack_pointer_;
    arch::FloatingPoint registers_;
    UpcallState upcall_;
    Departure departure_;
    std::atomic<bool> ended_{false}; // debuggers look here
    Atomic<bool> end_is_told_{false};
    long linux_call_ = not_begun;
    WorkInKernel work_ = nullptr;
    UserProcess& first_ = *this;
    const unsigned number_ = 0;
    Atomic<std::uint32_t> word_wait_{0};
    Atomic<std::uintptr_t> word_{0}; // on which it sleeps, or is about to; 0: none
    UserAddress word_at_end_;        // cleared when this thread has ended; 0: none
    ProgramThreads threads_{*this};
};

} // namespace parley::kernel
