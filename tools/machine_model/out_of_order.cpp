// SPDX-License-Identifier: MIT
#include "tools/machine_model/out_of_order.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace parley::machine_model {

// An instruction enters when the one a window before it is done.
Picoseconds OutOfOrder::enter(State& state, std::uint64_t position, Picoseconds at) const
{
    const Picoseconds began = at;
    while (!state.reads.empty() &&
           (state.reads.front().there <= at || state.reads.front().position + overlap_.window <= position)) {
        at = std::max(at, state.reads.front().there);
        state.reads.pop_front();
    }
    state.counts.for_window += at - began;
    std::erase_if(state.lines, [at](const Line& line) { return line.there <= at; });
    return at;
}

// When fewer lines are on their way than may be.
Picoseconds OutOfOrder::room_for_line(const State& state, Picoseconds at) const
{
    if (state.lines.size() < overlap_.misses)
        return at;
    std::vector<Picoseconds> times;
    for (const Line& line : state.lines)
        times.push_back(line.there);
    const auto last = times.begin() + static_cast<std::ptrdiff_t>(times.size() - overlap_.misses);
    std::ranges::nth_element(times, last);
    return std::max(at, *last);
}

// Answers when the processor has all lines of the access, for some of which it may be waiting already.
Picoseconds OutOfOrder::bring(State& state, const Access& access, bool to_write)
{
    Picoseconds there = access.at;
    const std::uint64_t end = access.address + access.bytes;
    for (std::uint64_t from = access.address; from < end;) {
        const std::uint64_t to = std::min(end, (from / overlap_.line + 1) * overlap_.line);
        const Access part{access.processor, from, static_cast<unsigned>(to - from), access.at};
        there = std::max(there, bring_line(state, part, to_write));
        from = to;
    }
    return there;
}

// Answers when the processor has the line of an access that lies within one.
Picoseconds OutOfOrder::bring_line(State& state, const Access& access, bool to_write)
{
    const std::uint64_t number = access.address / overlap_.line;
    Access asked = access;
    auto line = std::ranges::find(state.lines, number, &Line::number);
    if (line == state.lines.end())
        asked.at = room_for_line(state, access.at);
    const Picoseconds took = to_write ? memory_.write(asked) : memory_.read(asked);
    Picoseconds there = asked.at + took;
    if (line != state.lines.end())
        line->there = there = std::max(there, line->there);
    else if (took != 0)
        state.lines.push_back({number, there});
    return there;
}

std::uint64_t OutOfOrder::misses(unsigned processor) const
{
    const MemoryCounts& counts = memory_.counts(processor);
    return counts.read_misses + counts.write_misses;
}

// How far ahead of a run lines are asked for: of reads one more with each line, of stores with each `run`.
std::uint64_t OutOfOrder::reach(const Stream& run, bool to_write) const
{
    if (run.length < overlap_.run)
        return 0;
    const std::uint64_t grown = to_write ? (run.length + overlap_.run - 1) / overlap_.run : run.length - 1;
    return std::min<std::uint64_t>(grown, overlap_.ahead);
}

void OutOfOrder::ask_ahead(State& state, const Access& access, bool missed, bool to_write)
{
    const std::uint64_t number = access.address / overlap_.line;
    if (number == state.last_line)
        return;
    state.last_line = number;
    auto run = std::ranges::find_if(
        state.runs, [&](const Stream& one) { return one.last == number || one.last + 1 == number; });
    if (run == state.runs.end()) {
        run = state.runs.begin() + static_cast<std::ptrdiff_t>(state.oldest_run++ % streams);
        *run = {number, number};
    } else if (run->last != number) {
        run->last = number;
        ++run->length;
    }
    const std::uint64_t lines_of_page = std::max<std::uint64_t>(page / overlap_.line, 1);
    const std::uint64_t last_of_page = number / lines_of_page * lines_of_page + lines_of_page - 1;
    const std::uint64_t ahead = std::max<std::uint64_t>(reach(*run, to_write), missed ? overlap_.next : 0);
    for (std::uint64_t next = std::max(number, run->asked) + 1;
         next <= std::min(number + ahead, last_of_page) && state.lines.size() < overlap_.misses; ++next) {
        bring(state, {access.processor, next * overlap_.line, 1, access.at}, to_write);
        run->asked = next;
        ++state.counts.asked_ahead;
    }
}

void OutOfOrder::ask(const Access& access, Picoseconds known, bool to_write)
{
    State& state = states_[access.processor];
    Access begun = access;
    begun.at = std::max(access.at, known);
    bring(state, begun, to_write);
}

Picoseconds OutOfOrder::read(Access& access, std::uint64_t position, Picoseconds known)
{
    State& state = states_[access.processor];
    access.at = enter(state, position, access.at);
    while (!state.stores.empty() && state.stores.front().gone <= access.at)
        state.stores.pop_front();
    Access begun = access;
    begun.at = std::max(access.at, known);
    // The youngest store of what it reads decides.
    const auto store =
        std::ranges::find_if(state.stores.rbegin(), state.stores.rend(), [&](const Store& one) {
            return one.address < access.address + access.bytes && access.address < one.address + one.bytes;
        });
    Picoseconds there = begun.at;
    const std::uint64_t missed = misses(access.processor);
    if (store == state.stores.rend()) {
        there = bring(state, begun, false);
    } else if (store->address <= access.address &&
               access.address + access.bytes <= store->address + store->bytes) {
        ++state.counts.forwarded;
    } else {
        begun.at = std::max(begun.at, store->gone);
        there = bring(state, begun, false);
    }
    ask_ahead(state, begun, misses(access.processor) != missed, false);
    state.reads_there = std::max(state.reads_there, there);
    if (overlap_.window == 0) {
        state.counts.for_window += there - access.at;
        access.at = there;
    } else if (there > access.at) {
        state.reads.push_back({position, there});
    }
    return there;
}

