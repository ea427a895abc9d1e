// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/machine_model/plugin/fast_back_end.hpp"

#include "tools/machine_model/plugin/interface.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace parley::machine_model {

namespace {

// A processor that was chosen comes to its next block before any other comes to one twice, unless it sleeps.
constexpr unsigned times_held_by_a_sleeper = 3;

} // namespace

FastBackEnd::FastBackEnd(const Emulator& emulator, Machine machine, std::optional<Machine> as_new,
                         unsigned processors, unsigned modelled, Picoseconds lookahead)
    : BackEnd{std::move(machine), processors, modelled, lookahead}, emulator_{emulator},
      main_thread_{pthread_self()}, states_(processors), held_(processors),
      without_ticks_{as_new.has_value()}, as_new_{std::move(as_new)}, has_joined_(processors)
{
    order_.wake(0, 0); // the one that boots
}

// The accelerator is there when its first processor is. Its table's entries know no object.
std::string FastBackEnd::begin()
{
    static constinit FastBackEnd* self = nullptr;
    self = this;
    const auto real = emulator_.install({
        [](CPUState* target, int mask) { self->interrupt(target, mask); },
        [] { return self->virtual_clock(); },
        [] { return self->elapsed_ticks(); },
    });
    if (!real)
        return real.error();
    real_interrupt_ = *real;
    return {};
}

CPUState* FastBackEnd::state_of(unsigned processor)
{
    if (states_[processor] == nullptr)
        states_[processor] = emulator_.processor(processor);
    return states_[processor];
}

std::optional<unsigned> FastBackEnd::number_of(const CPUState* processor)
{
    for (unsigned number = 0; number < order_.processors(); ++number)
        if (state_of(number) == processor)
            return number;
    return std::nullopt;
}

Picoseconds FastBackEnd::timer_due()
{
    in_timers_ = true;
    const std::int64_t span = emulator_.until_timer();
    in_timers_ = false;
    return span < 0 ? never
                    : timers_now_ / nanosecond * nanosecond + static_cast<Picoseconds>(span) * nanosecond;
}

// All timers that are due by `at`, each when its clock shows the time at which it is due.
void FastBackEnd::run_timers_until(Picoseconds at)
{
    for (Picoseconds due = timer_due(); due <= at; due = timer_due()) {
        timers_now_ = std::max(timers_now_, due);
        in_timers_ = true;
        emulator_.run_timers();
        in_timers_ = false;
        if (timer_due() <= timers_now_)
            timers_now_ += nanosecond; // one that does not go away is looked at again later
    }
    timers_now_ = std::max(timers_now_, at);
}

void FastBackEnd::stop_running()
{
    if (running_.processor != RunningClock::nobody)
        order_.advance(running_.processor, running_.now);
    running_.processor = RunningClock::nobody;
}

void FastBackEnd::run(unsigned processor)
{
    running_.processor = processor;
    running_.now = order_.clock(processor);
    running_.limit = std::max(std::min(order_.limit(processor), timer_due()), running_.now + 1);
    seen_ = never;
    ++switches_;
}

// Chooses after `last` has stopped. While all sleep, time goes on to the next timer. Nobody is chosen when
// nothing is left that could wake one.
void FastBackEnd::run_next(unsigned last)
{
    stop_running();
    for (;;) {
        const Picoseconds least = order_.least();
        if (least != never) {
            run_timers_until(least);
        } else {
            const Picoseconds due = timer_due();
            if (due == never)
                return;
            run_timers_until(due);
            continue;
        }
        // A timer may have woken one whose clock is behind.
        if (order_.least() == least)
            break;
    }
    run(*order_.next(last));
}

// Whether the chosen processor has not moved while others were held, so that it sleeps.
bool FastBackEnd::runs_not(unsigned held)
{
    if (running_.now != seen_) {
        seen_ = running_.now;
        std::fill(held_.begin(), held_.end(), 0);
    }
    return ++held_[held] >= times_held_by_a_sleeper;
}

