// SPDX-License-Identifier: MIT
#include "native/nxrun/first_machine.hpp"

#include <cstddef>
#include <cstring>

namespace parley::native {

namespace {

// A packet says 0, or an error.
Result<void> result_of(std::int64_t error)
{
    if (error != 0)
        return std::unexpected(static_cast<Error>(error));
    return {};
}

} // namespace

FirstMachine::FirstMachine(const MachineParts& parts, unsigned machines, parley_native_place* starts,
                           std::vector<std::string> command, Record& record, TraceCollection& traces)
    : in_(parts), machines_(machines), command_(std::move(command)), traces_(traces),
      requests_(parts.places, starts, command_.front(), record, *this), ending_(parts.places, record),
      looked_at_(machines)
{
}

void FirstMachine::send_to_all(const Packet& packet)
{
    for (unsigned machine = 1; machine < machines_; ++machine)
        in_.post.send(machine, packet);
}

bool FirstMachine::has_programs()
{
    const LockGuard guard(roster().lock());
    return roster().running() != 0;
}

void FirstMachine::receive(unsigned machine, const Packet& packet)
{
    using Kind = Packet::Kind;
    if (packet.endpoint >= in_.places.size())
        return;
    Place& place = in_.places[packet.endpoint];
    switch (packet.kind) {
    case Kind::request: return receive_request(place, packet);
    case Kind::ended: return receive_end(place, packet);
    case Kind::failed: return end(static_cast<JobEnd>(packet.words[0]), packet.text, {});
    case Kind::looked: return receive_look(machine, packet.words);
    case Kind::told: return receive_report(machine, packet.text);
    case Kind::written:
        if (!finished_)
            traces_.receive(machine, packet);
        return finish(); // if that was all
    case Kind::left: return receive_unreceived(packet);
    case Kind::done: return receive_done(packet.words[0], result_of(packet.words[1]));
    default: return; // for other machines
    }
}

// ---- ranks ----

void FirstMachine::begin()
{
    for (Place& place : in_.places) {
        const bool waits_for_host = in_.places.has_host() && place.role == Role::program;
        if (waits_for_host || place.process != 0)
            continue;
        place.command = command_;
        {
            const LockGuard guard(roster().lock());
            roster().begin(place.endpoint);
        }
        if (start(place))
            continue;
        const LockGuard guard(roster().lock());
        roster().ended(place.endpoint, 128);
        break;
    }
    if (!has_programs())
        finish();
}

// False: the job ends.
bool FirstMachine::start(Place& place)
{
    if (ending_.has_begun())
        return false;
    if (in_.places.is_here(place)) {
        const std::expected<void, std::string> begun = in_.ranks.start(place);
        if (!begun)
            end(JobEnd::failed, begun.error());
        return begun.has_value();
    }
    Packet packet{Packet::Kind::start, place.endpoint, {roster().pid_of(place.endpoint)}};
    for (const std::string& word : place.command)
        packet.text.append(word).push_back('\0');
    in_.post.send(place.machine, packet);
    place.process = elsewhere;
    return true;
}

void FirstMachine::kill_rank(Place& place, bool successor_receives)
{
    if (place.process == elsewhere)
        in_.post.send(place.machine, {Packet::Kind::kill, place.endpoint, {successor_receives ? 1 : 0}});
    else
        in_.ranks.kill(place, successor_receives);
}

void FirstMachine::ended(Place& place, int status, const std::optional<std::string>& lost)
{
    const JobEnding::Meaning meaning = ending_.rank_ended(place, status, lost);
    if (meaning.job_fails)
        end(JobEnd::failed, *meaning.job_fails);
    requests_.note_end(place);
    if (meaning.is_last)
        dismiss_helpers();
    if (!has_programs())
        finish();
}

void FirstMachine::receive_end(Place& place, const Packet& packet)
{
    if (place.process != elsewhere)
        return;
    place.process = 0;
    place.asked.reset();
    place.fault = packet.text;
    ended(place, static_cast<int>(packet.words[0]), {});
}

// Delivery processes end by themselves when all endpoints were closed; policy processes never do.
void FirstMachine::dismiss_helpers()
{
    for (Place& place : in_.places) {
        const bool ends_by_itself =
            place.role != Role::policy && (place.role != Role::delivery || in_.messages.all_are_closed());
        if (ends_by_itself || place.process == 0)
            continue;
        const LockGuard guard(roster().lock());
        if (roster().dismiss(place.endpoint))
            in_.ranks.kill(place, false);
    }
}

// ---- requests ----

void FirstMachine::asked(Place& place, const parley_native_request& request)
{
    requests_.take(place, request);
}

void FirstMachine::receive_request(Place& place, const Packet& packet)
{
    parley_native_request request{};
    const std::size_t head = offsetof(parley_native_request, payload);
    if (packet.text.size() < head || packet.text.size() > sizeof request)
        return;
    std::memcpy(&request, packet.text.data(), packet.text.size());
    request.bytes = packet.text.size() - head;
    requests_.take(place, request);
}

void FirstMachine::answer(Place& place, unsigned number, long value, unsigned long sender)
{
    if (in_.places.is_here(place))
        in_.ranks.answer(place, number, value, sender);
    else
        in_.post.send(
            place.machine,
            {Packet::Kind::answer, place.endpoint, {number, value, static_cast<std::int64_t>(sender)}});
}

// Each machine makes a change of the message system in its own memory, and that of the rank that has asked
// the rank has made itself. Then the rank is answered.
void FirstMachine::tell_then_answer(Place& place, Packet packet, unsigned number, long value, bool ends)
{
    const bool by_another_machine = place.machine != 0;
    const unsigned others = machines_ - (by_another_machine ? 2 : 1);
    // And this machine.
    const long token = pending_.keep({place.endpoint, number, value, ends, packet, {}}, others + 1);
    packet.words[3] = token;
    for (unsigned machine = 1; machine < machines_; ++machine)
        if (machine != place.machine)
            in_.post.send(machine, packet);
    receive_done(token, by_another_machine ? in_.messages.change(packet) : Result<void>());
}

void FirstMachine::receive_done(long token, const Result<void>& made)
{
    const std::optional<PendingAnswers::Answer> given = pending_.done(token, made);
    if (!given)
        return;
    Place& place = in_.places[given->endpoint];
    if (place.process == 0)
        return;
    if (given->ends)
        kill_rank(place, roster().successor_receives(place.endpoint)); // instead of an answer
    else if (!given->made)
        requests_.undo(place, given->number, given->change, given->made.error());
    else
        answer(place, given->number, given->value, 0);
}

// ---- deadlocks ----

void FirstMachine::look()
{
    if (last_reports_ && last_reports_->look())
        return end_reported();
    if (!finished_ && traces_.look())
        return finish();
    if (is_ending() || last_reports_ || deadlock_search_.is_under_way())
        return;
    const std::int64_t wave = deadlock_search_.begin();
    if (!finished_)
        send_to_all({Packet::Kind::look, 0, {wave}});
    receive_look(0, jobs::DeadlockSearch::answer(wave, in_.messages.look()));
}

void FirstMachine::receive_look(unsigned machine, const jobs::DeadlockSearch::Words& answer)
{
    if (deadlock_search_.add(machine, answer) && pending_.none())
        end_with_reports(JobEnd::deadlock, "The job deadlocked: every rank waits, so none can ever go on.");
}

void FirstMachine::end_with_reports(JobEnd how, const std::string& sentence)
{
    if (is_ending() || last_reports_)
        return;
    last_reports_.emplace(how, sentence, machines_, longest_wait);
    send_to_all({Packet::Kind::tell});
    receive_report(0, in_.messages.report());
}

void FirstMachine::receive_report(unsigned machine, const std::string& report)
{
    if (last_reports_ && last_reports_->add(machine, report))
        end_reported();
}

void FirstMachine::end_reported()
{
    const LastReports reported = *last_reports_;
    last_reports_.reset();
    end(reported.how(), reported.sentence(), reported.reports());
}

// ---- the end ----

void FirstMachine::end(JobEnd how, const std::string& sentence, const std::string& report)
{
    if (!ending_.begin(how, sentence, report))
        return;
    send_to_all({Packet::Kind::end});
    in_.ranks.end_all();
    if (!has_programs())
        finish();
}

// Leaves the network when all that was written down on other machines has come, or will not.
void FirstMachine::finish()
{
    if (finished_ || has_programs() || !traces_.is_complete())
        return;
    finished_ = true;
    send_to_all({Packet::Kind::over});
    in_.post.finish();
}

// Without the network nobody hears of the ranks of other machines any more; mpirun ends their machines.
void FirstMachine::network_ended()
{
    if (finished_)
        return;
    finished_ = true;
    for (Place& place : in_.places) {
        if (place.process != elsewhere)
            continue;
        place.process = 0;
        const LockGuard guard(roster().lock());
        roster().ended(place.endpoint, 0);
    }
    if (ending_.begin(JobEnd::failed, network_lost))
        in_.ranks.end_all();
}

// ---- the record ----

void FirstMachine::receive_unreceived(const Packet& packet)
{
    messaging::Unreceived left;
    if (packet.text.size() != sizeof left)
        return;
    std::memcpy(&left, packet.text.data(), sizeof left);
    unreceived_elsewhere_[packet.endpoint] = left;
}

// What has come to ranks that had ended is counted, too: nobody is left who could send.
void FirstMachine::complete(Record& record)
{
    record.times = traces_.put_together();
    ending_.complete_record();
    for (const Place& place : in_.places) {
        if (!is_for_programs(place.role))
            continue;
        const auto left_elsewhere = unreceived_elsewhere_.find(place.endpoint);
        const bool is_known_here = left_elsewhere == unreceived_elsewhere_.end();
        const messaging::Unreceived& left =
            is_known_here ? in_.messages.unreceived(place.endpoint) : left_elsewhere->second;
        if (!left.empty())
            record.unreceived.push_back(
                {place.node, roster().pid_of(place.endpoint), in_.places.name_of(place), left});
    }
}

} // namespace parley::native
