// SPDX-License-Identifier: MIT
// Caches for each processor that are written back, and kept coherent by MESI; behind them a cache for all, if
// the machine has one, and banks of memory.
#pragma once

#include "tools/machine_model/bus.hpp"
#include "tools/machine_model/line_cache.hpp"
#include "tools/machine_model/memory.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace parley::machine_model {

struct CacheLevel {
    std::uint64_t bytes;
    unsigned ways;
    Picoseconds hit; // what an access that finds its line here takes beyond its instruction
};

struct CoherentGeometry {
    std::uint64_t line;          // bytes, the same in all caches
    std::vector<CacheLevel> own; // of each processor, the nearest first; each holds what those before it do
    std::optional<CacheLevel> shared;
    // A first-level cache of each processor for instructions alone. Where there is one, the first of `own`
    // has data alone; else it has both.
    std::optional<CacheLevel> instructions{};
};

// Times from the beginning of the transfer until the processor goes on.
struct CoherentTimes {
    Picoseconds from_cache;  // a line that another processor's cache has alone
    Picoseconds from_memory; // a line that no cache has
    Picoseconds upgrade;     // a store to a line that others have, too: they lose theirs
    bool moves = false;      // a read of what its holder has changed takes the line from that one
};

// A line is in one processor's caches alone, changed or not, or in several, unchanged. What its caches miss
// goes over the bus: to the cache that has the line alone, to the shared cache, or to memory. A changed line
// that gives way goes back over the bus, for which nobody waits. At most 64 processors.
//
// Where lines move, a read of a line that another has alone takes it away if that one has changed it, and
// else shares it. Half of `from_cache` the request is on its way to the holder, who reads and writes the line
// as its own until then, and what it writes by then the other gets; half of it the line is on its way back.
// A processor that asks for a line which its holder has not got yet is served when the holder has it. A line
// that gives way to others while a read of it is under way leaves with that.
class CoherentMemory : public Memory {
public:
    CoherentMemory(unsigned processors, CoherentGeometry geometry, const BusTimes& bus,
                   const CoherentTimes& times);

    bool takes_time() const override { return true; }
    Picoseconds read(const Access& access) override;
    Picoseconds read_to_write(const Access& access) override;
    Picoseconds write(const Access& access) override;
    Picoseconds fetch(const Access& access) override;
    void keep(const Access& access, Picoseconds until) override;
    const MemoryCounts& counts(unsigned processor) const override { return counts_[processor]; }

private:
    // Which of the nearest caches an access is for, where there are two.
    enum class Nearest : std::uint8_t { data, instructions };

    // What is known of a line that some processor's caches hold.
    struct State {
        std::uint64_t holders = 0; // a bit a processor
        bool alone = false;        // one holder, who may change it
        bool changed = false;
        Picoseconds kept_until = 0; // by its holder: others get it no earlier
        Picoseconds held_from = 0;  // by its last holder: requests reach that one no earlier
        // Where lines move: whose read is under way to the one holder, when it gets there, and when it ends.
        unsigned reader = nobody;
        Picoseconds request_at_holder = 0, line_at_reader = 0;
    };
    static constexpr unsigned nobody = ~0U;

    template <class Step>
    Picoseconds each_line(const Access& access, const Step& step);
    // Each moves `at` on, and says whether the processor's own caches missed the line.
    bool load(unsigned processor, std::uint64_t line, Picoseconds& at, Nearest nearest = Nearest::data,
              bool to_write = false);
    bool take_alone(unsigned processor, std::uint64_t line, Picoseconds& at);
    bool store(unsigned processor, std::uint64_t line, Picoseconds& at);

    // A line in these may lie in either of the nearest caches, or in both.
    struct OwnCaches {
        std::vector<LineCache> levels;
        std::optional<LineCache> instructions;
        // Where lines move: of lines that are put here before they arrive, because another processor has
        // asked for them, when they arrive.
        std::unordered_map<std::uint64_t, Picoseconds> arrivals{};

        LineCache& at(std::size_t level, Nearest nearest);
        void remove(std::uint64_t line);
    };

    bool find_in_own(unsigned processor, std::uint64_t line, Picoseconds& at, Nearest nearest);
    void bring(unsigned processor, std::uint64_t line, Picoseconds& at, Nearest nearest, bool to_write);
    void ask_holder(unsigned processor, State& state, Picoseconds& at);
    bool end_read_under_way(unsigned processor, std::uint64_t line, Picoseconds& at, bool to_write);
    bool await_arrival(unsigned processor, std::uint64_t line, Picoseconds& at, bool to_write);
    void deliver(std::uint64_t line, State& state);
    void put_in_own(unsigned processor, std::uint64_t line, Picoseconds at, Nearest nearest);
    void put_in_shared(std::uint64_t line);
    void take_from_others(unsigned processor, std::uint64_t line);
    void give_way(unsigned processor, std::uint64_t line, Picoseconds at);
    Picoseconds transfer(unsigned processor, std::uint64_t line, Picoseconds at, bool of_memory);

    CoherentGeometry geometry_;
    CoherentTimes times_;
    Bus bus_;
    std::vector<OwnCaches> own_; // by processor
    std::optional<LineCache> shared_;
    std::unordered_map<std::uint64_t, State> states_;
    std::vector<MemoryCounts> counts_;
};

} // namespace parley::machine_model
