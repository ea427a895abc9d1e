// SPDX-License-Identifier: MIT
// One end of the pipe: messages go in and come out at the other end, each once and in their order, whatever
// the lines between do to its packets. A window of numbered messages is on its way; each packet says up to
// which number this end has received; and when the other end has answered without acknowledging all, what is
// left is sent again (go-back-n). One delivery process calls this.
#pragma once

#include "testing/own_leaves/messaging/transport/pipe/line.hpp"

namespace parley::messaging::pipe {

class PipeEnd {
public:
    PipeEnd(PipeLine& out, PipeLine& in) : out_(out), in_(in) { }

    // Whether another message can be on its way.
    bool has_room() const { return next_ - oldest_ < window; }
    // Whether all that went in here has come out.
    bool has_sent_all() const { return oldest_ == next_; }
    // A message goes in. There is room.
    void put(Message& message) { inside_[next_++ % window] = &message; }

    // Notes whose turn it is, before a look for what comes. What is seen afterwards is at least as new.
    void listen()
    {
        asked_ = in_.asked();
        is_answered_ = out_.answered() == out_.bursts();
    }

    // The next message that comes out, or null: nothing more is there.
    Message* receive()
    {
        PipePacket packet;
        while (in_.take(packet)) {
            if (packet.received >= oldest_ && packet.received < next_)
                oldest_ = packet.received + 1; // acknowledgements may come late
            if (packet.number != received_ + 1)
                continue; // again, too early, or an acknowledgement alone
            ++received_;
            return packet.message;
        }
        return nullptr;
    }

    // Sends what is due, when all that was there has been received. True: the other end is to look.
    bool transmit()
    {
        if (is_answered_)
            unsent_ = oldest_;
        const bool brings = unsent_ < next_;
        const bool answers = asked_ != in_.answered();
        if (brings)
            send_messages();
        else if (answers)
            out_.send({.received = received_});
        if (answers)
            in_.answer(asked_);
        return brings || answers;
    }

private:
    static constexpr std::uint64_t window = 8;

    void send_messages()
    {
        for (; unsent_ < next_; ++unsent_)
            out_.send({unsent_, received_, inside_[unsent_ % window]});
        out_.ask();
    }

    PipeLine& out_;
    PipeLine& in_;
    Message* inside_[window] = {};
    std::uint64_t oldest_ = 1;   // not acknowledged, and
    std::uint64_t unsent_ = 1;   // not sent, and
    std::uint64_t next_ = 1;     // not there yet
    std::uint64_t received_ = 0; // of the other end's
    std::uint32_t asked_ = 0;    // bursts that the other end had sent at the last look
    bool is_answered_ = false;   // all of this end's had been answered by then
};

} // namespace parley::messaging::pipe
