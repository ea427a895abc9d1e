// SPDX-License-Identifier: MIT
// One execution of a play: its parties as fibers, what they wait for, and the memory that they share.
#pragma once

#include "testing/explorer.hpp"
#include "testing/exploring/allocations.hpp"
#include "testing/exploring/explored_memory.hpp"
#include "testing/exploring/races.hpp"
#include "testing/exploring/search.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <setjmp.h>
#include <ucontext.h>

namespace parley::explorer {

// What an execution may do; `unlimited` is for ever.
struct Bounds {
    unsigned preemptions;
    unsigned older; // 0: the sequential model
    std::uint64_t steps;
    bool races; // are looked for
};

class Execution final : ExploredMemory::Chooser {
public:
    // The one that runs, for the functions of explorer.hpp; null: none.
    static Execution* running;

    // `blocks`: what was allocated to set the play up.
    Execution(Search& search, ExploredMemory& memory, Races& races, Allocations& blocks, const Bounds& bounds,
              Play play);
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    // "" or what went wrong.
    std::string run();
    // The parties in the order of their steps; a prime follows whoever took something older.
    const std::string& order() const { return order_; }

    // Called by the running party. look() is a point where others may go on.
    void look();
    // From now on look() is none, or is one again.
    void set_one_step(bool is_one) { is_one_step_ = is_one; }
    void pause();
    void others_may_look_again();
    void sleep(const void* address);
    void wake(const void* address, unsigned count);
    void kill(std::size_t party);
    bool must_end();
    void end(std::size_t party);
    // Until the end of what has begun, the running party writes what nobody watches.
    void begin_aside();
    void end_aside();
    void publish(const void* address);
    void collect(const void* address);
    unsigned current() const { return static_cast<unsigned>(current_); }

    word::Bits load(const void* at, std::size_t bytes, word::Order order, const void* place);
    void store(void* at, std::size_t bytes, word::Bits value, word::Order order, const void* place);
    word::Bits update(void* at, std::size_t bytes, word::Change change, word::Bits with, word::Order order,
                      const void* place);
    bool compare_exchange(void* at, std::size_t bytes, word::Bits& expected, word::Bits wanted,
                          word::Order success, word::Order failure, bool may_fail, const void* place);
    word::Bits peek(const void* at, std::size_t bytes);
    void tell(const void* at, std::size_t bytes);
    void begin_word(void* at) { memory_.begin(at); }
    void fence(word::Order order);

    // The code at `place` accesses plain memory.
    void access(const void* place, const void* at, std::size_t bytes, AccessKind access);
    // The running party has allocated this, or frees it.
    void allocated(const void* at, std::size_t bytes);

private:
    enum class State { ready, spinning, asleep, paused_for_good, ended };

    struct Fiber {
        ucontext_t first{}; // where it begins; later switches are jumps, which make no system call
        jmp_buf place{};
        bool begun = false;
        bool looks_first = true; // since it has begun or waited it has done nothing that others could tell
        std::byte* stack = nullptr;
        std::function<void()> body;
        State state = State::ready;
        const void* address = nullptr; // asleep there
        unsigned pauses = 0;           // since it last looked at a word
        bool others_changed = false;   // a word, since its last pause
        bool has_changed = false;      // a word itself, since then
        bool looks_by_itself = true;   // may look again for its own change
        bool must_end = false;
        unsigned asides = 0; // that it is in
    };

    static void enter(unsigned high, unsigned low);
    std::size_t choose(std::size_t candidates) override;
    Parties candidates() const;
    bool goes_on_alone() const;
    void took(std::size_t party);
    void resume(Fiber& fiber);
    void give_way(State state, const void* address);
    void touch(const void* what, bool writes);
    void touch(const Fiber& fiber, bool writes);
    void touch_word(const void* at, bool writes, word::Order order);
    [[noreturn]] void fail(const Races::Race& race);

    Search& search_;
    ExploredMemory& memory_;
    Races& races_;
    Allocations& blocks_;
    unsigned preemptions_left_, older_left_;
    bool watches_;
    std::uint64_t steps_left_;
    Play play_;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::size_t current_ = 0;
    bool started_ = false;
    bool is_one_step_ = false; // what the running party does
    std::optional<Races::Race> race_;
    jmp_buf scheduler_{};
    std::string order_;
};

} // namespace parley::explorer
