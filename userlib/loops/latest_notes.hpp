// SPDX-License-Identifier: MIT
// A thread's latest notes of what it does, two words each. They are handed over many at a time, and become
// sums and trace records only then: so to write one down takes few instructions, and no memory that other
// threads use.
#pragma once

#include "userlib/loops/word_lock.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

namespace parley::loops {

struct Note {
    std::uint64_t time = 0; // cycles
    std::uint64_t what = 0; // an event of interface/trace.h; from bit 8 on of which loop, from 16 on how many

    static constexpr unsigned part_at = 8, count_at = 16;
    static constexpr std::uint64_t most_counted = ~std::uint64_t{0} >> count_at;

    unsigned event() const { return what & 0xff; }
    unsigned part() const { return what >> part_at & 0xff; }
    std::uint64_t count() const { return what >> count_at; }
};

class LatestNotes {
public:
    static constexpr unsigned most = 2048;

    // Makes room for so many notes, at most `most`. The memory is touched here, so that what is watched need
    // not wait for it.
    explicit LatestNotes(unsigned room) : room_(room)
    {
        for (unsigned at = 0; at < room; ++at)
            notes_[at] = {};
    }

    // The thread itself calls these. True: all have to be handed over before the next.
    bool add(std::uint64_t time, std::uint64_t what)
    {
        const unsigned at = kept_.load(std::memory_order_relaxed);
        notes_[at] = {time, what};
        kept_.store(at + 1, std::memory_order_release);
        return at + 1 == room_;
    }
    // The latest note; all zero where the thread has done nothing yet.
    const Note& latest() const
    {
        const unsigned kept = kept_.load(std::memory_order_relaxed);
        return notes_[(kept != 0 ? kept : room_) - 1];
    }
    // Calls use() with the notes, in their order, and forgets them. After end() it only forgets them.
    template <class Use>
    void hand_over(Use use)
    {
        const Holding holding(handing_over_);
        if (!has_ended_)
            use(kept());
        kept_.store(0, std::memory_order_relaxed);
    }

    // The thread that ends the program calls this, once for each thread. Notes that one adds later are lost.
    template <class Use>
    void end(Use use)
    {
        const Holding holding(handing_over_);
        use(kept());
        has_ended_ = true;
    }

private:
    std::span<const Note> kept() const { return {notes_.data(), kept_.load(std::memory_order_acquire)}; }

    std::atomic<unsigned> kept_{0};
    const unsigned room_;
    WordLock handing_over_; // a thread whose room is full, and who ends the program
    bool has_ended_ = false;
    std::array<Note, most> notes_;
};

} // namespace parley::loops
