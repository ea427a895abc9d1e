// SPDX-License-Identifier: MIT
#include "kernel/job/cube.hpp"

#include "jobs/loading.hpp"
#include "kernel/job/job.hpp"
#include "kernel/job/program_end.hpp"
#include "kernel/job/program_maker.hpp"
#include "kernel/report/console.hpp"

namespace parley::kernel {

using jobs::Roster;
using jobs::Selection;
using jobs::Standing;

namespace {

template <class Word>
sched::WaitKey key_of(const Word& word)
{
    return {reinterpret_cast<std::uint64_t>(&word), 0};
}

} // namespace

Result<void> Cube::make_places(Window& window, unsigned processes)
{
    std::byte* const memory = TRY(window.allocate(processes * sizeof(Roster::Place), alignof(Roster::Place)));
    auto* const places = reinterpret_cast<Roster::Place*>(memory);
    for (unsigned i = 0; i < processes; ++i)
        ::new (&places[i]) Roster::Place;
    const JobConfiguration& job = job_.configuration();
    roster_ =
        TRY(window.create<Roster>(messaging::Layout{.nodes = job.nodes, .pids = job.pids, .host = job.host},
                                  std::span<Roster::Place>(places, processes)));
    return {};
}

bool Cube::keeps(const UserProcess& process) const
{
    return job_.configuration().host && process.endpoint() < job_.configuration().programs();
}

void Cube::begin(const UserProcess& process)
{
    {
        const LockGuard guard(roster_->lock());
        roster_->begin(process.endpoint());
    }
    waits_.wake(key_of(roster_->standing_word(process.endpoint())), 1);
}

bool Cube::await_program(const UserProcess& process)
{
    const auto wanted = [&] {
        return !roster_->runs(process.endpoint()) && !over_.load(std::memory_order_acquire);
    };
    while (wanted()) {
        if (!waits_.block(key_of(roster_->standing_word(process.endpoint())), wanted))
            return false;
    }
    return roster_->runs(process.endpoint()) && !process.pending_work.killed();
}

// The kernel's own delivery processes and policy processes run no program that could end.
void Cube::leave(UserProcess& process, int status)
{
    bool last = false;
    {
        const LockGuard guard(roster_->lock());
        if (!roster_->runs(process.endpoint()))
            return;
        last = end_program(*roster_, process.endpoint(), status, process.pending_work, job_.ends());
        wake_waiters();
    }
    give_back(process.endpoint());
    if (last)
        end_of_all();
}

// They find what they have waited for when they have the lock.
void Cube::wake_waiters()
{
    for (unsigned i = 0; roster_->somebody_waits() && i < roster_->size(); ++i)
        if (roster_->may_go_on(i))
            waits_.wake(key_of(roster_->epoch_word(i)), 1);
}

void Cube::give_back(unsigned owner)
{
    ProgramMaker maker(job_);
    jobs::give_back(*roster_, owner, maker);
    const LockGuard guard(roster_->lock());
    wake_waiters();
}

// No program runs, so none will ever be loaded.
void Cube::end_of_all()
{
    over_.store(true, std::memory_order_seq_cst);
    for (unsigned i = 0; UserProcess* process = job_.processes().find(i); ++i) {
        if (roster_->is_program(i))
            waits_.wake(key_of(roster_->standing_word(i)), 1);
        else if (job_.configuration().host && !job_.messages().helpers_see_the_end()) {
            const LockGuard guard(roster_->lock());
            if (roster_->dismiss(i))
                job_.stop(*process);
        }
    }
}

Result<std::uint64_t> Cube::load(const UserProcess& caller, std::string_view words, Selection where)
{
    const Turn turn(loading_);
    ProgramMaker maker(job_, words, where.pid);
    const Result<unsigned> first = jobs::load(*roster_, caller.endpoint(), where, maker);
    {
        const LockGuard guard(roster_->lock());
        wake_waiters();
    }
    maker.tell_refusal();
    return first;
}

void Cube::start(Selection whom)
{
    {
        const LockGuard guard(roster_->lock());
        roster_->start(whom, [](unsigned) { });
    }
    for (const unsigned endpoint : roster_->meant(whom))
        waits_.wake(key_of(roster_->standing_word(endpoint)), 1);
}

// A killer waits on while a handler is due: those that it has killed do not take long.
Result<jobs::Ended> Cube::wait(UserProcess& caller, const jobs::Wait& wait)
{
    const bool for_handlers = wait.what != jobs::Wait::For::killed;
    const unsigned self = caller.endpoint();
    {
        const LockGuard guard(roster_->lock());
        TRY_VOID(roster_->wait(self, wait));
    }
    for (;;) {
        {
            const LockGuard guard(roster_->lock());
            const Result<jobs::Ended> settled = roster_->settle(self);
            if (settled || settled.error() != Error::would_block)
                return settled;
        }
        const bool alive = waits_.block(key_of(roster_->epoch_word(self)), [&] {
            return roster_->epoch(self) % 2 == 1 && !(for_handlers && caller.pending_work.interrupted());
        });
        if (alive && !(for_handlers && caller.pending_work.interrupted()))
            continue;
        const LockGuard guard(roster_->lock());
        roster_->give_up(self);
        return std::unexpected(alive ? Error::interrupted : Error::killed);
    }
}

// What was sent to places where no program is.
void Cube::forget_messages(Selection whom)
{
    for (const unsigned endpoint : roster_->meant(whom)) {
        const messaging::WaitRecord* const record = job_.messages().record(endpoint);
        if (keeps(job_.processes()[endpoint]) && roster_->standing(endpoint) == Standing::empty &&
            record != nullptr && record->state.load() == messaging::EndpointState::live)
            job_.messages().reset(endpoint, messaging::Waiting::dropped);
    }
}

Result<void> Cube::kill(UserProcess& caller, Selection whom, messaging::Waiting messages)
{
    bool itself = false;
    {
        const LockGuard guard(roster_->lock());
        itself = TRY(roster_->kill(caller.endpoint(), whom, messages == messaging::Waiting::kept,
                                   [this](unsigned endpoint) { job_.stop(job_.processes()[endpoint]); }));
    }
    give_back(caller.endpoint());
    TRY_VOID(wait(caller, {jobs::Wait::For::killed, whom}));
    if (messages == messaging::Waiting::dropped)
        forget_messages(whom);
    if (itself)
        caller.pending_work.set_killed(true);
    return {};
}

void Cube::look_again(const UserProcess& process)
{
    waits_.wake(key_of(roster_->epoch_word(process.endpoint())), 1);
}

Result<void> Cube::set_pid(const UserProcess& caller, int pid)
{
    TRY_VOID(job_.messages().set_pid(caller.endpoint(), pid));
    const LockGuard guard(roster_->lock());
    TRY_VOID(roster_->set_pid(caller.endpoint(), pid));
    wake_waiters();
    return {};
}

} // namespace parley::kernel
