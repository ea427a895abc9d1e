// SPDX-License-Identifier: MIT
// Static dispatch in the user-level library: every row, in user location.
#include "messaging/design/rows.hpp"
#include "messaging/static_composition.hpp"

namespace parley::messaging {

namespace {

consteval auto in_user_location()
{
    auto rows = design_rows;
    for (Preset& row : rows)
        row.design.location = UserLocation::name;
    return rows;
}

constexpr auto user_rows = in_user_location();

} // namespace

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_among<user_rows>(memory, bytes, options);
}

} // namespace parley::messaging
