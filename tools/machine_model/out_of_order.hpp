// SPDX-License-Identifier: MIT
// What a processor does while it waits for memory: it goes on past stores and reads that miss, and has lines
// brought before it asks for them.
#pragma once

#include "tools/machine_model/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace parley::machine_model {

// Each part is absent where its number is 0: then a processor waits as if it had none.
struct Overlap {
    std::uint64_t line = 64; // bytes of a line of its caches
    unsigned stores = 0;     // entries of its buffer of stores
    unsigned window = 0;     // instructions that it goes on past a read that is not there yet
    unsigned misses = 1;     // lines that are on their way to it at once
    unsigned next = 0;       // lines that come with one which is missed
    unsigned run = 1;        // lines of one after the other from which on farther ones are asked for
    unsigned ahead = 0;      // at most so many of these
    Picoseconds copied = 0;  // what a line takes in a copy that moves whole ones
    bool in_turn = false;    // stores ask for their lines one after the other
    // Then: what a line takes that another processor's cache has alone.
    Picoseconds from_cache = 0;
};

// Where a processor's time went, and what it did not wait for.
struct OverlapCounts {
    std::uint64_t forwarded = 0; // reads of what a buffered store has written
    std::uint64_t asked_ahead = 0;
    Picoseconds for_window = 0; // for the oldest read, so many instructions before
    Picoseconds for_stores = 0; // for an entry of the buffer
    Picoseconds for_drains = 0; // for all that is under way, before what is locked, or enters the kernel
    Picoseconds for_copies = 0; // for lines that were moved before, and the nearest cache's answer
};

// Between processors and a memory. Stores leave a processor's buffer in their order, none before the reads
// that come before it are there; a store's line is asked for when it has entered and its address is known.
// Others see what is stored when they look, but get the line no earlier than the store has left the buffer,
// so they wait for as long. Reads begin when their address is known, in any order. What the youngest store of
// their bytes has written whole is theirs at once; of what it wrote in part they begin when it has left.
// Steps of a string instruction that follow each other in a line have one entry of the buffer, as a processor
// moves many of them at once.
//
// Where stores ask in turn, a store's line is asked for when the store before it has gone. Others lose it at
// once all the same, because they see what is stored; they get it as if they had asked right after the store.
// Stores to the line that comes for the last one are in the buffer by then, and leave with that: whoever has
// asked for the line meanwhile gets it with what they have written.
//
// Where the processor moves whole lines in a copy, a line takes `copied` after the one before it if its
// source or its target has needed the bus, wherever it comes from, and longer by what it has waited for that.
// A target that others have, too, needs the bus as one that is in no cache of the processor's. Of the first
// line, source and target are as any.
class OutOfOrder {
public:
    OutOfOrder(Memory& memory, unsigned processors, const Overlap& overlap)
        : memory_{memory}, overlap_{overlap}, states_(processors)
    {
    }

    // A processor's instruction number `position` reads or writes at access.at. Each moves that time on by
    // what the processor waits for; read() answers when what it reads is there. `known`: when its address is.
    Picoseconds read(Access& access, std::uint64_t position, Picoseconds known);
    // `is_step`: of a string instruction.
    void write(Access& access, std::uint64_t position, Picoseconds known, bool is_step = false);
    // An instruction that asks for a line, and waits for nothing.
    void ask(const Access& access, Picoseconds known, bool to_write);
    // As read() and write(), in a routine that copies from a place to a higher one; the same as those where
    // the processor moves no whole lines.
    Picoseconds read_to_copy(Access& access, std::uint64_t position, Picoseconds known);
    void write_copy(Access& access, std::uint64_t position, Picoseconds known, bool is_step = false);
    // A locked access: after all others, and others after it.
    void exchange(Access& access);
    // Waits until all that is under way has ended. Answers when.
    Picoseconds drain(unsigned processor, Picoseconds at);

    const OverlapCounts& counts(unsigned processor) const { return states_[processor].counts; }

private:
    struct Read {
        std::uint64_t position;
        Picoseconds there;
    };
    struct Store {
        std::uint64_t address;
        unsigned bytes;
        Picoseconds gone;
        bool is_of_steps;
    };
    struct Line {
        std::uint64_t number;
        Picoseconds there;
    };
    static constexpr std::uint64_t no_line = ~std::uint64_t{0};
    struct Stream {
        std::uint64_t last = no_line - 1; // that was accessed; no line follows this one
        std::uint64_t asked = 0;          // the farthest
        std::uint64_t length = 1;         // so many lines of one after the other
    };
    static constexpr std::size_t streams = 16;
    static constexpr std::uint64_t page = 4096; // no line beyond it is asked for ahead

    // The copy that is under way, or the last one.
    struct Copy {
        std::uint64_t source = no_line - 1; // its last lines; no line follows these
        std::uint64_t target = no_line - 1;
        bool source_took = false; // the last line takes its time already, its target's among that
        Picoseconds moved = 0;    // when all lines so far are
    };

    struct State {
        std::deque<Read> reads;   // that are under way, the oldest first
        std::deque<Store> stores; // in the buffer
        std::vector<Line> lines;  // on their way
        std::vector<Stream> runs = std::vector<Stream>(streams);
        std::size_t oldest_run = 0;
        std::uint64_t last_line = no_line;
        Picoseconds reads_there = 0; // all of them so far
        Picoseconds stores_gone = 0;
        Line stored_line{no_line, 0}; // that a store has asked for last, and when that store has gone
        Copy copy;
        OverlapCounts counts;
    };

    bool finds_line_on_its_way(const State& state, const Access& begun) const;
    bool joins_youngest(const State& state, const Access& access, bool is_step) const;
    Picoseconds enter(State& state, std::uint64_t position, Picoseconds at) const;
    Picoseconds room_for_line(const State& state, Picoseconds at) const;
    Picoseconds bring(State& state, const Access& access, bool to_write);
    Picoseconds bring_line(State& state, const Access& access, bool to_write);
    std::uint64_t reach(const Stream& run, bool to_write) const;
    void ask_ahead(State& state, const Access& access, bool missed, bool to_write);
    std::uint64_t misses(unsigned processor) const;
    bool is_next(std::uint64_t& last, const Access& access) const;
    void move_line(State& state, Access& access, Picoseconds waited) const;

    Memory& memory_;
    Overlap overlap_;
    std::vector<State> states_;
};

} // namespace parley::machine_model
