// SPDX-License-Identifier: MIT
#include "native/nxrun/wait_watch.hpp"

#include "interface/library.h"
#include "native/interface/native_job.h"
#include "native/nxrun/activity.hpp"

#include <fstream>
#include <poll.h>

namespace parley::native {

namespace {

using jobs::Seen;
using messaging::WaitRecord;

// A rank that waits for others to end sleeps in Linux, and an interruption for its handlers wakes it there:
// whether it really sleeps, and no interruption is on its way.
bool sleeps(pid_t process)
{
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    bool sleeping = false;
    std::uint64_t pending = 0;
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("State:"))
            sleeping = line.find("S (sleeping)") != std::string::npos;
        if (line.starts_with("SigPnd:") || line.starts_with("ShdPnd:"))
            pending |= std::stoull(line.substr(7), nullptr, 16);
    }
    return sleeping && (pending >> (PARLEY_NATIVE_INTERRUPT - 1) & 1) == 0;
}

bool has_asked(int socket)
{
    pollfd asked{socket, POLLIN, 0};
    return poll(&asked, 1, 0) > 0;
}

} // namespace

const WaitRecord& WaitWatch::record(unsigned endpoint) const
{
    const std::byte* const first = arena_.memory() + PARLEY_REGION_HEADER_BYTES;
    return reinterpret_cast<const WaitRecord*>(first)[endpoint];
}

const messaging::Unreceived& WaitWatch::unreceived(unsigned endpoint) const
{
    return record(endpoint).unreceived;
}

bool WaitWatch::all_are_closed() const
{
    for (const Place& place : places_)
        if (is_for_programs(place.role) && record(place.endpoint).is_live())
            return false;
    return true;
}

Seen WaitWatch::see(const Place& place) const
{
    if (!is_here(place) || place.role == Role::policy)
        return Seen::away(); // a program for which one works does not wait in P any longer
    if (place.end_request)
        return Seen::going_on(); // its wait gives up
    if (place.asked)
        return sleeps(place.process) && !has_asked(place.socket) ? Seen::waiting(place.asked->number)
                                                                 : Seen::going_on();
    // Epochs of other waits are odd, so that none is like those in P.
    if (sched::SemaphoreWaiter::WaitInP wait{}; semaphores_.waits(place.endpoint, wait))
        return Seen::waiting(wait.ticket + 1);
    const WaitRecord& at = record(place.endpoint);
    return at.is_live() ? Seen::by(at) : Seen::going_on();
}

jobs::Look WaitWatch::look() const
{
    jobs::Look look;
    for (const Place& place : places_)
        look.add(see(place));
    return look;
}

// Gathers what is told. Programs may have written anything into the arena: what is followed lies in it.
class WaitWatch::Teller final : public jobs::ViewedSystem {
public:
    Teller(const SharedFile& arena, std::string& text) : arena_(arena), text_(text) { }

    const void* view(const void* object, std::size_t bytes, std::size_t alignment) override
    {
        const auto address = reinterpret_cast<std::uintptr_t>(object);
        const auto start = reinterpret_cast<std::uintptr_t>(arena_.memory());
        const bool inside = address >= start && address - start <= arena_.bytes() - bytes;
        return inside && address % alignment == 0 ? object : nullptr;
    }
    void tell(std::string_view lines) override { text_ += lines; }

private:
    const SharedFile& arena_;
    std::string& text_;
};

void WaitWatch::report_rank(const Place& place, jobs::WaitReport& report, std::string& text) const
{
    const WaitRecord& at = record(place.endpoint);
    Text<300> line;
    line << "  " << places_.name_of(place) << ": ";
    if (place.asked)
        return report.tell_wait_for_ends(line, at);
    if (sched::SemaphoreWaiter::WaitInP wait{}; semaphores_.waits(place.endpoint, wait))
        return report.tell_wait_in_p(line, wait.semaphore);
    if (Seen::by(at).waits) {
        report.tell_wait(line, at);
        return report.tell_unmatched(at);
    }
    text.append(line.view());
    text += (place.process > 0 ? describe_activity(place.process, names_) : "has ended") + "\n";
}

std::string WaitWatch::report() const
{
    std::string text;
    Teller teller(arena_, text);
    jobs::WaitReport report(teller);
    for (const Place& place : places_) {
        if (place.machine != here_ || place.role == Role::policy)
            continue;
        if (place.role == Role::network && !jobs::waits_for_budget(record(place.endpoint)))
            continue;
        const std::optional<int> left = places_.roster().left_with(place.endpoint);
        if (left)
            text +=
                "  " + places_.name_of(place) + ": left before, with status " + std::to_string(*left) + "\n";
        else if (place.process != 0)
            report_rank(place, report, text);
    }
    report.tell_budget("--budget");
    return text;
}

} // namespace parley::native
