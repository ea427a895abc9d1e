// SPDX-License-Identifier: MIT
// Where the message system can be watched. Here nobody watches, and nothing is left of these calls; traced
// builds find other headers of this name first on their include path (below kernel/trace/on/ and
// userlib/library/traced/).
#pragma once

#include <cstdint>

namespace parley::messaging {

struct Binding;
class Message;
struct WaitDetails;

namespace trace {

// Whether somebody watches: then Active Messages have memory of their own, too.
inline constexpr bool is_on = false;

// Narrows the short ways of every process, as factors do: who watches wants each message's own memory.
inline void bind(Binding&) { }

// A message is about to be put on its way; it is still its sender's.
inline void sending(Message&) { }
// The message has come from another machine, with its sender's endpoint and its stamp there; here a helper
// sends it.
inline void carried(Message&, unsigned, std::uint32_t) { }
// The message has found the receive that it is for.
inline void matched(const Message&) { }
// The message's bytes have come to where they should.
inline void received(const Message&) { }
// The process of an endpoint begins to wait, spinning or blocked, and goes on.
inline void waiting(unsigned, const WaitDetails&) { }
inline void resumed(unsigned) { }

} // namespace trace

} // namespace parley::messaging
