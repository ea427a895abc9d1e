// SPDX-License-Identifier: MIT
// Writes frames of results to a file, as the kernel does to its channel (interface/results.h).
#pragma once

#include "interface/results.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace parley::native {

class FrameWriter {
public:
    using Bytes = std::span<const std::byte>;

    // `file` is a descriptor that stays open.
    explicit FrameWriter(int file) : file_(file) { }

    // Writes one frame whose payload is the pieces, one after the other.
    void put(parley_frame kind, std::initializer_list<Bytes> pieces);
    void put(parley_frame kind, std::string_view text);

    // 0, or why not all could be written, as errno says it.
    int failure() const { return failure_; }

private:
    void write(Bytes bytes);

    const int file_;
    std::uint32_t sequence_ = 0;
    int failure_ = 0;
};

} // namespace parley::native
