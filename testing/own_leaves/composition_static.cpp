// SPDX-License-Identifier: MIT
// Static dispatch for leaves that only a test composes.
#include "messaging/static_composition.hpp"

namespace parley::messaging {

namespace {

constexpr Preset own_presets[] = {
    {"limited",
     {"kernel", "heavy", "asynchronous", "circular", "buffered", "spinlock", {"limited", {9, 99}}}},
    {"all", {"piecewise", "paired", "paced", "stacked", "divided", "patient", "wiped"}},
};

} // namespace

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_among<own_presets>(memory, bytes, options);
}

} // namespace parley::messaging
