// SPDX-License-Identifier: MIT
// Factor "polling": how often does a process that has two sources of messages look into the dearer one? A
// poll always takes what lies in the near source; whether it looks into the far one as well is what the
// classes differ in (Lumetta, chapter 4). Most polls take nothing and look nowhere else, so those are counted
// here, and a class hears of all of them when a poll takes something or looks. One process polls; nobody else
// calls it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace parley::messaging {

class Polling {
public:
    // More messages than this at once are counted as so many: classes take averages of the counts in 64 bits.
    static constexpr unsigned most_messages = 1u << 20;

    // A poll begins, which note() ends. True: it looks into the far source too.
    bool looks_far() { return --left_ == 0; }
    // So many polls, of which none looks into the far source, may pass unseen if they take nothing: whoever
    // makes them tells that afterwards, by pass(), before it calls anything else. More than those are not
    // counted.
    std::uint64_t passable() const { return left_ - 1; }
    void pass(std::uint64_t polls) { left_ -= std::min(polls, passable()); }
    // The poll has taken so many messages. `far` is 0 where it has not looked there. Whoever counts may be a
    // program, so any numbers are taken.
    void note(unsigned near, unsigned far)
    {
        if (near != 0)
            remember(std::exchange(told_, left_) - left_ - 1, std::min(near, most_messages));
        if (left_ == 0)
            left_ = told_ = period_ = choose_period(told_, std::min(far, most_messages));
    }
    // The next poll looks into the far source: it begins after a pause, in which something may have come. So
    // the period is of the polls that there were.
    void look_next()
    {
        period_ -= left_ - 1;
        told_ -= left_ - 1;
        left_ = 1;
    }
    // One of so many polls, as things are now, looks into the far source.
    std::uint64_t period() const { return period_; }

protected:
    Polling() = default;
    ~Polling() = default;

    // `idle` polls have taken no near message, and then one has taken `near`.
    virtual void remember([[maybe_unused]] std::uint64_t idle, [[maybe_unused]] unsigned near) { }
    // `idle` more polls have taken no near message; this one, which may be among them, has looked into the
    // far source and has taken `far` messages there. Answers after how many polls, at least 1, the next one
    // looks; period() still says it of this one.
    virtual std::uint64_t choose_period(std::uint64_t idle, unsigned far) = 0;

private:
    std::uint64_t left_ = 1; // polls until one looks
    std::uint64_t period_ = 1;
    std::uint64_t told_ = 1; // what was left of them when the class was told last
};

} // namespace parley::messaging
