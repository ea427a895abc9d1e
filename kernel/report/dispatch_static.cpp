// SPDX-License-Identifier: MIT
#include "kernel/report/dispatch.hpp"

namespace parley::kernel {

std::string_view dispatch_name() { return "static"; }

bool composes(const messaging::Design& design) { return messaging::has_static_row(design); }

} // namespace parley::kernel
