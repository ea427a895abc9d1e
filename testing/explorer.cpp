// SPDX-License-Identifier: MIT
#include "testing/explorer.hpp"

#include "testing/exploring/execution.hpp"
#include "testing/exploring/one_step.hpp"
#include "testing/exploring/plain_accesses.hpp"
#include "testing/exploring/play_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace parley::explorer {

namespace {

// The explorer's own doings are not the running party's.
class Unwatched {
public:
    Unwatched() : watched_(watching) { watching = false; }
    ~Unwatched() { watching = watched_; }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;

    Execution* operator->() const { return Execution::running; }
    explicit operator bool() const { return Execution::running != nullptr; }

private:
    bool watched_;
};

bool environment_says(std::string_view word)
{
    const char* const said = std::getenv("PARLEY_EXPLORER");
    return said != nullptr && std::string_view(said).find(word) != std::string_view::npos;
}

// What the running exploration has allocated.
Allocations blocks;

std::string number(unsigned bound) { return bound == unlimited ? "all" : std::to_string(bound); }

class Exploration {
public:
    Exploration(const Options& options, const std::function<Play()>& make_play)
        : options_(options), make_play_(make_play)
    {
    }

    ExplorationOutcome explore()
    {
        (void)PlayMemory::get().start(); // what an earlier play has kept, that one was told
        if (options_.memory != Model::weak)
            explore_sequential();
        if (options_.memory != Model::sequential && outcome_.failure.empty())
            explore_weak();
        return outcome_;
    }

private:
    enum class End { covered, too_many, failed };
    static constexpr std::uint64_t endless = ~std::uint64_t{0};
    static constexpr unsigned thorough_preemptions = 3;

    void explore_sequential()
    {
        Bounds bounds{options_.preemptions, 0, options_.steps, options_.races};
        for (;; ++bounds.preemptions) {
            if (run(bounds, thorough_ ? endless : options_.executions) != End::covered)
                return;
            cover("sequential, ", bounds);
            if (bounds.preemptions >= most_preemptions_)
                return;
        }
    }

    // Greater and greater bounds, as long as there is time for them.
    void explore_weak()
    {
        const std::uint64_t before = outcome_.executions;
        Bounds bounds{options_.preemptions, options_.older, options_.steps, options_.races};
        if (options_.weak_executions == 0) {
            if (run(bounds, options_.executions) == End::covered)
                cover("weak, ", bounds);
            return;
        }
        bounds = {0, std::min(1u, options_.older), options_.steps, options_.races};
        if (thorough_)
            return explore_all_weak(bounds);
        std::optional<Bounds> covered;
        for (std::uint64_t left = options_.weak_executions; left != 0;) {
            const std::uint64_t earlier = outcome_.executions;
            const End end = run(bounds, left);
            if (end == End::failed)
                return;
            if (end == End::too_many)
                outcome_.failure.clear();
            else
                covered = bounds;
            const std::uint64_t spent = outcome_.executions - before;
            // The next bounds take some ten times what these have taken.
            const std::uint64_t next = spent + 10 * (outcome_.executions - earlier);
            if (end == End::too_many || next > 2 * options_.weak_executions || !grow(bounds))
                break;
            left = options_.weak_executions - std::min(spent, options_.weak_executions);
        }
        executions_ = outcome_.executions - before;
        cover(covered ? "weak, " : "weak, not wholly: ", covered.value_or(bounds));
    }

    void explore_all_weak(Bounds bounds)
    {
        while (run(bounds, endless) == End::covered) {
            cover("weak, ", bounds);
            if (!grow(bounds))
                return;
        }
    }

    // Preemptions and older stores in turns; unlimited ones come after two.
    bool grow(Bounds& bounds) const
    {
        const auto more = [](unsigned& bound, unsigned most) {
            if (bound >= most)
                return false;
            bound = bound >= 2 && most == unlimited ? unlimited : bound + 1;
            return true;
        };
        if (bounds.preemptions < bounds.older || bounds.older >= options_.older)
            return more(bounds.preemptions, most_preemptions_) || more(bounds.older, options_.older);
        return more(bounds.older, options_.older) || more(bounds.preemptions, most_preemptions_);
    }

