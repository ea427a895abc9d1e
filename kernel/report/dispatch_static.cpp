// SPDX-License-Identifier: MIT
#include "kernel/report/dispatch.hpp"

namespace parley::kernel {

std::string_view dispatch_name() { return "static"; }

bool kernel_composes(const messaging::Design& design)
{
    for (const messaging::Row& row : messaging::rows())
        if (messaging::same_classes(row.design, design))
            return true;
    return false;
}

// Each of the named rows, in the library's own location.
bool library_composes(const messaging::Design& design)
{
    for (const messaging::Row& row : messaging::rows()) {
        messaging::Design composed = row.design;
        composed.location = design.location;
        if (messaging::same_classes(composed, design))
            return true;
    }
    return false;
}

} // namespace parley::kernel
