// SPDX-License-Identifier: MIT
// Static dispatch in the user-level library: every named preset, in user location.
#include "messaging/static_composition.hpp"

#include <array>

namespace parley::messaging {

namespace {

consteval auto in_user_location()
{
    std::array<Preset, std::size(design_presets)> presets{};
    for (std::size_t index = 0; index < presets.size(); ++index) {
        presets[index] = design_presets[index];
        presets[index].design.location = UserLocation::name;
    }
    return presets;
}

constexpr auto user_rows = in_user_location();

} // namespace

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_among<user_rows>(memory, bytes, options);
}

} // namespace parley::messaging
