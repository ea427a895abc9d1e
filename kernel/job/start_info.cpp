// SPDX-License-Identifier: MIT
#include "kernel/job/start_info.hpp"

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "interface/semaphores.h"
#include "interface/trace.h"
#include "kernel/process/user_process.hpp"
#include "messaging/design/semaphores.hpp"

#include "kernel/trace_points.hpp"

#include <algorithm>

namespace parley::kernel {

StartInfo::StartInfo(const JobConfiguration& job, const JobFactors& factors, const JobMemory& memory,
                     const messaging::LeafChoice& semaphore, const jobs::Roster& roster, unsigned processors,
                     const ClusterTable& clusters)
    : all_{}, roster_(roster)
{
    const std::size_t traces = factors.trace_bytes();
    all_.version = PARLEY_START_VERSION;
    all_.nodes = static_cast<int>(job.nodes);
    factors.system_home().describe(all_);
    all_.capabilities = messaging::capabilities_of(factors.design());
    all_.pause = arch::pause_wanted;
    all_.processors = static_cast<int>(processors);
    if (clusters.number != 0) {
        const unsigned needed = (processors + clusters.processors - 1) / clusters.processors;
        all_.clusters = std::min(needed, clusters.number);
        all_.cluster_processors = clusters.processors;
        all_.clusters_have_memory = clusters.memory_bytes != 0;
    }
    all_.host = job.host;
    all_.endpoints = factors.endpoints();
    all_.shared_base = PARLEY_SHARED_BASE;
    all_.shared_bytes = memory.region()->bytes() - traces - PARLEY_SEMAPHORE_AREA;
    all_.trace_base = traces != 0 ? all_.shared_base + all_.shared_bytes : 0;
    all_.trace_bytes = trace::on ? PARLEY_TRACE_LIBRARY_BYTES : 0;
    all_.clock_hertz = arch::clock_hertz();
    all_.clock_start = arch::clock_start();
    const messaging::FixedString design = messaging::canonical(factors.design());
    design.text().copy(all_.design, sizeof all_.design - 1);
    const messaging::FixedString kind = messaging::canonical_semaphore(semaphore);
    kind.text().copy(all_.semaphore, sizeof all_.semaphore - 1);
}

parley_start StartInfo::of(const UserProcess& process) const
{
    parley_start start = all_;
    start.node = process.node();
    start.pid = roster_.pid_of(process.endpoint());
    start.endpoint = process.endpoint();
    start.shares_processor = process.shares_processor();
    start.messages_proxy = process.proxies().of(ObjectClass::messages);
    start.results_proxy = process.proxies().of(ObjectClass::results);
    start.process_proxy = process.proxies().of(ObjectClass::process);
    start.gangs_proxy = process.proxies().of(ObjectClass::gangs);
    start.job_proxy = process.proxies().of(ObjectClass::job);
    start.semaphores_proxy = process.proxies().of(ObjectClass::semaphores);
    return start;
}

} // namespace parley::kernel
