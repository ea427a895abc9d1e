// SPDX-License-Identifier: MIT
// This machine's link to one other as their jobs use it, one job after the other: packets of jobs, and how
// jobs have ended, where they did not end well. An end that finds no room waits for it, and goes before any
// packet of a later job: the machine there may be behind by several jobs, and leaves packets of later ones
// where they are until it has come to these. Every job has its own entry, which no later job's end covers. An
// end that has come is heard at once, wherever it stands among the packets. One party at a time calls it.
// Invariant: while an end is owed, the link has no room. Room comes with frames alone, and who brings these
// sends what is owed first.
#pragma once

#include "interface/limits.h"
#include "kernel/network/reliable_link.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace parley::kernel {

class JobLink {
public:
    JobLink(Wire& wire, const ReliableLink::Ends& ends) : link_(wire, ends) { }
    JobLink(const JobLink&) = delete;

    // Sends a packet of a job, which begins with a PacketOfJob, in two parts. False: it has to wait for room.
    // One of a job whose end has been told here is for nobody: it is dropped, and the answer is true.
    bool send(std::span<const std::byte> first, std::span<const std::byte> rest, std::uint64_t now);
    // Whether send() will be true of that job's next packet. What others tell meanwhile does not change it.
    bool has_room(unsigned job) const { return own_[job] != 0 || link_.has_room(); }

    // Takes the next packet of that job that has come. Answers its length; 0: there is none. Those of jobs
    // before it are dropped, and those of later ones stay.
    std::size_t receive(unsigned job, std::span<std::byte> into, std::uint64_t now);
    bool has_packet() const { return link_.has_packet(); }

    // Tells how a job has ended here, as PacketOfJob has it; of several ends the first. A machine that has
    // told its own end of that job is not told.
    void tell_end(unsigned job, std::uint32_t end, std::uint64_t now);
    // How that job has ended there; 0: nothing was heard of that.
    std::uint32_t heard_end(unsigned job) const { return heard_[job]; }

    // Whether the other machine has got all that it is to get: nothing more where it has told its own end of
    // the last job that anything was sent of.
    bool has_sent_all() const { return heard_[last_] != 0 || (owed_ == 0 && link_.has_sent_all()); }

    // As ReliableLink has them.
    void arrive(const FrameHead& head, std::span<const std::byte> packet, std::uint64_t now);
    void answer(std::uint64_t now) { link_.answer(now); }
    void tick(std::uint64_t now) { link_.tick(now); }
    std::uint64_t last_heard() const { return link_.last_heard(); }
    bool has_begun_anew() const { return link_.has_begun_anew(); }

private:
    static constexpr unsigned jobs = PARLEY_MAX_JOBS;

    void hear(const PacketOfJob& end);
    void send_owed(std::uint64_t now);

    ReliableLink link_;
    unsigned last_ = 0;                               // job that something was to be sent of
    unsigned owed_ = 0;                               // ends
    std::array<std::uint32_t, jobs> own_{}, heard_{}; // ends; 0: none
    std::array<bool, jobs> is_owed_{};
};

} // namespace parley::kernel
