// SPDX-License-Identifier: MIT
#include "studies/cmmp/simulated/programs.hpp"

#include "platform.hpp"

#include <algorithm>
#include <cmath>

namespace parley::simulated {

namespace {

SimulatedPrograms* running = nullptr;

} // namespace

SimulatedPrograms* SimulatedPrograms::here() { return running; }

SimulatedPrograms::SimulatedPrograms(const Hardware& hardware)
    : hardware_(hardware), machine_(hardware.fast + hardware.slow,
                                    sched::SimulatedMachine::Burst([](const sched::Process& process) {
                                        return static_cast<const Program&>(process).dispatch;
                                    })),
      ready_(machine_.servers), stealing_(machine_.servers, hardware.fast),
      interrupted_until_(hardware.fast + hardware.slow), loads_(hardware.banks.count())
{
    machine_.serve(ready_);
}

SimulatedPrograms::~SimulatedPrograms() { running = nullptr; }

void SimulatedPrograms::add(Nanoseconds dispatch, std::function<void()> body, unsigned code)
{
    Program& program = programs_.emplace_back(dispatch, std::move(body), code);
    program.queue = &ready_;
    program.member = living_++;
    program.slice_left = hardware_.slice;
    program.slices_left = hardware_.slices;
    ready_.add(program);
}

bool SimulatedPrograms::run()
{
    machine_.start();
    while (living_ > 0) {
        sched::SimulatedProcessor* const processor = machine_.first_to_give_way();
        const auto sleeper =
            std::min_element(timed_sleepers_.begin(), timed_sleepers_.end(),
                             [](const Program* one, const Program* other) { return one->due < other->due; });
        const Nanoseconds next = processor == nullptr ? never : processor->until;
        const Nanoseconds due = sleeper == timed_sleepers_.end() ? never : (*sleeper)->due;
        if (next == never && due == never)
            return false;
        if (!actions_.empty() && actions_.begin()->first <= std::min(next, due)) {
            const auto first = actions_.extract(actions_.begin());
            sched::SimulatedMachine::now = first.key();
            first.mapped()();
        } else if (due <= next) {
            Program& program = **sleeper;
            timed_sleepers_.erase(sleeper);
            sched::SimulatedMachine::now = program.due;
            make_ready(program);
        } else {
            sched::SimulatedMachine::now = next;
            take_its_turn(*processor);
        }
        machine_.run_woken();
        if (hardware_.stealing)
            steal();
        if (!loads_.empty())
            find_loads();
        if (timeline_.is_watched())
            note_activities();
    }
    return true;
}

SimulatedPrograms::Program& SimulatedPrograms::program_on(const sched::SimulatedProcessor& processor)
{
    return static_cast<Program&>(*processor.running);
}

// Its processor has gone over to it, or its work is done, or its slice.
void SimulatedPrograms::take_its_turn(sched::SimulatedProcessor& processor)
{
    Program& program = program_on(processor);
    if (!program.dispatched) {
        if (interrupted_until_[processor.index()] > now()) {
            processor.until = interrupted_until_[processor.index()];
            return;
        }
        program.dispatched = true;
        program.since = now();
    } else {
        reckon(program);
        if (hardware_.slice != 0 && program.slice_left == 0 && !keeps_its_processor(processor))
            return;
    }
    const bool computes = program.next == Program::Next::compute && program.work >= 1;
    if (computes || (program.next == Program::Next::spin && program.look > now()))
        go_on(processor);
    else
        resume(processor);
}

void SimulatedPrograms::resume(sched::SimulatedProcessor& processor)
{
    Program& program = program_on(processor);
    current_ = &program;
    running = this;
    program.fiber.resume();
    running = nullptr;
    current_ = nullptr;
    if (program.fiber.ended())
        --living_;
    else if (program.next != Program::Next::leave)
        return go_on(processor);
    program.dispatched = false;
    machine_.decide(processor);
}

// It computes or spins there, from now on or from the end of what interrupts it.
void SimulatedPrograms::go_on(sched::SimulatedProcessor& processor)
{
    Program& program = program_on(processor);
    program.since = std::max(now(), interrupted_until_[processor.index()]);
    program.pace = pace_on(processor);
    plan(processor);
}

void SimulatedPrograms::reckon(Program& program) const
{
    if (now() <= program.since)
        return;
    const Nanoseconds ran = now() - program.since;
    program.since = now();
    program.work = std::max(0.0, program.work - static_cast<double>(ran) / program.pace);
    program.slice_left -= std::min(program.slice_left, ran);
}

void SimulatedPrograms::plan(sched::SimulatedProcessor& processor) const
{
    const Program& program = program_on(processor);
    processor.until = program.next == Program::Next::spin
                          ? program.look
                          : program.since + static_cast<Nanoseconds>(program.work * program.pace + 0.5);
    if (hardware_.slice != 0)
        processor.until = std::min(processor.until, program.since + program.slice_left);
}

// At the end of a slice.
bool SimulatedPrograms::keeps_its_processor(sched::SimulatedProcessor& processor)
{
    Program& program = program_on(processor);
    program.slice_left = hardware_.slice;
    if (--program.slices_left == 0) {
        program.slices_left = hardware_.slices;
        ++counts_.requests;
        scheduler_free_ = std::max(scheduler_free_, now()) + hardware_.request;
        program.due = scheduler_free_;
        timed_sleepers_.push_back(&program);
    } else {
        ready_.add(program);
    }
    machine_.decide(processor);
    if (processor.running == &program)
        return true;
    program.dispatched = false;
    return false;
}

void SimulatedPrograms::make_ready(Program& program)
{
    ready_.add(program);
    if (sched::Server* const idle = ready_.idle_server_for(program))
        idle->wake();
}

void SimulatedPrograms::interrupt(unsigned processor, Nanoseconds service)
{
    ++counts_.interrupts;
    sched::SimulatedProcessor& owner = machine_.processor(processor);
    Nanoseconds& until = interrupted_until_[processor];
    const Nanoseconds from = std::max(until, now());
    until = from + service;
    timeline_.interrupt(processor, from, until);
    if (owner.running == nullptr)
        return;
    Program& program = program_on(owner);
    if (!program.dispatched) {
        owner.until += service;
        return;
    }
    reckon(program);
    program.since = until;
    if (program.next == Program::Next::spin && program.look != never)
        program.look = std::max(program.look, until);
    plan(owner);
}

void SimulatedPrograms::steal()
{
    for (unsigned index = hardware_.fast; index < hardware_.fast + hardware_.slow; ++index) {
        sched::SimulatedProcessor& slow = machine_.processor(index);
        if (slow.running == nullptr)
            continue;
        sched::Server* const taker = stealing_.taker_for(slow, *slow.running);
        if (taker == nullptr)
            return;
        Program& program = program_on(slow);
        if (program.dispatched)
            reckon(program);
        program.dispatched = false;
        ++counts_.steals;
        machine_.move(slow, machine_.processor(taker->index()));
    }
}

double SimulatedPrograms::pace_on(const sched::SimulatedProcessor& processor) const
{
    const Program& program = program_on(processor);
    const double speed = processor.index() < hardware_.fast ? 1 : hardware_.slowdown;
    if (program.memory == Memory::none || program.code == Banks::none || loads_.empty())
        return speed;
    return speed * hardware_.banks.pace(program.code, loads_[program.code]);
}

// Who refers to which bank has changed: so has how fast work on it goes on.
void SimulatedPrograms::find_loads()
{
    const unsigned processors = hardware_.fast + hardware_.slow;
    const auto add = [this](unsigned bank, double load) {
        if (bank != Banks::none)
            loads_[bank] += load;
    };
    std::fill(loads_.begin(), loads_.end(), 0);
    for (unsigned index = 0; index < processors; ++index) {
        const sched::SimulatedProcessor& processor = machine_.processor(index);
        if (processor.running == nullptr || !program_on(processor).dispatched)
            continue;
        const Program& program = program_on(processor);
        if (program.next == Program::Next::spin) {
            add(program.code, 1 - program.share);
            add(hardware_.words, program.share);
        } else if (program.memory == Memory::bank) {
            add(program.code, 1);
        }
    }
    for (unsigned index = 0; index < processors; ++index) {
        sched::SimulatedProcessor& processor = machine_.processor(index);
        if (processor.running == nullptr || !program_on(processor).dispatched)
            continue;
        Program& program = program_on(processor);
        const double pace = pace_on(processor);
        if (pace == program.pace)
            continue;
        reckon(program);
        program.pace = pace;
        plan(processor);
    }
}

void SimulatedPrograms::note_activities()
{
    for (unsigned index = 0; index < hardware_.fast + hardware_.slow; ++index) {
        const sched::SimulatedProcessor& processor = machine_.processor(index);
        if (processor.running == nullptr) {
            timeline_.note(index, 0, Doing::nothing, now());
            continue;
        }
        const Program& program = program_on(processor);
        const Doing doing = !program.dispatched                      ? Doing::dispatch
                            : program.next == Program::Next::compute ? Doing::compute
                                                                     : Doing::spin;
        timeline_.note(index, program.member, doing, now());
    }
}

void SimulatedPrograms::compute(Nanoseconds time, Memory memory)
{
    Program& self = *current_;
    self.next = Program::Next::compute;
    self.work = static_cast<double>(time);
    self.memory = memory;
    self.busy += time;
    self.fiber.give_way();
}

void SimulatedPrograms::sleep_until(Nanoseconds time)
{
    Program& self = *current_;
    self.next = Program::Next::leave;
    self.due = std::max(time, now());
    timed_sleepers_.push_back(&self);
    self.fiber.give_way();
}

void SimulatedPrograms::sleep(const void* address)
{
    Program& self = *current_;
    self.next = Program::Next::leave;
    self.address = address;
    sleepers_.push_back(&self);
    self.fiber.give_way();
}

void SimulatedPrograms::wake(const void* address, unsigned count)
{
    for (auto place = sleepers_.begin(); place != sleepers_.end() && count > 0;) {
        if ((*place)->address != address) {
            ++place;
            continue;
        }
        make_ready(**place);
        place = sleepers_.erase(place);
        --count;
    }
}

void SimulatedPrograms::spin(Nanoseconds turn, double share)
{
    Program& self = *current_;
    self.next = Program::Next::spin;
    self.spins_since = now();
    self.look = never;
    self.turn = turn;
    self.share = share;
    self.fiber.give_way();
}

// Who spins looks next at a whole number of its turns, and after this; not while it is interrupted, and not
// before it has a processor again.
void SimulatedPrograms::changed()
{
    for (Program& program : programs_) {
        if (program.next != Program::Next::spin || program.look != never)
            continue;
        const Nanoseconds turns = (now() - program.spins_since) / program.turn + 1;
        program.look = program.spins_since + turns * program.turn;
    }
    for (unsigned index = 0; index < hardware_.fast + hardware_.slow; ++index) {
        sched::SimulatedProcessor& processor = machine_.processor(index);
        if (processor.running == nullptr || !program_on(processor).dispatched ||
            program_on(processor).next != Program::Next::spin)
            continue;
        Program& program = program_on(processor);
        reckon(program);
        program.look = std::max(program.look, interrupted_until_[index]);
        plan(processor);
    }
}

} // namespace parley::simulated

namespace parley::platform {

bool SpinWait::once()
{
    simulated::SimulatedPrograms& machine = *simulated::SimulatedPrograms::here();
    machine.spin(machine.look());
    return true;
}

// Steps take no time, so looking and going to sleep are one.
bool block(Atomic<std::uint32_t>& word, std::uint32_t expected)
{
    if (word.load(std::memory_order_relaxed) == expected)
        simulated::SimulatedPrograms::here()->sleep(&word);
    return true;
}

unsigned wake(Atomic<std::uint32_t>& word, unsigned count)
{
    simulated::SimulatedPrograms::here()->wake(&word, count);
    return count;
}

std::uint64_t cycles() { return simulated::SimulatedPrograms::now(); }

} // namespace parley::platform
