// SPDX-License-Identifier: MIT
// What the scheduler asks of a processor. Each port offers these operations in a header `cpu.hpp` of its own,
// found through the include path: arch/x86_64 for the kernel, and the explorer, where processors are
// parties. All are called with interrupts off.
#pragma once

#include "arch/execution_state.hpp"

#include "cpu.hpp"

#include <concepts>

namespace parley::arch {

static_assert(requires(Processor& processor, ExecutionState& from, const ExecutionState& to, void* object) {
    // The processor that runs this begins to be dispatched: which object does it, and what runs there now.
    { begin_dispatching(processor, object, object) } -> std::same_as<void>;
    // The object that begin_dispatching() was given on the processor that runs this.
    { local_dispatcher() } -> std::same_as<void*>;
    // What runs here: as begin_dispatching() or the last switch_execution() said. Right even if the caller is
    // moved to another processor while it asks.
    { current_process() } -> std::same_as<void*>;
    // Save in `from` what runs here, which has been running there since it was loaded, and go on with `to`,
    // whose saving has ended, as `object`. Returns when somebody loads `from` again, perhaps on another
    // processor.
    { switch_execution(processor, from, to, object) } -> std::same_as<void>;
    // Interrupt this processor periodically, or no more.
    { start_ticks(std::uint64_t{}) } -> std::same_as<void>;
    { stop_ticks() } -> std::same_as<void>;
    // Sleep until an interrupt has come; one that came since interrupts were last on is not missed.
    { wait_for_interrupt() } -> std::same_as<void>;
    // Interrupt another processor. From any.
    { wake_processor(processor) } -> std::same_as<void>;
});

} // namespace parley::arch
