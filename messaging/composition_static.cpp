// SPDX-License-Identifier: MIT
// Static dispatch in the kernel: the rows whose system lives there.
#include "messaging/design/rows.hpp"
#include "messaging/static_composition.hpp"

#include <algorithm>

namespace parley::messaging {

namespace {

constexpr bool is_in_kernel(const Preset& row) { return row.design.location.name == KernelLocation::name; }

constexpr auto kernel_rows = [] {
    std::array<Preset, std::ranges::count_if(design_rows, is_in_kernel)> rows{};
    std::ranges::copy_if(design_rows, rows.begin(), is_in_kernel);
    return rows;
}();

} // namespace

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_among<kernel_rows>(memory, bytes, options);
}

} // namespace parley::messaging
