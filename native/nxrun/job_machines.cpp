// SPDX-License-Identifier: MIT
// A job on several machines. The first one's nxrun has it: it counts the ranks of all, answers their requests
// and decides how the job ends. The others start and end their own ranks when they are told to, and tell what
// these ask and how they end. Packets between two machines keep their order, so what a machine has been told
// before it is asked is seen in its answer.
#include "interface/proxies.h"
#include "native/nxrun/job.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/processes.hpp"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr unsigned patience = 50; // looks, of 0.2 s: other machines may be busy

} // namespace

// The helper enters the network before any rank begins; that all machines were asked for the same job is
// found out there. Throws BadRequest.
void Job::join_machines()
{
    Place& helper = places_.back();
    machines_->open();
    const pid_t nxrun = getpid();
    const pid_t child = fork();
    if (child < 0)
        throw BadRequest{no_more_processes(errno)};
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != nxrun)
            _exit(1);
        become_network(helper);
    }
    machines_->keep_own_end();
    helper.process = child;
    {
        const LockGuard guard(roster().lock());
        roster().begin(helper.endpoint);
    }
    helper.begun = true; // its first act, and it has no socket to tell so
    ++alive_;
    try {
        share_processors(machines_->await_joined());
    } catch (const BadRequest&) {
        waitpid(child, nullptr, 0); // it leaves the network first
        throw;
    }
    const auto& job = *reinterpret_cast<const parley_native_job*>(area_->memory());
    library_self_ = library_->attach(&job.places[helper.endpoint].start);
    if (library_self_ == nullptr)
        throw BadRequest{"The message system cannot be set up: take a larger --budget or fewer nodes."};
    watch(machines_->socket(), Source::machines);
}

// Signals stay blocked: the network is needed until every machine has heard of the end.
void Job::become_network(Place& helper)
{
    const int nothing = ::open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    parley_start& start = job.places[helper.endpoint].start;
    parley_start own = start; // the network's address is this process's alone
    share_processors(
        machines_->join(crowd_.processes, job.traffic, static_cast<unsigned>(processors_.size()), own));
    own.shares_processor = start.shares_processor;
    own.pause = start.pause;
    static parley_start lasting;
    lasting = own;
    enter_helper(library_->deliver, lasting);
}

// Machines may share a computer, and then its processors.
void Job::share_processors(const Machines::Crowd& crowd)
{
    crowd_ = crowd;
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    for (const Place& place : places_) {
        parley_start& start = job.places[place.endpoint].start;
        start.shares_processor = start.pause = is_crowded() ? 1 : 0;
    }
}

void Job::hear_machines()
{
    unsigned machine = 0;
    while (const std::optional<Packet> packet = machines_->receive(machine))
        hear(machine, *packet);
}

void Job::hear(unsigned machine, const Packet& packet)
{
    using Kind = Packet::Kind;
    if (packet.endpoint >= places_.size())
        return;
    Place& place = places_[packet.endpoint];
    switch (packet.kind) {
    case Kind::start: return obey_start(place, packet);
    case Kind::kill: return kill_rank(place, packet.words[0] != 0);
    case Kind::place:
    case Kind::set_pid:
    case Kind::reset: do_in_arena(packet); return machines_->send(0, {Kind::done, 0, {packet.words[3]}});
    case Kind::answer:
        if (place.asked && place.asked->number == static_cast<unsigned>(packet.words[0]))
            place.asked.reset();
        return answer(place, static_cast<unsigned>(packet.words[0]), packet.words[1],
                      static_cast<unsigned long>(packet.words[2]));
    case Kind::look:
        return machines_->send(0, {Kind::quiet, 0, QuietWaves::answer(packet.words[0], quiet_here())});
    case Kind::tell: return machines_->send(0, {Kind::told, 0, {}, waits_->report()});
    case Kind::collect: return send_written(static_cast<std::uint64_t>(packet.words[0]));
    case Kind::end:
        ending_ = true;
        for (const Place& one : places_)
            if (one.process > 0 && one.role != Role::helper)
                end_group(one.process);
        return;
    case Kind::over: return finish_machines();
    case Kind::request: {
        parley_native_request request{};
        const std::size_t head = offsetof(parley_native_request, payload);
        if (packet.text.size() < head || packet.text.size() > sizeof request)
            return;
        std::memcpy(&request, packet.text.data(), packet.text.size());
        request.bytes = packet.text.size() - head;
        return requests_->take(place, request);
    }
    case Kind::ended:
        if (place.process != elsewhere)
            return;
        place.process = 0;
        place.asked.reset();
        place.fault = packet.text;
        --alive_;
        return account(place, static_cast<int>(packet.words[0]), {});
    case Kind::failed: return end(static_cast<JobEnd>(packet.words[0]), packet.text);
    case Kind::quiet: return hear_quiet(machine, packet.words);
    case Kind::told: return hear_report(machine, packet.text);
    case Kind::written: return hear_written(machine, packet);
    case Kind::left: return hear_unreceived(packet);
    case Kind::done: return hear_done(packet.words[0]);
    }
}

