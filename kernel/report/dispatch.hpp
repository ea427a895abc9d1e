// SPDX-License-Identifier: MIT
// Which kind of dispatch this kernel and the user-level library were built with; dispatch_virtual.cpp or
// dispatch_static.cpp is linked.
#pragma once

#include "messaging/design/design.hpp"

#include <string_view>

namespace parley::kernel {

std::string_view dispatch_name();
// Whether messaging::create() composes that design, in the kernel or in the user-level library.
bool composes(const messaging::Design& design);

} // namespace parley::kernel
