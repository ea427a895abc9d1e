// SPDX-License-Identifier: MIT
// What a process has left that it never received, in words and for the record: by what the message system has
// noted, which programs may have written to. For whoever tells of a job that has ended, on a machine of its
// own or on Linux.
#pragma once

#include "base/text.hpp"
#include "messaging/unreceived.hpp"

namespace parley::jobs {

// The one word of it in a record; "" where a program has written something else there.
std::string_view word_of(messaging::Unreceived::Kind kind);

// "type 5, 100 bytes, from node 0: never received (3 times)"
void describe_unreceived(TextWriter& text, const messaging::Unreceived::Entry& left);
// Says how many more there were, of which nothing else is known: the list had no place for them.
void describe_more_unreceived(TextWriter& text, std::uint64_t count);

} // namespace parley::jobs
