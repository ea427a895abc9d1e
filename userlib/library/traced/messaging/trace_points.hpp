// SPDX-License-Identifier: MIT
// In a traced library: what happens in the message system of the shared region. As
// messaging/trace_points.hpp. A message is numbered by the place of its send in its sender's buffer.
#pragma once

#include "messaging/binding.hpp"

#include <cstdint>

namespace parley::messaging {

class Message;
struct WaitDetails;

namespace trace {

inline constexpr bool is_on = true;

// All calls go the full way, on which each message has memory of its own that says all of it.
inline void bind(Binding& binding) { binding.send_nothing_eagerly(); }

void sending(Message& message);
void carried(Message& message, unsigned source, std::uint32_t stamp);
void matched(const Message& message);
void received(const Message& message);
void waiting(unsigned endpoint, const WaitDetails& details);
void resumed(unsigned endpoint);

} // namespace trace

} // namespace parley::messaging
