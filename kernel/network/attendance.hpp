// SPDX-License-Identifier: MIT
// Watches the other machines that run jobs together, by the heads of their frames and by the time. A machine
// is trouble if nothing is heard of it, if it runs something else, if it was booted again, or if it has the
// number of another. The first trouble is kept, as a sentence. It knows no devices. One party at a time calls
// it.
#pragma once

#include "base/text.hpp"
#include "kernel/network/frame.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace parley::kernel {

// What is wrong with another machine. One party at a time notes it, and the first note stays. Anybody may
// ask.
class Trouble {
public:
    Trouble() = default;
    Trouble(const Trouble&) = delete;

    template <class... Parts>
    void note(const Parts&... parts)
    {
        if (is_there_.load(std::memory_order_relaxed))
            return;
        (sentence_ << ... << parts);
        is_there_.store(true, std::memory_order_release); // pairs with is_there()
    }

    bool is_there() const { return is_there_.load(std::memory_order_acquire); }
    // Empty: nothing is wrong.
    std::string_view sentence() const { return is_there() ? sentence_.view() : std::string_view(); }

private:
    std::atomic<bool> is_there_{false};
    Text<200> sentence_;
};

class Attendance {
public:
    // Nanoseconds after which a machine is lost: one that was heard of, and one that was not.
    static constexpr std::uint64_t lost_after = 10'000'000'000;
    static constexpr std::uint64_t never_came_after = 60'000'000'000;

    struct Own {
        unsigned machines;          // how many there are
        unsigned here;              // this one's number
        std::uint32_t kernel, boot; // as FrameHead has them
    };
    Attendance(const Own& own, Trouble& trouble) : own_(own), trouble_(trouble) { }
    Attendance(const Attendance&) = delete;

    // The others are waited for from `now` on, in nanoseconds.
    void begin(std::uint64_t now) { began_ = now; }
    // A whole frame has come. Answers whether it is for the link between this machine and its sender.
    bool admits(const FrameHead& head);
    // That machine was booted again: what it knew is gone.
    void note_new_boot(unsigned machine);
    // Whether a machine that was last heard of at `heard` may be heard of yet; 0: it never was.
    bool expects(std::uint64_t heard, std::uint64_t now) const
    {
        return now <= (heard == 0 ? began_ + never_came_after : heard + lost_after);
    }
    // At each tick. `heard`: as above.
    void look(unsigned machine, std::uint64_t heard, std::uint64_t now);

private:
    const Own own_;
    Trouble& trouble_;
    std::uint64_t began_ = 0;
};

} // namespace parley::kernel
