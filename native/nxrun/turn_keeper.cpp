// SPDX-License-Identifier: MIT
#include "native/nxrun/turn_keeper.hpp"

#include "native/nxrun/options.hpp"
#include "native/nxrun/processes.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr int peers_process = 77; // SO_PEERPIDFD, which the C library's headers do not have: Linux 6.5
constexpr int longest_without_members = 1000; // milliseconds

int checked(int descriptor, const char* what)
{
    if (descriptor < 0)
        throw BadRequest{std::string("Linux refuses ") + what + ": " + std::strerror(errno) + "."};
    return descriptor;
}

void watch(int events, int descriptor)
{
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
}

// A pidfd of the process at the other end; -1: Linux gives none.
int process_at(int connection, pid_t number)
{
    int process = -1;
    socklen_t bytes = sizeof process;
    if (getsockopt(connection, SOL_SOCKET, peers_process, &process, &bytes) == 0)
        return process;
    return static_cast<int>(syscall(SYS_pidfd_open, number, 0));
}

} // namespace

TurnKeeper::TurnKeeper(int listener)
    : listener_(listener), events_(checked(epoll_create1(EPOLL_CLOEXEC), "a list of events")),
      timer_(checked(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), "a timer"))
{
    watch(events_, listener_);
    watch(events_, timer_);
}

TurnKeeper::~TurnKeeper()
{
    while (!nxruns_.empty())
        remove(nxruns_.begin()->first);
    for (const int descriptor : {timer_, events_, listener_})
        close(descriptor);
}

void TurnKeeper::run()
{
    for (bool has_had_members = false; !has_had_members || !nxruns_.empty();) {
        epoll_event event;
        const int count = epoll_wait(events_, &event, 1, has_had_members ? -1 : longest_without_members);
        if (count == 0)
            return;
        if (count < 0)
            continue; // interrupted
        attend(event.data.fd);
        has_had_members = has_had_members || !nxruns_.empty();
        order_.give_turns(TurnClock::now());
        set_timer();
    }
}

void TurnKeeper::attend(int descriptor)
{
    if (descriptor == listener_)
        return accept_one();
    if (descriptor == timer_) {
        std::uint64_t ticks = 0;
        (void)!::read(timer_, &ticks, sizeof ticks);
        return order_.look(TurnClock::now());
    }
    if (nxruns_.contains(descriptor)) {
        if (!receive(descriptor))
            remove(descriptor);
        return;
    }
    // Its process has ended. Others may hold the connection that it had: ranks that have not begun.
    for (const auto& [member, nxrun] : nxruns_)
        if (nxrun.process == descriptor)
            return remove(member);
}

void TurnKeeper::accept_one()
{
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0)
        return;
    ucred peer{};
    socklen_t bytes = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 || peer.uid != geteuid()) {
        close(connection);
        return;
    }
    const int process = process_at(connection, peer.pid);
    if (process < 0 && errno == ESRCH) { // it has ended
        close(connection);
        return;
    }
    nxruns_[connection] = {peer.pid, process};
    order_.add(connection);
    watch(events_, connection);
    if (process >= 0)
        watch(events_, process);
}

// False: it is gone.
bool TurnKeeper::receive(int member)
{
    TurnMessage message;
    const ssize_t got = recv(member, &message, sizeof message, MSG_DONTWAIT);
    if (got != static_cast<ssize_t>(sizeof message))
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    order_.receive(member, message, TurnClock::now());
    return true;
}

void TurnKeeper::remove(int member)
{
    order_.remove(member);
    if (const int process = nxruns_.at(member).process; process >= 0)
        close(process);
    nxruns_.erase(member);
    // A descriptor that a child of the job's shares would stay in the list of events.
    epoll_ctl(events_, EPOLL_CTL_DEL, member, nullptr);
    close(member);
}

void TurnKeeper::say(int member, TurnMessage::Kind kind)
{
    TurnMessage message;
    message.kind = kind;
    (void)send(member, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool TurnKeeper::is_stopped(int member) const { return native::is_stopped(nxruns_.at(member).number); }

void TurnKeeper::stop_ranks(int member) const
{
    const std::string number = std::to_string(nxruns_.at(member).number);
    std::ifstream children("/proc/" + number + "/task/" + number + "/children");
    for (pid_t rank = 0; children >> rank;)
        kill(rank, SIGSTOP);
}

void TurnKeeper::set_timer()
{
    const auto first = order_.next_look(TurnClock::now());
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
