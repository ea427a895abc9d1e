// SPDX-License-Identifier: MIT
// Which kind of dispatch this kernel was built with; dispatch_virtual.cpp or dispatch_static.cpp is linked.
#pragma once

#include <string_view>

namespace parley::kernel {

std::string_view dispatch_name();

} // namespace parley::kernel
