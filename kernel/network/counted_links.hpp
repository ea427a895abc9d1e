// SPDX-License-Identifier: MIT
// The machines' links as one job has them: the job's number stands in each packet that is sent, and packets
// are counted both ways.
#pragma once

#include "kernel/network/job_packet.hpp"
#include "kernel/network/machines.hpp"

#include <cstring>

namespace parley::kernel {

class CountedLinks final : public JobLinks {
public:
    CountedLinks(Machines& machines, unsigned job) : machines_(machines), job_(job) { }

    unsigned machines() const override { return machines_.count(); }
    unsigned here() const override { return machines_.here(); }
    bool has_room(unsigned machine) override { return note_room(machines_.has_room(machine, job_)); }
    bool send(unsigned machine, JobPacket packet, std::span<const std::byte> bytes) override
    {
        packet.of_job = {job_, 0};
        const bool is_sent = note_room(machines_.send(machine, std::as_bytes(std::span(&packet, 1)), bytes));
        sent_ += is_sent && packet.is_counted() ? 1 : 0;
        return is_sent;
    }
    void look_at_tick() override { machines_.look_at_tick(); }

    // Takes the next packet that has come from that machine. `bytes`: what follows it, until the next call.
    // False: there is none.
    bool receive(unsigned machine, JobPacket& packet, std::span<const std::byte>& bytes)
    {
        const std::size_t length = machines_.receive(machine, job_, packet_);
        if (length < sizeof packet)
            return false;
        std::memcpy(&packet, packet_, sizeof packet);
        bytes = std::span(packet_).first(length).subspan(sizeof packet);
        received_ += packet.is_counted() ? 1 : 0;
        return true;
    }

    // The helper begins a turn.
    void begin_turn() { lacks_room_ = false; }
    // Whether something has to wait for a link since then.
    bool lacks_room() const { return lacks_room_; }
    // Packets that carry messages, or what becomes of them.
    std::int64_t sent() const { return sent_; }
    std::int64_t received() const { return received_; }

private:
    bool note_room(bool has_room)
    {
        lacks_room_ = lacks_room_ || !has_room;
        return has_room;
    }

    Machines& machines_;
    const unsigned job_;
    bool lacks_room_ = false;
    std::int64_t sent_ = 0, received_ = 0;
    std::byte packet_[longest_packet];
};

} // namespace parley::kernel
