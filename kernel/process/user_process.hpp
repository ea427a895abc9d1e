// SPDX-License-Identifier: MIT
// A process of a job: it runs a node's programs, or it delivers messages (occupation.hpp). It ends
// exactly once, in finish().
#pragma once

#include "kernel/memory/domain.hpp"
#include "kernel/process/departure.hpp"
#include "kernel/process/occupation.hpp"
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
};

class UserProcess final : public sched::Process, public ProcessControl {
public:
    UserProcess(Job& job_of, unsigned endpoint_index, int node_number)
        : job(job_of), endpoint(endpoint_index), node(node_number)
    {
    }

    // The running process; only from traps and calls of user mode.
    static UserProcess& here() { return static_cast<UserProcess&>(sched::current()); }

    // It reaches a message system in the kernel by its proxy.
    void enter(messaging::MessageSystem& system_in_kernel);
    // Make its other proxies.
    void make_proxies();
    // Make it ready for its first run; entry and stack pointer have been set.
    void prepare();
    // The same for one that stays in the kernel. Its work ends in false when the process must end.
    using WorkInKernel = bool (*)(UserProcess& self);
    void prepare_in_kernel(WorkInKernel work);

    // ProcessControl: called on behalf of the program by itself.
    [[noreturn]] void exit(int status) override;
    [[noreturn]] void fail(std::string_view sentence) override;
    void set_thread_pointer(std::uintptr_t value) override;
    std::uint64_t nanoseconds() override;
    Result<void> sleep_until(std::uint64_t nanoseconds) override;
    void yield() override;
    Result<void> preemption_point() override;
    int process_id() override;
    void note_unknown_call(long number) override;

    // Whether others may wait for the processor that it runs on: it has none for its own.
    bool shares_processor() const { return kind != sched::ProcessKind::uninterruptible; }

    // It has been killed and has reached a place where it can end. `instruction`: where its program was
    // interrupted; 0: it is in a call.
    [[noreturn]] void end_killed(std::uint64_t instruction = 0);

    Job& job;
    const unsigned endpoint; // index among the job's endpoints
    const int node;
    messaging::MessageSystem* system = nullptr; // null: not in the kernel
    parley_calls messages{};                    // its own, of that system
    Domain* domain = nullptr;                   // of what it runs in user mode
    unsigned pages_away = 0;                    // while it waits: those that were dirty and have been written
    unsigned place = 0;                         // in its domain: kernel/job/places.hpp
    Occupation* occupation = nullptr;           // given before its first run
    ProxyTable proxies;
    std::uint32_t messages_proxy = 0;
    std::uint32_t results_proxy = 0;
    std::uint32_t process_proxy = 0;
    std::uint32_t gangs_proxy = 0;
    std::uint32_t job_proxy = 0;
    std::uint32_t semaphores_proxy = 0;
    UserAddress entry;
    UserAddress stack_pointer;
    arch::FloatingPoint registers;
    UpcallState upcall;
    Departure departure;
    std::atomic<bool> ended{false};
    Atomic<bool> end_is_told{false}; // what it was doing when its job's limit came

    // The number of the Linux call that its program is in; written by itself.
    static constexpr long no_call = -1, not_begun = -2;
    long linux_call = not_begun;

private:
    [[noreturn]] void finish(Ending ending, int status, std::string_view reason);
    [[noreturn]] void live();
    static void run(void* self);
    static void work(void* self);

    WorkInKernel work_ = nullptr;
};

} // namespace parley::kernel
