// SPDX-License-Identifier: MIT
#include "native/nxrun/turns.hpp"

#include "native/nxrun/options.hpp"
#include "native/nxrun/processes.hpp"
#include "native/nxrun/turn_keeper.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr int waiting_connections = 1024;
// The keeper's only descriptor beside the standard ones: closed as soon as others can join, or another keeper
// is there; why it cannot be one is written there.
constexpr int keepers_listens = 3;

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

int checked(int value, const char* what) { return value >= 0 ? value : (fail(what), -1); }

// By the keeper's process: errno.
void tell_why()
{
    const int why = errno;
    (void)!write(keepers_listens, &why, sizeof why);
}

int new_socket() { return checked(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), "a socket"); }

} // namespace

Turns::Turns(const std::vector<int>& processors, unsigned slice_milliseconds)
    : events_(checked(epoll_create1(EPOLL_CLOEXEC), "a list of events"))
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
    if (connection_ >= 0) {
        shutdown(connection_, SHUT_RDWR);
        close(connection_);
    }
    close(events_);
}

// By connecting, or by starting a keeper where none listens. Between the two somebody else may have started
// one, or it may have ended; each time round one of all those who try has come further.
void Turns::join()
{
    const Address address;
    connection_ = new_socket();
    while (connect(connection_, address.get(), address.bytes) < 0) {
        if (errno != ECONNREFUSED)
            fail("to connect to the other jobs");
        start_keeper();
    }
    ucred keeper{};
    socklen_t bytes = sizeof keeper;
    getsockopt(connection_, SOL_SOCKET, SO_PEERCRED, &keeper, &bytes);
    if (keeper.uid != geteuid())
        throw BadRequest{"--gang: the place where this user's jobs meet has been taken by user " +
                         std::to_string(keeper.uid) + "."};
    keeper_ = keeper.pid;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = connection_;
    epoll_ctl(events_, EPOLL_CTL_ADD, connection_, &event);
    (void)send(connection_, &wish_, sizeof wish_, MSG_NOSIGNAL);
}

// Returns when one listens. It is nobody's child, so that nobody has to await its end.
void Turns::start_keeper()
{
    int ends[2];
    checked(pipe2(ends, O_CLOEXEC), "a pipe");
    char name[16];
    prctl(PR_GET_NAME, name);
    prctl(PR_SET_NAME, keepers_name); // whoever looks at nxrun's children knows it from the first moment
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        const int nothing = open("/dev/null", O_RDWR);
        const int listens = fcntl(ends[1], F_DUPFD, keepers_listens + 1);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            dup2(nothing, stream);
        dup2(listens, keepers_listens);
        close_range(keepers_listens + 1, ~0u, 0);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        execl("/proc/self/exe", keepers_name, nullptr);
        tell_why();
        _exit(127);
    }
    const int error = errno; // of fork
    prctl(PR_SET_NAME, name);
    close(ends[1]);
    if (child > 0)
        waitpid(child, nullptr, 0);
    int why = 0;
    ssize_t got = 0;
    do
        got = child < 0 ? 0 : read(ends[0], &why, sizeof why);
    while (got < 0 && errno == EINTR);
    close(ends[0]);
    if (child < 0)
        throw BadRequest{no_more_processes(error)};
    if (got == static_cast<ssize_t>(sizeof why)) {
        errno = why;
        fail("to start who keeps the turns");
    }
}

int Turns::keep()
{
    prctl(PR_SET_NAME, keepers_name);
    try {
        const Address address;
        const int listener = new_socket();
        if (bind(listener, address.get(), address.bytes) < 0 || listen(listener, waiting_connections) < 0) {
            if (errno != EADDRINUSE) // another listens
                tell_why();
            return 1;
        }
        TurnKeeper keeper(listener);
        close(keepers_listens);
        keeper.run();
        return 0;
    } catch (const BadRequest&) {
        return 1;
    }
}

Turns::Change Turns::attend()
{
    // What came while this nxrun was stopped is old but for the last of it.
    auto change = Change::none;
    for (;;) {
        TurnMessage message;
        const ssize_t got = recv(connection_, &message, sizeof message, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return change;
        if (got != static_cast<ssize_t>(sizeof message))
            break;
        change = message.kind == TurnMessage::Kind::go ? Change::go : Change::halt;
        if (change == Change::go) {
            runs_ = true;
            ++begun_;
        }
    }
    epoll_ctl(events_, EPOLL_CTL_DEL, connection_, nullptr); // a child that has not begun may hold it, too
    close(connection_);
    connection_ = -1;
    if (runs_)
        return Change::halt;
    join();
    return Change::none;
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

void Turns::look_after_keeper() const
{
    if (!runs_ && is_stopped(keeper_))
        kill(keeper_, SIGCONT);
}

} // namespace parley::native
