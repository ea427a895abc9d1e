// SPDX-License-Identifier: MIT
// The messages that have come to one machine from others and have not been answered for yet (job_packet.hpp).
// They go on in the order in which they came; one that lacks memory holds up those of its sender alone, and
// long ones, of which a machine lets in one at a time. Answers are no queue: each is owed by what it is about
// until the link has taken it, so memory is bounded by what is made at the beginning. The job's helper calls
// this.
#pragma once

#include "kernel/network/job_packet.hpp"
#include "messaging/transport/network/budget_wish.hpp"
#include "messaging/transport/network/gateway.hpp"

#include <string_view>

namespace parley::kernel {

class IncomingMessages {
public:
    // The memory for one message, for one whose delivery is awaited, and for one endpoint. Only
    // IncomingMessages uses what is in them.
    enum class Stage : std::uint8_t { none, whole, announced, granted, coming, gone, put };
    struct Arrival {
        JobPacket packet;
        std::byte bytes[most_bytes_behind]; // of a short one
        Arrival* next = nullptr;            // in the order in which they came
        unsigned machine = 0;
        Stage stage = Stage::none;
    };
    struct Awaited {
        messaging::Completion* completion = nullptr; // null: none
        unsigned machine = 0;
        std::uint64_t message = 0;
    };
    struct HeldUp {
        bool is = false; // an earlier message of that sender could not be put
    };
    struct Memory {
        std::span<Arrival> arrivals; // OutgoingMessages::window for each endpoint of other machines
        std::span<Awaited> awaited;
        std::span<HeldUp> held_up; // by endpoint
    };

    IncomingMessages(messaging::Gateway& gateway, JobLinks& links, const Memory& memory,
                     LongMessageRoom& room)
        : gateway_(gateway), links_(links), arrivals_(memory.arrivals), awaited_(memory.awaited),
          held_up_(memory.held_up), room_(room)
    {
    }

    // A message has come, or something of one.
    void take(unsigned machine, const JobPacket& packet, std::span<const std::byte> bytes);
    // Has messages go on. Answers whether there was anything to do.
    bool advance();
    // Tells of deliveries that somebody counts. Answers whether there was anything to do.
    bool send_deliveries();

    bool is_empty() const { return first_ == nullptr; }
    // Whether a message of that endpoint is among them.
    bool are_of(unsigned endpoint) const;
    // Why the job cannot go on, a sentence without its subject; empty: it can.
    std::string_view trouble() const { return trouble_; }

private:
    void keep(unsigned machine, const JobPacket& packet, std::span<const std::byte> bytes);
    void take_piece(const JobPacket& packet, std::span<const std::byte> bytes);
    bool try_all(bool& moved);
    bool go_on(Arrival& arrival);
    bool grant(Arrival& arrival);
    bool put(Arrival& arrival);
    bool put_into_mailbox(Arrival& arrival);

    messaging::Gateway& gateway_;
    JobLinks& links_;
    const std::span<Arrival> arrivals_;
    const std::span<Awaited> awaited_;
    const std::span<HeldUp> held_up_;
    LongMessageRoom& room_;
    Arrival* first_ = nullptr;
    Arrival* last_ = nullptr;
    Arrival* long_ = nullptr; // the one whose bytes come into the room
    std::byte* long_bytes_ = nullptr;
    messaging::BudgetWish budget_wish_;
    std::string_view trouble_;
};

} // namespace parley::kernel
