// SPDX-License-Identifier: MIT
// The machines of a job, as one of them takes part in it. The first one's nxrun has the job: it starts its
// programs wherever they are, counts the ranks of all, answers their requests and decides how the job ends
// (FirstMachine). The others start and end their own ranks when they are told to, and tell what these ask and
// how they end (OtherMachine). A job on one machine is a federation of one: its first machine sends nothing.
#pragma once

#include "native/nxrun/local_messages.hpp"
#include "native/nxrun/local_ranks.hpp"
#include "native/nxrun/packet.hpp"
#include "native/nxrun/places.hpp"
#include "native/nxrun/record.hpp"

#include <optional>
#include <string>

namespace parley::native {

// What a machine has, whichever it is.
struct MachineParts {
    Places& places;
    LocalRanks& ranks;
    LocalMessages& messages;
    Post& post;
};

inline constexpr const char* network_lost = "The job failed: the network to its other machines has ended.";

class Federation {
public:
    virtual ~Federation() = default;

    // The programs of the job's start begin. Called once, when machines have been joined.
    virtual void begin() = 0;
    // A rank of this machine asks for something.
    virtual void asked(Place& place, const parley_native_request& request) = 0;
    // A rank of this machine has ended so (wait(2)). `lost`: what others may have lost by that, a sentence.
    virtual void ended(Place& place, int status, const std::optional<std::string>& lost) = 0;
    // The process that has the network has ended.
    virtual void network_ended() = 0;
    // A packet has come from that machine.
    virtual void receive(unsigned machine, const Packet& packet) = 0;
    // Five times a second: looks whether any rank can ever go on.
    virtual void look() = 0;
    // The job is to end, because of `sentence`. Nothing happens where it is ending already.
    virtual void end(JobEnd how, const std::string& sentence) = 0;
    // As end(), but first all machines report what their ranks wait for.
    virtual void end_with_reports(JobEnd how, const std::string& sentence) = 0;
    virtual bool is_ending() const = 0;
    // All processes of this machine have ended: completes the record.
    virtual void complete(Record& record) = 0;
};

} // namespace parley::native
