// SPDX-License-Identifier: MIT
// Where a traced library writes: behind the part of the shared region that programs know, one buffer a
// process. The kernel or nxrun, whichever made the job, reads them when it has ended.
#pragma once

#include "base/trace_buffer.hpp"
#include "userlib/library/region_words.hpp"

#include "platform.hpp"

namespace parley::library::trace {

// How many records each buffer has room for.
inline std::uint64_t capacity() { return trace_capacity(trace_bytes()); }

// Null: nobody traces.
inline TraceBuffer* buffer_of(unsigned endpoint)
{
    const std::uintptr_t base = trace_base();
    return base == 0 ? nullptr : reinterpret_cast<TraceBuffer*>(base + endpoint * trace_bytes());
}

} // namespace parley::library::trace
