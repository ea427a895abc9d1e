// SPDX-License-Identifier: MIT
// What ranks ask of nxrun: rows for the record, and the calls of host programs. Their contracts are in
// interface/calls.def.
#include "interface/proxies.h"
#include "jobs/loading.hpp"
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

// What receives answer in their second word (interface/receive_status.h): here the node and the pid.
unsigned long sender_of(const jobs::Ended& ended)
{
    return static_cast<unsigned long>(static_cast<unsigned>(ended.pid)) << PARLEY_PID_SHIFT |
           static_cast<unsigned long>(ended.node);
}

jobs::Selection chosen(const parley_native_request& request, unsigned node)
{
    return {static_cast<int>(request.words[node]), static_cast<int>(request.words[node + 1])};
}

long number_of(Error error) { return -static_cast<long>(error); }

// Programs that a load wants, as jobs::load() has them made: nothing is started before all are placed.
class Commands {
public:
    Commands(Places& places, const Options& options, parley_native_job& job,
             const parley_native_request& request);

    Result<void> make(unsigned endpoint)
    {
        if (refusal_)
            return std::unexpected(*refusal_);
        places_[endpoint].command = command_;
        return {};
    }
    void open(unsigned endpoint) { job_.places[endpoint].start.pid = places_.roster().pid_of(endpoint); }
    void take_back(unsigned endpoint) { places_[endpoint].command.clear(); }

private:
    Places& places_;
    parley_native_job& job_;
    std::vector<std::string> command_;
    std::optional<Error> refusal_;
};

// The payload is the program's name, and each of its arguments behind a zero.
Commands::Commands(Places& places, const Options& options, parley_native_job& job,
                   const parley_native_request& request)
    : places_(places), job_(job)
{
    const std::string_view words(reinterpret_cast<const char*>(request.payload), request.bytes);
    for (std::size_t at = 0; at <= words.size();) {
        const std::size_t end = std::min(words.find('\0', at), words.size());
        command_.emplace_back(words.substr(at, end - at));
        at = end + 1;
    }
    constexpr std::size_t most_words = 64;
    if (!find_program(command_.front(), options.command.front()))
        refusal_ = Error::not_found;
    else if (!is_executable(command_.front()))
        refusal_ = Error::bad_executable;
    else if (command_.size() > most_words)
        refusal_ = Error::bad_argument;
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
    using For = jobs::Wait::For;
    const auto refuse = [&](const Result<void>& done) {
        if (!done)
            answer(place, request.number, number_of(done.error()));
    };
    switch (request.method) {
    case 0: return withdraw(place, request.number);
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
        const Result<unsigned> first = load(place, request);
        if (!first)
            return answer(place, request.number, number_of(first.error()));
        const long count = request.words[2] == -1 ? static_cast<long>(options_.nodes) : 1;
        return tell_then_answer(place, {Packet::Kind::place, *first, {request.words[3], count}},
                                request.number, static_cast<long>(*first));
    }
    case parley_method_job_start: start_placed(chosen(request, 0)); return answer(place, request.number, 0);
    case parley_method_job_set_pid: return set_pid(place, request);
    case parley_method_job_wait_for:
        return refuse(begin_waiting(place, {request.number, 0},
                                    {request.words[2] != 0 ? For::one : For::all, chosen(request, 0)}));
    case parley_method_job_kill: return refuse(kill(place, request));
    default: return answer(place, request.number, number_of(Error::no_such_call));
    }
}

// A killer goes on waiting: those that it has killed do not take long.
void Job::withdraw(Place& place, unsigned number)
{
    {
        const LockGuard guard(roster().lock());
        const std::optional<jobs::Wait>& wait = roster().wait_of(place.endpoint);
        if (!place.asked || place.asked->number != number || !wait || wait->what == jobs::Wait::For::killed)
            return;
        roster().give_up(place.endpoint);
    }
    place.asked.reset();
    answer(place, number, number_of(Error::interrupted));
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

Result<unsigned> Job::load(Place& place, const parley_native_request& request)
{
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    Commands commands(places_, options_, job, request);
    return jobs::load(roster(), place.endpoint, chosen(request, 2), commands);
}

void Job::give_back(const Place& owner)
{
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    Commands nothing(places_, options_, job, {});
    jobs::give_back(roster(), owner.endpoint, nothing);
}

void Job::start_placed(jobs::Selection whom)
{
    std::vector<unsigned> begun;
    {
        const LockGuard guard(roster().lock());
        roster().start(whom, [&](unsigned endpoint) { begun.push_back(endpoint); });
    }
    for (const unsigned endpoint : begun) {
        if (ending_ || !start(places_[endpoint]))
            forget(places_[endpoint]);
    }
}

void Job::set_pid(Place& place, const parley_native_request& request)
{
    Result<void> named;
    {
        const LockGuard guard(roster().lock());
        named = roster().set_pid(place.endpoint, static_cast<int>(request.words[0]));
    }
    if (!named)
        return answer(place, request.number, number_of(named.error()));
    look_after_waits();
    tell_then_answer(place, {Packet::Kind::set_pid, place.endpoint, {request.words[0]}}, request.number, 0);
}

Result<void> Job::kill(Place& place, const parley_native_request& request)
{
    const jobs::Selection whom = chosen(request, 0);
    const bool keeps_messages = request.words[2] != 0; // killproc
    {
        const LockGuard guard(roster().lock());
        TRY(roster().kill(place.endpoint, whom, keeps_messages,
                          [&](unsigned endpoint) { kill_rank(places_[endpoint], keeps_messages); }));
    }
    give_back(place);
    return begin_waiting(place, {request.number, request.words[2]}, {jobs::Wait::For::killed, whom});
}

Result<void> Job::begin_waiting(Place& place, const Asked& asked, const jobs::Wait& wait)
{
    {
        const LockGuard guard(roster().lock());
        TRY_VOID(roster().wait(place.endpoint, wait));
    }
    place.asked = asked;
    settle(place);
    return {};
}

void Job::look_after_waits()
{
    for (Place& place : places_) {
        const bool may_go_on = [&] {
            const LockGuard guard(roster().lock());
            return roster().may_go_on(place.endpoint);
        }();
        if (may_go_on)
            settle(place);
    }
}

// If what the rank waits for has come, it is told.
void Job::settle(Place& place)
{
    jobs::Wait wait{};
    Result<jobs::Ended> settled;
    {
        const LockGuard guard(roster().lock());
        wait = *roster().wait_of(place.endpoint);
        settled = roster().settle(place.endpoint);
    }
    if (!settled && settled.error() == Error::would_block)
        return;
    const Asked asked = *place.asked;
    place.asked.reset();
    if (!settled)
        return answer(place, asked.number, number_of(settled.error()));
    switch (wait.what) {
    case jobs::Wait::For::all: return answer(place, asked.number, 0);
    case jobs::Wait::For::one: return answer(place, asked.number, settled->status, sender_of(*settled));
    case jobs::Wait::For::killed:
        return tell_then_answer(place, {Packet::Kind::reset, 0, {wait.whom.node, wait.whom.pid, asked.keep}},
                                asked.number, 0, roster().removed(place.endpoint));
    }
}

} // namespace parley::native
