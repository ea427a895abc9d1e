// SPDX-License-Identifier: MIT
// Memory for long messages in the job's window. It stays for later messages.
#pragma once

#include "kernel/memory/window.hpp"
#include "kernel/network/job_packet.hpp"

namespace parley::kernel {

class RoomInWindow final : public LongMessageRoom {
public:
    // `most`: how many bytes a message has at most.
    RoomInWindow(Window& window, std::size_t most) : window_(window), most_(most) { }

    Result<std::byte*> room(std::size_t bytes) override
    {
        if (bytes > most_)
            return std::unexpected(Error::no_memory);
        if (start_ == nullptr)
            start_ = TRY(window_.reserve(round_up(most_, page_bytes)));
        TRY_VOID(window_.populate(start_, bytes));
        return start_;
    }

private:
    Window& window_;
    const std::size_t most_;
    std::byte* start_ = nullptr;
};

} // namespace parley::kernel