// ---- ranks of other machines ----

void Job::start_elsewhere(Place& place)
{
    Packet packet{Packet::Kind::start, place.endpoint, {roster().pid_of(place.endpoint)}};
    for (const std::string& word : place.command)
        packet.text.append(word).push_back('\0');
    machines_->send(place.machine, packet);
    place.process = elsewhere;
    ++alive_;
}

void Job::obey_start(Place& place, const Packet& packet)
{
    if (ending_ || !places_.is_here(place))
        return;
    const int pid = static_cast<int>(packet.words[0]);
    auto& job = *reinterpret_cast<parley_native_job*>(area_->memory());
    job.places[place.endpoint].start.pid = pid;
    place.command.clear();
    for (std::size_t at = 0; at < packet.text.size();) {
        const std::size_t end = std::min(packet.text.find('\0', at), packet.text.size());
        place.command.push_back(packet.text.substr(at, end - at));
        at = end + 1;
    }
    if (place.command.empty())
        return;
    {
        // Whether the end of the program before it was waited for, is the first machine's to know.
        const LockGuard guard(roster().lock());
        roster().forget_end(place.endpoint);
        roster().begin(place.endpoint);
        (void)roster().set_pid(place.endpoint, pid);
    }
    if (!start(place))
        forget(place);
}

// What a rank asks is answered by the first machine's nxrun; it sleeps meanwhile.
void Job::forward(Place& place, const parley_native_request& request, std::size_t bytes)
{
    if (request.method != 0 && request.method != parley_method_results_report)
        place.asked = {request.number, 0};
    machines_->send(0, {Packet::Kind::request,
                        place.endpoint,
                        {},
                        std::string(reinterpret_cast<const char*>(&request), bytes)});
}

// A change of the message system that each machine makes in its own memory; the rank that has asked makes it
// in its machine's. Then the rank is answered.
void Job::tell_then_answer(Place& place, Packet packet, unsigned number, long value, bool ends)
{
    const bool by_another_machine = place.machine != 0;
    const unsigned told = layout_.machines - (by_another_machine ? 2 : 1);
    const long token = owed_.owe({place.endpoint, number, value, ends}, told + 1); // and this machine
    packet.words[3] = token;
    for (unsigned machine = 1; machine < layout_.machines; ++machine)
        if (machine != place.machine)
            machines_->send(machine, packet);
    if (by_another_machine)
        do_in_arena(packet);
    hear_done(token);
}

void Job::hear_done(long token)
{
    const std::optional<AnswersOwed::Answer> owed = owed_.done(token);
    if (!owed)
        return;
    Place& place = places_[owed->endpoint];
    if (place.process == 0)
        return;
    if (owed->ends)
        kill_rank(place, roster().successor_receives(place.endpoint)); // instead of an answer
    else
        answer(place, owed->number, owed->value, 0);
}

void Job::do_in_arena(const Packet& packet)
{
    const long endpoint = packet.endpoint;
    if (packet.kind == Packet::Kind::place)
        for (long next = endpoint; next < endpoint + packet.words[1]; ++next)
            library_->reopen(library_self_, next, packet.words[0]);
    else if (packet.kind == Packet::Kind::set_pid)
        library_->set_pid(library_self_, endpoint, packet.words[0]);
    else
        library_->reset(library_self_, static_cast<long>(options_.nodes), packet.words[0], packet.words[1],
                        packet.words[2]);
}

// ---- deadlocks ----

void Job::look_at_machines()
{
    if (last_reports_ && last_reports_->look())
        return end_reported();
    if (gathering_ && !finishing_ && gathering_->look())
        return finish_machines();
    if (ending_ || finishing_ || last_reports_ || !is_first() || waves_.is_under_way())
        return;
    const std::int64_t wave = waves_.begin();
    machines_->send_to_all({Packet::Kind::look, 0, {wave}});
    hear_quiet(0, QuietWaves::answer(wave, quiet_here()));
}

