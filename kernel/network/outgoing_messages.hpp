// SPDX-License-Identifier: MIT
// The messages that the processes of one machine send to others, from the helper's mailbox until the other
// machine has answered for them (job_packet.hpp). Each sender has a stream to each machine, in which at most
// `window` messages are not posted yet: so a message that finds no memory over there holds up those of its
// own sender alone. The job's helper calls this.
#pragma once

#include "jobs/spread.hpp"
#include "kernel/network/job_packet.hpp"
#include "kernel/program/configuration.hpp"
#include "messaging/message/message_list.hpp"
#include "messaging/transport/network/gateway.hpp"

#include <array>
#include <string_view>

namespace parley::kernel {

class OutgoingMessages {
public:
    static constexpr unsigned window = 4;

    // What one endpoint of this machine sends to one other machine. Only OutgoingMessages uses what is in it.
    struct Stream {
        messaging::MessageList waiting;
        unsigned in_flight = 0;
    };

    // `streams`: one for each endpoint and machine.
    OutgoingMessages(messaging::Gateway& gateway, JobLinks& links, const jobs::Spread& spread,
                     std::span<Stream> streams, LongMessageRoom& room)
        : gateway_(gateway), links_(links), spread_(spread), streams_(streams), room_(room)
    {
    }

    // Takes what has been sent. This and the two that follow answer whether there was anything to do.
    bool take();
    // Sends what has been taken: short messages whole, of long ones their envelopes.
    bool send();
    // Sends bytes of long messages that other machines have let in.
    bool send_bytes();

    // Another machine says what becomes of a message.
    void answered(unsigned machine, const JobPacket& packet);

    // Whether a message of that endpoint to that machine has not been sent.
    bool has_waiting(unsigned endpoint, unsigned machine)
    {
        return !stream(endpoint, machine).waiting.empty();
    }
    // Whether all that was taken has been answered for.
    bool are_over() const { return waiting_ == 0 && unfinished_ == 0; }
    // Why the job cannot go on, a sentence without its subject; empty: it can.
    std::string_view trouble() const { return trouble_; }

private:
    using Message = messaging::Message;

    // A long message that another machine has let in.
    struct Granted {
        Message* message = nullptr; // null: none
        std::uint64_t arrival = 0;
        bool is_taken = false; // its bytes are in the room
        bool is_gone = false;
        std::size_t sent = 0; // bytes
    };

    Stream& stream(unsigned source, unsigned machine)
    {
        return streams_[source * links_.machines() + machine];
    }
    JobPacket packet_of(PacketKind kind, const Message& message) const;
    bool send_first(unsigned machine, Stream& from);
    bool is_not_there_yet(const Result<void>& taken);
    bool take_bytes(Granted& granted);
    bool send_pieces(unsigned machine, Granted& granted);

    messaging::Gateway& gateway_;
    JobLinks& links_;
    const jobs::Spread spread_;
    const std::span<Stream> streams_;
    LongMessageRoom& room_;
    std::byte* long_bytes_ = nullptr;
    Granted* long_ = nullptr; // the one whose bytes are in the room
    std::array<Granted, MachineTable::most> granted_{};
    unsigned waiting_ = 0;    // messages that have not left
    unsigned unfinished_ = 0; // that have left, and of which the other machine has something to tell
    std::string_view trouble_;
    std::byte short_bytes_[most_bytes_behind];
};

} // namespace parley::kernel
