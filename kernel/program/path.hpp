// SPDX-License-Identifier: MIT
// Paths as programs write them, brought to the one form the file store knows: "data/./x", "/data//x" and
// "data/x" are "data/x"; "/" is "". Other paths continue the working folder; the parent of "/" is "/".
#pragma once

#include "kernel/program/linux_errno.hpp"

#include <cstddef>
#include <expected>
#include <string_view>

namespace parley::kernel {

class Path {
public:
    static constexpr std::size_t max_bytes = 255;

    static std::expected<Path, LinuxValue> from(std::string_view text, std::string_view folder = {});

    std::string_view view() const { return {text_, length_}; }

    Path() = default; // "/"

private:
    LinuxValue add(std::string_view part);
    void leave();

    std::size_t length_ = 0;
    char text_[max_bytes];
};

} // namespace parley::kernel
