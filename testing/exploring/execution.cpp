// SPDX-License-Identifier: MIT
#include "testing/exploring/execution.hpp"

#include "testing/exploring/plain_accesses.hpp"
#include "testing/exploring/play_memory.hpp"

#include <algorithm>
#include <utility>

namespace parley::explorer {

Execution* Execution::running = nullptr;

namespace {

// Names of what is no memory.
constexpr Name first_fiber = 0, first_life = most_parties, all_fences = 100, all_asides = 101,
               all_changes = 102;

std::string told(const Races::Done& done)
{
    const bool atomic = done.access >= AccessKind::atomic_read;
    const bool writes = done.access == AccessKind::write || done.access == AccessKind::atomic_write;
    return std::string(1, static_cast<char>('A' + done.party)) + (writes ? " writes it" : " reads it") +
           (atomic ? " as an atomic word in " : " in ") + source_of(done.place);
}

} // namespace

Execution::Execution(Search& search, ExploredMemory& memory, Races& races, Allocations& blocks,
                     const Bounds& bounds, Play play)
    : search_(search), memory_(memory), races_(races), blocks_(blocks), preemptions_left_(bounds.preemptions),
      older_left_(bounds.older), watches_(bounds.races), steps_left_(bounds.steps), play_(std::move(play))
{
    memory_.start(*this, static_cast<unsigned>(play_.parties.size()), bounds.older != 0);
    races_.clear();
    for (auto& party : play_.parties) {
        auto fiber = std::make_unique<Fiber>();
        fiber->stack = PlayMemory::get().stack_of(fibers_.size());
        fiber->body = std::move(party);
        getcontext(&fiber->first);
        fiber->first.uc_stack.ss_sp = fiber->stack;
        fiber->first.uc_stack.ss_size = PlayMemory::stack_bytes;
        const auto bits = reinterpret_cast<std::uintptr_t>(fiber.get());
        makecontext(&fiber->first, reinterpret_cast<void (*)()>(&Execution::enter), 2,
                    static_cast<unsigned>(bits >> 32), static_cast<unsigned>(bits));
        fibers_.push_back(std::move(fiber));
    }
}

void Execution::enter(unsigned high, unsigned low)
{
    auto* const fiber = reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low);
    watching = running->watches_;
    fiber->body();
    watching = false;
    fiber->state = State::ended;
    _longjmp(running->scheduler_, 1);
}

// The running party first, so that the search begins without preemptions; the others only while some are
// left.
Parties Execution::candidates() const
{
    Parties result;
    const bool goes_on = started_ && fibers_[current_]->state == State::ready;
    if (goes_on)
        result.add(current_);
    for (std::size_t index = 0; index < fibers_.size(); ++index)
        if (fibers_[index]->state == State::ready &&
            !(goes_on && (index == current_ || preemptions_left_ == 0)))
            result.add(index);
    return result;
}

// The running party is ready, and there is nothing to decide. With reduction of all orders each step is a
// decision.
bool Execution::goes_on_alone() const
{
    if (search_.reduction() == Reduction::of_all || steps_left_ <= 1)
        return false;
    return preemptions_left_ == 0 || std::none_of(fibers_.begin(), fibers_.end(), [this](const auto& fiber) {
               return fiber->state == State::ready && fiber != fibers_[current_];
           });
}

void Execution::took(std::size_t party)
{
    if (started_ && party != current_ && fibers_[current_]->state == State::ready &&
        preemptions_left_ != unlimited)
        --preemptions_left_;
    current_ = party;
    started_ = true;
    search_.touch(first_life + party, false); // who ends it wherever it is, ends it before or after this step
    if (fibers_[party]->asides != 0)
        search_.touch(all_asides, true);
    order_ += static_cast<char>('A' + party);
}

std::size_t Execution::choose(std::size_t candidates)
{
    if (older_left_ == 0)
        return 0;
    const std::optional<std::size_t> chosen = search_.choose(candidates);
    if (!chosen)
        _longjmp(scheduler_, 1);
    if (*chosen != 0) {
        order_ += '\'';
        if (older_left_ != unlimited)
            --older_left_;
    }
    return *chosen;
}

