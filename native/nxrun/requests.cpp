// SPDX-License-Identifier: MIT
// What ranks ask of nxrun: rows for the record, and the calls of host programs. Their contracts are in
// interface/calls.def.
#include "interface/errors.h"
#include "interface/proxies.h"
#include "native/nxrun/fault_report.hpp"
#include "native/nxrun/job.hpp"
#include "native/nxrun/machine.hpp"

#include <cstring>
#include <iostream>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace parley::native {

namespace {

enum Failure : long {
#define PARLEY_NATIVE_ERROR(name, number, nx_errno, sentence) name = -(number),
    PARLEY_ERRORS(PARLEY_NATIVE_ERROR)
#undef PARLEY_NATIVE_ERROR
};

// What receives answer in their second word (interface/receive_status.h): here the node and the pid.
unsigned long sender_of(const Place& place)
{
    return static_cast<unsigned long>(static_cast<unsigned>(place.pid)) << PARLEY_PID_SHIFT |
           static_cast<unsigned long>(place.node);
}

} // namespace

void Job::serve(Place& place)
{
    parley_native_request request;
    for (;;) {
        const ssize_t got = recv(place.socket, &request, sizeof request, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            epoll_ctl(events_, EPOLL_CTL_DEL, place.socket, nullptr);
        if (got < static_cast<ssize_t>(offsetof(parley_native_request, payload)))
            return;
        // A rank is a program like any: what it says of lengths is not believed.
        request.bytes = static_cast<unsigned long>(got) - offsetof(parley_native_request, payload);
        if (request.method == PARLEY_NATIVE_BEGUN)
            place.begun = true;
        else if (request.method == PARLEY_NATIVE_FAULT)
            place.fault = fault_told(request, names_); // its program lies on this machine
        else if (is_first())
            take(place, request);
        else
            forward(place, request, static_cast<std::size_t>(got));
    }
}

void Job::take(Place& place, const parley_native_request& request)
{
    const Chosen chosen{request.words[0], request.words[1]};
    const bool keeps_messages = request.words[2] != 0; // killproc
    switch (request.method) {
    case 0:
        if (place.waiting && place.waiting->number == request.number &&
            place.waiting->what != Waiting::For::killed) {
            place.waiting.reset();
            answer(place, request.number, interrupted);
        }
        return;
    case parley_method_results_report: {
        Record::Row row{place.node, {}};
        if (request.bytes != sizeof row.row)
            return;
        std::memcpy(&row.row, request.payload, sizeof row.row);
        row.row.name[sizeof row.row.name - 1] = row.row.unit[sizeof row.row.unit - 1] =
            row.row.access[sizeof row.row.access - 1] = '\0';
        return record_.add(row);
    }
    case parley_method_job_load: {
        const long first = place.role == Role::host ? load(request) : not_permitted;
        if (first < 0)
            return answer(place, request.number, first);
        const long count = request.words[2] == -1 ? static_cast<long>(options_.nodes) : 1;
        return tell_then_answer(
            place, {Packet::Kind::place, static_cast<std::uint32_t>(first), {request.words[3], count}},
            request.number, first);
    }
    case parley_method_job_start:
        for (Place* const one : places_.chosen(chosen))
            if (one->standing == Standing::placed)
                start(*one);
        return answer(place, request.number, 0);
    case parley_method_job_set_pid:
        place.pid = static_cast<int>(request.words[0]);
        return tell_then_answer(place, {Packet::Kind::set_pid, place.endpoint, {request.words[0]}},
                                request.number, 0);
    case parley_method_job_wait_for:
        return begin_waiting(place, {request.words[2] != 0 ? Waiting::For::one : Waiting::For::all,
                                     request.number, chosen, 0});
    case parley_method_job_kill:
        for (Place* const one : places_.chosen(chosen)) {
            one->standing = one->standing == Standing::ended ? Standing::empty : one->standing;
            if (one->standing != Standing::running)
                continue;
            one->removed = true;
            if (one != &place)
                kill_rank(*one, keeps_messages);
            else
                place.successor_receives = keeps_messages;
        }
        return begin_waiting(place, {Waiting::For::killed, request.number, chosen, request.words[2]});
    default: return answer(place, request.number, no_such_call);
    }
}

void Job::answer(Place& place, unsigned number, long value, unsigned long sender)
{
    if (!places_.is_here(place))
        return machines_->send(
            place.machine,
            {Packet::Kind::answer, place.endpoint, {number, value, static_cast<std::int64_t>(sender)}});
    const parley_native_answer answer{number, 0, value, sender};
    // One that has ended needs none.
    (void)send(place.socket, &answer, sizeof answer, MSG_NOSIGNAL);
}

// Words: node and pid are the third and the fourth; the payload is the program's name, and each of its
// arguments behind a zero.
long Job::load(const parley_native_request& request)
{
    const long node = request.words[2], pid = request.words[3];
    if (node < -1 || node >= static_cast<long>(options_.nodes))
        return bad_node;
    const long row = pid < 0 ? -1 : places_.row_of(pid);
    if (row < 0)
        return bad_process;
    std::vector<std::string> command;
    const std::string_view words(reinterpret_cast<const char*>(request.payload), request.bytes);
    for (std::size_t at = 0; at <= words.size();) {
        const std::size_t end = std::min(words.find('\0', at), words.size());
        command.emplace_back(words.substr(at, end - at));
        at = end + 1;
    }
    if (!find_program(command.front(), options_.command.front()))
        return not_found;
    const std::vector<Place*> places = places_.of_row(row, node);
    for (const Place* const place : places)
        if (place->standing != Standing::empty)
            return pid_in_use;
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    for (Place* const place : places) {
        place->command = command;
        place->pid = static_cast<int>(pid);
        place->standing = Standing::placed;
        job.places[place->endpoint].start.pid = place->pid;
    }
    if (pid != row)
        places_.give_pid(row, static_cast<int>(pid));
    return static_cast<long>(places.front()->endpoint);
}

void Job::begin_waiting(Place& place, const Waiting& waiting)
{
    place.waiting = waiting;
    if (settle(place))
        place.waiting.reset();
}

void Job::look_after_waits()
{
    for (Place& place : places_)
        if (place.waiting && settle(place))
            place.waiting.reset();
}

// Whether what the rank waits for has come, and it has been told.
bool Job::settle(Place& place)
{
    const Waiting& waiting = *place.waiting;
    if (waiting.what == Waiting::For::one) {
        for (Place* const one : places_.chosen(waiting.chosen, &place)) {
            if (one->standing != Standing::ended)
                continue;
            one->standing = Standing::empty;
            answer(place, waiting.number, one->exit_status, sender_of(*one));
            return true;
        }
        if (!places_.none_runs(waiting.chosen, &place))
            return false;
        answer(place, waiting.number, closed);
        return true;
    }
    if (!places_.none_runs(waiting.chosen, &place))
        return false;
    for (Place* const one : places_.chosen(waiting.chosen, &place))
        one->standing = one->standing == Standing::ended ? Standing::empty : one->standing;
    if (waiting.what == Waiting::For::all)
        answer(place, waiting.number, 0);
    else
        tell_then_answer(place,
                         {Packet::Kind::reset, 0, {waiting.chosen.node, waiting.chosen.pid, waiting.keep}},
                         waiting.number, 0, place.removed);
    return true;
}

} // namespace parley::native
