// SPDX-License-Identifier: MIT
// In a traced kernel: what happens in the message systems that live in the kernel. As
// messaging/trace_points.hpp.
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
// All nodes of a kernel's job are on its own machine.
inline void carried(Message&, unsigned, std::uint32_t) { }
void matched(const Message& message);
void received(const Message& message);
void waiting(unsigned endpoint, const WaitDetails& details);
void resumed(unsigned endpoint);

} // namespace trace

} // namespace parley::messaging
