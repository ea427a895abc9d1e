// SPDX-License-Identifier: MIT
// Two machines that run jobs one after the other: which packets and which ends of jobs come to the other,
// whoever is behind and whatever waits for room.
#include "kernel/network/job_link.hpp"
#include "testing/catch.hpp"

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace parley::kernel;

namespace {

constexpr std::uint64_t now = 1; // no time passes: nothing is lost, so nothing is sent again

struct Frames final : Wire {
    void transmit(const FrameHead& head, std::span<const std::byte> packet) override
    {
        on_their_way.push_back({head, {packet.begin(), packet.end()}});
    }
    std::deque<std::pair<FrameHead, std::vector<std::byte>>> on_their_way;
};

struct Machine {
    explicit Machine(unsigned here)
        : link(std::make_unique<JobLink>(frames, ReliableLink::Ends{here, 1 - here, 7, here + 1}))
    {
    }

    bool send(unsigned job)
    {
        const PacketOfJob packet{job, 0};
        return link->send(std::as_bytes(std::span(&packet, 1)), {}, now);
    }
    unsigned send_all_there_is_room_for(unsigned job)
    {
        unsigned sent = 0;
        while (link->has_room(job) && send(job))
            ++sent;
        return sent;
    }
    void end(unsigned job, std::uint32_t end) { link->tell_end(job, end, now); }
    unsigned receive(unsigned job, unsigned most = 1000)
    {
        unsigned received = 0;
        for (std::array<std::byte, longest_packet> packet; received < most; ++received)
            if (link->receive(job, packet, now) == 0)
                break;
        return received;
    }
    void bring_to(Machine& other)
    {
        for (; !frames.on_their_way.empty(); frames.on_their_way.pop_front())
            other.link->arrive(frames.on_their_way.front().first, frames.on_their_way.front().second, now);
        other.link->answer(now);
    }

    Frames frames;
    std::unique_ptr<JobLink> link;
};

struct TwoMachines {
    TwoMachines() { meet(); }
    void meet()
    {
        for (Machine* const machine : {&here, &there})
            machine->link->tick(now + ReliableLink::sign_of_life);
        cross();
    }
    void cross()
    {
        while (!here.frames.on_their_way.empty() || !there.frames.on_their_way.empty()) {
            here.bring_to(there);
            there.bring_to(here);
        }
    }
    // `there` hears this of the ends of jobs 0 to 3.
    std::string heard_there() const
    {
        std::string all;
        for (unsigned job = 0; job < 4; ++job)
            all += (job == 0 ? "" : " ") + std::to_string(there.link->heard_end(job));
        return all;
    }

    Machine here{0}, there{1};
};

} // namespace

TEST_CASE(
    "a machine that is jobs behind hears how each has ended, not the last alone, and before it comes to it")
{
    TwoMachines machines;
    machines.here.end(0, 5);
    machines.here.end(1, 7);
    machines.cross();
    CHECK(machines.heard_there() == "5 7 0 0");
    CHECK(machines.there.receive(0) == 0);
    CHECK(machines.heard_there() == "5 7 0 0");
}

TEST_CASE("an end is heard wherever it stands among the packets, which may be of this job or of later ones")
{
    TwoMachines machines;
    const unsigned sent_before = GENERATE(1u, 2u);
    CHECK(machines.here.send(sent_before));
    machines.here.end(1, 3);
    machines.cross();
    CHECK(machines.heard_there() == "0 3 0 0");
}

TEST_CASE("packets of jobs before are dropped, and those of later ones stay")
{
    TwoMachines machines;
    for (const unsigned job : {0u, 1u, 1u, 2u})
        CHECK(machines.here.send(job));
    machines.cross();
    CHECK(machines.there.receive(1) == 2);
    CHECK(machines.there.link->has_packet());
    CHECK(machines.there.receive(2) == 1);
    CHECK_FALSE(machines.there.link->has_packet());
}