Quiet Job::quiet_here()
{
    const jobs::Look look = waits_->look();
    const auto& job = *reinterpret_cast<const parley_native_job*>(area_->memory());
    return {look.all_wait(), look.somebody_waits(), look.epochs(),
            static_cast<std::int64_t>(__atomic_load_n(&job.traffic.sent, __ATOMIC_ACQUIRE)),
            static_cast<std::int64_t>(__atomic_load_n(&job.traffic.received, __ATOMIC_ACQUIRE))};
}

void Job::hear_quiet(unsigned machine, const QuietWaves::Words& answer)
{
    if (waves_.hear(machine, answer) && owed_.none())
        end_with_reports(JobEnd::deadlock, deadlocked);
}

// What ranks wait for is told by every machine first.
void Job::end_with_reports(JobEnd how, const std::string& sentence)
{
    if (machines_ == nullptr)
        return end(how, sentence, waits_->report());
    if (ending_ || last_reports_)
        return;
    last_reports_.emplace(how, sentence, layout_.machines, patience);
    machines_->send_to_all({Packet::Kind::tell});
    hear_report(0, waits_->report());
}

void Job::hear_report(unsigned machine, const std::string& report)
{
    if (last_reports_ && last_reports_->hear(machine, report))
        end_reported();
}

void Job::end_reported()
{
    const JobEnd how = last_reports_->how();
    const std::string sentence = last_reports_->sentence(), reports = last_reports_->reports();
    last_reports_.reset();
    end(how, sentence, reports);
}

// ---- the end ----

void Job::finish_machines()
{
    if (finishing_ || !has_gathered())
        return;
    finishing_ = true;
    if (is_first())
        machines_->send_to_all({Packet::Kind::over});
    machines_->finish();
}

// Whether all that was written down on other machines has come, or will not. It is asked for when all ranks
// have ended, so that nobody whom it could disturb is left.
bool Job::has_gathered()
{
    if (!is_first() || !options_.watched())
        return true;
    if (!gathering_) {
        gathering_.emplace(layout_.machines, patience);
        machines_->send_to_all({Packet::Kind::collect});
    }
    return gathering_->is_over();
}

void Job::send_written(std::uint64_t from)
{
    if (own_trace_.empty())
        own_trace_ = TracePart(*trace_, clock_hertz_).packed();
    const std::size_t total = own_trace_.size(), begin = std::min<std::size_t>(from, total);
    machines_->send(0, {Packet::Kind::written,
                        0,
                        {static_cast<std::int64_t>(from), static_cast<std::int64_t>(total)},
                        std::string(reinterpret_cast<const char*>(own_trace_.data()) + begin,
                                    std::min(Machines::longest_text, total - begin))});
}

void Job::hear_written(unsigned machine, const Packet& packet)
{
    if (!gathering_ || finishing_)
        return;
    const auto from = static_cast<std::uint64_t>(packet.words[0]);
    const auto total = static_cast<std::uint64_t>(packet.words[1]);
    if (const auto next = gathering_->hear(machine, from, total, packet.text))
        machines_->send(machine, {Packet::Kind::collect, 0, {static_cast<std::int64_t>(*next)}});
    finish_machines(); // if that was all
}

// Whenever a rank of this machine ends, for all that have ended: others may have sent to them since. What
// comes to a machine whose last rank has ended is not told.
void Job::tell_unreceived()
{
    for (const Place& place : places_) {
        if (!places_.is_here(place) || place.role == Role::helper)
            continue;
        const messaging::Unreceived& left = waits_->unreceived(place.endpoint);
        if (!left.empty())
            machines_->send(0, {Packet::Kind::left,
                                place.endpoint,
                                {},
                                std::string(reinterpret_cast<const char*>(&left), sizeof left)});
    }
}

void Job::hear_unreceived(const Packet& packet)
{
    messaging::Unreceived left;
    if (packet.text.size() != sizeof left)
        return;
    std::memcpy(&left, packet.text.data(), sizeof left);
    unreceived_elsewhere_[packet.endpoint] = left;
}

// Without the network nobody hears of the ranks of other machines any more; mpirun ends their machines.
void Job::network_ended()
{
    if (finishing_)
        return;
    finishing_ = true;
    for (Place& place : places_) {
        if (place.process != elsewhere)
            continue;
        place.process = 0;
        --alive_;
        const LockGuard guard(roster().lock());
        roster().ended(place.endpoint, 0);
    }
    if (ending_ && is_first())
        return;
    ending_ = true;
    verdict_.end(JobEnd::failed, "The job failed: the network to its other machines has ended.");
    for (const Place& place : places_)
        if (place.process > 0)
            end_group(place.process);
}

} // namespace parley::native