    // Within bounds it costs little to run all orders of parties whose plain memory nobody watches: what they
    // share there is no touch.
    Reduction reduction(const Bounds& bounds) const
    {
        if (!options_.reduce)
            return Reduction::none;
        if (bounds.preemptions == unlimited)
            return Reduction::of_all;
        return options_.races ? Reduction::of_bounded : Reduction::none;
    }

    End run(const Bounds& bounds, std::uint64_t most)
    {
        Search search(reduction(bounds));
        const std::uint64_t before = outcome_.executions;
        do {
            if (outcome_.executions - before == most) {
                outcome_.failure = "too many orders; make the test smaller";
                return End::too_many;
            }
            ++outcome_.executions;
            if (!PlayMemory::get().start()) {
                outcome_.failure = "the play keeps memory that it was set up with, so the next one has other "
                                   "addresses; what is made for all plays needs a ForAllPlays";
                return End::failed;
            }
            Execution execution(search, memory_, races_, blocks, bounds, set_up());
            const std::string failure = execution.run();
            if (!failure.empty()) {
                outcome_.failure = failure + " in the order " + execution.order() +
                                   (bounds.older == 0 ? "" : " of the weak model");
                return End::failed;
            }
        } while (search.next());
        executions_ = outcome_.executions - before;
        return End::covered;
    }

    Play set_up()
    {
        blocks.clear();
        Play play = made();
        if (play.parties.size() > most_parties)
            throw std::invalid_argument("a play has at most " + std::to_string(most_parties) + " parties");
        return play;
    }

    Play made()
    {
        struct SettingUp {
            SettingUp() { setting_up = true; }
            ~SettingUp() { setting_up = false; }
        };
        const SettingUp now;
        return make_play_();
    }

    // Whoever covers all is told at once: that may take hours, and be ended at any time.
    void cover(const char* model, const Bounds& bounds)
    {
        const std::string said = std::string(model) + number(bounds.preemptions) + " preemptions" +
                                 (bounds.older == 0 ? "" : ", " + number(bounds.older) + " older stores") +
                                 ": " + std::to_string(executions_) + " executions";
        outcome_.covered += (outcome_.covered.empty() ? "" : "; ") + said;
        if (!thorough_)
            return;
        std::printf("covered: %s\n", said.c_str());
        std::fflush(stdout);
    }

    const Options& options_;
    const std::function<Play()>& make_play_;
    const bool thorough_ = environment_says("thorough");
    // Plays of three parties are written for fewer, so that `make test` can run them.
    const unsigned most_preemptions_ =
        thorough_ ? std::max(options_.preemptions, thorough_preemptions) : options_.preemptions;
    // Kept from one execution to the next: to get their room anew would take as long as the steps.
    ExploredMemory memory_;
    Races races_;
    ExplorationOutcome outcome_;
    std::uint64_t executions_ = 0; // of the last bounds
};

} // namespace

void step()
{
    if (const Unwatched inside; inside)
        inside->look();
}

unsigned party() { return Execution::running == nullptr ? 0 : Execution::running->current(); }

void changed()
{
    if (const Unwatched inside; inside)
        inside->others_may_look_again();
}

void spin()
{
    if (const Unwatched inside; inside)
        inside->pause();
}

void sleep(const void* address)
{
    if (const Unwatched inside; inside)
        inside->sleep(address);
}

void wake(const void* address, unsigned count)
{
    if (const Unwatched inside; inside)
        inside->wake(address, count);
}

void kill(unsigned party)
{
    if (const Unwatched inside; inside) {
        inside->look();
        inside->kill(party);
    }
}

bool must_end()
{
    const Unwatched inside;
    return inside && inside->must_end();
}

void end(unsigned party)
{
    if (const Unwatched inside; inside) {
        inside->look();
        inside->end(party);
    }
}

void publish(const void* address)
{
    if (const Unwatched inside; inside)
        inside->publish(address);
}

void collect(const void* address)
{
    if (const Unwatched inside; inside)
        inside->collect(address);
}