std::string Execution::run()
{
    running = this;
    search_.begin();
    bool left = false;
    for (auto from = candidates(); !from.empty(); from = candidates()) {
        const bool decides = search_.reduction() == Reduction::of_all || from.size() > 1;
        const std::optional<std::size_t> party = decides ? search_.choose_party(from) : from.front();
        if (!decides)
            search_.go_on(*party);
        left = !party;
        if (left)
            break;
        took(*party);
        resume(*fibers_[current_]);
        if (race_ || !search_.difference().empty() || --steps_left_ == 0)
            break;
    }
    running = nullptr;
    if (!left)
        search_.end();
    if (!search_.difference().empty())
        return search_.difference();
    if (left)
        return "";
    if (race_)
        return "a race: nothing orders two uses of the same memory; " + told(race_->first) + ", then " +
               told(race_->second);
    if (steps_left_ == 0)
        return "a party goes on for ever";
    std::string failure;
    for (const auto& fiber : fibers_)
        if (fiber->state == State::paused_for_good)
            failure = "a party pauses more often than it may before it looks again";
        else if (fiber->state != State::ended && !play_.may_wait)
            failure = "a party waits for ever";
    return failure.empty() ? play_.check() : failure;
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

void Execution::give_way(State state, const void* address)
{
    Fiber& self = *fibers_[current_];
    self.state = state;
    self.address = address;
    if (state == State::ready && goes_on_alone()) {
        --steps_left_;
        search_.go_on(current_);
        took(current_);
        return;
    }
    self.looks_first = state != State::ready;
    if (_setjmp(self.place) == 0)
        _longjmp(scheduler_, 1);
}

void Execution::fail(const Races::Race& race)
{
    race_ = race;
    _longjmp(scheduler_, 1);
}

// A party's own change lets it look again once: who has let go of a lock and pauses before it looks again
// finds it free. Not more often, for one that takes a lock for each look would look for ever without anybody
// else.
void Execution::others_may_look_again()
{
    search_.touch(all_changes, false);
    for (std::size_t index = 0; index < fibers_.size(); ++index) {
        Fiber& fiber = *fibers_[index];
        if (index == current_) {
            fiber.has_changed = true;
            continue;
        }
        fiber.others_changed = true;
        fiber.looks_by_itself = true;
        if (fiber.state == State::spinning)
            fiber.state = State::ready;
    }
}

// Before an operation on a word. The first one's turn is that in which the party has begun, or goes on behind
// a wait.
void Execution::look()
{
    Fiber& self = *fibers_[current_];
    if (!std::exchange(self.looks_first, false) && !is_one_step_)
        give_way(State::ready, nullptr);
    self.pauses = 0;
}

// What others have changed before it came here, it may not have seen yet.
void Execution::pause()
{
    Fiber& self = *fibers_[current_];
    if (self.has_changed) // how often it looks yet depends on whether another has changed a word before
        search_.touch(all_changes, true);
    const bool tires = memory_.tires_of_older(current());
    if (self.pauses++ == 0) {
        const bool by_others = self.others_changed || tires;
        const bool by_itself = !by_others && self.has_changed && self.looks_by_itself;
        if (by_itself)
            self.looks_by_itself = false;
        give_way(by_others || by_itself ? State::ready : State::spinning, nullptr);
    } else if (self.pauses > most_pauses)
        give_way(State::paused_for_good, nullptr);
    self.others_changed = self.has_changed = false;
}

void Execution::sleep(const void* address)
{
    const Fiber& self = *fibers_[current_];
    touch(address, true);
    touch(self, false);
    (void)memory_.tires_of_older(current());
    give_way(State::asleep, address);
    touch(address, false);
    touch(self, false);
}

void Execution::wake(const void* address, unsigned count)
{
    touch(address, true);
    for (const auto& fiber : fibers_)
        if (count > 0 && fiber->state == State::asleep && fiber->address == address) {
            touch(*fiber, true);
            fiber->state = State::ready;
            --count;
        }
}

void Execution::kill(std::size_t party)
{
    Fiber& fiber = *fibers_[party];
    touch(fiber, true);
    if (fiber.state == State::asleep)
        touch(fiber.address, true);
    fiber.must_end = true;
    fiber.others_changed = true;
    fiber.looks_by_itself = true;
    if (fiber.state == State::asleep || fiber.state == State::spinning)
        fiber.state = State::ready;
}

bool Execution::must_end()
{
    const Fiber& self = *fibers_[current_];
    touch(self, false);
    return self.must_end;
}

void Execution::end(std::size_t party)
{
    Fiber& fiber = *fibers_[party];
    touch(fiber, true);
    search_.touch(first_life + party, true);
    if (fiber.state == State::asleep)
        touch(fiber.address, true);
    search_.end_party(party);
    fiber.state = State::ended;
    memory_.publish(static_cast<unsigned>(party), &fiber);
    memory_.collect(current(), &fiber);
}

void Execution::begin_aside()
{
    ++fibers_[current_]->asides;
    search_.touch(all_asides, true);
}

void Execution::end_aside() { --fibers_[current_]->asides; }

void Execution::publish(const void* address)
{
    touch(address, true);
    memory_.publish(current(), address);
}

void Execution::collect(const void* address)
{
    touch(address, false);
    memory_.collect(current(), address);
}

void Execution::touch(const Fiber& fiber, bool writes)
{
    const auto same = std::find_if(fibers_.begin(), fibers_.end(),
                                   [&](const auto& other) { return other.get() == &fiber; });
    search_.touch(first_fiber + static_cast<Name>(same - fibers_.begin()), writes);
}

void Execution::touch(const void* what, bool writes)
{
    if (search_.reduction() == Reduction::none)
        return;
    const auto address = reinterpret_cast<std::uintptr_t>(what);
    for (std::size_t party = 0; party < fibers_.size(); ++party) {
        const auto stack = reinterpret_cast<std::uintptr_t>(fibers_[party]->stack);
        if (address - stack < PlayMemory::stack_bytes)
            return search_.touch(Name{1} << 62 | Name{party} << 32 | (address - stack), writes);
    }
    search_.touch(blocks_.name_of(address).value_or(address), writes);
}

// A sequentially consistent load is more than a look: what comes later in their order may not see less.
void Execution::touch_word(const void* at, bool writes, word::Order order)
{
    const bool ordered = order == std::memory_order_seq_cst;
    touch(at, writes || ordered);
    if (ordered)
        search_.touch(all_fences, false);
}

word::Bits Execution::load(const void* at, std::size_t bytes, word::Order order, const void* place)
{
    look();
    touch_word(at, false, order);
    access(place, at, bytes, AccessKind::atomic_read);
    return memory_.load(current(), at, bytes, order);
}

void Execution::store(void* at, std::size_t bytes, word::Bits value, word::Order order, const void* place)
{
    look();
    touch_word(at, true, order);
    access(place, at, bytes, AccessKind::atomic_write);
    if (memory_.store(current(), at, bytes, value, order))
        others_may_look_again();
}

word::Bits Execution::update(void* at, std::size_t bytes, word::Change change, word::Bits with,
                             word::Order order, const void* place)
{
    look();
    touch_word(at, true, order);
    access(place, at, bytes, AccessKind::atomic_write);
    const ExploredMemory::Updated updated = memory_.update(current(), at, bytes, change, with, order);
    if (updated.changed)
        others_may_look_again();
    return updated.before;
}

bool Execution::compare_exchange(void* at, std::size_t bytes, word::Bits& expected, word::Bits wanted,
                                 word::Order success, word::Order failure, bool may_fail, const void* place)
{
    look();
    touch_word(at, true, failure == std::memory_order_seq_cst ? failure : success);
    access(place, at, bytes, AccessKind::atomic_write);
    const ExploredMemory::Updated updated =
        memory_.compare_exchange(current(), at, bytes, expected, wanted, success, failure, may_fail);
    expected = updated.before;
    if (updated.changed)
        others_may_look_again();
    return updated.done;
}

word::Bits Execution::peek(const void* at, std::size_t bytes)
{
    touch(at, false);
    return memory_.peek(current(), at, bytes);
}

void Execution::tell(const void* at, std::size_t bytes)
{
    touch(at, true);
    memory_.tell(current(), at, bytes);
}

void Execution::fence(word::Order order)
{
    look();
    search_.touch(all_fences, order == std::memory_order_seq_cst);
    memory_.fence(current(), order);
}

void Execution::access(const void* place, const void* at, std::size_t bytes, AccessKind access)
{
    if (!watches_)
        return;
    const auto race = races_.note({place, access, current()}, at, bytes, memory_.clock(current()));
    if (race)
        fail(*race);
}

void Execution::allocated(const void* at, std::size_t bytes)
{
    races_.forget(at, bytes);
    blocks_.add(current(), reinterpret_cast<std::uintptr_t>(at), bytes);
}

} // namespace parley::explorer
