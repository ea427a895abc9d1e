// SPDX-License-Identifier: MIT
// The results channel's kernel side: framed, numbered, checksummed records (format:
// interface/results.h).
#pragma once

#include "base/crc32.hpp"
#include "base/spin_lock.hpp"
#include "interface/results.h"

#include <initializer_list>
#include <span>
#include <string_view>

namespace parley::kernel {

class ResultsChannel {
public:
    using Bytes = std::span<const std::byte>;

    // One frame whose payload is the pieces one after the other.
    void send(parley_frame kind, std::initializer_list<Bytes> pieces);
    void send(parley_frame kind, std::string_view text);
    // For a panic: no lock.
    void send_unlocked(parley_frame kind, std::initializer_list<Bytes> pieces);
    // A planted lie, for the runner's tests: leave the next frame half written.
    void truncate_next() { truncated_ = true; }

private:
    void put(Bytes bytes);

    SpinLock lock_;
    std::uint32_t sequence_ = 0;
    Crc32 checksum_;
    bool truncated_ = false;
};

// Any object's bytes.
template <class T>
ResultsChannel::Bytes bytes_of(const T& object)
{
    return std::as_bytes(std::span<const T, 1>(&object, 1));
}

ResultsChannel::Bytes bytes_of(std::string_view text);

} // namespace parley::kernel
