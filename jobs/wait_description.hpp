// SPDX-License-Identifier: MIT
// What a process waits for, in words. It is read from the process's record, where programs may have
// written, and without any lock. Watchers of jobs use it, in the kernel and on Linux.
#pragma once

#include "base/text.hpp"
#include "messaging/message/message.hpp"
#include "messaging/wait_record.hpp"

#include <cstdint>

namespace parley::jobs {

// "crecv(selector 5, from any node) waits for a message"
void describe_wait(TextWriter& text, const messaging::WaitRecord& record);

// A message that has come to that process and does not end its wait: "type 3, 8 bytes, from node 1:
// another type is asked for".
void describe_unmatched(TextWriter& text, const messaging::Message& message,
                        const messaging::WaitRecord& record, int from_node);

// Whether its process waits for an event that has not been signalled since the process looked. The epoch
// only grows: if it is the same at two looks at all processes of a job, and all of them wait so, then all
// waited at the moment between the looks. None can ever go on then, because only they could signal each
// other.
bool waits_unsignalled(const messaging::WaitRecord& record, std::uint32_t& epoch);

} // namespace parley::jobs