Aside::Aside() : watched_(watching)
{
    watching = false;
    if (Execution::running != nullptr)
        Execution::running->begin_aside();
}

Aside::~Aside()
{
    watching = watched_;
    if (Execution::running != nullptr)
        Execution::running->end_aside();
}

ForAllPlays::ForAllPlays() : was_setting_up_(setting_up) { setting_up = false; }
ForAllPlays::~ForAllPlays() { setting_up = was_setting_up_; }

OneStep::OneStep()
{
    if (const Unwatched inside; inside) {
        inside->look();
        inside->set_one_step(true);
    }
}

OneStep::~OneStep()
{
    if (const Unwatched inside; inside)
        inside->set_one_step(false);
}

namespace word {

namespace {

bool peeking = false; // no other party goes on meanwhile

} // namespace

Peeking::Peeking() : peeked_(peeking) { peeking = true; }
Peeking::~Peeking() { peeking = peeked_; }

void begin(void* at)
{
    if (const Unwatched inside; inside)
        inside->begin_word(at);
}

Bits load(const void* at, std::size_t bytes, Order order)
{
    if (peeking)
        return peek(at, bytes);
    const Unwatched inside;
    return inside ? inside->load(at, bytes, order, __builtin_return_address(0)) : in_memory(at, bytes);
}

void store(void* at, std::size_t bytes, Bits value, Order order)
{
    if (const Unwatched inside; inside)
        inside->store(at, bytes, value, order, __builtin_return_address(0));
    else
        std::memcpy(at, &value, bytes);
}

Bits update(void* at, std::size_t bytes, Change change, Bits with, Order order)
{
    const Unwatched inside;
    if (inside)
        return inside->update(at, bytes, change, with, order, __builtin_return_address(0));
    const Bits before = in_memory(at, bytes), after = change(before, with);
    std::memcpy(at, &after, bytes);
    return before;
}

bool compare_exchange(void* at, std::size_t bytes, Bits& expected, Bits wanted, Order success, Order failure,
                      bool may_fail)
{
    const Unwatched inside;
    if (inside)
        return inside->compare_exchange(at, bytes, expected, wanted, success, failure, may_fail,
                                        __builtin_return_address(0));
    const Bits before = in_memory(at, bytes);
    if (before == expected)
        std::memcpy(at, &wanted, bytes);
    const bool done = before == expected;
    expected = before;
    return done;
}

Bits peek(const void* at, std::size_t bytes)
{
    const Unwatched inside;
    return inside ? inside->peek(at, bytes) : in_memory(at, bytes);
}

void tell(const void* at, std::size_t bytes)
{
    if (const Unwatched inside; inside)
        inside->tell(at, bytes);
}

} // namespace word

void fence(std::memory_order order)
{
    if (const Unwatched inside; inside)
        inside->fence(order);
}

void note_plain(const void* place, const void* at, std::size_t bytes, AccessKind access)
{
    if (const Unwatched inside; inside)
        inside->access(place, at, bytes, access);
}

void note_allocated(void* at, std::size_t bytes)
{
    const bool was_setting_up = setting_up;
    setting_up = false; // names are allocated, too
    if (was_setting_up)
        blocks.add(Allocations::set_up, reinterpret_cast<std::uintptr_t>(at), bytes);
    else if (const Unwatched inside; inside)
        inside->allocated(at, bytes);
    setting_up = was_setting_up;
}

void note_freed(const void* at)
{
    const bool was_setting_up = setting_up;
    setting_up = false;
    {
        const Unwatched inside;
        blocks.remove(reinterpret_cast<std::uintptr_t>(at));
    }
    setting_up = was_setting_up;
}

ExplorationOutcome explore(const Options& options, const std::function<Play()>& make_play)
{
    const ExplorationOutcome outcome = Exploration(options, make_play).explore();
    if (environment_says("report"))
        std::printf("explored: %s\n",
                    outcome.failure.empty() ? outcome.covered.c_str() : outcome.failure.c_str());
    return outcome;
}

} // namespace parley::explorer
