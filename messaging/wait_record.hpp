// SPDX-License-Identifier: MIT
// What an endpoint waits for, the event it waits on, and what it has left when it has ended. The records of a
// job form one plain array at the very start of system memory, one an endpoint, so that a monitor finds them
// without trusting anything else there. The owner writes the details, then makes `epoch` odd (release); a
// monitor reads `epoch` (acquire), then the details.
#pragma once

#include "base/address.hpp"
#include "interface/library_messages.h"
#include "interface/senders.h"
#include "messaging/message/envelope.hpp"
#include "messaging/status_word.hpp"
#include "messaging/synchronization.hpp"
#include "messaging/unreceived.hpp"

#include <cstddef>
#include <cstdint>

namespace parley::messaging {

class MessageList;

enum class WaitReason : std::uint32_t {
    message,
    block,
    delivery,
    budget,
    request, // a request of irecv; the length is its id
    probe,
    lent,
    delivery_process, // waits for messages to deliver; a length of 1: or for memory for one that has come
    sent              // a request of isend; the length is its id
};

// Whom a wait is for, in one word that costs next to nothing: node and context as in a sender's word
// (interface/senders.h), where a node of all ones is any.
class WaitedPeer {
public:
    static constexpr std::int32_t of(long node, unsigned long address)
    {
        return static_cast<std::int32_t>((static_cast<unsigned long>(node) & PARLEY_SENDER_NODE) |
                                         (address & PARLEY_SENDER_CONTEXT));
    }
    explicit constexpr WaitedPeer(std::int32_t word) : word_(static_cast<std::uint32_t>(word)) { }
    // -1: any.
    constexpr std::int32_t node() const
    {
        const std::uint32_t node = word_ & PARLEY_SENDER_NODE;
        return node == PARLEY_NO_NODE ? -1 : static_cast<std::int32_t>(node);
    }
    // Whether the library's messages are waited for: then the type is the number of a call
    // (interface/library_messages.h), also for a request.
    bool is_library() const { return parley_address_context(word_) == PARLEY_CONTEXT_LIBRARY; }
    bool is_active() const { return parley_address_context(word_) == PARLEY_CONTEXT_ACTIVE; }

private:
    std::uint32_t word_;
};

struct WaitDetails {
    WaitReason reason;
    long type;   // message type or selector; id of a request
    long length; // bytes offered or wanted
    int peer;    // a WaitedPeer, or -1: none
    // The call can be made again as if it had never been made, so a handler that is due ends it.
    bool restartable = false;
};

struct alignas(64) WaitRecord {
    Event event;
    Atomic<std::uint32_t> epoch{0}; // odd while waiting
    Atomic<std::uint32_t> seen{0};  // the event's sequence when the wait began
    Atomic<EndpointState> state{EndpointState::live};
    Atomic<WaitReason> reason{WaitReason::message};
    Atomic<std::int64_t> type{0};
    Atomic<std::int64_t> length{0};
    Atomic<std::int32_t> peer{-1};
    std::int32_t node = 0;
    std::int32_t pid = 0;
    Atomic<std::uint32_t> holds_handler{0};  // 1: a handler is due that its program does not let run
    const MessageList* unexpected = nullptr; // the endpoint's; a monitor may look when nothing moves any more
    alignas(64) Unreceived unreceived;       // in lines of its own: it is written only when something is left
    // As `unexpected`, of its queues for Active Messages; null until it has such queues.
    Atomic<const MessageList*> active_requests{nullptr}, active_replies{nullptr};

    // Called before the record's first use, and by the owner: whom it is of.
    void set_name(ProcessName name)
    {
        node = name.node;
        pid = name.pid;
    }

    // Whether the process's end of the message system is open: it has neither ended nor been killed. Anybody
    // may ask. Acquire pairs with Waiter::set_state().
    bool is_live() const { return state.load(std::memory_order_acquire) == EndpointState::live; }

    // Owner. `sequence`: the event's, when it last looked; `holds`: as holds_handler.
    void begin(const WaitDetails& details, std::uint32_t sequence, bool holds)
    {
        holds_handler.store(holds ? 1 : 0, std::memory_order_relaxed);
        reason.store(details.reason, std::memory_order_relaxed);
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

static_assert(page_bytes % sizeof(WaitRecord) == 0, "each lies in one page");

// The records' share of system memory: whole pages.
constexpr std::size_t wait_records_bytes(unsigned endpoints)
{
    return round_up(endpoints * sizeof(WaitRecord), page_bytes);
}

} // namespace parley::messaging
