// SPDX-License-Identifier: MIT
// Where a traced library writes: behind the part of the shared region that programs know, one buffer a
// process. The kernel reads them when the job has ended.
#pragma once

#include "kernel/base/trace_buffer.hpp"
#include "userlib/library/region_words.hpp"

#include "platform.hpp"

namespace parley::library::trace {

inline constexpr std::uint64_t capacity = trace_capacity(PARLEY_TRACE_LIBRARY_BYTES);

// Null: the kernel does not trace.
inline TraceBuffer* buffer_of(unsigned endpoint)
{
    const std::uintptr_t base = trace_base();
    return base == 0
               ? nullptr
               : reinterpret_cast<TraceBuffer*>(base + endpoint * std::uintptr_t{PARLEY_TRACE_LIBRARY_BYTES});
}

} // namespace parley::library::trace
