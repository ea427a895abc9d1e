// SPDX-License-Identifier: MIT
// What a process has left without receiving it, in words and for the record. It is read from what the
// message system has noted, where programs may have written. Reports of ended jobs use it, in the kernel
// and on Linux.
#pragma once

#include "base/text.hpp"
#include "messaging/unreceived.hpp"

namespace parley::jobs {

// The word for it in a record; "" if a program has overwritten it with something else.
std::string_view word_of(messaging::Unreceived::Kind kind);

// "type 5, 100 bytes, from node 0: never received (3 times)"
void describe_unreceived(TextWriter& text, const messaging::Unreceived::Item& left);
// Writes how many more there were. Nothing else is known of these, because the list was full.
void describe_more_unreceived(TextWriter& text, std::uint64_t count);

} // namespace parley::jobs
