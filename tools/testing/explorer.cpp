// SPDX-License-Identifier: MIT
#include "tools/testing/explorer.hpp"

#include <algorithm>
#include <memory>

#include <setjmp.h>
#include <ucontext.h>

namespace parley::explorer {

namespace {

enum class State { ready, spinning, asleep, paused_for_good, ended };

struct Fiber {
    static constexpr std::size_t stack_bytes = 64 << 10;

    ucontext_t first{}; // where it begins; later switches are jumps, which make no system call
    jmp_buf place{};
    bool begun = false;
    std::unique_ptr<char[]> stack{new char[stack_bytes]};
    std::function<void()> body;
    State state = State::ready;
    const void* address = nullptr; // asleep there
    unsigned pauses = 0;           // since it last looked at a word
    bool others_changed = false;   // a word, since its last pause
    bool must_end = false;
};

// One decision: which of the parties that could go went. The search tries the next one later.
struct Choice {
    std::vector<std::size_t> candidates;
    std::size_t taken = 0;
};

class Execution;
Execution* running = nullptr;

class Execution {
public:
    Execution(std::vector<Choice>& choices, const Options& options, Play play);

    // "" or what went wrong.
    std::string run();
    void give_way(State state, const void* address);
    void look();
    void pause();
    void wake(const void* address, unsigned count);
    void kill(std::size_t party);
    bool must_end() const { return fibers_[current_]->must_end; }
    void others_may_look_again();
    std::string order() const;
    std::size_t current() const { return current_; }

private:
    static void enter(unsigned high, unsigned low);
    std::vector<std::size_t> candidates() const;
    std::size_t choose(const std::vector<std::size_t>& from);
    void resume(Fiber& fiber);

    std::vector<Choice>& choices_;
    std::size_t depth_ = 0;
    unsigned preemptions_left_;
    Play play_;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::size_t current_ = 0;
    std::uint64_t steps_left_;
    bool started_ = false;
    jmp_buf scheduler_{};
    std::string order_;
};

Execution::Execution(std::vector<Choice>& choices, const Options& options, Play play)
    : choices_(choices), preemptions_left_(options.preemptions), play_(std::move(play)),
      steps_left_(options.steps)
{
    for (auto& party : play_.parties) {
        auto fiber = std::make_unique<Fiber>();
        fiber->body = std::move(party);
        getcontext(&fiber->first);
        fiber->first.uc_stack.ss_sp = fiber->stack.get();
        fiber->first.uc_stack.ss_size = Fiber::stack_bytes;
        const auto bits = reinterpret_cast<std::uintptr_t>(fiber.get());
        makecontext(&fiber->first, reinterpret_cast<void (*)()>(&Execution::enter), 2,
                    static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits));
        fibers_.push_back(std::move(fiber));
    }
}

void Execution::enter(unsigned high, unsigned low)
{
    auto* const fiber = reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low);
    fiber->body();
    fiber->state = State::ended;
    _longjmp(running->scheduler_, 1);
}

// The running party first, so that the search begins without preemptions; the others only while some are
// left.
std::vector<std::size_t> Execution::candidates() const
{
    std::vector<std::size_t> result;
    const bool goes_on = started_ && fibers_[current_]->state == State::ready;
    if (goes_on)
        result.push_back(current_);
    for (std::size_t index = 0; index < fibers_.size(); ++index)
        if (fibers_[index]->state == State::ready &&
            !(goes_on && (index == current_ || preemptions_left_ == 0)))
            result.push_back(index);
    return result;
}

std::size_t Execution::choose(const std::vector<std::size_t>& from)
{
    if (depth_ == choices_.size())
        choices_.push_back({from, 0});
    const std::size_t chosen = choices_[depth_].candidates[choices_[depth_].taken];
    ++depth_;
    if (started_ && chosen != current_ && fibers_[current_]->state == State::ready)
        --preemptions_left_;
    return chosen;
}

