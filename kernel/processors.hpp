// SPDX-License-Identifier: MIT
// The machine's processors. Those that run jobs have the numbers from 0 on; where there is one more, it is
// the service processor, which keeps the time so that no tick lands on the others. Each has a block, which
// assembly knows, and a dispatcher. The boot fills this in; after that nothing here changes.
#pragma once

#include "arch/x86_64/processor.hpp"
#include "sched/dispatcher.hpp"
#include "sched/server_set.hpp"

namespace parley::kernel {

class Processors {
public:
    Processors() = default;
    Processors(const Processors&) = delete;

    // ---- called by the boot, while only one processor runs

    // How many of the machine's processors run jobs. Called once, before all others here.
    void set_count(unsigned count) { count_ = count; }
    void set_block(unsigned id, arch::Processor& block) { blocks_[id] = &block; }
    // The processor that boots, whose block is that of processor 0, becomes the service processor: it gets
    // the number after those that run jobs.
    void make_first_service_processor();
    void set_dispatcher(unsigned id, sched::Dispatcher& dispatcher);

    // ---- called by everybody, on any processor

    // How many run jobs.
    unsigned count() const { return count_; }
    bool has_service_processor() const { return has_service_processor_; }
    // How many there are with the service processor.
    unsigned all() const { return count_ + (has_service_processor_ ? 1 : 0); }
    // The number of the one that keeps the time.
    unsigned timekeeper() const { return has_service_processor_ ? count_ : 0; }

    arch::Processor& block(unsigned id) const { return *blocks_[id]; }
    sched::Dispatcher& dispatcher(unsigned id) const { return *dispatchers_[id]; }
    // The dispatchers of those that run jobs, and of the service processor.
    const sched::ServerSet& servers() const { return servers_; }
    const sched::ServerSet& service_server() const { return service_server_; }

    // If another processor runs the process, it is woken, and looks at the process's pending work.
    void wake_where_it_runs(const sched::Process& process) const;
    // Processors that are idle look for work; the others are asked to decide again who runs.
    void decide_again() const;

private:
    unsigned count_ = 0;
    bool has_service_processor_ = false;
    arch::Processor* blocks_[arch::max_processors + 1] = {};
    sched::Dispatcher* dispatchers_[arch::max_processors + 1] = {}; // debuggers look here
    sched::ServerSet servers_;
    sched::ServerSet service_server_;
};

} // namespace parley::kernel
