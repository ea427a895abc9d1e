// SPDX-License-Identifier: MIT
#include "kernel/program/path.hpp"

#include <cstring>

namespace parley::kernel {

std::expected<Path, LinuxValue> Path::from(std::string_view text, std::string_view folder)
{
    if (text.empty())
        return std::unexpected(linux_error::no_entry);
    Path path;
    if (!text.starts_with('/') && !folder.empty() && path.add(folder) < 0)
        return std::unexpected(linux_error::name_too_long);
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
            path.leave();
        else if (path.add(part) < 0)
            return std::unexpected(linux_error::name_too_long);
    }
    return path;
}

LinuxValue Path::add(std::string_view part)
{
    const std::size_t separator = length_ == 0 ? 0 : 1;
    if (length_ + separator + part.size() > max_bytes)
        return linux_error::name_too_long;
    if (separator != 0)
        text_[length_++] = '/';
    std::memcpy(text_ + length_, part.data(), part.size());
    length_ += part.size();
    return 0;
}

void Path::leave()
{
    while (length_ != 0 && text_[--length_] != '/') { }
}

} // namespace parley::kernel
