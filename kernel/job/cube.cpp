// SPDX-License-Identifier: MIT
#include "kernel/job/cube.hpp"

#include "kernel/job/program_end.hpp"

namespace parley::kernel {

using jobs::Selection;
using jobs::Standing;

namespace {

template <class Word>
sched::WaitKey key_of(const Word& word)
{
    return {reinterpret_cast<std::uint64_t>(&word), 0};
}

} // namespace

void Cube::begin(unsigned endpoint)
{
    {
        const LockGuard guard(roster_.lock());
        roster_.begin(endpoint);
    }
    waits_.wake(key_of(roster_.standing_word(endpoint)), 1);
}

bool Cube::await_program(unsigned endpoint)
{
    const auto wanted = [&] { return !roster_.runs(endpoint) && !over_.load(std::memory_order_acquire); };
    while (wanted()) {
        if (!waits_.block(key_of(roster_.standing_word(endpoint)), wanted))
            return false;
    }
    return roster_.runs(endpoint) && !machinery_.pending_work(endpoint).killed();
}

// The kernel's own delivery processes and policy processes run no program that could end.
void Cube::leave(unsigned endpoint, int status)
{
    bool last = false;
    {
        const LockGuard guard(roster_.lock());
        if (!roster_.runs(endpoint))
            return;
        last =
            end_program(roster_, endpoint, status, machinery_.pending_work(endpoint), machinery_.job_ends());
        wake_waiters();
    }
    give_back(endpoint);
    if (last)
        end_of_all();
}

void Cube::left_elsewhere(unsigned endpoint, int status)
{
    bool last = false;
    {
        const LockGuard guard(roster_.lock());
        if (!roster_.runs(endpoint))
            return;
        last = roster_.ended(endpoint, status);
        wake_waiters();
    }
    if (last)
        end_of_all();
}

void Cube::killed_elsewhere(unsigned endpoint, bool successor_receives)
{
    const LockGuard guard(roster_.lock());
    if (roster_.kill_one(endpoint, successor_receives))
        machinery_.stop(endpoint);
    wake_waiters();
}

// They find what they have waited for when they have the lock.
void Cube::wake_waiters()
{
    for (unsigned i = 0; roster_.somebody_waits() && i < roster_.size(); ++i)
        if (roster_.may_go_on(i))
            waits_.wake(key_of(roster_.epoch_word(i)), 1);
}

void Cube::give_back(unsigned owner)
{
    jobs::give_back(roster_, owner, machinery_);
    const LockGuard guard(roster_.lock());
    wake_waiters();
}

// No program runs, so none will ever be loaded.
void Cube::end_of_all()
{
    over_.store(true, std::memory_order_seq_cst);
    const bool helpers_see_it = machinery_.helpers_see_the_end();
    for (unsigned i = 0; i < roster_.size(); ++i) {
        if (roster_.is_program(i))
            waits_.wake(key_of(roster_.standing_word(i)), 1);
        else if (!helpers_see_it) {
            const LockGuard guard(roster_.lock());
            if (roster_.dismiss(i))
                machinery_.stop(i);
        }
    }
}

namespace {

// How jobs::load() makes programs and takes them back.
struct Making {
    Cube::Maker& maker;
    Cube::Machinery& machinery;

    Result<void> make(unsigned endpoint) { return maker.make(endpoint); }
    Result<void> open(unsigned endpoint) { return maker.open(endpoint); }
    void take_back(unsigned endpoint) { machinery.take_back(endpoint); }
};

} // namespace

Result<unsigned> Cube::load(unsigned caller, Selection where, Maker& maker)
{
    while (loading_.exchange(true, std::memory_order_acquire)) // pairs with the release below
        machinery_.give_way();
    Making making{maker, machinery_};
    const Result<unsigned> first = jobs::load(roster_, caller, where, making);
    {
        const LockGuard guard(roster_.lock());
        wake_waiters();
    }
    loading_.store(false, std::memory_order_release);
    return first;
}

void Cube::start(Selection whom)
{
    {
        const LockGuard guard(roster_.lock());
        roster_.start(whom, [](unsigned) { });
    }
    for (const unsigned endpoint : roster_.meant(whom))
        waits_.wake(key_of(roster_.standing_word(endpoint)), 1);
}

// A killer waits on while a handler is due: those that it has killed do not take long.
Result<jobs::Ended> Cube::wait(unsigned caller, const jobs::WaitForEnds& wait)
{
    const bool for_handlers = wait.what != jobs::WaitForEnds::For::killed;
    const sched::PendingWork& pending_work = machinery_.pending_work(caller);
    {
        const LockGuard guard(roster_.lock());
        TRY_VOID(roster_.wait(caller, wait));
    }
    for (;;) {
        {
            const LockGuard guard(roster_.lock());
            const Result<jobs::Ended> checked = roster_.check_wait(caller);
            if (checked || checked.error() != Error::would_block)
                return checked;
        }
        const bool alive = waits_.block(key_of(roster_.epoch_word(caller)), [&] {
            return roster_.epoch(caller) % 2 == 1 && !(for_handlers && pending_work.interrupted());
        });
        if (alive && !(for_handlers && pending_work.interrupted()))
            continue;
        const LockGuard guard(roster_.lock());
        roster_.give_up(caller);
        return std::unexpected(alive ? Error::interrupted : Error::killed);
    }
}

// What was sent to endpoints where no program is.
void Cube::forget_messages(Selection whom)
{
    for (const unsigned endpoint : roster_.meant(whom))
        if (keeps(endpoint) && roster_.standing(endpoint) == Standing::empty)
            machinery_.forget_messages(endpoint);
}

Result<void> Cube::kill(unsigned caller, Selection whom, messaging::Waiting messages)
{
    bool itself = false;
    {
        const LockGuard guard(roster_.lock());
        itself = TRY(roster_.kill(caller, whom, messages == messaging::Waiting::kept,
                                  [this](unsigned endpoint) { machinery_.stop(endpoint); }));
    }
    machinery_.tell_kill(whom, messages == messaging::Waiting::kept);
    give_back(caller);
    TRY_VOID(wait(caller, {jobs::WaitForEnds::For::killed, whom}));
    if (messages == messaging::Waiting::dropped)
        forget_messages(whom);
    if (itself)
        machinery_.pending_work(caller).set_killed(true);
    return {};
}

void Cube::look_again(unsigned endpoint) { waits_.wake(key_of(roster_.epoch_word(endpoint)), 1); }

// One step for the message system and the roster. If others could come between, one would get the pid that
// the caller has in the roster still, and a row would have it twice.
Result<void> Cube::set_pid(unsigned caller, int pid)
{
    const LockGuard guard(roster_.lock());
    TRY_VOID(roster_.check_pid(caller, pid));
    TRY_VOID(machinery_.set_pid(caller, pid));
    TRY_VOID(roster_.set_pid(caller, pid));
    wake_waiters();
    return {};
}

} // namespace parley::kernel
