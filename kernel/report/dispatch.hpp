// SPDX-License-Identifier: MIT
// Which kind of dispatch this kernel and the user-level library were built with; dispatch_virtual.cpp or
// dispatch_static.cpp is linked.
#pragma once

#include "messaging/design/design.hpp"

#include <string_view>

namespace parley::kernel {

std::string_view dispatch_name();
// Whether messaging::create() in the kernel composes that design.
bool kernel_composes(const messaging::Design& design);
// Whether messaging::create() in the user-level library composes it.
bool library_composes(const messaging::Design& design);

} // namespace parley::kernel
