// SPDX-License-Identifier: MIT
#include "native/nxrun/rank_requests.hpp"

#include "interface/proxies.h"
#include "interface/senders.h"
#include "jobs/loading.hpp"
#include "native/nxrun/machine.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

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

// A text of a row ends where there is room for it.
template <std::size_t size>
void end(char (&text)[size])
{
    text[size - 1] = '\0';
}

} // namespace

// Programs that a load wants, as jobs::load() has them made: nothing is started before all are placed.
class RankRequests::Commands {
public:
    // For giving back alone.
    explicit Commands(RankRequests& requests) : requests_(requests) { }
    // The payload is the program's name, and each of its arguments behind a zero.
    Commands(RankRequests& requests, const parley_native_request& request);

    Result<void> make(unsigned endpoint)
    {
        if (refusal_)
            return std::unexpected(*refusal_);
        requests_.places_[endpoint].command = command_;
        return {};
    }
    Result<void> open(unsigned endpoint)
    {
        requests_.starts_[endpoint].start.pid = requests_.roster().pid_of(endpoint);
        return {};
    }
    void take_back(unsigned endpoint) { requests_.places_[endpoint].command.clear(); }

private:
    RankRequests& requests_;
    std::vector<std::string> command_;
    std::optional<Error> refusal_;
};

RankRequests::Commands::Commands(RankRequests& requests, const parley_native_request& request)
    : requests_(requests)
{
    const std::string_view words(reinterpret_cast<const char*>(request.payload), request.bytes);
    for (std::size_t at = 0; at <= words.size();) {
        const std::size_t end = std::min(words.find('\0', at), words.size());
        command_.emplace_back(words.substr(at, end - at));
        at = end + 1;
    }
    constexpr std::size_t most_words = 64;
    if (!find_program(command_.front(), requests.host_program_))
        refusal_ = Error::not_found;
    else if (!is_executable(command_.front()))
        refusal_ = Error::bad_executable;
    else if (command_.size() > most_words)
        refusal_ = Error::bad_argument;
}

void RankRequests::take(Place& place, const parley_native_request& request)
{
    using For = jobs::WaitForEnds::For;
    const auto or_refuse = [&](const Result<void>& done) {
        if (!done)
            refuse(place, request.number, done.error());
    };
    switch (request.method) {
    case 0: return withdraw(place, request.number);
    case parley_method_results_report: return add_row(place, request);
    case parley_method_job_load: return load(place, request);
    case parley_method_job_start: start(chosen(request, 0)); return answer(place, request.number, 0);
    case parley_method_job_set_pid: return or_refuse(set_pid(place, request));
    case parley_method_job_wait_for:
        return or_refuse(begin_waiting(place, {request.number, 0},
                                       {request.words[2] != 0 ? For::one : For::all, chosen(request, 0)}));
    case parley_method_job_kill: return or_refuse(kill(place, request));
    default: return refuse(place, request.number, Error::no_such_call);
    }
}

// It is not answered, and its rank is a program like any: what it says is not believed.
void RankRequests::add_row(const Place& place, const parley_native_request& request)
{
    Record::Row row{place.node, {}};
    if (request.bytes != sizeof row.row)
        return;
    std::memcpy(&row.row, request.payload, sizeof row.row);
    end(row.row.name);
    end(row.row.unit);
    end(row.row.access);
    record_.add(row);
}

// A killer goes on waiting: those that it has killed do not take long.
void RankRequests::withdraw(Place& place, unsigned number)
{
    {
        const LockGuard guard(roster().lock());
        const std::optional<jobs::WaitForEnds>& wait = roster().wait_of(place.endpoint);
        if (!place.asked || place.asked->number != number || !wait ||
            wait->what == jobs::WaitForEnds::For::killed)
            return;
        roster().give_up(place.endpoint);
    }
    place.asked.reset();
    refuse(place, number, Error::interrupted);
}

void RankRequests::load(Place& place, const parley_native_request& request)
{
    const jobs::Selection where = chosen(request, 2);
    Commands commands(*this, request);
    const Result<unsigned> first = jobs::load(roster(), place.endpoint, where, commands);
    if (!first)
        return refuse(place, request.number, first.error());
    const long count = where.node == -1 ? roster().nodes() : 1;
    machinery_.tell_then_answer(place, {Packet::Kind::place, *first, {where.pid, count}}, request.number,
                                static_cast<long>(*first), false);
}

