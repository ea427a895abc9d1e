// SPDX-License-Identifier: MIT
#include "kernel/report/dispatch.hpp"

namespace parley::kernel {

std::string_view dispatch_name() { return "static"; }

// The named rows, and in the library each of them in user location.
bool is_composed(const messaging::Design& design)
{
    for (const messaging::Row& row : messaging::rows()) {
        messaging::Design composed = row.design;
        if (messaging::traits_of(design).in_user)
            composed.location = design.location;
        if (composed == design)
            return true;
    }
    return false;
}

} // namespace parley::kernel
