// SPDX-License-Identifier: MIT
#include "kernel/report/dispatch.hpp"

namespace parley::kernel {

std::string_view dispatch_name() { return "virtual"; }

bool is_composed(const messaging::Design&) { return true; }

} // namespace parley::kernel
