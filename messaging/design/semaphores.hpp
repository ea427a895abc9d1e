// SPDX-License-Identifier: MIT
// The kinds of semaphores that a job can have, as users write them, SEMAPHORE=policy-1:300ms, and the disks
// to which the pages of waiting processes go, DISK=fixed-head. They are read and refused like the classes of
// a design, but are no part of a design.
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

// The disk that takes no time for pages, and that a job has if nothing is said.
inline constexpr std::string_view no_disk = "none";

// Reads a disk. The answer is empty on success; the name is then "none", or "fixed-head" with its values.
FixedString parse_disk(std::string_view text, LeafChoice& disk);
// Writes a disk with every argument: "fixed-head:16670us:4".
FixedString canonical_disk(const LeafChoice& disk);
// The one kind of disk that there is, with its arguments.
LeafInfo fixed_head_disks();

} // namespace parley::messaging
