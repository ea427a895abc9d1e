// SPDX-License-Identifier: MIT
// Watches the other machines that run jobs together, by the heads of their frames and by the time. A machine
// is trouble if nothing is heard of it, if it runs something else, if it was booted again, or if it has the
// number of another. The first trouble is kept, as a sentence. It knows no devices. One party at a time calls
// it, but for trouble(), which anybody may call.
#pragma once

#include "base/text.hpp"
#include "kernel/network/frame.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace parley::kernel {

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
    explicit Attendance(const Own& own) : own_(own) { }
    Attendance(const Attendance&) = delete;

    // From now on, in nanoseconds, the others are waited for.
    void begin(std::uint64_t now) { began_ = now; }
    // A whole frame has come. Whether it is for the link between this machine and its sender.
    bool admits(const FrameHead& head);
    // That machine was booted again: what it knew is gone.
    void note_new_boot(unsigned machine);
    // At each tick. `heard`: when that machine was last heard of; 0: never.
    void look(unsigned machine, std::uint64_t heard, std::uint64_t now);

    // Anybody may ask. A sentence that stays; empty: nothing is wrong.
    std::string_view trouble() const { return has_trouble() ? trouble_.view() : std::string_view(); }
    bool has_trouble() const { return has_trouble_.load(std::memory_order_acquire); }

private:
    template <class... Parts>
    void note(const Parts&... parts);

    const Own own_;
    std::uint64_t began_ = 0;
    std::atomic<bool> has_trouble_{false};
    Text<200> trouble_;
};

} // namespace parley::kernel
