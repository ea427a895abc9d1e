// SPDX-License-Identifier: MIT
// What a program is told of its place in the job.
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "interface/trace.h"
#include "kernel/job/job_builder.hpp"

#include "kernel/trace_points.hpp"

namespace parley::kernel {

parley_start JobBuilder::start_info(const UserProcess& process) const
{
    parley_start start{};
    start.version = PARLEY_START_VERSION;
    start.node = process.node;
    start.nodes = static_cast<int>(job_.configuration().nodes);
    start.pid = job_.cube().roster().pid_of(process.endpoint);
    parts_.location->describe(start);
    start.capabilities = messaging::capabilities_of(parts_.design);
    start.shares_processor = process.shares_processor();
    start.pause = arch::pause_wanted;
    start.messages_proxy = process.messages_proxy;
    start.results_proxy = process.results_proxy;
    start.process_proxy = process.process_proxy;
    start.processors = static_cast<int>(kernel_.processors);
    start.host = job_.configuration().host;
    start.job_proxy = process.job_proxy;
    start.gangs_proxy = process.gangs_proxy;
    start.endpoint = process.endpoint;
    start.endpoints = endpoint_count();
    start.shared_base = PARLEY_SHARED_BASE;
    start.shared_bytes = parts_.shared->bytes() - trace_area() - PARLEY_SEMAPHORE_AREA;
    start.trace_base = trace_area() != 0 ? start.shared_base + start.shared_bytes : 0;
    start.trace_bytes = trace::on ? PARLEY_TRACE_LIBRARY_BYTES : 0;
    start.clock_hertz = arch::clock_hertz();
    start.clock_start = arch::clock_start();
    const messaging::FixedString canonical = messaging::canonical(parts_.design);
    canonical.text().copy(start.design, sizeof start.design - 1);
    start.semaphores_proxy = process.semaphores_proxy;
    const messaging::FixedString kind = messaging::canonical_semaphore(parts_.semaphore_kind->choice());
    kind.text().copy(start.semaphore, sizeof start.semaphore - 1);
    return start;
}

} // namespace parley::kernel
