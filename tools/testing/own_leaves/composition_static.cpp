// SPDX-License-Identifier: MIT
// Static dispatch for the test of leaves with arguments: exp6 with the leaf of this folder.
#include "messaging/static_composition.hpp"

namespace parley::messaging {

namespace {

constexpr Row limited_rows[] = {
    {"limited",
     {"kernel", "heavy", "asynchronous", "circular", "buffered", "spinlock", {"limited", {9, 99}}}},
};

} // namespace

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_among<limited_rows>(memory, bytes, options);
}

} // namespace parley::messaging
