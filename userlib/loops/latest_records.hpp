// SPDX-License-Identifier: MIT
// A thread's latest trace records, which go to the common buffer many at a time: so a thread that is watched
// seldom needs the word that all draw places from, nor the memory that the buffer lies in.
#pragma once

#include "base/trace_buffer.hpp"
#include "userlib/loops/word_lock.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace parley::loops {

class LatestRecords {
public:
    static constexpr unsigned room = 2048;

    // The thread itself calls these: whether there is room for another;
    bool has_room() const { return kept_.load(std::memory_order_relaxed) != room; }
    // where it then writes it, before it is kept;
    parley_trace_record& next() { return records_[kept_.load(std::memory_order_relaxed)]; }
    void keep() { kept_.store(kept_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
    // or all go to the buffer. False: that has no room for more, or the program has ended.
    bool make_room(TraceBuffer& buffer, std::uint64_t capacity)
    {
        const Holding holding(off_loading_);
        if (has_ended_ || !off_load(buffer, capacity))
            return false;
        kept_.store(0, std::memory_order_relaxed);
        return true;
    }

    // The thread that ends the program calls this, once for each thread. Records that a thread adds later are
    // lost.
    void end(TraceBuffer& buffer, std::uint64_t capacity)
    {
        const Holding holding(off_loading_);
        off_load(buffer, capacity);
        has_ended_ = true;
    }

private:
    bool off_load(TraceBuffer& buffer, std::uint64_t capacity)
    {
        const unsigned kept = kept_.load(std::memory_order_acquire);
        const std::uint64_t first = buffer.drawn.fetch_add(kept, std::memory_order_relaxed);
        for (unsigned at = 0; at < kept; ++at)
            buffer.keep(first + at, capacity, records_[at]);
        return first + kept < capacity;
    }

    std::atomic<unsigned> kept_{0};
    WordLock off_loading_; // a thread whose room is full, and who ends the program
    bool has_ended_ = false;
    std::array<parley_trace_record, room> records_;
};

} // namespace parley::loops
