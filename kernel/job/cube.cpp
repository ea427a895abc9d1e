// SPDX-License-Identifier: MIT
#include "kernel/job/cube.hpp"

#include "kernel/job/job.hpp"
#include "kernel/process/preemption.hpp"

namespace parley::kernel {

namespace {

sched::WaitKey key_of(const ProgramLife& life) { return {reinterpret_cast<std::uint64_t>(&life.word()), 0}; }
sched::WaitKey key_of(const std::atomic<std::uint32_t>& word)
{
    return {reinterpret_cast<std::uint64_t>(&word), 0};
}

} // namespace

Result<void> Cube::make_places(Window& window, unsigned processes)
{
    std::byte* const memory = TRY(window.allocate(processes * sizeof(Place), alignof(Place)));
    auto* const places = reinterpret_cast<Place*>(memory);
    for (unsigned i = 0; i < processes; ++i)
        ::new (&places[i]) Place;
    places_ = {places, processes};
    return {};
}

Cube::Place& Cube::place_of(const UserProcess& process) const { return places_[process.endpoint]; }

bool Cube::keeps(const UserProcess& process) const
{
    return job_.configuration().host && process.endpoint < job_.configuration().programs();
}

void Cube::begin(UserProcess& process)
{
    {
        LockGuard guard(lock_);
        place_of(process).life.begin();
        running_ += job_.runs_programs(process) ? 1 : 0;
    }
    kernel().waits.wake(key_of(place_of(process).life), 1);
}

bool Cube::await_program(UserProcess& process)
{
    const auto wanted = [&] {
        return !place_of(process).life.runs() && !over_.load(std::memory_order_acquire);
    };
    while (wanted()) {
        if (!kernel().waits.block(key_of(place_of(process).life), wanted))
            return false;
    }
    return place_of(process).life.runs() && !process.pending_work.killed();
}

// Those who wait for ends look again, and are told so before the end shows: the monitor reads both without
// the lock, and must never see somebody wait for what has happened. They find the end when they have the
// lock.
void Cube::leave(UserProcess& process, int status)
{
    bool last = false;
    bool somebody_waits = false;
    {
        LockGuard guard(lock_);
        somebody_waits = waiting_ != 0;
        if (somebody_waits) {
            for (Place& other : places_) {
                const std::uint32_t epoch = other.ends_epoch.load(std::memory_order_relaxed);
                other.ends_epoch.store(epoch + epoch % 2, std::memory_order_release);
            }
        }
        // The kernel's own delivery processes and policy processes run no program that could end.
        if (ProgramLife& life = place_of(process).life; life.runs())
            life.leave(status, process.pending_work, job_.ends());
        last = job_.runs_programs(process) && --running_ == 0;
    }
    if (somebody_waits) {
        for (const Place& other : places_)
            kernel().waits.wake(key_of(other.ends_epoch), 1);
    }
    if (last)
        end_of_all();
}

// No program runs, so none will ever be loaded.
void Cube::end_of_all()
{
    over_.store(true, std::memory_order_seq_cst);
    const unsigned programs = job_.configuration().programs();
    for (unsigned i = 0; UserProcess* process = job_.process(i); ++i) {
        if (i < programs)
            kernel().waits.wake(key_of(place_of(*process).life), 1);
        else if (job_.configuration().host && !job_.messages().helpers_see_the_end()) {
            LockGuard guard(lock_);
            if (place_of(*process).life.remove(false))
                job_.stop(*process);
        }
    }
}

template <class Visit>
void Cube::each(Chosen chosen, const UserProcess* except, Visit visit)
{
    const unsigned on_nodes = job_.configuration().nodes * job_.configuration().pids;
    for (unsigned i = 0; i < on_nodes; ++i) {
        UserProcess& process = *job_.process(i);
        const bool meant = (chosen.node == -1 || process.node == chosen.node) &&
                           (chosen.pid == -1 || process.pid == chosen.pid);
        if (meant && &process != except)
            visit(process);
    }
}

// `done` is asked under the lock. A process that waits here has an odd epoch.
template <class Done>
Result<void> Cube::wait_until(UserProcess& caller, bool for_handlers, Done done)
{
    std::atomic<std::uint32_t>& epoch = place_of(caller).ends_epoch;
    for (;;) {
        {
            LockGuard guard(lock_);
            if (done())
                return {};
            epoch.fetch_add(1, std::memory_order_release);
            ++waiting_;
        }
        const bool alive = kernel().waits.block(key_of(epoch), [&] {
            return epoch.load(std::memory_order_acquire) % 2 == 1 &&
                   !(for_handlers && caller.pending_work.interrupted());
        });
        {
            LockGuard guard(lock_);
            epoch.store(epoch.load(std::memory_order_relaxed) + epoch.load(std::memory_order_relaxed) % 2,
                        std::memory_order_release);
            --waiting_;
        }
        if (!alive)
            return std::unexpected(Error::killed);
        if (for_handlers && caller.pending_work.interrupted())
            return std::unexpected(Error::interrupted);
    }
}

bool Cube::none_runs(UserProcess& caller, Chosen chosen)
{
    bool none = true;
    each(chosen, &caller, [&](UserProcess& process) { none = none && !place_of(process).life.runs(); });
    return none;
}

void Cube::start(Chosen chosen)
{
    each(chosen, nullptr, [&](UserProcess& process) {
        if (place_of(process).life.claim())
            begin(process);
    });
}

Result<void> Cube::wait_for_all(UserProcess& caller, Chosen chosen)
{
    return wait_until(caller, true, [&] {
        if (!none_runs(caller, chosen))
            return false;
        each(chosen, &caller, [this](UserProcess& process) { (void)place_of(process).life.collect(); });
        return true;
    });
}

Result<Cube::Ended> Cube::wait_for_one(UserProcess& caller, Chosen chosen)
{
    UserProcess* found = nullptr;
    bool nobody = false;
    TRY_VOID(wait_until(caller, true, [&] {
        each(chosen, &caller, [&](UserProcess& process) {
            if (found == nullptr && place_of(process).life.standing() == Standing::ended)
                found = &process;
        });
        if (found != nullptr)
            (void)place_of(*found).life.collect();
        nobody = found == nullptr && none_runs(caller, chosen);
        return found != nullptr || nobody;
    }));
    if (nobody)
        return std::unexpected(Error::closed);
    return Ended{place_of(*found).life.exit_status(), found->node, found->pid};
}

// Lock held. A process that has left is not stopped any more, since it waits for its next program.
bool Cube::remove(UserProcess& caller, UserProcess& process, messaging::Waiting messages)
{
    const bool runs = place_of(process).life.remove(messages == messaging::Waiting::kept);
    if (runs && &process != &caller)
        job_.stop(process);
    return runs && &process == &caller;
}

// What was sent to places where no program is.
void Cube::forget_messages(Chosen chosen)
{
    each(chosen, nullptr, [&](UserProcess& process) {
        const messaging::WaitRecord* const record = job_.messages().record(process.endpoint);
        if (keeps(process) && place_of(process).life.standing() == Standing::empty && record != nullptr &&
            record->state.load() == messaging::EndpointState::live)
            job_.messages().reset(process.endpoint, messaging::Waiting::dropped);
    });
}

Result<void> Cube::kill(UserProcess& caller, Chosen chosen, messaging::Waiting messages)
{
    bool itself = false;
    {
        LockGuard guard(lock_);
        each(chosen, nullptr,
             [&](UserProcess& process) { itself = remove(caller, process, messages) || itself; });
    }
    TRY_VOID(wait_until(caller, false, [&] { return none_runs(caller, chosen); }));
    if (messages == messaging::Waiting::dropped)
        forget_messages(chosen);
    if (itself)
        caller.pending_work.set_killed(true);
    return {};
}

void Cube::look_again(UserProcess& process) { kernel().waits.wake(key_of(place_of(process).ends_epoch), 1); }

Result<void> Cube::set_pid(UserProcess& caller, int pid)
{
    if (pid < 0)
        return std::unexpected(Error::bad_process);
    TRY_VOID(job_.messages().set_pid(caller.endpoint, pid));
    caller.pid = pid;
    return {};
}

} // namespace parley::kernel
