// SPDX-License-Identifier: MIT
// A loop that the teams of all clusters share. Its own words lie in the memory for all, and what a
// distribution keeps for each thread in the thread's cluster. One lies ready for the next loop, because
// taking memory and giving it back takes longer than all else that a loop needs before it begins.
#pragma once

#include "userlib/loops/cedar/cluster_tasks.hpp"
#include "userlib/loops/cedar/spread.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include <atomic>
#include <cstddef>

namespace parley::loops {

class FlatLoop {
public:
    // Enters the loop for the teams of so many clusters, each of so many threads. They have left it when
    // this is destroyed.
    FlatLoop(const LoopPlan& plan, unsigned clusters, unsigned of_each)
        : kept_(take({clusters, of_each, are_the_machines()}))
    {
        Loop* const loop = new (kept_ + 1) Loop();
        loop->prepare(kept_->clusters * kept_->of_each, Lines(kept_->pieces(), kept_->of_each));
        Member& self = this_thread();
        NothingElse nothing;
        loop->enter(0, plan, self.team().wait(), nothing);
    }
    ~FlatLoop() { drop(spare.exchange(kept_, std::memory_order_acq_rel)); }
    FlatLoop(const FlatLoop&) = delete;
    FlatLoop& operator=(const FlatLoop&) = delete;

    Loop* get() const { return std::launder(reinterpret_cast<Loop*>(kept_ + 1)); }

private:
    // The loop stands behind it, and then where each cluster's lines are.
    struct alignas(line_bytes) Kept {
        unsigned clusters, of_each;
        bool at_home; // the lines are in the clusters of the machine

        int home_of(unsigned cluster) const { return at_home ? static_cast<int>(cluster) : no_home; }
        std::size_t bytes_of_lines() const { return of_each * sizeof(Line); }
        Line** pieces()
        {
            return reinterpret_cast<Line**>(reinterpret_cast<std::byte*>(this + 1) + sizeof(Loop));
        }
        bool operator==(const Kept&) const = default;
    };
    static_assert(sizeof(Loop) % line_bytes == 0);

    static Kept* take(const Kept& wanted)
    {
        Kept* const kept = spare.exchange(nullptr, std::memory_order_acq_rel);
        if (kept != nullptr && *kept == wanted)
            return kept;
        drop(kept);
        return make(wanted);
    }

    static Kept* make(const Kept& wanted)
    {
        auto* const kept = static_cast<Kept*>(take_memory(no_home, bytes_with(wanted.clusters)));
        if (kept == nullptr)
            refuse();
        *kept = wanted;
        for (unsigned cluster = 0; cluster < kept->clusters; ++cluster) {
            void* const lines = take_memory(kept->home_of(cluster), kept->bytes_of_lines());
            if (lines == nullptr)
                refuse();
            kept->pieces()[cluster] = static_cast<Line*>(lines);
        }
        return kept;
    }
    static void drop(Kept* kept)
    {
        if (kept == nullptr)
            return;
        for (unsigned cluster = 0; cluster < kept->clusters; ++cluster)
            give_memory_back(kept->home_of(cluster), kept->pieces()[cluster], kept->bytes_of_lines());
        give_memory_back(no_home, kept, bytes_with(kept->clusters));
    }
    static std::size_t bytes_with(unsigned clusters)
    {
        return sizeof(Kept) + sizeof(Loop) + clusters * sizeof(Line*);
    }
    [[noreturn]] static void refuse() { give_up("there is no memory for a loop"); }

    static inline std::atomic<Kept*> spare{nullptr};

    Kept* const kept_;
};

} // namespace parley::loops
