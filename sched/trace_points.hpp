// SPDX-License-Identifier: MIT
// Where the scheduler can be watched. Here nobody watches, and nothing is left of these calls; a traced
// kernel finds another header of this name first on its include path (kernel/trace/on).
#pragma once

namespace parley::sched {

class Gang;
class Process;

namespace trace {

// A processor changes from one process to another.
inline void switching(const Process&, const Process&) { }
// The running process goes to sleep.
inline void blocking(const Process&) { }
// The running process makes another one ready.
inline void waking(const Process&) { }
// A device's service routine begins, and ends, on this processor.
inline void interrupt_begins() { }
inline void interrupt_ends() { }
// A gang is queued, its first processor has come, its last one has, its last member has ended.
inline void gang_scheduled(const Gang&) { }
inline void gang_begun(const Gang&) { }
inline void gang_collected(const Gang&) { }
inline void gang_freed(const Gang&) { }

} // namespace trace

} // namespace parley::sched
