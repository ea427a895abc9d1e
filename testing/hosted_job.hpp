// SPDX-License-Identifier: MIT
// A job of threads under one design: constructs its message system, gives every process a thread, and ends
// like a kernel does: lingering, closing, counting what is left. A job that does not end in time is killed
// and fails; the time is fair_time.hpp's.
#pragma once

#include "arch/hosted/hosted.hpp"
#include "messaging/composition.hpp"
#include "testing/calling_process.hpp"
#include "testing/fair_time.hpp"
#include "testing/mapped_memory.hpp"
#include "testing/semaphore_waits.hpp"

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace parley::testing {

struct JobOptions {
    messaging::Design design;
    unsigned nodes = 2;
    std::size_t system_bytes = 64 << 20;
    std::size_t shared_bytes = 32 << 20;
    unsigned seconds = 60; // without the end of any of its processes, where the host lets all run
};

class HostedJob {
public:
    explicit HostedJob(const JobOptions& options);

    // Runs `program` once for each node, to the end of all. Answers what went wrong, one sentence a line; ""
    // when nothing did.
    std::string run(const std::function<void(behaviours::TestProcess&)>& program);

    messaging::MessageSystem& system() { return *system_; }
    // What its processes have waited by semaphores, where its design says so.
    parley_semaphore_counts semaphore_counts() const { return waits_.counts(); }
    // Kills a process, also one that is still to begin.
    void kill(unsigned endpoint);
    void note(const std::string& failure);

private:
    unsigned endpoints() const
    {
        return static_cast<unsigned>(processes_.size()) - waits_.policy_processes();
    }
    void run_process(unsigned number, const std::function<void(behaviours::TestProcess&)>& program);
    void live(unsigned endpoint, const std::function<void(behaviours::TestProcess&)>& program);
    void kill_all_when_late();
    std::string failures();

    JobOptions options_;
    messaging::DesignTraits traits_;
    MappedMemory memory_;
    MappedMemory shared_;
    messaging::MessageSystem* system_ = nullptr;
    SemaphoreWaits waits_;
    std::mutex mutex_;                              // guards what follows
    std::vector<hosted::ProcessThread*> processes_; // by endpoint, then policy processes
    std::vector<bool> killed_early_;                // before its thread had begun
    std::set<std::string> failures_;
    FairTime time_;
    unsigned ended_ = 0;
};

} // namespace parley::testing
