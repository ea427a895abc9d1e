// SPDX-License-Identifier: MIT
// The kinds of semaphores that a job can have, as users write them: SEMAPHORE=policy-1:300ms. They are read
// and refused like the classes of a design, but are no part of a design.
#pragma once

#include "messaging/design/design.hpp"

namespace parley::messaging {

// The kind that a job has if nothing is said.
inline constexpr std::string_view standard_semaphore = "kernel";

// All kinds that this build knows, in the order in which they are listed.
std::span<const LeafInfo> semaphores();
// Reads a kind. The answer is empty on success; `kind` is then complete.
FixedString parse_semaphore(std::string_view text, LeafChoice& kind);
// Writes a kind with every argument: "policy-1:300ms:2".
FixedString canonical_semaphore(const LeafChoice& kind);

} // namespace parley::messaging
