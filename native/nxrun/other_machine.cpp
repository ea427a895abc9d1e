// SPDX-License-Identifier: MIT
#include "native/nxrun/other_machine.hpp"

#include "interface/proxies.h"
#include "native/nxrun/processes.hpp"

#include <algorithm>
#include <cstddef>

namespace parley::native {

namespace {

constexpr int never_began = 128; // the exit status of a program that did not

} // namespace

void OtherMachine::send(const Packet& packet, std::uint32_t after) { in_.post.send(0, packet, after); }

void OtherMachine::receive(unsigned, const Packet& packet)
{
    using Kind = Packet::Kind;
    if (packet.endpoint >= in_.places.size())
        return;
    Place& place = in_.places[packet.endpoint];
    switch (packet.kind) {
    case Kind::start: return start(place, packet);
    case Kind::kill: return in_.ranks.kill(place, packet.words[0] != 0);
    case Kind::place:
    case Kind::set_pid:
    case Kind::reset: return change(packet);
    case Kind::answer: return answer(place, packet);
    case Kind::look:
        return send({Kind::looked, 0, jobs::DeadlockSearch::answer(packet.words[0], in_.messages.look())});
    case Kind::tell: return send({Kind::told, 0, {}, in_.messages.report()});
    case Kind::collect: return send(trace_.piece(static_cast<std::uint64_t>(packet.words[0])));
    case Kind::end: ending_ = true; return in_.ranks.end_all();
    case Kind::over: return finish();
    default: return; // for the first machine
    }
}

void OtherMachine::change(const Packet& packet)
{
    const Result<void> changed = in_.messages.change(packet);
    const std::int64_t error = changed ? 0 : static_cast<std::int64_t>(changed.error());
    send({Packet::Kind::done, 0, {packet.words[3], error}});
}

// What a rank asks is answered by the first machine's nxrun; it sleeps meanwhile.
void OtherMachine::asked(Place& place, const parley_native_request& request)
{
    if (request.method != 0 && request.method != parley_method_results_report)
        place.asked = {request.number, 0};
    const std::size_t bytes = offsetof(parley_native_request, payload) + request.bytes;
    send({Packet::Kind::request,
          place.endpoint,
          {},
          std::string(reinterpret_cast<const char*>(&request), bytes)});
}

void OtherMachine::answer(Place& place, const Packet& packet)
{
    const auto number = static_cast<unsigned>(packet.words[0]);
    if (place.asked && place.asked->number == number)
        place.asked.reset();
    in_.ranks.answer(place, number, packet.words[1], static_cast<unsigned long>(packet.words[2]));
}

void OtherMachine::start(Place& place, const Packet& packet)
{
    if (!in_.places.is_here(place))
        return;
    if (ending_)
        return refuse_start(place);
    const int pid = static_cast<int>(packet.words[0]);
    starts_[place.endpoint].start.pid = pid;
    place.command.clear();
    for (std::size_t at = 0; at < packet.text.size();) {
        const std::size_t end = std::min(packet.text.find('\0', at), packet.text.size());
        place.command.push_back(packet.text.substr(at, end - at));
        at = end + 1;
    }
    if (place.command.empty())
        return;
    jobs::Roster& roster = in_.places.roster();
    {
        // Whether the end of the program before it was waited for is the first machine's to know.
        const LockGuard guard(roster.lock());
        roster.forget_end(place.endpoint);
        roster.begin(place.endpoint);
        (void)roster.set_pid(place.endpoint, pid);
    }
    const std::expected<void, std::string> begun = in_.ranks.start(place);
    if (begun)
        return;
    end(JobEnd::failed, begun.error());
    {
        const LockGuard guard(roster.lock());
        roster.ended(place.endpoint, never_began);
    }
    refuse_start(place);
}

// For the first machine, which waits for the ends of all that it has started, the program has run and ended.
void OtherMachine::refuse_start(const Place& place)
{
    constexpr int wait_status = never_began << 8; // exited with it, as wait() tells it
    send({Packet::Kind::ended, place.endpoint, {wait_status}});
}

void OtherMachine::ended(Place& place, int status, const std::optional<std::string>& lost)
{
    {
        jobs::Roster& roster = in_.places.roster();
        const LockGuard guard(roster.lock());
        roster.ended(place.endpoint, exit_status_of(status));
    }
    if (lost)
        end(JobEnd::failed, *lost);
    send_unreceived();
    send({Packet::Kind::ended, place.endpoint, {status}, place.fault}, place.endpoint);
}

// Whenever a rank of this machine ends, this is told of all that have ended: others may have sent to them
// since. What comes to a machine whose last rank has ended is not told.
void OtherMachine::send_unreceived()
{
    for (const Place& place : in_.places) {
        if (!in_.places.is_here(place) || !is_for_programs(place.role))
            continue;
        const messaging::Unreceived& left = in_.messages.unreceived(place.endpoint);
        if (!left.empty())
            send({Packet::Kind::left,
                  place.endpoint,
                  {},
                  std::string(reinterpret_cast<const char*>(&left), sizeof left)});
    }
}

void OtherMachine::end(JobEnd how, const std::string& sentence)
{
    if (ending_)
        return;
    ending_ = true;
    send({Packet::Kind::failed, 0, {static_cast<std::int64_t>(how)}, sentence});
    in_.ranks.end_all();
}

void OtherMachine::finish()
{
    if (finished_)
        return;
    finished_ = true;
    in_.post.finish();
}

// Nobody hears of this machine's ranks any more.
void OtherMachine::network_ended()
{
    if (finished_)
        return;
    finished_ = ending_ = true;
    verdict_.end(JobEnd::failed, network_lost);
    in_.ranks.end_all();
}

void OtherMachine::complete(Record& record)
{
    record.end = verdict_.how();
    record.sentence = verdict_.sentence();
}

} // namespace parley::native
