// SPDX-License-Identifier: MIT
// The semaphores of a job on Linux: those of the kernel (sched/semaphore), in memory that all ranks map at
// one address. No page of a process that waits is written here (studies/cmmp/docs/cmmp.md says why), and
// nobody closes them before the job ends.
// Invariant: all of it lies in the memory in which it was made, one after the other.
#pragma once

#include "base/arena.hpp"
#include "sched/semaphore/make_semaphore.hpp"
#include "sched/semaphore/semaphore_table.hpp"

#include <algorithm>
#include <span>

namespace parley::library {

// The rest of a piece of memory that reads as zero. One process at a time allocates.
class RestOfMemory final : public Arena {
public:
    explicit RestOfMemory(std::span<std::byte> rest) : rest_(rest) { }

    Result<std::byte*> allocate(std::size_t bytes, std::size_t alignment) override
    {
        const auto at = reinterpret_cast<std::uintptr_t>(rest_.data());
        const std::size_t skipped = (alignment - at % alignment) % alignment;
        if (skipped > rest_.size() || bytes > rest_.size() - skipped)
            return std::unexpected(Error::no_memory);
        std::byte* const found = rest_.data() + skipped;
        rest_ = rest_.subspan(skipped + bytes);
        return found;
    }

private:
    std::span<std::byte> rest_;
};

// Where no page is written: nothing is counted.
class NoStore final : public sched::BackingStore {
public:
    unsigned write_back(unsigned) override { return 0; }
    unsigned bring_back(unsigned) override { return 0; }
};

template <class... Leaves>
consteval std::size_t largest_of(messaging::LeafList<Leaves...>)
{
    return std::max({sizeof(Leaves)...});
}

class SharedSemaphores {
    static constexpr std::size_t largest_kind = largest_of(sched::SemaphoreLeaves{});
    static constexpr std::size_t for_alignment = 256;

public:
    // How much memory is enough for so many programs.
    static constexpr std::size_t bytes(unsigned programs)
    {
        return sizeof(SharedSemaphores) + largest_kind + programs * sizeof(sched::SemaphoreWaiter) +
               PARLEY_MAX_SEMAPHORES * sizeof(sched::Counter) + for_alignment;
    }

    // Makes those of a job in that memory, all of which is theirs. The clock is there as long. Errors:
    // not_found, where there is no such kind; no_memory.
    static Result<SharedSemaphores*> make(RestOfMemory memory, std::string_view kind,
                                          const LeafValues& values, unsigned programs,
                                          sched::SemaphoreClock& clock)
    {
        SharedSemaphores* const made = TRY(memory.create<SharedSemaphores>(memory, programs));
        made->kind_ =
            TRY(sched::make_semaphore(made->arena_, kind, values, {clock, made->store_, made->counts_}));
        made->table_.use(*made->kind_);
        TRY(made->table_.waiters());
        return made;
    }
    // How many policy processes the kind has.
    static unsigned policy_processes(std::string_view kind, const LeafValues& values,
                                     sched::SemaphoreClock& clock)
    {
        alignas(for_alignment) std::byte room[largest_kind] = {};
        RestOfMemory memory(room);
        NoStore store;
        sched::SemaphoreCounts counts;
        const auto made = sched::make_semaphore(memory, kind, values, {clock, store, counts});
        return made ? (*made)->processes() : 0;
    }
    SharedSemaphores(const SharedSemaphores&) = delete;

    sched::Semaphore& kind() const { return *kind_; }
    const sched::SemaphoreWaiter* waiters() { return *table_.waiters(); }

    // ---- the calls (interface/calls.def) ----

    Result<long> open(std::uint64_t number, std::uint64_t count)
    {
        return table_.open(number, count, [&](unsigned made) {
            if (kind_->in_user())
                __atomic_store_n(word_of(made), static_cast<unsigned>(count), __ATOMIC_RELEASE);
            return Result<void>{};
        });
    }
    struct Binding {
        std::uint32_t delay;
        unsigned* word; // null: P and V are calls
    };
    Result<Binding> bind(long id)
    {
        TRY(table_.find(id));
        if (!kind_->in_user())
            return Binding{0, nullptr};
        return Binding{kind_->delay(), word_of(PARLEY_SEMAPHORE_NUMBER(id))};
    }
    Result<void> p(unsigned program, long id) { return table_.p(program, id); }
    Result<void> v(long id) { return table_.v(id); }
    Result<void> v_all(std::span<const long> ids) { return table_.v_all(ids); }
    parley_semaphore_counts counts() const { return counts_.now(); }

private:
    struct alignas(PARLEY_SEMAPHORE_LINE) Word {
        unsigned value;
    };

    friend Arena;
    // `rest`: of the memory in which it is made.
    SharedSemaphores(const RestOfMemory& rest, unsigned programs)
        : arena_(rest), table_(arena_, 0, programs, counts_)
    {
    }
    unsigned* word_of(unsigned number) { return &words_[number].value; }

    RestOfMemory arena_;
    NoStore store_;
    sched::Semaphore* kind_ = nullptr;
    sched::SemaphoreTable table_;
    alignas(64) sched::SemaphoreCounts counts_; // who counts writes to no line that others read
    Word words_[PARLEY_MAX_SEMAPHORES] = {};    // of kinds whose P and V are the program's own
};

} // namespace parley::library
