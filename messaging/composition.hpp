// SPDX-License-Identifier: MIT
// From a design to a running message system. composition_virtual.cpp composes any design with virtual
// dispatch; a composition_static.cpp, linked in its place, composes some with static dispatch
// (design/rows.hpp).
#pragma once

#include "messaging/design/design.hpp"
#include "messaging/location.hpp"
#include "messaging/message_system.hpp"

namespace parley::messaging {

struct SystemOptions {
    Design design;
    unsigned nodes;
    // processes a node; the endpoint of (node, pid) is pid * nodes + node, then comes the host's, then
    // helpers
    unsigned pids = 1;
    // where nx_alloc's blocks lie; page-aligned, and better aligned to Blocks::max_alignment
    SharedRange blocks{};
    bool host = false; // a process that is on no node; its node number is `nodes`
    // What the Transport is told beside the design's arguments, by whoever starts the job; 0: nothing. Only
    // that Transport knows what it means.
    std::uint64_t setting = 0;
};

// One for each program, and then one for each helper.
constexpr unsigned endpoint_count(unsigned helpers, unsigned nodes, unsigned pids, bool host = false)
{
    return nodes * pids + (host ? 1 : 0) + helpers;
}

// Composes a system in `memory`, which is page-aligned and reads as zero once populated; the array of
// WaitRecords, one an endpoint, is at its start. What the system itself does not need is the budget for
// message buffers. The system is never destroyed: close all endpoints, then let go of the memory. Errors:
// no_memory, bad_argument (larger than interface/limits.h), not_found (a design that this build does
// not contain).
Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options);

// How much memory create() needs so that at least `budget` bytes are left for message buffers.
std::size_t system_bytes(unsigned endpoints, std::size_t budget, const SharedRange& blocks);

} // namespace parley::messaging
