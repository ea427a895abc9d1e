// SPDX-License-Identifier: MIT
#include "kernel/report/dispatch.hpp"

namespace parley::kernel {

std::string_view dispatch_name() { return "static"; }

bool kernel_composes(const messaging::Design& design)
{
    for (const messaging::Preset& preset : messaging::presets())
        if (messaging::same_classes(preset.design, design))
            return true;
    return false;
}

// Each of the named presets, in the library's own location.
bool library_composes(const messaging::Design& design)
{
    for (const messaging::Preset& preset : messaging::presets()) {
        messaging::Design composed = preset.design;
        composed.location = design.location;
        if (messaging::same_classes(composed, design))
            return true;
    }
    return false;
}

} // namespace parley::kernel
