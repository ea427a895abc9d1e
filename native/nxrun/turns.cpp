// SPDX-License-Identifier: MIT
#include "native/nxrun/turns.hpp"

#include "native/nxrun/options.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr int waiting_connections = 1024;

// An abstract name: it begins with a zero, is the user's own, and goes with its socket.
struct Address {
    sockaddr_un name{};
    socklen_t bytes;

    Address()
    {
        name.sun_family = AF_UNIX;
        const std::string text = "parley-turns-" + std::to_string(geteuid());
        text.copy(name.sun_path + 1, sizeof name.sun_path - 1);
        bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    }
    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&name); }
};

[[noreturn]] void fail(const char* what)
{
    throw BadRequest{std::string("--gang: Linux refuses ") + what + ": " + std::strerror(errno) + "."};
}

int new_socket()
{
    const int made = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return made >= 0 ? made : (fail("a socket"), -1);
}

int new_list()
{
    const int made = epoll_create1(EPOLL_CLOEXEC);
    return made >= 0 ? made : (fail("a list of events"), -1);
}

} // namespace

Turns::Turns(const std::vector<int>& processors, unsigned slice_milliseconds) : events_(new_list())
{
    wish_.kind = TurnMessage::Kind::join;
    wish_.slice_milliseconds = slice_milliseconds;
    wish_.since = TurnClock::now();
    for (const int processor : processors)
        wish_.processors.set(static_cast<std::size_t>(processor));
    join();
}

Turns::~Turns()
{
    keeper_.reset();
    close(connection_);
    close(events_);
}

// By connecting, or by listening where nobody does. Between the two somebody else may have begun or ceased to
// listen; each time round one of all those who try has come further.
void Turns::join()
{
    const Address address;
    connection_ = new_socket();
    while (connect(connection_, address.get(), address.bytes) < 0) {
        if (errno != ECONNREFUSED)
            fail("to connect to the other jobs");
        if (!keep_turns())
            sched_yield();
    }
    ucred keeper{};
    socklen_t bytes = sizeof keeper;
    getsockopt(connection_, SOL_SOCKET, SO_PEERCRED, &keeper, &bytes);
    if (keeper.uid != geteuid())
        throw BadRequest{"--gang: the place where this user's jobs meet has been taken by user " +
                         std::to_string(keeper.uid) + "."};
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = connection_;
    epoll_ctl(events_, EPOLL_CTL_ADD, connection_, &event);
    (void)send(connection_, &wish_, sizeof wish_, MSG_NOSIGNAL);
}

// False: somebody else does.
bool Turns::keep_turns()
{
    const Address address;
    const int listener = new_socket();
    if (bind(listener, address.get(), address.bytes) < 0 || listen(listener, waiting_connections) < 0) {
        const int why = errno;
        close(listener);
        errno = why;
        return why == EADDRINUSE ? false : (fail("to listen for other jobs"), false);
    }
    keeper_ = std::make_unique<TurnKeeper>(listener, events_);
    return true;
}

Turns::Change Turns::attend()
{
    epoll_event event;
    if (epoll_wait(events_, &event, 1, 0) < 1)
        return Change::none;
    if (event.data.fd == connection_)
        return hear();
    if (keeper_)
        keeper_->attend(event.data.fd);
    return Change::none;
}

Turns::Change Turns::hear()
{
    TurnMessage message;
    const ssize_t got = recv(connection_, &message, sizeof message, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return Change::none;
    if (got == static_cast<ssize_t>(sizeof message) && message.kind == TurnMessage::Kind::go) {
        runs_ = true;
        ++begun_;
        return Change::go;
    }
    if (got != static_cast<ssize_t>(sizeof message)) {
        close(connection_);
        connection_ = -1;
        if (!runs_)
            join();
    }
    return runs_ ? Change::halt : Change::none;
}

void Turns::halted()
{
    runs_ = false;
    wish_.since = TurnClock::now();
    if (connection_ < 0)
        return join();
    TurnMessage message;
    message.kind = TurnMessage::Kind::halted;
    (void)send(connection_, &message, sizeof message, MSG_NOSIGNAL);
}

} // namespace parley::native
