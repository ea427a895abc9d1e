// SPDX-License-Identifier: MIT
// Factor "polling": how often does a process that has two sources of messages look into the dearer one? A
// poll always takes what lies in the near source; whether it looks into the far one as well is what the
// classes differ in (Lumetta, chapter 4). Most polls take nothing and look nowhere else, so polls are counted
// here, and a class is asked only when there is something to learn. One process polls; nobody else calls it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace parley::messaging {

class Polling {
public:
    // More messages than this at once are counted as so many: classes take averages of the counts in 64 bits.
    static constexpr unsigned most_messages = 1u << 20;

    // A poll begins, which note() ends. True: it looks into the far source too.
    bool looks_far() { return --left_ == 0; }
    // The poll has taken so many messages. `far` is 0 where it has not looked there. Whoever counts may be a
    // program, so any numbers are taken.
    void note(unsigned near, unsigned far)
    {
        if (near != 0 || remembers_)
            remembers_ = remember(std::min(near, most_messages));
        if (left_ == 0)
            left_ = period_ = choose_period(std::min(far, most_messages));
    }
    // The next poll looks into the far source: it begins after a pause, in which something may have come. So
    // the period is of the polls that there were.
    void look_next()
    {
        period_ -= left_ - 1;
        left_ = 1;
    }
    // One of so many polls, as things are now, looks into the far source.
    std::uint64_t period() const { return period_; }

protected:
    Polling() = default;
    ~Polling() = default;

    // A poll has taken so many near messages. True: it matters how many polls take none, which then are told
    // too.
    virtual bool remember(unsigned) { return false; }
    // A poll has looked into the far source, and has taken so many messages there. Answers after how many
    // polls, at least 1, the next one looks; period() still says it of this one.
    virtual std::uint64_t choose_period(unsigned far) = 0;

private:
    std::uint64_t left_ = 1; // polls until one looks
    std::uint64_t period_ = 1;
    bool remembers_ = false;
};

} // namespace parley::messaging
