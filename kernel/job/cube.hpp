// SPDX-License-Identifier: MIT
// Which of a job's processes run a program: the kernel's side of load, waitall, killcube. In a job with a
// host process only the host has a program from the start; the others wait for theirs, and for the next when
// it has ended, until no program of the job runs.
#pragma once

#include "base/result.hpp"
#include "base/spin_lock.hpp"
#include "interface/limits.h"
#include "kernel/job/program_life.hpp"
#include "kernel/memory/window.hpp"
#include "kernel/program/failure.hpp"
#include "messaging/message_system.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace parley::kernel {

class Job;
class UserProcess;

// Which processes a call means: -1 stands for every node, or every pid of a node.
struct Chosen {
    int node;
    int pid;
};

class Cube {
public:
    explicit Cube(Job& job) : job_(job) { }
    Cube(const Cube&) = delete;

    // A place for each process, by endpoint; before anything else. Error::no_memory.
    Result<void> make_places(Window& window, unsigned processes);

    // Its program has been made ready.
    void begin(UserProcess& process);
    // Until the process has a program; false when it will never have one any more. On its own behalf.
    bool await_program(UserProcess& process);
    // Its program has ended. True when it should wait for another.
    void leave(UserProcess& process, int status);
    // Whether the process stays when its program ends.
    bool keeps(const UserProcess& process) const;
    bool runs(const UserProcess& process) const { return place_of(process).life.runs(); }
    // The status of its program that has ended, if nobody has waited for that.
    std::optional<int> left_with(const UserProcess& process) const
    {
        const ProgramLife& life = place_of(process).life;
        return life.standing() == Standing::ended ? std::optional(life.exit_status()) : std::nullopt;
    }
    // Whether its own job ends the program that it runs, and who gets then what waits for it.
    bool removed(const UserProcess& process) const { return place_of(process).life.removed(); }
    bool successor_receives(const UserProcess& process) const
    {
        return place_of(process).life.successor_receives();
    }
    // Odd while it waits for others to end; only counts upwards.
    std::uint32_t ends_epoch(const UserProcess& process) const
    {
        return place_of(process).ends_epoch.load(std::memory_order_acquire);
    }

    // The calls. Errors: not_permitted, bad_node, bad_process, pid_in_use, not_found, bad_executable,
    // bad_argument, no_memory; interrupted, killed, and closed when there is nobody to wait for.
    // The words are a program's name and its arguments, with zeros between them.
    Result<std::uint64_t> load(UserProcess& caller, std::string_view words, Chosen chosen);
    // What load has placed begins.
    void start(Chosen chosen);
    Result<void> wait_for_all(UserProcess& caller, Chosen chosen);
    struct Ended {
        int status;
        int node;
        int pid;
    };
    Result<Ended> wait_for_one(UserProcess& caller, Chosen chosen);
    // Messages that wait for the killed stay for their successors, or are forgotten.
    Result<void> kill(UserProcess& caller, Chosen chosen, messaging::Waiting messages);
    Result<void> set_pid(UserProcess& caller, int pid);
    // A handler of this process is due: if it waits for ends, it looks up.
    void look_again(UserProcess& process);

private:
    struct Place {
        ProgramLife life;
        std::atomic<std::uint32_t> ends_epoch{0};
    };

    Place& place_of(const UserProcess& process) const;
    template <class Visit>
    void each(Chosen chosen, const UserProcess* except, Visit visit);
    template <class Done>
    Result<void> wait_until(UserProcess& caller, bool for_handlers, Done done);
    bool remove(UserProcess& caller, UserProcess& process, messaging::Waiting messages);
    void forget_messages(Chosen chosen);
    bool none_runs(UserProcess& caller, Chosen chosen);
    Result<unsigned> row_for(int pid);
    Result<void> check_places(unsigned row, int node);
    Loaded<void> place_program(unsigned row, Chosen chosen, std::string_view file, std::string_view rest);
    void end_of_all();

    static constexpr unsigned max_rows = PARLEY_MAX_PIDS;

    Job& job_;
    std::span<Place> places_;
    SpinLock lock_;
    unsigned running_ GUARDED_BY(lock_) = 0;
    unsigned waiting_ GUARDED_BY(lock_) = 0; // for ends: mostly nobody, and then an end looks at nobody
    std::atomic<bool> over_{false};
    std::atomic<bool> loading_{false}; // one at a time
    int pid_of_row_[max_rows] = {}; // plus 1, where a program brought a pid of its own; guarded by loading_
};

} // namespace parley::kernel
