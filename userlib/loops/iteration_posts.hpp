// SPDX-License-Identifier: MIT
// Dependences between iterations of a nest of loops whose outermost is spread over threads (OpenMP's
// `depend(source)` and `depend(sink:)`): an iteration says that it is so far, and others wait for that.
#pragma once

#include "userlib/loops/distribution/distribution.hpp"
#include "userlib/loops/wait/wait.hpp"

#include <new>
#include <span>

namespace parley::loops {

class IterationPosts {
public:
    // The memory that a nest of loops needs whose loops have these numbers of iterations, the outermost
    // first; 0: it is more than can be counted. Where one has none, so has the nest, and gcc has counted the
    // loops in that one no more: their numbers may be any.
    static std::size_t bytes(std::span<const std::uint64_t> counts)
    {
        std::size_t words = counts.size(), all = counts[0];
        for (const std::uint64_t inner : counts.subspan(1)) {
            if (inner == 0)
                break;
            if (__builtin_mul_overflow(all, inner, &all))
                return 0;
        }
        std::size_t bytes = 0;
        if (__builtin_add_overflow(words, counts[0], &words) ||
            __builtin_mul_overflow(words, sizeof(Atomic<std::uint64_t>), &bytes) ||
            __builtin_add_overflow(bytes, sizeof(IterationPosts), &bytes))
            return 0;
        return bytes;
    }
    // Makes them in memory of bytes(counts) bytes.
    static IterationPosts& make(void* memory, std::span<const std::uint64_t> counts)
    {
        auto* const posts = new (memory) IterationPosts(static_cast<unsigned>(counts.size()));
        for (std::size_t at = 0; at < counts.size(); ++at)
            new (posts->words() + at) Atomic<std::uint64_t>(counts[at]);
        // The words of iterations are zero, for the memory is; so nobody touches them until they are posted.
        return *posts;
    }

    // How many numbers an iteration has, one in each loop of the nest; the outermost first, each from 0.
    unsigned loops() const { return loops_; }

    // An iteration is so far. What it did before is seen by who waits for it: the release pairs with the
    // acquire in has().
    void post(std::span<const std::uint64_t> iteration)
    {
        reach(iteration[0], number_in_outer(iteration) + 1);
        passed_.move_on();
    }
    // These iterations of the outermost loop are through, with all inner ones, posted or not.
    void post_all(const Chunk& outer)
    {
        for (std::uint64_t at = outer.first; at < outer.end; ++at)
            reach(at, all);
        passed_.move_on();
    }
    bool has(std::span<const std::uint64_t> iteration)
    {
        return reached(iteration[0]).load(std::memory_order_acquire) > number_in_outer(iteration);
    }
    void await(std::span<const std::uint64_t> iteration, Wait& wait, Meanwhile& meanwhile)
    {
        for (;;) {
            const std::uint32_t before = passed_.seen();
            if (has(iteration))
                return;
            wait.until_moved(passed_, before, meanwhile);
        }
    }

private:
    static constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();

    explicit IterationPosts(unsigned loops) : loops_(loops) { }

    // Behind the object: how many iterations each loop has, and how many of those in it each iteration of the
    // outermost loop has behind it.
    Atomic<std::uint64_t>* words() { return reinterpret_cast<Atomic<std::uint64_t>*>(this + 1); }
    Atomic<std::uint64_t>& reached(std::uint64_t outer) { return words()[loops_ + outer]; }
    // Its own thread alone calls this.
    void reach(std::uint64_t outer, std::uint64_t number)
    {
        reached(outer).store(number, std::memory_order_release);
    }
    std::uint64_t number_in_outer(std::span<const std::uint64_t> iteration)
    {
        std::uint64_t number = 0;
        for (unsigned at = 1; at < loops_; ++at)
            number = number * words()[at].load(std::memory_order_relaxed) + iteration[at];
        return number;
    }

    const unsigned loops_;
    Signal passed_;
};

} // namespace parley::loops
