// SPDX-License-Identifier: MIT
// The kinds of semaphores that a job can have, as users write them: SEMAPHORE=policy-1:300ms. They are read
// and refused like the classes of a design, but no part of one.
#pragma once

#include "messaging/design/design.hpp"

namespace parley::messaging {

// What a job has that says nothing.
inline constexpr std::string_view standard_semaphore = "kernel";

// All that this build knows, in the order in which they are listed.
std::span<const LeafInfo> semaphores();
// Empty on success; `kind` is then complete.
FixedString parse_semaphore(std::string_view text, LeafChoice& kind);
// With every argument: "policy-1:300ms:2".
FixedString canonical_semaphore(const LeafChoice& kind);

} // namespace parley::messaging
