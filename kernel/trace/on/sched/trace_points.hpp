// SPDX-License-Identifier: MIT
// In a traced kernel: what the scheduler does. As sched/trace_points.hpp.
#pragma once

namespace parley::sched {

class Gang;
class Process;

namespace trace {

void switching(const Process& from, const Process& to);
void blocking(const Process& self);
void waking(const Process& process);
void interrupt_begins();
void interrupt_ends();
void gang_scheduled(const Gang& gang);
void gang_begun(const Gang& gang);
void gang_collected(const Gang& gang);
void gang_freed(const Gang& gang);

} // namespace trace

} // namespace parley::sched
