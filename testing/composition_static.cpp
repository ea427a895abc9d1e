// SPDX-License-Identifier: MIT
// Static dispatch for tests on the host: every row, wherever its system lives.
#include "messaging/design/rows.hpp"
#include "messaging/static_composition.hpp"

namespace parley::messaging {

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_among<design_rows>(memory, bytes, options);
}

} // namespace parley::messaging
