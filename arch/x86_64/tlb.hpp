// SPDX-License-Identifier: MIT
// How other processors are made to forget translations that they may still hold.
#pragma once

#include "base/address.hpp"

namespace parley::arch {

// As shoot_down_translations(), for those of one address space: asks nobody where no other processor runs in
// it.
void shoot_down_translations_of(PhysAddr space);

// Returns when no processor holds a translation older than this call. Takes interrupts while it waits: call
// it without locks.
void shoot_down_translations();

} // namespace parley::arch
