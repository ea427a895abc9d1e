// SPDX-License-Identifier: MIT
#include "tools/cmmp/simulated/programs.hpp"

#include "platform.hpp"

#include <algorithm>

namespace parley::simulated {

namespace {

Programs* running = nullptr;
constexpr Nanoseconds look = 1; // of a wait that nobody has given a time

} // namespace

Programs* Programs::here() { return running; }

Programs::Programs(unsigned processors)
    : machine_(processors, sched::SimulatedMachine::Burst([](const sched::Process& process) {
                   return static_cast<const Program&>(process).dispatch;
               })),
      ready_(machine_.servers)
{
    machine_.serve(ready_);
}

Programs::~Programs() { running = nullptr; }

void Programs::add(Nanoseconds dispatch, std::function<void()> body)
{
    Program& program = programs_.emplace_back(dispatch, std::move(body));
    program.queue = &ready_;
    program.member = living_++;
    ready_.add(program);
}

bool Programs::run()
{
    machine_.start();
    while (living_ > 0) {
        sched::SimulatedProcessor* const processor = machine_.first_to_give_way();
        const auto sleeper =
            std::min_element(timed_sleepers_.begin(), timed_sleepers_.end(),
                             [](const Program* one, const Program* other) { return one->due < other->due; });
        const Nanoseconds next = processor == nullptr ? never : processor->until;
        if (sleeper != timed_sleepers_.end() && (*sleeper)->due <= next) {
            Program& program = **sleeper;
            timed_sleepers_.erase(sleeper);
            sched::SimulatedMachine::now = program.due;
            make_ready(program);
        } else if (next != never) {
            sched::SimulatedMachine::now = next;
            resume(*processor);
        } else {
            return false;
        }
        machine_.run_woken();
    }
    return true;
}

Programs::Program& Programs::program_on(const sched::SimulatedProcessor& processor)
{
    return static_cast<Program&>(*processor.running);
}

void Programs::resume(sched::SimulatedProcessor& processor)
{
    Program& program = program_on(processor);
    current_ = &program;
    running = this;
    program.fiber.resume();
    running = nullptr;
    current_ = nullptr;
    if (program.fiber.ended()) {
        --living_;
        machine_.decide(processor);
        return;
    }
    switch (program.next) {
    case Program::Next::compute: processor.until = program.due; return;
    case Program::Next::spin:
        processor.until = never;
        spinning_.push_back(&processor);
        return;
    case Program::Next::leave: machine_.decide(processor); return;
    }
}

void Programs::make_ready(Program& program)
{
    ready_.add(program);
    if (sched::Server* const idle = ready_.idle_server_for(program))
        idle->wake();
}

void Programs::compute(Nanoseconds time)
{
    Program& self = *current_;
    self.next = Program::Next::compute;
    self.due = now() + time;
    self.busy += time;
    self.fiber.give_way();
}

void Programs::sleep_until(Nanoseconds time)
{
    Program& self = *current_;
    self.next = Program::Next::leave;
    self.due = std::max(time, now());
    timed_sleepers_.push_back(&self);
    self.fiber.give_way();
}

void Programs::sleep(const void* address)
{
    Program& self = *current_;
    self.next = Program::Next::leave;
    self.address = address;
    sleepers_.push_back(&self);
    self.fiber.give_way();
}

void Programs::wake(const void* address, unsigned count)
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

void Programs::spin(Nanoseconds turn)
{
    Program& self = *current_;
    self.next = Program::Next::spin;
    self.spins_since = now();
    self.turn = turn;
    self.fiber.give_way();
}

// Who spins looks next at a whole number of its turns, and after this.
void Programs::changed()
{
    for (sched::SimulatedProcessor* const processor : spinning_) {
        const Program& program = program_on(*processor);
        const Nanoseconds turns = (now() - program.spins_since) / program.turn + 1;
        processor->until = program.spins_since + turns * program.turn;
    }
    spinning_.clear();
}

} // namespace parley::simulated

namespace parley::platform {

bool SpinWait::once()
{
    simulated::Programs::here()->spin(simulated::look);
    return true;
}

// Steps take no time, so looking and going to sleep are one.
bool block(Atomic<std::uint32_t>& word, std::uint32_t expected)
{
    if (word.load(std::memory_order_relaxed) == expected)
        simulated::Programs::here()->sleep(&word);
    return true;
}

unsigned wake(Atomic<std::uint32_t>& word, unsigned count)
{
    simulated::Programs::here()->wake(&word, count);
    return count;
}

std::uint64_t cycles() { return simulated::Programs::now(); }

} // namespace parley::platform
