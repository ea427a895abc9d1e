// SPDX-License-Identifier: MIT
#include "tools/machine_model/coherent_memory.hpp"

#include <algorithm>
#include <utility>

namespace parley::machine_model {

namespace {

LineCache cache_of(const CacheLevel& level, std::uint64_t line)
{
    return {static_cast<std::size_t>(level.bytes / line), level.ways};
}

std::uint64_t bit(unsigned processor) { return std::uint64_t{1} << processor; }

} // namespace

CoherentMemory::CoherentMemory(unsigned processors, CoherentGeometry geometry, const BusTimes& bus,
                               const CoherentTimes& times)
    : geometry_{std::move(geometry)}, times_{times}, bus_{bus}, own_(processors), counts_(processors)
{
    for (OwnCaches& own : own_) {
        for (const CacheLevel& level : geometry_.own)
            own.levels.push_back(cache_of(level, geometry_.line));
        if (geometry_.instructions)
            own.instructions = cache_of(*geometry_.instructions, geometry_.line);
    }
    if (geometry_.shared)
        shared_ = cache_of(*geometry_.shared, geometry_.line);
}

// step(line, at) moves `at` on by what the part of the access in one line takes.
template <class Step>
Picoseconds CoherentMemory::each_line(const Access& access, const Step& step)
{
    Picoseconds at = access.at;
    const std::uint64_t last = (access.address + access.bytes - 1) / geometry_.line;
    for (std::uint64_t line = access.address / geometry_.line; line <= last; ++line)
        step(line, at);
    counts_[access.processor].time += at - access.at;
    return at - access.at;
}

Picoseconds CoherentMemory::transfer(unsigned processor, std::uint64_t line, Picoseconds at, bool of_memory)
{
    const Picoseconds start = of_memory ? bus_.begin(line * geometry_.line, at) : bus_.begin_without_bank(at);
    ++counts_[processor].bus_transfers;
    counts_[processor].bus_waiting += start - at;
    return start;
}

LineCache& CoherentMemory::OwnCaches::at(std::size_t level, Nearest nearest)
{
    return level == 0 && nearest == Nearest::instructions && instructions ? *instructions : levels[level];
}

void CoherentMemory::OwnCaches::remove(std::uint64_t line)
{
    arrivals.erase(line);
    for (LineCache& level : levels)
        level.remove(line);
    if (instructions)
        instructions->remove(line);
}

// What is found in a farther level comes to the nearer ones.
bool CoherentMemory::find_in_own(unsigned processor, std::uint64_t line, Picoseconds& at, Nearest nearest)
{
    OwnCaches& own = own_[processor];
    for (std::size_t level = 0; level < own.levels.size(); ++level) {
        if (!own.at(level, nearest).use(line))
            continue;
        const bool is_for_instructions = level == 0 && nearest == Nearest::instructions && own.instructions;
        at += is_for_instructions ? geometry_.instructions->hit : geometry_.own[level].hit;
        for (std::size_t nearer = 0; nearer < level; ++nearer)
            own.at(nearer, nearest).put(line);
        return true;
    }
    return false;
}

void CoherentMemory::put_in_shared(std::uint64_t line)
{
    if (shared_ && !shared_->use(line))
        shared_->put(line);
}

void CoherentMemory::give_way(unsigned processor, std::uint64_t line, Picoseconds at)
{
    own_[processor].remove(line);
    const auto found = states_.find(line);
    State& state = found->second;
    if (state.reader != nobody) { // it leaves with the read that is under way
        state.holders = 0;
        return;
    }
    if (state.changed) {
        bus_.begin(line * geometry_.line, at);
        ++counts_[processor].write_backs;
        put_in_shared(line);
    }
    state.holders &= ~bit(processor);
    if (state.holders == 0)
        states_.erase(found);
}

void CoherentMemory::put_in_own(unsigned processor, std::uint64_t line, Picoseconds at, Nearest nearest)
{
    OwnCaches& own = own_[processor];
    if (const auto gone = own.levels.back().put(line))
        give_way(processor, *gone, at);
    for (std::size_t level = 0; level + 1 < own.levels.size(); ++level)
        own.at(level, nearest).put(line);
}

void CoherentMemory::take_from_others(unsigned processor, std::uint64_t line)
{
    State& state = states_[line];
    for (unsigned other = 0; other < own_.size(); ++other) {
        if (other == processor || (state.holders & bit(other)) == 0)
            continue;
        own_[other].remove(line);
        ++counts_[other].invalidations;
    }
    state = {.holders = bit(processor), .alone = true, .held_from = state.held_from};
}

// A read, of the one processor that has the line.
void CoherentMemory::ask_holder(unsigned processor, State& state, Picoseconds& at)
{
    const Picoseconds begins = std::max(at, state.held_from);
    state.reader = processor;
    state.request_at_holder = begins + times_.from_cache / 2;
    at = state.line_at_reader = std::max(begins + times_.from_cache, state.kept_until);
}

// The read that is under way gets the line.
void CoherentMemory::deliver(std::uint64_t line, State& state)
{
    const unsigned reader = std::exchange(state.reader, nobody);
    state.held_from = state.line_at_reader;
    if (state.changed) {
        put_in_shared(line);
        take_from_others(reader, line);
    } else {
        state.alone = state.holders == 0; // the one that had it has given way
        state.holders |= bit(reader);
    }
    put_in_own(reader, line, state.held_from, Nearest::data);
    own_[reader].arrivals[line] = state.held_from;
}

// A read of the line that is under way ends: its reader waits for it, and whoever else comes finds the line
// where it has gone to. The holder alone goes on without that, until the request has reached it. Answers
// whether the processor has read the line so, `at` being then when.
bool CoherentMemory::end_read_under_way(unsigned processor, std::uint64_t line, Picoseconds& at,
                                        bool to_write)
{
    const auto found = states_.find(line);
    if (found == states_.end() || found->second.reader == nobody)
        return false;
    State& state = found->second;
    if ((state.holders & bit(processor)) != 0 && at < state.request_at_holder)
        return false;
    // A processor that has waited for the line comes here before the holder has come to that time.
    if (processor == state.reader && at <= state.line_at_reader) {
        at = state.line_at_reader;
        if (!to_write)
            return true;
    }
    deliver(line, state);
    return false;
}

// A line that was put into the processor's caches before it arrives is waited for. Answers as above.
bool CoherentMemory::await_arrival(unsigned processor, std::uint64_t line, Picoseconds& at, bool to_write)
{
    auto& arrivals = own_[processor].arrivals;
    const auto found = arrivals.find(line);
    if (found == arrivals.end())
        return false;
    if (at > found->second) {
        arrivals.erase(found);
        return false;
    }
    at = found->second;
    return !to_write;
}

// Into the processor's own caches, from where it is: `at` is then when the processor has it.
void CoherentMemory::bring(unsigned processor, std::uint64_t line, Picoseconds& at, Nearest nearest,
                           bool to_write)
{
    const auto found = states_.find(line);
    if (found != states_.end() && found->second.alone) {
        at = transfer(processor, line, at, false);
        ++counts_[processor].from_caches;
        if (times_.moves && !to_write && nearest == Nearest::data)
            return ask_holder(processor, found->second, at);
        at = (times_.moves ? std::max(at, found->second.held_from) : at) + times_.from_cache;
        if (found->second.changed)
            put_in_shared(line);
        found->second.alone = found->second.changed = false;
    } else if (shared_ && shared_->use(line)) {
        at = transfer(processor, line, at, false) + geometry_.shared->hit;
    } else {
        at = transfer(processor, line, at, true) + times_.from_memory;
        put_in_shared(line);
    }
    State& state = states_[line];
    state.held_from = at = std::max(at, state.kept_until); // it was asked for meanwhile
    state.alone = state.holders == 0;
    state.holders |= bit(processor);
    put_in_own(processor, line, at, nearest);
}

bool CoherentMemory::load(unsigned processor, std::uint64_t line, Picoseconds& at, Nearest nearest,
                          bool to_write)
{
    if (times_.moves &&
        (end_read_under_way(processor, line, at, to_write) || await_arrival(processor, line, at, to_write)))
        return false;
    if (find_in_own(processor, line, at, nearest))
        return false;
    bring(processor, line, at, nearest, to_write);
    return true;
}

bool CoherentMemory::take_alone(unsigned processor, std::uint64_t line, Picoseconds& at)
{
    const bool missed = load(processor, line, at, Nearest::data, true);
    if (!states_[line].alone) {
        // A miss asks for the line alone at once.
        if (!missed)
            at = transfer(processor, line, at, false) + times_.upgrade;
        take_from_others(processor, line);
    }
    return missed;
}

bool CoherentMemory::store(unsigned processor, std::uint64_t line, Picoseconds& at)
{
    const bool missed = take_alone(processor, line, at);
    states_[line].changed = true;
    return missed;
}

void CoherentMemory::keep(const Access& access, Picoseconds until)
{
    const std::uint64_t last = (access.address + access.bytes - 1) / geometry_.line;
    for (std::uint64_t line = access.address / geometry_.line; line <= last; ++line)
        if (const auto found = states_.find(line); found != states_.end()) {
            found->second.kept_until = std::max(found->second.kept_until, until);
            found->second.line_at_reader = std::max(found->second.line_at_reader, until);
        }
}

Picoseconds CoherentMemory::read(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return each_line(access, [&](std::uint64_t line, Picoseconds& at) {
        ++counts.reads;
        counts.read_misses += load(access.processor, line, at) ? 1 : 0;
    });
}

Picoseconds CoherentMemory::read_to_write(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return each_line(access, [&](std::uint64_t line, Picoseconds& at) {
        ++counts.reads;
        counts.read_misses += take_alone(access.processor, line, at) ? 1 : 0;
    });
}

Picoseconds CoherentMemory::fetch(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return each_line(access, [&](std::uint64_t line, Picoseconds& at) {
        ++counts.fetches;
        counts.fetch_misses += load(access.processor, line, at, Nearest::instructions) ? 1 : 0;
    });
}

Picoseconds CoherentMemory::write(const Access& access)
{
    MemoryCounts& counts = counts_[access.processor];
    return each_line(access, [&](std::uint64_t line, Picoseconds& at) {
        ++counts.writes;
        counts.write_misses += store(access.processor, line, at) ? 1 : 0;
    });
}

} // namespace parley::machine_model
