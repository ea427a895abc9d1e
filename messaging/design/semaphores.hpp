// SPDX-License-Identifier: MIT
// The kinds of semaphores that a job can have, as users write them, SEMAPHORE=policy-1:300ms, and the disks
// that the pages of who waits go to, DISK=fixed-head. They are read and refused like the classes of a design,
// but no part of one.
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

// What takes no time for pages, and is meant where nothing is said.
inline constexpr std::string_view no_disk = "none";

// Empty on success; the name is then `none`, or "fixed-head" with its values.
FixedString parse_disk(std::string_view text, LeafChoice& disk);
// With every argument: "fixed-head:16670us:4".
FixedString canonical_disk(const LeafChoice& disk);
// The one that there is.
LeafInfo fixed_head_disks();

} // namespace parley::messaging
