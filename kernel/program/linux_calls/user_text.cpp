// SPDX-License-Identifier: MIT
#include "kernel/program/linux_calls/user_text.hpp"

#include "kernel/user_copy.hpp"

#include <algorithm>

namespace parley::kernel::linux_calls {

std::expected<UserText, LinuxValue> UserText::fetch(UserAddress from)
{
    UserText text;
    std::size_t fetched = 0;
    while (fetched < sizeof text.text_) {
        const std::uintptr_t start = from.value + fetched;
        const std::size_t piece = std::min(sizeof text.text_ - fetched, page_bytes - start % page_bytes);
        const auto copied = copy_from_user(text.text_ + fetched, {start}, piece);
        if (!copied)
            return std::unexpected(linux_value(copied.error()));
        const char* end = text.text_ + fetched + piece;
        const char* nul = std::find(static_cast<const char*>(text.text_ + fetched), end, '\0');
        if (nul != end) {
            text.length_ = static_cast<std::size_t>(nul - text.text_);
            return text;
        }
        fetched += piece;
    }
    return std::unexpected(linux_error::name_too_long);
}

} // namespace parley::kernel::linux_calls
