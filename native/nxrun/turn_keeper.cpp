// SPDX-License-Identifier: MIT
#include "native/nxrun/turn_keeper.hpp"

#include "native/nxrun/options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace parley::native {

namespace {

void watch(int events, int descriptor)
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
}

bool is_mine(int connection)
{
    ucred peer{};
    socklen_t bytes = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
}

void say(int connection, TurnMessage::Kind kind)
{
    TurnMessage message;
    message.kind = kind;
    (void)send(connection, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT); // who has ended is noticed
}

} // namespace

TurnKeeper::TurnKeeper(int listener, int events)
    : listener_(listener), events_(events), timer_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC))
{
    if (timer_ < 0)
        throw BadRequest{std::string("Linux refuses a timer: ") + std::strerror(errno) + "."};
    watch(events_, listener_);
    watch(events_, timer_);
}

TurnKeeper::~TurnKeeper()
{
    for (const Member& member : members_)
        close(member.connection);
    close(timer_);
    close(listener_);
}

bool TurnKeeper::attend(int descriptor)
{
    const auto member = std::ranges::find(members_, descriptor, &Member::connection);
    if (descriptor == listener_)
        accept_all();
    else if (descriptor == timer_) {
        std::uint64_t ticks = 0;
        (void)!::read(timer_, &ticks, sizeof ticks);
        for (Member& one : members_)
            if (one.state == Member::State::runs && is_wanted(one) &&
                one.since + one.slice <= TurnClock::now()) {
                one.state = Member::State::halts;
                say(one.connection, TurnMessage::Kind::halt);
            }
    } else if (member == members_.end())
        return false;
    else if (!hear(*member)) {
        close(member->connection);
        members_.erase(member);
    }
    give_turns();
    return true;
}

void TurnKeeper::accept_all()
{
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0)
        return;
    if (!is_mine(connection)) {
        close(connection);
        return;
    }
    members_.push_back({connection});
    watch(events_, connection);
}

// False: it is gone.
bool TurnKeeper::hear(Member& member)
{
    TurnMessage message;
    const ssize_t got = recv(member.connection, &message, sizeof message, MSG_DONTWAIT);
    if (got != static_cast<ssize_t>(sizeof message))
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    if (message.kind == TurnMessage::Kind::join) {
        member.slice = std::chrono::milliseconds(message.slice_milliseconds);
        member.processors = message.processors;
        member.since = message.since;
    } else
        member.since = TurnClock::now();
    member.state = Member::State::waits;
    return true;
}

void TurnKeeper::give_turns()
{
    Processors taken;
    for (const Member& member : members_)
        if (member.state == Member::State::runs || member.state == Member::State::halts)
            taken |= member.processors;
    members_.sort([](const Member& one, const Member& other) { return one.since < other.since; });
    for (Member& member : members_) {
        if (member.state != Member::State::waits)
            continue;
        if ((member.processors & taken).none()) {
            member.state = Member::State::runs;
            member.since = TurnClock::now();
            say(member.connection, TurnMessage::Kind::go);
        }
        taken |= member.processors; // one that waits keeps those behind it from its processors
    }
    set_timer();
}

bool TurnKeeper::is_wanted(const Member& runner) const
{
    return std::ranges::any_of(members_, [&](const Member& other) {
        return other.state == Member::State::waits && (other.processors & runner.processors).any();
    });
}

// For the first slice to be over that somebody waits for; none: never.
void TurnKeeper::set_timer()
{
    auto first = TurnClock::time_point::max();
    for (const Member& member : members_)
        if (member.state == Member::State::runs && is_wanted(member))
            first = std::min(first, member.since + member.slice);
    itimerspec end{};
    if (first != TurnClock::time_point::max()) {
        const auto since_boot =
            std::chrono::duration_cast<std::chrono::nanoseconds>(first.time_since_epoch());
        end.it_value = {static_cast<time_t>(since_boot.count() / 1'000'000'000),
                        static_cast<long>(since_boot.count() % 1'000'000'000)};
    }
    timerfd_settime(timer_, TFD_TIMER_ABSTIME, &end, nullptr);
}

} // namespace parley::native
