// SPDX-License-Identifier: MIT
#include "kernel/network/job_link.hpp"

#include <cstring>

namespace parley::kernel {

namespace {

PacketOfJob beginning_of(std::span<const std::byte> packet)
{
    PacketOfJob beginning{};
    if (packet.size() >= sizeof beginning)
        std::memcpy(&beginning, packet.data(), sizeof beginning);
    return beginning;
}

} // namespace

bool JobLink::send(std::span<const std::byte> first, std::span<const std::byte> rest, std::uint64_t now)
{
    last_ = beginning_of(first).job;
    return own_[last_] != 0 || link_.send(first, rest, now);
}

std::size_t JobLink::receive(unsigned job, std::span<std::byte> into, std::uint64_t now)
{
    while (link_.has_packet()) {
        const std::span<const std::byte> packet = link_.packet(0);
        const PacketOfJob beginning = beginning_of(packet);
        const bool is_end = beginning.end != 0;
        if (!is_end && beginning.job > job)
            return 0;
        const bool is_wanted = !is_end && beginning.job == job;
        const std::size_t length = packet.size();
        if (is_wanted)
            std::memcpy(into.data(), packet.data(), length);
        link_.take(now);
        if (is_wanted)
            return length;
    }
    return 0;
}

void JobLink::tell_end(unsigned job, std::uint32_t end, std::uint64_t now)
{
    if (own_[job] != 0)
        return;
    own_[job] = end;
    last_ = job;
    if (heard_[job] != 0)
        return;
    is_owed_[job] = true;
    ++owed_;
    send_owed(now);
}

void JobLink::arrive(const FrameHead& head, std::span<const std::byte> packet, std::uint64_t now)
{
    const unsigned before = link_.packets();
    link_.arrive(head, packet, now);
    for (unsigned after = before; after < link_.packets(); ++after)
        hear(beginning_of(link_.packet(after)));
    send_owed(now);
}

// A packet has come: perhaps an end.
void JobLink::hear(const PacketOfJob& end)
{
    if (end.end == 0 || end.job >= jobs)
        return;
    heard_[end.job] = end.end;
    owed_ -= is_owed_[end.job] ? 1 : 0;
    is_owed_[end.job] = false;
}

// In the order of the jobs, as far as there is room.
void JobLink::send_owed(std::uint64_t now)
{
    for (unsigned job = 0; owed_ != 0 && job < jobs; ++job) {
        const PacketOfJob end{job, own_[job]};
        if (!is_owed_[job])
            continue;
        if (!link_.send(std::as_bytes(std::span(&end, 1)), {}, now))
            return;
        is_owed_[job] = false;
        --owed_;
    }
}

} // namespace parley::kernel
