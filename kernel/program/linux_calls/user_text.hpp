// SPDX-License-Identifier: MIT
// A path in user memory, fetched into the kernel's. At most one fault per page: nothing behind the text's end
// is touched beyond the page it ends in.
#pragma once

#include "base/address.hpp"
#include "kernel/program/linux_errno.hpp"

#include <cstddef>
#include <expected>
#include <string_view>

namespace parley::kernel::linux_calls {

class UserText {
public:
    static constexpr std::size_t max_bytes = 511;

    static std::expected<UserText, LinuxValue> fetch(UserAddress from);
    std::string_view view() const { return {text_, length_}; }

private:
    UserText() = default;

    std::size_t length_ = 0;
    char text_[max_bytes + 1];
};

} // namespace parley::kernel::linux_calls
