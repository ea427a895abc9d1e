// SPDX-License-Identifier: MIT
// Page frames: a pool of free ones, and owners who hold them against a limit. Every frame belongs to exactly
// one owner, so what is still held when an owner ends is counted, not guessed. May be called on every
// processor at any time.
#pragma once

#include "arch/x86_64/page_table.hpp"
#include "base/spin_lock.hpp"

#include <atomic>

namespace parley::kernel {

class FramePool {
public:
    static constexpr std::size_t max_banks = 128;

    // Adds the whole frames inside [start, end).
    void add(PhysAddr start, PhysAddr end);
    // Takes a frame, whose contents are anything. Errors: no_memory.
    Result<PhysAddr> take();
    // As take(), of that bank, or of another one where it has none left.
    Result<PhysAddr> take_from(unsigned bank);
    void give_back(PhysAddr frame);

    // Divides the addresses into so many banks, at most max_banks, of equal size. Called once, while only
    // one processor runs.
    void divide(unsigned banks);
    // Sets aside `count` pieces of so many bytes, one after another from `start` on: they are banks 1 and
    // following, which take_from() takes from, and take() when all else is used up. The last page of each
    // piece is nobody's. Called once, as divide(), and instead of it, with whole pages; fewer than max_banks.
    void set_aside(PhysAddr start, std::uint64_t bytes, unsigned count);
    // From now on frames are in banks by turns, at most max_banks of them: what lies in two of one bank may
    // want one place of a cache, and what lies in different ones does not. take() goes from bank to bank.
    // Called once, as divide(), and instead of it.
    void colour(unsigned colours);
    unsigned bank_of(PhysAddr frame) const
    {
        if (colours_ != 0)
            return static_cast<unsigned>(frame.value / page_bytes % colours_);
        if (frame.value < first_bank_ || bank_bytes_ == 0)
            return 0;
        const std::uint64_t bank = (frame.value - first_bank_) / bank_bytes_;
        return aside_ == 0     ? static_cast<unsigned>(bank)
               : bank < aside_ ? static_cast<unsigned>(bank) + 1
                               : 0;
    }
    std::size_t free_frames() const { return free_.load(std::memory_order_relaxed); }

private:
    // Recycled frames are linked through their first word; the boot's ranges are handed out in order as long
    // as they last.
    struct FreeFrame {
        FreeFrame* next;
    };
    struct Range {
        PhysAddr next;
        PhysAddr end;
    };
    static constexpr std::size_t max_ranges = 32 + 2 * max_banks; // a bound makes two of one

    Result<PhysAddr> take_recycled(unsigned bank) REQUIRES(lock_);
    Result<PhysAddr> take_new(Range& range) REQUIRES(lock_);
    Result<PhysAddr> take_in(unsigned bank) REQUIRES(lock_);
    // Where frames have colours: those in front of the range's next one of that bank can be taken again, too.
    void pass_to(Range& range, unsigned bank) REQUIRES(lock_);
    void recycle(PhysAddr frame) REQUIRES(lock_);
    void sort_recycled() REQUIRES(lock_);
    // Makes the address the bound of two ranges, if it lies in one.
    void split(PhysAddr bound) REQUIRES(lock_);

    SpinLock lock_;
    unsigned banks_ = 1;
    std::uint64_t bank_bytes_ = 0;                                 // 0: all is one bank
    std::uint64_t first_bank_ = 0;                                 // where banks begin
    unsigned aside_ = 0;                                           // how many are set aside, behind bank 0
    unsigned colours_ = 0;                                         // 0: banks are no colours
    unsigned turn_ GUARDED_BY(lock_) = 0;                          // the colour that take() tries first
    FreeFrame* recycled_[max_banks] GUARDED_BY(lock_) = {nullptr}; // by bank
    Range ranges_[max_ranges] GUARDED_BY(lock_) = {};
    std::size_t range_count_ GUARDED_BY(lock_) = 0;
    std::atomic<std::size_t> free_{0};
};

// Holds at most `limit` frames of a pool.
class FrameOwner final : public arch::FrameSource {
public:
    FrameOwner(FramePool& pool, std::size_t limit) : pool_(pool), limit_(limit) { }
    FrameOwner(const FrameOwner&) = delete;

    // Answers a zeroed frame. Errors: no_memory, at the limit, or when the machine has none left.
    Result<PhysAddr> allocate_frame() override;
    // As allocate_frame(), in that bank if it has a frame left.
    Result<PhysAddr> allocate_frame_in(unsigned bank);
    unsigned bank_of(PhysAddr frame) const { return pool_.bank_of(frame); }
    void free_frame(PhysAddr frame) override;

    std::size_t held() const { return held_.load(std::memory_order_relaxed); }
    std::size_t limit() const { return limit_; }

private:
    template <class Take>
    Result<PhysAddr> allocate(const Take& take);

    FramePool& pool_;
    const std::size_t limit_;
    std::atomic<std::size_t> held_{0};
};

} // namespace parley::kernel
