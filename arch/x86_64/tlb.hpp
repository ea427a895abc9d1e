// SPDX-License-Identifier: MIT
// Translations that other processors may still hold.
#pragma once

namespace parley::arch {

// Returns when no processor holds a translation older than this call. Takes interrupts while it waits: call
// it without locks.
void shoot_down_translations();

} // namespace parley::arch
