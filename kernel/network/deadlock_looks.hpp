// SPDX-License-Identifier: MIT
// One machine's part in finding out that nobody of its job can ever go on (jobs/deadlock_search.hpp): the
// first machine asks all for looks, and each answers when its helper has nothing to do. The job's helper
// calls this.
#pragma once

#include "jobs/deadlock_search.hpp"
#include "kernel/network/job_packet.hpp"
#include "kernel/program/configuration.hpp"

#include <array>
#include <cstring>

namespace parley::kernel {

class DeadlockLooks {
public:
    explicit DeadlockLooks(JobLinks& links) : links_(links) { }

    // Begins a wave of looks at all machines, on the first. False: one is under way, or a link has no room.
    bool begin()
    {
        if (search_.is_under_way())
            return false;
        for (unsigned machine = 1; machine < links_.machines(); ++machine)
            if (!links_.has_room(machine))
                return false;
        wanted_ = search_.begin();
        const JobPacket packet{.kind = PacketKind::look, .contents = static_cast<std::uint64_t>(wanted_)};
        for (unsigned machine = 1; machine < links_.machines(); ++machine)
            links_.send_into_room(machine, packet);
        return true;
    }

    // Whether this machine owes an answer.
    bool are_wanted() const { return wanted_ != 0; }
    // Gives the answer that is owed. False: the link has no room, it is still owed.
    bool answer(const jobs::MachineState& state)
    {
        const jobs::DeadlockSearch::Words words = jobs::DeadlockSearch::answer(wanted_, state);
        const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
        if (links_.here() != 0 && !links_.send(0, {.kind = PacketKind::looked}, bytes))
            return false;
        wanted_ = 0;
        if (links_.here() == 0)
            add(0, bytes);
        return true;
    }

    // Another machine asks for a look, or answers.
    void take(unsigned machine, const JobPacket& packet, std::span<const std::byte> bytes)
    {
        if (packet.kind == PacketKind::look)
            wanted_ = static_cast<std::int64_t>(packet.contents);
        else
            add(machine, bytes);
    }

    // Whether the first machine has found that nobody can go on.
    bool have_found_one() const { return found_; }

private:
    void add(unsigned machine, std::span<const std::byte> words)
    {
        jobs::DeadlockSearch::Words answer;
        if (words.size() < sizeof answer)
            return;
        std::memcpy(answer.data(), words.data(), sizeof answer);
        found_ = search_.add(machine, answer) || found_;
    }

    JobLinks& links_;
    std::array<jobs::DeadlockSearch::MachineAnswers, MachineTable::most> entries_{};
    jobs::DeadlockSearch search_{std::span(entries_).first(links_.machines())};
    std::int64_t wanted_ = 0; // the number of the wave that asks for a look; 0: none
    bool found_ = false;
};

} // namespace parley::kernel