// What was placed is killed: it never began. A machine that has made the change finds a place under the pid
// that it was to have until another gets that pid.
void RankRequests::undo(Place& place, unsigned number, const Packet& change, Error error)
{
    {
        const LockGuard guard(roster().lock());
        if (change.kind == Packet::Kind::set_pid)
            (void)roster().set_pid(change.endpoint, static_cast<int>(change.words[1]));
        for (unsigned i = 0; change.kind == Packet::Kind::place && i < change.words[1]; ++i)
            roster().unload(change.endpoint + i, place.endpoint);
    }
    give_back(place.endpoint);
    look_after_waits();
    refuse(place, number, error);
}

void RankRequests::give_back(unsigned owner)
{
    Commands nothing(*this);
    jobs::give_back(roster(), owner, nothing);
}

void RankRequests::start(jobs::Selection whom)
{
    std::vector<unsigned> begun;
    {
        const LockGuard guard(roster().lock());
        roster().start(whom, [&](unsigned endpoint) { begun.push_back(endpoint); });
    }
    bool all_can = true;
    for (const unsigned endpoint : begun) {
        all_can = all_can && machinery_.start(places_[endpoint]);
        if (all_can)
            continue;
        const LockGuard guard(roster().lock());
        roster().ended(endpoint, 128);
    }
}

Result<void> RankRequests::set_pid(Place& place, const parley_native_request& request)
{
    const int before = roster().pid_of(place.endpoint);
    {
        const LockGuard guard(roster().lock());
        TRY_VOID(roster().check_pid(place.endpoint, static_cast<int>(request.words[0])));
        TRY_VOID(roster().set_pid(place.endpoint, static_cast<int>(request.words[0])));
    }
    look_after_waits();
    machinery_.tell_then_answer(place, {Packet::Kind::set_pid, place.endpoint, {request.words[0], before}},
                                request.number, 0, false);
    return {};
}

Result<void> RankRequests::kill(Place& place, const parley_native_request& request)
{
    const jobs::Selection whom = chosen(request, 0);
    const bool keeps_messages = request.words[2] != 0; // killproc
    {
        const LockGuard guard(roster().lock());
        TRY(roster().kill(place.endpoint, whom, keeps_messages, [&](unsigned endpoint) {
            machinery_.kill_rank(places_[endpoint], keeps_messages);
        }));
    }
    give_back(place.endpoint);
    return begin_waiting(place, {request.number, request.words[2]}, {jobs::WaitForEnds::For::killed, whom});
}

Result<void> RankRequests::begin_waiting(Place& place, const Asked& asked, const jobs::WaitForEnds& wait)
{
    {
        const LockGuard guard(roster().lock());
        TRY_VOID(roster().wait(place.endpoint, wait));
    }
    place.asked = asked;
    answer_wait(place);
    return {};
}

void RankRequests::note_end(const Place& place)
{
    give_back(place.endpoint);
    look_after_waits();
}

void RankRequests::look_after_waits()
{
    for (Place& place : places_) {
        const bool may_go_on = [&] {
            const LockGuard guard(roster().lock());
            return roster().may_go_on(place.endpoint);
        }();
        if (may_go_on)
            answer_wait(place);
    }
}

// If what the rank waits for has come, it is told.
void RankRequests::answer_wait(Place& place)
{
    jobs::WaitForEnds wait{};
    Result<jobs::Ended> checked;
    {
        const LockGuard guard(roster().lock());
        wait = *roster().wait_of(place.endpoint);
        checked = roster().check_wait(place.endpoint);
    }
    if (!checked && checked.error() == Error::would_block)
        return;
    const Asked asked = *place.asked;
    place.asked.reset();
    if (!checked)
        return refuse(place, asked.number, checked.error());
    switch (wait.what) {
    case jobs::WaitForEnds::For::all: return answer(place, asked.number, 0);
    case jobs::WaitForEnds::For::one:
        return answer(place, asked.number, checked->status, sender_of(*checked));
    case jobs::WaitForEnds::For::killed:
        return machinery_.tell_then_answer(
            place, {Packet::Kind::reset, 0, {wait.whom.node, wait.whom.pid, asked.keep}}, asked.number, 0,
            roster().removed(place.endpoint));
    }
}

} // namespace parley::native
