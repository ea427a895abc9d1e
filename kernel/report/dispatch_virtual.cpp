// SPDX-License-Identifier: MIT
#include "kernel/report/dispatch.hpp"

namespace parley::kernel {

std::string_view dispatch_name() { return "virtual"; }

bool composes(const messaging::Design&) { return true; }

} // namespace parley::kernel
