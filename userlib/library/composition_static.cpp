// SPDX-License-Identifier: MIT
// Static dispatch in the user-level library: every named row, in user location.
#include "messaging/static_composition.hpp"

#include <array>

namespace parley::messaging {

namespace {

consteval auto in_user_location()
{
    std::array<Row, std::size(design_rows)> rows{};
    for (std::size_t index = 0; index < rows.size(); ++index) {
        rows[index] = design_rows[index];
        rows[index].design.location = UserLocation::name;
    }
    return rows;
}

constexpr auto user_rows = in_user_location();

} // namespace

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_among<user_rows>(memory, bytes, options);
}

} // namespace parley::messaging
