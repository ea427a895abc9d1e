// SPDX-License-Identifier: MIT
#include "native/nxrun/ranks.hpp"

#include "native/interface/departure.h"
#include "native/nxrun/fault_report.hpp"
#include "native/nxrun/processes.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace parley::native {

namespace {

std::unexpected<std::string> no_more_descriptors()
{
    return std::unexpected(std::string("There are not enough descriptors for so many ranks (") +
                           std::strerror(errno) + "): raise ulimit -n.");
}

} // namespace

std::expected<void, std::string> Ranks::start(Place& place)
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) < 0)
        return no_more_descriptors();
    const std::optional<int> output = in_.output.open(place);
    if (!output) {
        const auto refusal = no_more_descriptors();
        close(sockets[0]);
        close(sockets[1]);
        return refusal;
    }
    std::cout.flush();
    in_.departures.expect_none(place);
    in_.trace.begun(place.endpoint);
    fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
    const std::expected<pid_t, std::string> child =
        in_.starter.start({place, in_.processors.of(in_.places.number_here(place)),
                           in_.places.reads_input(place), sockets[1], *output});
    close(sockets[1]);
    if (*output >= 0)
        close(*output);
    if (!child) {
        close(sockets[0]);
        in_.output.end(place);
        return std::unexpected(child.error());
    }
    place.socket = sockets[0];
    in_.events.watch(place.socket, EventSource::request, place.endpoint);
    adopt(place, *child);
    lead_group(place.process);
    place.begun = false;
    place.fault.clear();
    if (halted_)
        stop_rank(place);
    return {};
}

void Ranks::adopt(Place& place, pid_t process)
{
    place.process = process;
    place.begun = true;
    ++alive_;
}

void Ranks::kill(Place& place, bool successor_receives)
{
    if (place.process > 0)
        in_.departures.ask(place, successor_receives);
}

void Ranks::end(Place& place)
{
    if (place.process > 0)
        end_group(place.process);
}

void Ranks::end_all()
{
    for (Place& place : in_.places)
        if (place.role != Role::network)
            end(place);
        else if (place.process > 0)
            ::kill(place.process, PARLEY_NATIVE_DEPART);
}

void Ranks::answer(Place& place, unsigned number, long value, unsigned long sender)
{
    const parley_native_answer answer{number, 0, value, sender};
    (void)send(place.socket, &answer, sizeof answer, MSG_NOSIGNAL);
}

void Ranks::halt()
{
    halted_ = true;
    for (Place& place : in_.places)
        if (place.process > 0)
            stop_rank(place);
}

void Ranks::go_on()
{
    halted_ = false;
    in_.starter.resume();
    for (const Place& place : in_.places)
        if (place.process > 0)
            continue_group(place.process);
}

// A process is stopped only when it ends with nxrun: else one that is stopped could be left behind.
void Ranks::stop_rank(Place& place)
{
    pollfd told{place.socket, POLLIN, 0};
    while (!place.begun && (told.revents & POLLHUP) == 0) {
        poll(&told, 1, -1);
        serve(place);
    }
    stop(place.process);
}

void Ranks::serve(Place& place)
{
    parley_native_request request;
    for (;;) {
        const ssize_t got = recv(place.socket, &request, sizeof request, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            in_.events.forget(place.socket);
        if (got < static_cast<ssize_t>(offsetof(parley_native_request, payload)))
            return;
        // A rank is a program like any: what it says of lengths is not believed.
        request.bytes = static_cast<unsigned long>(got) - offsetof(parley_native_request, payload);
        if (request.method == PARLEY_NATIVE_BEGUN)
            place.begun = true;
        else if (request.method == PARLEY_NATIVE_FAULT)
            place.fault = fault_told(request, in_.names);
        else
            in_.listener.asked(place, request);
    }
}

std::optional<std::string> Ranks::ended(Place& place, int status, const rusage& used,
                                        unsigned long clock_hertz)
{
    in_.trace.ended(place.endpoint, used, clock_hertz);
    in_.output.end(place);
    if (place.socket >= 0) {
        serve(place);
        close(place.socket);
    }
    place.socket = -1;
    place.process = 0;
    place.asked.reset();
    --alive_;
    __atomic_store_n(&in_.shared[place.endpoint].process, 0, __ATOMIC_RELEASE);
    return sentence_of(place, in_.departures.ended(place, status));
}

std::optional<std::string> Ranks::look_after_departures()
{
    std::optional<std::string> first;
    for (Place& place : in_.places) {
        if (!place.end_request)
            continue;
        const auto lost = sentence_of(place, in_.departures.look_after(place));
        first = first ? first : lost;
    }
    return first;
}

std::optional<std::string> Ranks::sentence_of(const Place& place,
                                              const std::optional<std::string>& lost) const
{
    if (!lost)
        return {};
    return "The job failed: " + in_.places.name_of(place) + " " + *lost + ".";
}

} // namespace parley::native
