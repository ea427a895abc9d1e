// SPDX-License-Identifier: MIT
#include "kernel/program/path.hpp"

#include <cstring>

namespace parley::kernel {

std::expected<Path, LinuxValue> Path::from(std::string_view text)
{
    if (text.empty())
        return std::unexpected(linux_error::no_entry);
    Path path;
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = at;
        while (end < text.size() && text[end] != '/')
            ++end;
        const std::string_view part(text.data() + at, end - at);
        at = end + 1;
        if (part.empty() || part == ".")
            continue;
        if (part == "..")
            return std::unexpected(linux_error::access);
        const std::size_t separator = path.length_ == 0 ? 0 : 1;
        if (path.length_ + separator + part.size() > max_bytes)
            return std::unexpected(linux_error::name_too_long);
        if (separator != 0)
            path.text_[path.length_++] = '/';
        std::memcpy(path.text_ + path.length_, part.data(), part.size());
        path.length_ += part.size();
    }
    return path;
}

} // namespace parley::kernel
