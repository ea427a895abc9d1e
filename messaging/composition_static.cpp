// SPDX-License-Identifier: MIT
// Static dispatch in the kernel and on Linux: the named presets.
#include "messaging/static_composition.hpp"

namespace parley::messaging {

Result<MessageSystem*> create(std::byte* memory, std::size_t bytes, const SystemOptions& options)
{
    return create_among<design_presets>(memory, bytes, options);
}

} // namespace parley::messaging