BackEnd::Entry FastBackEnd::hold(unsigned processor, std::uint64_t, const void* return_address)
{
    if (waits_for_beginning(processor)) {
        hold_until_beginning(processor);
    } else if (processor == running_.processor) {
        run_next(processor);
    } else {
        // Woken by what is no interrupt: it goes on now.
        if (order_.is_halted(processor))
            order_.wake(processor, running_.processor == RunningClock::nobody ? timers_now_ : running_.now);
        if (running_.processor == RunningClock::nobody) {
            run_next(processor);
        } else if (runs_not(processor)) {
            const unsigned sleeper = running_.processor;
            stop_running();
            order_.halt(sleeper);
            run_next(sleeper);
        }
    }
    if (running_.processor != processor || emulator_.has_interrupt(state_of(processor)))
        emulator_.leave_block(state_of(processor), return_address);
    return Entry::timed;
}

void FastBackEnd::halt(unsigned processor)
{
    if (emulator_.has_interrupt(state_of(processor)))
        return; // its HLT ends at once
    order_.advance(processor, running_.now);
    order_.halt(processor);
    run_next(processor);
}

bool FastBackEnd::watch(qemu_plugin_insn* instruction, std::span<const std::uint8_t> code)
{
    if (!without_ticks_)
        return false;
    const auto call = [&](qemu_plugin_vcpu_udata_cb_t callback) {
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, callback, QEMU_PLUGIN_CB_NO_REGS, this);
    };
    switch (guest_call_of(code)) {
    case GuestCall::attach:
        call([](unsigned, void* data) { static_cast<FastBackEnd*>(data)->attach(); });
        break;
    case GuestCall::join:
        call([](unsigned processor, void* data) { static_cast<FastBackEnd*>(data)->join(processor); });
        break;
    case GuestCall::wait:
        call([](unsigned, void* data) { static_cast<FastBackEnd*>(data)->running_.now += between_looks; });
        break;
    case GuestCall::none: break;
    }
    return false;
}

void FastBackEnd::attach() { mailbox_.open(GuestMemory::find(), Lacking::ticks); }

// It is held at its next block.
void FastBackEnd::join(unsigned processor)
{
    has_joined_[processor] = true;
    running_.limit = 0;
}

void FastBackEnd::hold_until_beginning(unsigned processor)
{
    if (std::ranges::all_of(has_joined_, std::identity{}))
        return begin_time();
    if (processor != running_.processor)
        return;
    order_.advance(processor, running_.now);
    order_.halt(processor);
    run_next(processor);
}

// All get the same clock, and the last processor the last place in the first round, as in
// ProcessorTurns::begin(): else the two back ends would differ in who runs first.
void FastBackEnd::begin_time()
{
    has_started_ = true;
    stop_running();
    Picoseconds latest = timers_now_;
    for (unsigned each = 0; each < processors(); ++each)
        latest = std::max(latest, order_.clock(each));
    for (unsigned each = 0; each < processors(); ++each) {
        order_.advance(each, beginning_after(latest));
        order_.wake(each, beginning_after(latest));
    }
    change_machine(std::move(*as_new_));
    as_new_.reset();
    run_next(processors() - 1);
}

void FastBackEnd::interrupt(CPUState* processor, int mask)
{
    real_interrupt_(processor, mask);
    if (pthread_equal(pthread_self(), main_thread_) != 0)
        return;
    const std::optional<unsigned> number = number_of(processor);
    if (!number)
        return;
    if (in_timers_ || running_.processor == RunningClock::nobody) {
        order_.wake(*number, timers_now_);
        return;
    }
    order_.wake(*number, running_.now);
    running_.limit = 0; // chosen anew before its next block
}

std::int64_t FastBackEnd::virtual_clock()
{
    if (pthread_equal(pthread_self(), main_thread_) != 0)
        return 0;
    if (in_timers_ || running_.processor == RunningClock::nobody)
        return static_cast<std::int64_t>(timers_now_ / nanosecond);
    // A device looks at the clock before it sets a timer, which may be due before anything else.
    running_.limit = 0;
    return static_cast<std::int64_t>(running_.now / nanosecond);
}

} // namespace parley::machine_model
