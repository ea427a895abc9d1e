// SPDX-License-Identifier: MIT
#include "native/nxrun/wait_watch.hpp"

#include "interface/library.h"
#include "jobs/wait_description.hpp"
#include "messaging/message/message_list.hpp"
#include "native/interface/native_job.h"
#include "native/nxrun/activity.hpp"

#include <fstream>
#include <poll.h>

namespace parley::native {

namespace {

using messaging::Message;
using messaging::MessageList;
using messaging::WaitReason;
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

bool WaitWatch::waits(const Place& place, std::uint32_t& epoch) const
{
    if (place.process == 0 || place.machine != here_) {
        epoch = 0; // whoever ends it, or loads another, is one of those who wait
        return true;
    }
    if (place.departure)
        return false; // its wait gives up
    if (place.asked) {
        epoch = place.asked->number;
        return sleeps(place.process) && !has_asked(place.socket);
    }
    const WaitRecord& at = record(place.endpoint);
    return at.state.load(std::memory_order_acquire) == messaging::EndpointState::live &&
           jobs::waits_unsignalled(at, epoch);
}

WaitWatch::Look WaitWatch::look() const
{
    constexpr std::uint64_t prime = 0x100000001b3; // of FNV-1a, by words
    Look look{true, false, 0xcbf29ce484222325};
    for (const Place& place : places_) {
        std::uint32_t epoch = 0;
        look.all = look.all && waits(place, epoch);
        look.epochs = (look.epochs ^ epoch) * prime;
        const WaitReason reason = record(place.endpoint).reason.load(std::memory_order_relaxed);
        look.somebody = look.somebody || (place.process != 0 && place.machine == here_ &&
                                          (place.asked || reason != WaitReason::carrying));
    }
    return look;
}

bool WaitWatch::nobody_can_go_on()
{
    const Look now = look();
    const bool same = now.all && now.somebody && last_.all && now.epochs == last_.epochs;
    last_ = now;
    return same;
}

// Programs may have written anything into the arena: what is followed lies in it.
template <class Object>
const Object* WaitWatch::find(const Object* object) const
{
    const auto address = reinterpret_cast<std::uintptr_t>(object);
    const auto start = reinterpret_cast<std::uintptr_t>(arena_.memory());
    const bool inside = address >= start && address - start <= arena_.bytes() - sizeof(Object);
    return inside && address % alignof(Object) == 0 ? object : nullptr;
}

void WaitWatch::report_queue(const WaitRecord& at, std::string& text) const
{
    constexpr unsigned shown = 8;
    const MessageList* const list = find(at.unexpected);
    unsigned count = 0;
    for (const Message* message = list == nullptr ? nullptr
                                                  : find(static_cast<const Message*>(list->first()));
         message != nullptr; message = find(static_cast<const Message*>(message->next))) {
        if (++count > shown) {
            text += "    and more\n";
            return;
        }
        Text<200> line;
        line << "    unmatched: ";
        jobs::describe_unmatched(line, *message, at, message->node());
        text.append(line.view()) += '\n';
    }
}

std::string WaitWatch::report() const
{
    std::string text;
    bool budget = false;
    for (const Place& place : places_) {
        const std::optional<int> left = places_.roster().left_with(place.endpoint);
        const bool is_network = place.role == Role::helper && place.socket < 0;
        if ((place.process == 0 && !left) || place.machine != here_ || is_network)
            continue;
        const WaitRecord& at = record(place.endpoint);
        text += "  " + places_.name_of(place) + ": ";
        if (left) {
            text += "left before, with status " + std::to_string(*left) + "\n";
            continue;
        }
        if (place.asked) {
            text += "waitall waits for programs to end\n";
            continue;
        }
        std::uint32_t epoch = 0;
        if (!jobs::waits_unsignalled(at, epoch)) {
            text += (place.process > 0 ? describe_activity(place.process, names_) : "has ended") + "\n";
            continue;
        }
        Text<200> line;
        jobs::describe_wait(line, at);
        text.append(line.view());
        if (at.holds_handler.load(std::memory_order_relaxed) != 0)
            text += "; a message handler is due, but the program holds it back with masktrap";
        text += '\n';
        report_queue(at, text);
        budget = budget || at.reason.load(std::memory_order_relaxed) == WaitReason::budget;
    }
    if (budget)
        text +=
            "  the message budget is used up: give the job more (--budget), or receive in another order\n";
    return text;
}

} // namespace parley::native