std::string Execution::run()
{
    running = this;
    std::string failure;
    for (auto from = candidates(); !from.empty(); from = candidates()) {
        current_ = choose(from);
        started_ = true;
        order_ += static_cast<char>('A' + current_);
        resume(*fibers_[current_]);
        if (--steps_left_ == 0) {
            running = nullptr;
            return "a party goes on for ever";
        }
    }
    running = nullptr;
    for (const auto& fiber : fibers_)
        if (fiber->state == State::paused_for_good)
            failure = "a party pauses more often than it may before it looks again";
        else if (fiber->state != State::ended && !play_.may_wait)
            failure = "a party waits for ever";
    return failure.empty() ? play_.check() : failure;
}

void Execution::others_may_look_again()
{
    for (std::size_t index = 0; index < fibers_.size(); ++index)
        if (index != current_) {
            fibers_[index]->others_changed = true;
            if (fibers_[index]->state == State::spinning)
                fibers_[index]->state = State::ready;
        }
}

// Before an operation on a word.
void Execution::look()
{
    give_way(State::ready, nullptr);
    fibers_[current_]->pauses = 0;
}

// What others have changed before it came here, it may not have seen yet.
void Execution::pause()
{
    Fiber& self = *fibers_[current_];
    if (self.pauses++ == 0)
        give_way(self.others_changed ? State::ready : State::spinning, nullptr);
    else if (self.pauses > most_pauses)
        give_way(State::paused_for_good, nullptr);
    self.others_changed = false;
}

void Execution::give_way(State state, const void* address)
{
    Fiber& self = *fibers_[current_];
    self.state = state;
    self.address = address;
    if (_setjmp(self.place) == 0)
        _longjmp(scheduler_, 1);
}

void Execution::resume(Fiber& fiber)
{
    if (_setjmp(scheduler_) != 0)
        return;
    if (fiber.begun)
        _longjmp(fiber.place, 1);
    fiber.begun = true;
    setcontext(&fiber.first);
}

void Execution::wake(const void* address, unsigned count)
{
    for (const auto& fiber : fibers_)
        if (count > 0 && fiber->state == State::asleep && fiber->address == address) {
            fiber->state = State::ready;
            --count;
        }
}

void Execution::kill(std::size_t party)
{
    Fiber& fiber = *fibers_[party];
    fiber.must_end = true;
    fiber.others_changed = true;
    if (fiber.state == State::asleep || fiber.state == State::spinning)
        fiber.state = State::ready;
}

std::string Execution::order() const { return order_; }

// To the next untried choice; false when there is none.
bool advance(std::vector<Choice>& choices)
{
    while (!choices.empty() && choices.back().taken + 1 == choices.back().candidates.size())
        choices.pop_back();
    if (choices.empty())
        return false;
    ++choices.back().taken;
    return true;
}

} // namespace

void step()
{
    if (running != nullptr)
        running->look();
}

unsigned party() { return running == nullptr ? 0 : static_cast<unsigned>(running->current()); }

void changed()
{
    if (running != nullptr)
        running->others_may_look_again();
}

void spin()
{
    if (running != nullptr)
        running->pause();
}

void sleep(const void* address)
{
    if (running != nullptr)
        running->give_way(State::asleep, address);
}

void wake(const void* address, unsigned count)
{
    if (running != nullptr)
        running->wake(address, count);
}

void kill(unsigned party)
{
    step();
    if (running != nullptr)
        running->kill(party);
}

bool must_end() { return running != nullptr && running->must_end(); }

Outcome explore(const Options& options, const std::function<Play()>& make_play)
{
    std::vector<Choice> choices;
    Outcome outcome;
    do {
        if (++outcome.executions > options.executions) {
            outcome.failure = "too many orders; make the test smaller";
            return outcome;
        }
        Execution execution(choices, options, make_play());
        const std::string failure = execution.run();
        if (!failure.empty()) {
            outcome.failure = failure + " in the order " + execution.order();
            return outcome;
        }
    } while (advance(choices));
    return outcome;
}

} // namespace parley::explorer
