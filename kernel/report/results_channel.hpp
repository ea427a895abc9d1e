// SPDX-License-Identifier: MIT
// The kernel's end of the results channel, which carries framed, numbered and checksummed records
// (interface/results.h has the format). May be called on every processor.
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

    // Sends one frame. Its payload is the pieces, one after the other.
    void send(parley_frame kind, std::initializer_list<Bytes> pieces);
    void send(parley_frame kind, std::string_view text);
    // Sends without the lock: for a panic, when whoever holds it will never give it back.
    void send_unlocked(parley_frame kind, std::initializer_list<Bytes> pieces);
    // The next frame will be left half written: a planted lie, for the runner's tests.
    void truncate_next() { truncated_ = true; }

private:
    void put(Bytes bytes);

    SpinLock lock_;
    std::uint32_t sequence_ = 0;
    Crc32 checksum_;
    bool truncated_ = false;
};

// The bytes of any object.
template <class T>
ResultsChannel::Bytes bytes_of(const T& object)
{
    return std::as_bytes(std::span<const T, 1>(&object, 1));
}

ResultsChannel::Bytes bytes_of(std::string_view text);

} // namespace parley::kernel
