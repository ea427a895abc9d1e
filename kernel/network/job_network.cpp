// SPDX-License-Identifier: MIT
#include "kernel/network/job_network.hpp"

#include "base/text.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/report/console.hpp"
#include "messaging/transport/network/nearby.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

namespace parley::kernel {

namespace {

// So many deliveries that somebody counts can be under way from other machines to this one.
constexpr std::size_t most_awaited = 1024;

template <class T>
Result<std::span<T>> make_several(Window& window, std::size_t count)
{
    std::byte* const memory = TRY(window.allocate(count * sizeof(T), alignof(T)));
    auto* const first = reinterpret_cast<T*>(memory);
    for (std::size_t i = 0; i < count; ++i)
        ::new (first + i) T{};
    return std::span<T>(first, count);
}

} // namespace

Result<JobNetwork*> JobNetwork::create(Window& window, Machines& machines, Job& job, unsigned nodes,
                                       unsigned pids)
{
    const jobs::Spread spread{
        .nodes = nodes, .pids = pids, .host = false, .machines = machines.count(), .here = machines.here()};
    JobNetwork* const made = TRY(window.create<JobNetwork>(window, machines, job, spread));
    const unsigned programs = nodes * pids;
    const unsigned here = made->programs_here();
    made->programs_.store(here, std::memory_order_relaxed);
    made->streams_ = TRY(make_several<Stream>(window, std::size_t{programs} * machines.count()));
    made->arrivals_ = TRY(make_several<Arrival>(window, std::size_t{programs - here} * JobNetwork::window));
    made->awaited_ = TRY(make_several<Awaited>(window, most_awaited));
    made->ends_ = TRY(make_several<EndElsewhere>(window, programs));
    static_assert(MachineTable::most <= CHAR_BIT);
    const unsigned others = ((1u << machines.count()) - 1) & ~(1u << machines.here());
    made->notices_ = TRY(window.create<ProgramNotices>(
        TRY(make_several<ProgramNotices::Entry>(window, programs)), static_cast<std::uint8_t>(others)));
    made->held_up_ = TRY(make_several<bool>(window, programs));
    return made;
}

std::uint64_t JobNetwork::setting() const
{
    const unsigned first = spread_.first_node(machines_.here());
    const unsigned after = spread_.first_node(machines_.here() + 1);
    return messaging::Nearby{.first_node = first, .nodes = after - first, .host = false}.word();
}

unsigned JobNetwork::programs_here() const
{
    return (spread_.first_node(machines_.here() + 1) - spread_.first_node(machines_.here())) * spread_.pids;
}

void JobNetwork::program_gone()
{
    if (programs_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        machines_.have_look();
}

void JobNetwork::tell(const ProgramNotices::Notice& notice)
{
    notices_->note(notice);
    machines_.have_look();
}

void JobNetwork::look() { gateway_->signal(); }

// No wave begins while a program of this machine goes on.
void JobNetwork::look_after(std::uint64_t now)
{
    constexpr std::uint64_t period = 200'000'000;
    if (machines_.here() != 0 || now < looked_last_ + period || !job_.look_at_programs().all_wait())
        return;
    looked_last_ = now;
    may_be_stuck_.store(true, std::memory_order_release); // pairs with begin_looks()
    machines_.have_look();
}

void JobNetwork::carry(messaging::Gateway& gateway)
{
    gateway_ = &gateway;
    machines_.listen(this);
    for (;;) {
        const std::uint32_t seen = gateway.sequence();
        if (turn()) {
            preemption_point();
            continue;
        }
        if (is_over_everywhere())
            break;
        if (!has_failed_ && (begin_looks() || look_for_deadlock(seen)))
            continue;
        if (!gateway.wait(seen))
            break;
    }
    machines_.listen(nullptr);
}

// Whether there was anything to do.
bool JobNetwork::turn()
{
    if (hear_of_ends())
        return false;
    lacks_room_ = false;
    notices_->begin_turn();
    const bool taken = take_messages();
    const bool received = receive_packets();
    const bool advanced = advance_arrivals();
    const bool noted = send_noted();
    const bool ended = take_ends();
    const bool told = send_notices();
    const bool sent = send_streams();
    const bool granted = send_granted();
    const bool delivered = send_deliveries();
    const bool over = send_over();
    return taken || received || advanced || noted || ended || told || sent || granted || delivered || over;
}

// Whether the job has ended or cannot go on; then this helper is told to end.
bool JobNetwork::hear_of_ends()
{
    if (has_failed_)
        return true;
    unsigned machine = 0;
    if (const unsigned end = machines_.heard_end(job_.number(), machine)) {
        has_failed_ = true;
        Text<160> line;
        const auto status = static_cast<JobStatus>(end - 1);
        line << "parley: job " << job_.configuration().name << ": it has ended on machine " << machine << " ("
             << name_of(status) << "), so it ends here\n";
        console().write(line.view());
        if (status == JobStatus::deadlock)
            job_.report_deadlock(false);
        job_.end(status);
        return true;
    }
    if (const std::string_view trouble = machines_.trouble(); !trouble.empty() && !is_over_everywhere())
        fail(trouble);
    return has_failed_;
}

void JobNetwork::fail(std::string_view sentence)
{
    has_failed_ = true;
    Text<320> line;
    line << "parley: job " << job_.configuration().name << ": " << sentence << "; the job ends\n";
    console().write(line.view());
    job_.end(JobStatus::failed);
}

JobNetwork::Packet JobNetwork::packet_of(Kind kind, const Message& message) const
{
    return {.of_job = {job_.number(), 0},
            .kind = kind,
            .source = message.source(),
            .destination = message.destination,
            .stamp = message.stamp,
            .awaited = gateway_->is_awaited(message) ? 1u : 0u,
            .contents = message.contents(),
            .sender = message.sender(),
            .message = reinterpret_cast<std::uint64_t>(&message)};
}

bool JobNetwork::send(unsigned machine, const Packet& packet, std::span<const std::byte> bytes)
{
    const bool is_sent = machines_.send(machine, std::as_bytes(std::span(&packet, 1)), bytes);
    lacks_room_ = lacks_room_ || !is_sent;
    sent_ += is_sent && is_counted(packet.kind) ? 1 : 0;
    return is_sent;
}

// ---- from this machine to others ----

bool JobNetwork::take_messages()
{
    bool any = false;
    for (; Message* const message = gateway_->next(); any = true) {
        stream(message->source(), spread_.machine_of(message->destination)).waiting.push_back(*message);
        ++waiting_;
    }
    return any;
}

bool JobNetwork::send_streams()
{
    bool moved = false;
    if (pids_told_ != 0)
        return false;
    for (unsigned source = 0; waiting_ > 0 && source < spread_.layout().programs(); ++source)
        for (unsigned machine = 0; machine < machines_.count(); ++machine)
            for (Stream& from = stream(source, machine);
                 !from.waiting.empty() && from.in_flight < window && send_first(machine, from);
                 moved = true) { }
    return moved;
}

// False: its bytes are not all there, or the link has no room; nothing has changed.
bool JobNetwork::send_first(unsigned machine, Stream& from)
{
    Message& message = *from.waiting.first();
    const std::size_t length = message.length();
    const bool is_long = length > most_bytes;
    const Packet packet = packet_of(is_long ? Kind::announce : Kind::eager, message);
    if (!machines_.has_room(machine)) {
        lacks_room_ = true;
        return false;
    }
    Result<void> taken;
    if (!is_long && length != 0)
        taken = gateway_->take(message, packet_);
    if (is_not_there_yet(taken))
        return false;
    from.waiting.pop_front();
    --waiting_;
    if (!taken) { // gone with its sender
        gateway_->complete(message);
        return true;
    }
    ++from.in_flight;
    ++unfinished_;
    (void)send(machine, packet, std::span(packet_).first(is_long ? 0 : length));
    if (!is_long && packet.awaited == 0)
        gateway_->complete(message);
    return true;
}

// Whether a sender still brings the bytes: then the tick has us look again.
bool JobNetwork::is_not_there_yet(const Result<void>& taken)
{
    const bool is_not_there = !taken && taken.error() == Error::would_block;
    if (is_not_there)
        machines_.look_at_tick();
    return is_not_there;
}

bool JobNetwork::send_granted()
{
    bool moved = false;
    for (unsigned machine = 0; machine < machines_.count(); ++machine)
        if (Granted& granted = granted_[machine];
            granted.message != nullptr && (long_sent_ == nullptr || long_sent_ == &granted))
            moved = send_pieces(machine, granted) || moved;
    return moved;
}

// The bytes are taken at once, and sent as there is room.
bool JobNetwork::send_pieces(unsigned machine, Granted& granted)
{
    Message& message = *granted.message;
    const std::size_t length = message.length();
    Packet packet = packet_of(Kind::bytes, message);
    packet.arrival = granted.arrival;
    if (!granted.is_taken) {
        const Result<std::byte*> memory = room(outgoing_bytes_, length);
        if (!memory) {
            fail("there is no memory for a long message to another machine: give the job more (JOB_MEMORY=)");
            return false;
        }
        const Result<void> taken = gateway_->take(message, *memory);
        if (is_not_there_yet(taken))
            return false;
        granted.is_taken = true;
        granted.is_gone = !taken;
        long_sent_ = &granted;
    }
    bool moved = false;
    while (!granted.is_gone && granted.sent < length) {
        const std::size_t count = std::min(length - granted.sent, most_bytes);
        packet.offset = static_cast<std::uint32_t>(granted.sent);
        if (!send(machine, packet, {outgoing_bytes_ + granted.sent, count}))
            return moved;
        granted.sent += count;
        moved = true;
    }
    packet.kind = Kind::gone;
    if (granted.is_gone && !send(machine, packet))
        return moved;
    if (granted.is_gone && packet.awaited != 0)
        --unfinished_; // nobody will tell its delivery
    if (granted.is_gone || packet.awaited == 0)
        gateway_->complete(message);
    granted = {};
    long_sent_ = nullptr;
    return true;
}

// Memory for so many bytes of one message, of which there is one at a time; it stays for later ones.
Result<std::byte*> JobNetwork::room(std::byte*& memory, std::size_t bytes)
{
    if (memory == nullptr)
        memory = TRY(window_.reserve(round_up(gateway_->budget(), page_bytes)));
    if (bytes > gateway_->budget())
        return std::unexpected(Error::no_memory);
    TRY_VOID(window_.populate(memory, bytes));
    return memory;
}

// ---- from others ----

bool JobNetwork::receive_packets()
{
    constexpr unsigned at_once = 16; // others have work for this processor, too
    bool any = false;
    for (unsigned machine = 0; machine < machines_.count(); ++machine) {
        if (machine == machines_.here())
            continue;
        for (unsigned count = 0; count < at_once; ++count) {
            const std::size_t length = machines_.receive(machine, job_.number(), packet_);
            if (length < sizeof(Packet))
                break;
            Packet packet;
            std::memcpy(&packet, packet_, sizeof packet);
            receive(machine, packet, std::span(packet_).first(length).subspan(sizeof packet));
            any = true;
        }
    }
    return any;
}

void JobNetwork::receive(unsigned machine, const Packet& packet, std::span<const std::byte> bytes)
{
    auto* const message = reinterpret_cast<Message*>(packet.message);
    received_ += is_counted(packet.kind) ? 1 : 0;
    switch (packet.kind) {
    case Kind::eager:
    case Kind::announce: return keep(machine, packet, bytes);
    case Kind::go: granted_[machine] = {.message = message, .arrival = packet.arrival}; return;
    case Kind::bytes: return take_piece(packet, bytes);
    case Kind::gone: reinterpret_cast<Arrival*>(packet.arrival)->stage = Stage::gone; return;
    case Kind::posted:
        --stream(packet.source, machine).in_flight;
        unfinished_ -= packet.awaited == 0 ? 1 : 0;
        return;
    case Kind::delivered:
        --unfinished_;
        gateway_->complete(*message);
        return;
    case Kind::over: is_over_[machine] = true; return;
    case Kind::pid:
    case Kind::noted:
    case Kind::kill:
    case Kind::end: return take_notice(machine, packet);
    case Kind::look: wanted_look_ = static_cast<std::int64_t>(packet.contents); return;
    case Kind::looked: return take_look(machine, bytes);
    }
}

// There is a place for it: senders keep to their window.
void JobNetwork::keep(unsigned machine, const Packet& packet, std::span<const std::byte> bytes)
{
    Arrival& arrival =
        *std::ranges::find_if(arrivals_, [](const Arrival& one) { return one.stage == Stage::none; });
    arrival.packet = packet;
    arrival.machine = machine;
    arrival.next = nullptr;
    arrival.stage = packet.kind == Kind::eager ? Stage::whole : Stage::announced;
    if (!bytes.empty())
        std::memcpy(arrival.bytes, bytes.data(), bytes.size());
    (last_arrival_ == nullptr ? first_arrival_ : last_arrival_->next) = &arrival;
    last_arrival_ = &arrival;
}

void JobNetwork::take_piece(const Packet& packet, std::span<const std::byte> bytes)
{
    Arrival& arrival = *reinterpret_cast<Arrival*>(packet.arrival);
    std::memcpy(incoming_bytes_ + packet.offset, bytes.data(), bytes.size());
    if (packet.offset + bytes.size() == arrival.length())
        arrival.stage = Stage::whole;
}

bool JobNetwork::advance_arrivals()
{
    bool moved = false;
    budget_wish_.attempt(*gateway_, [&] { return try_arrivals(moved); });
    return moved;
}

// Messages go on in the order in which they came; one that cannot go on holds up those of its sender alone.
// Whether one lacks memory.
bool JobNetwork::try_arrivals(bool& moved)
{
    bool wants = false;
    std::ranges::fill(held_up_, false);
    Arrival* before = nullptr;
    for (Arrival* at = first_arrival_; at != nullptr;) {
        Arrival* const next = at->next;
        bool& is_held_up = held_up_[at->packet.source];
        const bool waits = at->stage == Stage::whole;
        const bool has_gone_on = !is_held_up && advance(*at);
        moved = moved || has_gone_on;
        if (at->stage == Stage::none) {
            (before == nullptr ? first_arrival_ : before->next) = next;
            if (last_arrival_ == at)
                last_arrival_ = before;
        } else {
            is_held_up = is_held_up || at->stage != Stage::put;
            wants = wants || (waits && at->stage == Stage::whole);
            before = at;
        }
        at = next;
    }
    return wants;
}

// Whether it has gone on by at least one stage.
bool JobNetwork::advance(Arrival& arrival)
{
    bool moved = false;
    if (arrival.stage == Stage::announced && long_arrival_ == nullptr)
        moved = grant(arrival);
    if (arrival.stage == Stage::granted) {
        Packet go = arrival.packet;
        go.kind = Kind::go;
        go.arrival = reinterpret_cast<std::uint64_t>(&arrival);
        if (!send(arrival.machine, go))
            return moved;
        arrival.stage = Stage::coming;
        moved = true;
    }
    if (arrival.stage == Stage::whole || arrival.stage == Stage::gone)
        moved = put(arrival) || moved;
    if (arrival.stage == Stage::put) {
        Packet posted = arrival.packet;
        posted.kind = Kind::posted;
        if (!send(arrival.machine, posted))
            return moved;
        arrival.stage = Stage::none;
        moved = true;
    }
    return moved;
}

bool JobNetwork::grant(Arrival& arrival)
{
    if (!room(incoming_bytes_, arrival.length())) {
        fail("there is no memory for a long message from another machine: give the job more (JOB_MEMORY=, "
             "BUDGET=)");
        return false;
    }
    long_arrival_ = &arrival;
    arrival.stage = Stage::granted;
    return true;
}

// False: there is no memory for it now.
bool JobNetwork::put(Arrival& arrival)
{
    const Packet& packet = arrival.packet;
    const bool is_long = long_arrival_ == &arrival;
    if (arrival.stage == Stage::whole) {
        Awaited* awaited = nullptr;
        if (packet.awaited != 0) {
            const auto free =
                std::ranges::find_if(awaited_, [](const Awaited& one) { return one.completion == nullptr; });
            if (free == awaited_.end())
                return false;
            const Result<messaging::Completion*> made = gateway_->new_completion();
            if (!made)
                return false;
            awaited = &*free;
            *awaited = {*made, arrival.machine, packet.message};
        }
        const std::byte* const bytes = is_long ? incoming_bytes_ : arrival.bytes;
        const Result<void> put =
            gateway_->put(Envelope::of_words(packet.contents, packet.sender), packet.stamp,
                          packet.destination, bytes, awaited != nullptr ? awaited->completion : nullptr);
        if (!put && awaited != nullptr) {
            gateway_->free(*awaited->completion);
            *awaited = {};
        }
        if (!put && put.error() != Error::no_memory)
            fail("a message from another machine is larger than all the memory for messages: give the job "
                 "more "
                 "(BUDGET=)");
        if (!put)
            return false;
    }
    if (is_long)
        long_arrival_ = nullptr;
    arrival.stage = Stage::put;
    return true;
}

// The event moves with each delivery that is counted.
bool JobNetwork::send_deliveries()
{
    bool moved = false;
    for (Awaited& one : awaited_) {
        if (one.completion == nullptr || !one.completion->is_reached())
            continue;
        Packet packet{.of_job = {job_.number(), 0}, .kind = Kind::delivered, .message = one.message};
        if (!send(one.machine, packet))
            break;
        gateway_->free(*one.completion);
        one = {};
        moved = true;
    }
    return moved;
}

bool JobNetwork::send_over()
{
    if (programs_.load(std::memory_order_acquire) != 0 || waiting_ != 0 || unfinished_ != 0 ||
        notices_->owes_any())
        return false;
    bool moved = false;
    for (unsigned machine = 0; machine < machines_.count(); ++machine) {
        if (machine == machines_.here() || has_told_over_[machine])
            continue;
        const Packet packet{.of_job = {job_.number(), 0}, .kind = Kind::over};
        has_told_over_[machine] = send(machine, packet);
        moved = moved || has_told_over_[machine];
    }
    return moved;
}

// ---- programs' pids, kills and ends ----

bool JobNetwork::send_notices()
{
    return notices_->send([this](unsigned machine, const ProgramNotices::Notice& notice) {
        return send_notice(machine, notice);
    });
}

// An end follows what the program has sent, unless its own job has ended it.
bool JobNetwork::send_notice(unsigned machine, const ProgramNotices::Notice& notice)
{
    using What = ProgramNotices::What;
    const bool is_end = notice.what == What::end;
    if (is_end && !notice.was_killed && !stream(notice.endpoint, machine).waiting.empty())
        return false;
    const Kind kind = is_end ? Kind::end : notice.what == What::kill ? Kind::kill : Kind::pid;
    const Packet packet{.of_job = {job_.number(), 0},
                        .kind = kind,
                        .source = notice.endpoint,
                        .awaited = notice.was_killed ? 1u : 0u,
                        .contents = static_cast<std::uint32_t>(notice.value)};
    if (!send(machine, packet))
        return false;
    pids_told_ += notice.what == What::pid ? 1 : 0;
    return true;
}

bool JobNetwork::send_noted()
{
    bool moved = false;
    for (unsigned machine = 0; machine < machines_.count(); ++machine)
        for (unsigned& left = pids_to_note_[machine]; left != 0; --left, moved = true)
            if (!send(machine, {.of_job = {job_.number(), 0}, .kind = Kind::noted}))
                break;
    return moved;
}

void JobNetwork::take_notice(unsigned machine, const Packet& packet)
{
    const int value = static_cast<int>(packet.contents);
    switch (packet.kind) {
    case Kind::pid:
        (void)job_.cube().set_pid(packet.source, value);
        ++pids_to_note_[machine];
        return;
    case Kind::noted: --pids_told_; return;
    case Kind::kill: return job_.cube().killed_elsewhere(packet.source, value != 0);
    default:
        ends_[packet.source] = {.has_come = true, .was_killed = packet.awaited != 0, .status = value};
        ++ends_to_take_;
    }
}

bool JobNetwork::is_arriving_from(unsigned endpoint) const
{
    for (const Arrival* at = first_arrival_; at != nullptr; at = at->next)
        if (at->packet.source == endpoint)
            return true;
    return false;
}

bool JobNetwork::take_ends()
{
    bool moved = false;
    for (unsigned endpoint = 0; ends_to_take_ != 0 && endpoint < ends_.size(); ++endpoint) {
        EndElsewhere& end = ends_[endpoint];
        if (!end.has_come || (!end.was_killed && is_arriving_from(endpoint)))
            continue;
        end.has_come = false;
        --ends_to_take_;
        job_.cube().left_elsewhere(endpoint, end.status);
        moved = true;
    }
    return moved;
}

// ---- deadlocks ----

// Begins a wave of looks at all machines, if it is time for one. Where a link has no room, another time.
bool JobNetwork::begin_looks()
{
    if (!may_be_stuck_.exchange(false, std::memory_order_acquire) || deadlock_search_.is_under_way())
        return false;
    for (unsigned machine = 1; machine < machines_.count(); ++machine)
        if (!machines_.has_room(machine))
            return false;
    wanted_look_ = deadlock_search_.begin();
    const Packet packet{.of_job = {job_.number(), 0},
                        .kind = Kind::look,
                        .contents = static_cast<std::uint64_t>(wanted_look_)};
    for (unsigned machine = 1; machine < machines_.count(); ++machine)
        (void)send(machine, packet);
    return true;
}

// This helper has nothing to do, as its last turn has shown, which began when its event was at `seen`. It
// looks if it was asked to. If somebody has signalled it meanwhile, it may have, so then it has a turn first.
// Whether it did anything.
bool JobNetwork::look_for_deadlock(std::uint32_t seen)
{
    if (wanted_look_ == 0)
        return false;
    const jobs::Look look = job_.look_at_programs();
    if (gateway_->sequence() != seen)
        return true;
    const jobs::DeadlockSearch::Words words =
        jobs::DeadlockSearch::answer(wanted_look_, {.all_wait = look.all_wait() && !lacks_room_,
                                                    .somebody_waits = look.somebody_waits(),
                                                    .epochs = look.epochs(),
                                                    .sent = sent_,
                                                    .received = received_});
    const std::span<const std::byte> bytes = std::as_bytes(std::span(words));
    if (machines_.here() != 0 && !send(0, {.of_job = {job_.number(), 0}, .kind = Kind::looked}, bytes))
        return false;
    wanted_look_ = 0;
    if (machines_.here() == 0)
        take_look(0, bytes);
    return true;
}

void JobNetwork::take_look(unsigned machine, std::span<const std::byte> words)
{
    jobs::DeadlockSearch::Words answer;
    if (words.size() < sizeof answer)
        return;
    std::memcpy(answer.data(), words.data(), sizeof answer);
    if (!deadlock_search_.add(machine, answer))
        return;
    has_failed_ = true;
    job_.report_deadlock(true);
    job_.end(JobStatus::deadlock);
}

bool JobNetwork::is_over_everywhere() const
{
    for (unsigned machine = 0; machine < machines_.count(); ++machine)
        if (machine != machines_.here() && !(is_over_[machine] && has_told_over_[machine]))
            return false;
    return first_arrival_ == nullptr;
}

} // namespace parley::kernel