TEST_CASE("an end that waits for room comes, whatever the next job has to send")
{
    TwoMachines machines;
    CHECK(machines.here.send_all_there_is_room_for(1) == ReliableLink::window);
    machines.here.end(1, 3);
    machines.cross();
    CHECK(machines.heard_there() == "0 0 0 0");
    CHECK_FALSE(machines.here.link->has_room(2));
    CHECK_FALSE(machines.here.send(2));
    CHECK(machines.there.receive(1, 1) == 1);
    machines.cross();
    CHECK(machines.here.send_all_there_is_room_for(2) == 0);
    CHECK(machines.heard_there() == "0 3 0 0");
    CHECK(machines.there.receive(2) == 0); // job 1 is over there, too
    machines.cross();
    CHECK(machines.here.send(2));
}

TEST_CASE("ends that wait for room are told in the order of their jobs, as far as there is room")
{
    TwoMachines machines;
    CHECK(machines.here.send_all_there_is_room_for(0) == ReliableLink::window);
    machines.here.end(2, 7);
    machines.here.end(0, 5);
    machines.cross();
    CHECK(machines.there.receive(0, 1) == 1);
    machines.cross();
    CHECK(machines.heard_there() == "5 0 0 0");
    CHECK(machines.there.receive(1) == 0);
    machines.cross();
    CHECK(machines.heard_there() == "5 0 7 0");
}

TEST_CASE("while an end waits for room, not all has been sent")
{
    TwoMachines machines;
    machines.here.send_all_there_is_room_for(1);
    machines.cross();
    CHECK(machines.here.link->has_sent_all());
    machines.here.end(1, 3);
    machines.cross();
    CHECK_FALSE(machines.here.link->has_sent_all());
    CHECK(machines.there.receive(1, 1) == 1);
    machines.cross();
    CHECK(machines.here.link->has_sent_all());
}

TEST_CASE("a machine that has told its end of the last job is to get nothing more, and no machine before")
{
    TwoMachines machines;
    const unsigned last = GENERATE(1u, 2u);
    machines.here.send_all_there_is_room_for(last);
    machines.here.frames.on_their_way.clear(); // they are lost
    machines.there.end(1, 4);
    machines.there.bring_to(machines.here);
    CHECK(machines.here.link->has_sent_all() == (last == 1));
}

TEST_CASE("where there was room a packet is sent, though the job ends between and its end takes the room")
{
    TwoMachines machines;
    for (unsigned sent = 0; sent + 1 < ReliableLink::window; ++sent)
        CHECK(machines.here.send(1));
    CHECK(machines.here.link->has_room(1));
    machines.here.end(1, 3);
    CHECK(machines.here.link->has_room(1));
    CHECK(machines.here.send(1)); // it is dropped: the job is over for the other machine
    machines.cross();
    CHECK(machines.heard_there() == "0 3 0 0");
    CHECK(machines.there.receive(1) == ReliableLink::window - 1);
}

TEST_CASE("of several ends of one job the first is told, once, and to nobody who has told one")
{
    TwoMachines machines;
    machines.here.end(1, 3);
    machines.here.end(1, 4);
    machines.cross();
    CHECK(machines.heard_there() == "0 3 0 0");
    const auto sent = [&] {
        machines.there.frames.on_their_way.clear();
        machines.there.end(1, 3);
        const bool is_told = !machines.there.frames.on_their_way.empty();
        machines.there.end(2, 9);
        return std::pair(is_told, !machines.there.frames.on_their_way.empty());
    };
    CHECK(sent() == std::pair(false, true));
}

TEST_CASE("an end that waits for room is owed no more when the other machine has told its own")
{
    TwoMachines machines;
    machines.here.send_all_there_is_room_for(1);
    machines.here.end(1, 3);
    machines.there.end(1, 4);
    machines.cross();
    CHECK(machines.here.link->heard_end(1) == 4);
    CHECK(machines.here.link->has_sent_all());
}

TEST_CASE("an end of a job that no boot has is for nobody")
{
    TwoMachines machines;
    const PacketOfJob wrong{PARLEY_MAX_JOBS, 3};
    ReliableLink from(machines.here.frames, {0, 1, 7, 1});
    CHECK(from.send(std::as_bytes(std::span(&wrong, 1)), {}, now));
    machines.here.frames.on_their_way.front().first.heard = 2;
    machines.cross();
    CHECK(machines.there.link->has_packet());
    for (unsigned job = 0; job < PARLEY_MAX_JOBS; ++job)
        CHECK(machines.there.link->heard_end(job) == 0);
}