bool OutOfOrder::joins_youngest(const State& state, const Access& access, bool is_step) const
{
    if (!is_step || state.stores.empty())
        return false;
    const Store& youngest = state.stores.back();
    return youngest.is_of_steps && youngest.address + youngest.bytes == access.address &&
           access.address % overlap_.line != 0;
}

// Where stores ask in turn: whether this one is to the line that the last store to ask for one has asked for,
// and was in the buffer before that one left it.
bool OutOfOrder::finds_line_on_its_way(const State& state, const Access& begun) const
{
    return overlap_.in_turn && begun.address / overlap_.line == state.stored_line.number &&
           (begun.address + begun.bytes - 1) / overlap_.line == state.stored_line.number &&
           begun.at <= state.stored_line.there;
}

void OutOfOrder::write(Access& access, std::uint64_t position, Picoseconds known, bool is_step)
{
    State& state = states_[access.processor];
    access.at = enter(state, position, access.at);
    const Picoseconds began = access.at;
    const bool joins = joins_youngest(state, access, is_step);
    while (!state.stores.empty() && !joins &&
           (state.stores.front().gone <= access.at || state.stores.size() >= overlap_.stores)) {
        access.at = std::max(access.at, state.stores.front().gone);
        state.stores.pop_front();
    }
    Access begun = access;
    begun.at = std::max({access.at, known, overlap_.in_turn ? state.stores_gone : 0});
    const std::uint64_t missed = misses(access.processor);
    const Picoseconds owned = finds_line_on_its_way(state, begun) ? begun.at : bring(state, begun, true);
    ask_ahead(state, begun, misses(access.processor) != missed, true);
    state.stores_gone = std::max({state.stores_gone, owned, state.reads_there});
    if (owned > begun.at)
        state.stored_line = {access.address / overlap_.line, state.stores_gone};
    if (state.stores_gone > access.at) {
        const bool asks_later = overlap_.in_turn && begun.at > access.at && owned > begun.at;
        memory_.keep(access, asks_later ? std::max(state.stores_gone, begun.at + overlap_.from_cache)
                                        : state.stores_gone);
        if (overlap_.stores == 0)
            access.at = state.stores_gone;
        else if (joins)
            state.stores.back() = {state.stores.back().address, state.stores.back().bytes + access.bytes,
                                   state.stores_gone, true};
        else
            state.stores.push_back({access.address, access.bytes, state.stores_gone, is_step});
    }
    state.counts.for_stores += access.at - began;
}

// Whether the access is the first one to the line behind that of the last of its kind, and lines are moved.
bool OutOfOrder::is_next(std::uint64_t& last, const Access& access) const
{
    const std::uint64_t line = access.address / overlap_.line;
    return line == std::exchange(last, line) + 1 && overlap_.copied != 0;
}

// The processor goes on when the lines before this one have been moved. `waited`: for the bus.
void OutOfOrder::move_line(State& state, Access& access, Picoseconds waited) const
{
    const Picoseconds began = access.at;
    access.at = std::max(access.at, state.copy.moved);
    state.copy.moved = access.at + overlap_.copied + waited;
    state.stores_gone = std::max(state.stores_gone, state.copy.moved);
    state.counts.for_copies += access.at - began;
}

Picoseconds OutOfOrder::read_to_copy(Access& access, std::uint64_t position, Picoseconds known)
{
    State& state = states_[access.processor];
    if (!is_next(state.copy.source, access))
        return read(access, position, known);
    const MemoryCounts before = memory_.counts(access.processor);
    const Picoseconds took = memory_.read(access);
    const MemoryCounts& after = memory_.counts(access.processor);
    state.copy.source_took = after.bus_transfers != before.bus_transfers;
    if (state.copy.source_took) {
        move_line(state, access, after.bus_waiting - before.bus_waiting);
    } else {
        access.at += took;
        state.counts.for_copies += took;
    }
    return access.at;
}

void OutOfOrder::write_copy(Access& access, std::uint64_t position, Picoseconds known, bool is_step)
{
    State& state = states_[access.processor];
    if (!is_next(state.copy.target, access))
        return write(access, position, known, is_step);
    const MemoryCounts before = memory_.counts(access.processor);
    memory_.write(access);
    const MemoryCounts& after = memory_.counts(access.processor);
    const Picoseconds waited = after.bus_waiting - before.bus_waiting;
    if (std::exchange(state.copy.source_took, false))
        state.stores_gone = std::max(state.stores_gone, state.copy.moved += waited);
    else if (after.bus_transfers != before.bus_transfers)
        move_line(state, access, waited);
    memory_.keep(access, state.copy.moved);
}

void OutOfOrder::exchange(Access& access)
{
    access.at = drain(access.processor, access.at);
    access.at = bring(states_[access.processor], access, true);
    memory_.keep(access, access.at);
}

Picoseconds OutOfOrder::drain(unsigned processor, Picoseconds at)
{
    State& state = states_[processor];
    const Picoseconds end = std::max({at, state.reads_there, state.stores_gone});
    state.counts.for_drains += end - at;
    return end;
}

} // namespace parley::machine_model
