// SPDX-License-Identifier: MIT
#include "kernel/network/job_network.hpp"

#include "base/text.hpp"
#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"
#include "kernel/report/console.hpp"
#include "messaging/transport/network/nearby.hpp"

#include <climits>
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
    made->streams_ =
        TRY(make_several<OutgoingMessages::Stream>(window, std::size_t{programs} * machines.count()));
    made->arriving_ = {.arrivals = TRY(make_several<IncomingMessages::Arrival>(
                           window, std::size_t{programs - here} * OutgoingMessages::window)),
                       .awaited = TRY(make_several<IncomingMessages::Awaited>(window, most_awaited)),
                       .held_up = TRY(make_several<IncomingMessages::HeldUp>(window, programs))};
    made->ends_ = TRY(make_several<NoticeExchange::End>(window, programs));
    static_assert(MachineTable::most <= CHAR_BIT);
    const unsigned others = ((1u << machines.count()) - 1) & ~(1u << machines.here());
    made->notices_ = TRY(window.create<ProgramNotices>(
        TRY(make_several<ProgramNotices::OwedNotices>(window, programs)), static_cast<std::uint8_t>(others)));
    return made;
}

JobNetwork::Parts::Parts(JobNetwork& network, messaging::Gateway& own_gateway)
    : gateway(own_gateway), links(network.machines_, network.job_.number()),
      room_out(network.window_, gateway.budget()), room_in(network.window_, gateway.budget()),
      outgoing(gateway, links, network.spread_, network.streams_, room_out),
      incoming(gateway, links, network.arriving_, room_in),
      notices(*network.notices_, links, outgoing, incoming, network, network.ends_), looks(links)
{
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

void JobNetwork::look() { parts_->gateway.signal(); }

void JobNetwork::has_pid(unsigned endpoint, int pid) { (void)job_.cube().set_pid(endpoint, pid); }
void JobNetwork::was_killed(unsigned endpoint, bool successor_receives)
{
    job_.cube().killed_elsewhere(endpoint, successor_receives);
}
void JobNetwork::has_left(unsigned endpoint, int status) { job_.cube().left_elsewhere(endpoint, status); }

void JobNetwork::carry(messaging::Gateway& gateway)
{
    parts_.emplace(*this, gateway);
    machines_.listen(this);
    for (;;) {
        const std::uint32_t seen = gateway.sequence();
        if (turn()) {
            preemption_point();
            continue;
        }
        if (is_over_everywhere())
            break;
        if (!parts_->has_failed && (begin_looks() || look_for_deadlock(seen)))
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
    Parts& parts = *parts_;
    parts.links.begin_turn();
    notices_->begin_turn();
    bool any = parts.outgoing.take();
    any = receive_packets() || any;
    any = parts.incoming.advance() || any;
    any = parts.notices.send_noted() || any;
    any = parts.notices.take_ends() || any;
    any = parts.notices.send() || any;
    if (parts.notices.may_send())
        any = parts.outgoing.send() || any;
    any = parts.outgoing.send_bytes() || any;
    any = parts.incoming.send_deliveries() || any;
    for (const std::string_view trouble : {parts.outgoing.trouble(), parts.incoming.trouble()})
        if (!trouble.empty() && !parts.has_failed)
            fail(trouble);
    return send_over() || any;
}

// Whether the job has ended or cannot go on; then this helper is told to end.
bool JobNetwork::hear_of_ends()
{
    if (parts_->has_failed)
        return true;
    if (parts_->looks.have_found_one()) {
        parts_->has_failed = true;
        job_.report_deadlock(true);
        job_.end(JobStatus::deadlock);
        return true;
    }
    // Asked before the ends are: a machine that is lost now may have told one.
    const std::string_view trouble = machines_.trouble();
    unsigned machine = 0;
    if (const unsigned end = machines_.heard_end(job_.number(), machine)) {
        parts_->has_failed = true;
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
    if (!trouble.empty() && !is_over_everywhere())
        fail(trouble);
    return parts_->has_failed;
}

void JobNetwork::fail(std::string_view sentence)
{
    parts_->has_failed = true;
    Text<320> line;
    line << "parley: job " << job_.configuration().name << ": " << sentence << "; the job ends\n";
    console().write(line.view());
    job_.end(JobStatus::failed);
}

bool JobNetwork::receive_packets()
{
    constexpr unsigned at_once = 16; // others have work for this processor, too
    bool any = false;
    for (unsigned machine = 0; machine < machines_.count(); ++machine) {
        JobPacket packet{};
        std::span<const std::byte> bytes;
        for (unsigned count = 0; machine != machines_.here() && count < at_once; ++count, any = true) {
            if (!parts_->links.receive(machine, packet, bytes))
                break;
            receive(machine, packet, bytes);
        }
    }
    return any;
}

void JobNetwork::receive(unsigned machine, const JobPacket& packet, std::span<const std::byte> bytes)
{
    switch (packet.kind) {
    case PacketKind::eager:
    case PacketKind::announce:
    case PacketKind::bytes:
    case PacketKind::gone: return parts_->incoming.take(machine, packet, bytes);
    case PacketKind::go:
    case PacketKind::posted:
    case PacketKind::delivered: return parts_->outgoing.answered(machine, packet);
    case PacketKind::over: parts_->is_over[machine] = true; return;
    case PacketKind::pid:
    case PacketKind::noted:
    case PacketKind::kill:
    case PacketKind::end: return parts_->notices.take(machine, packet);
    case PacketKind::look:
    case PacketKind::looked: return parts_->looks.take(machine, packet, bytes);
    }
}

bool JobNetwork::send_over()
{
    if (programs_.load(std::memory_order_acquire) != 0 || !parts_->outgoing.are_over() ||
        notices_->owes_any())
        return false;
    bool moved = false;
    for (unsigned machine = 0; machine < machines_.count(); ++machine) {
        bool& has_told = parts_->has_told_over[machine];
        if (machine == machines_.here() || has_told)
            continue;
        has_told = parts_->links.send(machine, {.kind = PacketKind::over}, {});
        moved = moved || has_told;
    }
    return moved;
}

bool JobNetwork::is_over_everywhere() const
{
    for (unsigned machine = 0; machine < machines_.count(); ++machine)
        if (machine != machines_.here() && !(parts_->is_over[machine] && parts_->has_told_over[machine]))
            return false;
    return parts_->incoming.is_empty();
}

// Where no wave can begin now, one does another time.
bool JobNetwork::begin_looks()
{
    return may_be_stuck_.exchange(false, std::memory_order_acquire) && parts_->looks.begin();
}

// This helper has nothing to do, as its last turn has shown, which began when its event was at `seen`. It
// looks if it was asked to. If somebody has signalled it meanwhile, it may have, so then it has a turn first.
// Whether it did anything.
bool JobNetwork::look_for_deadlock(std::uint32_t seen)
{
    Parts& parts = *parts_;
    if (!parts.looks.are_wanted())
        return false;
    const jobs::Look look = job_.look_at_programs();
    if (parts.gateway.sequence() != seen)
        return true;
    return parts.looks.answer({.all_wait = look.all_wait() && !parts.links.lacks_room(),
                               .somebody_waits = look.somebody_waits(),
                               .epochs = look.epochs(),
                               .sent = parts.links.sent(),
                               .received = parts.links.received()});
}

} // namespace parley::kernel
