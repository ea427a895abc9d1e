// SPDX-License-Identifier: MIT
// Which kind of dispatch this kernel was built with; dispatch_virtual.cpp or dispatch_static.cpp is linked.
#pragma once

#include "messaging/design.hpp"

#include <string_view>

namespace parley::kernel {

std::string_view dispatch_name();
// Whether kernel and user-level library can compose that design.
bool is_composed(const messaging::Design& design);

} // namespace parley::kernel
