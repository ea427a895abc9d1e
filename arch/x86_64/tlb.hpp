// SPDX-License-Identifier: MIT
// How other processors are made to forget translations that they may still hold.
#pragma once

namespace parley::arch {

// Returns when no processor holds a translation older than this call. Takes interrupts while it waits: call
// it without locks.
void shoot_down_translations();

} // namespace parley::arch
