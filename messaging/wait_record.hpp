// SPDX-License-Identifier: MIT
// What an endpoint waits for, and the event it waits on. The records of a job form one plain array at the
// very start of system memory, one an endpoint, so that a monitor finds them without trusting anything else
// there. The owner writes the details, then makes `epoch` odd (release); a monitor reads `epoch` (acquire),
// then the details.
#pragma once

#include "kernel/base/address.hpp"
#include "kernel/interface/library_messages.h"
#include "messaging/status_word.hpp"
#include "messaging/synchronization.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

class MessageList;

enum class WaitReason : std::uint16_t { message, block, delivery, budget, request, probe, lent, carrying };

struct WaitDetails {
    WaitReason reason;
    long type;   // message type or selector; id of a request
    long length; // bytes offered or wanted
    int peer;    // node, or -1
    // The call can be made again as if it had never been made, so a handler that is due ends it.
    bool restartable = false;
    // Whose messages these are (kernel/interface/library_messages.h). The library's have the number of a call
    // for their type, also where it is a request that is waited for.
    unsigned context = PARLEY_CONTEXT_PROGRAM;
};

struct alignas(64) WaitRecord {
    Event event;
    Atomic<std::uint32_t> epoch{0}; // odd while waiting
    Atomic<std::uint32_t> seen{0};  // the event's sequence when the wait began
    Atomic<EndpointState> state{EndpointState::live};
    Atomic<WaitReason> reason{WaitReason::message};
    Atomic<std::uint16_t> context{PARLEY_CONTEXT_PROGRAM};
    Atomic<std::int64_t> type{0};
    Atomic<std::int64_t> length{0};
    Atomic<std::int32_t> peer{-1};
    std::int32_t node = 0;
    std::int32_t pid = 0;
    Atomic<std::uint32_t> holds_handler{0};  // 1: a handler is due that its program does not let run
    const MessageList* unexpected = nullptr; // the endpoint's; a monitor may look when nothing moves any more

    // Owner. `sequence`: the event's, when it last looked; `holds`: as holds_handler.
    void begin(const WaitDetails& details, std::uint32_t sequence, bool holds)
    {
        holds_handler.store(holds ? 1 : 0, std::memory_order_relaxed);
        reason.store(details.reason, std::memory_order_relaxed);
        context.store(static_cast<std::uint16_t>(details.context), std::memory_order_relaxed);
        type.store(details.type, std::memory_order_relaxed);
        length.store(details.length, std::memory_order_relaxed);
        peer.store(details.peer, std::memory_order_relaxed);
        seen.store(sequence, std::memory_order_relaxed);
        epoch.store(epoch.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    // For a process that was killed, perhaps while it waited.
    void end_any()
    {
        if (epoch.load(std::memory_order_relaxed) % 2 == 1)
            end();
    }
    // Owner, after begin().
    void end() { epoch.store(epoch.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
};

static_assert(sizeof(WaitRecord) == 64);

// The records' share of system memory: whole pages.
constexpr std::size_t wait_records_bytes(unsigned endpoints)
{
    return round_up(endpoints * sizeof(WaitRecord), page_bytes);
}

} // namespace parley::messaging
