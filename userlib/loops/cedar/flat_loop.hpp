// SPDX-License-Identifier: MIT
// A loop that the teams of all clusters share. One lies ready for the next, for to take memory and give it
// back takes longer than all else that a loop needs before it begins.
#pragma once

#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <atomic>
#include <cstdlib>

namespace parley::loops {

class FlatLoop {
public:
    // Entered, for so many threads. They are through when this is destroyed.
    FlatLoop(unsigned threads, const LoopPlan& plan) : kept_(take(threads))
    {
        Loop* const loop = new (kept_ + 1) Loop();
        std::span<Line> lines(reinterpret_cast<Line*>(loop + 1), threads);
        for (Line& line : lines)
            line = {};
        loop->prepare(threads, lines);
        Member& self = this_thread();
        NothingElse nothing;
        loop->enter(0, plan, self.team().wait(), nothing);
    }
    ~FlatLoop() { std::free(spare.exchange(kept_, std::memory_order_acq_rel)); }
    FlatLoop(const FlatLoop&) = delete;
    FlatLoop& operator=(const FlatLoop&) = delete;

    Loop* get() const { return std::launder(reinterpret_cast<Loop*>(kept_ + 1)); }

private:
    struct alignas(line_bytes) Kept {
        unsigned threads; // that it has room for
    };
    static_assert(sizeof(Loop) % line_bytes == 0);

    static Kept* take(unsigned threads)
    {
        Kept* kept = spare.exchange(nullptr, std::memory_order_acq_rel);
        if (kept != nullptr && kept->threads == threads)
            return kept;
        std::free(kept);
        void* const place =
            std::aligned_alloc(line_bytes, sizeof(Kept) + sizeof(Loop) + threads * line_bytes);
        if (place == nullptr)
            give_up("there is no memory for a loop");
        return new (place) Kept{threads};
    }

    static inline std::atomic<Kept*> spare{nullptr};

    Kept* const kept_;
};

} // namespace parley::loops
