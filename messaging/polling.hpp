// SPDX-License-Identifier: MIT
// Factor "polling": how often does a process that has two sources of messages look into the dearer one? A
// poll always takes what lies in the near source; whether it looks into the far one as well is what the
// classes differ in (Lumetta, chapter 4). One process polls; nobody else calls this.
#pragma once

#include <cstdint>

namespace parley::messaging {

class Polling {
public:
    // More messages than this at once are counted as so many: classes take averages of the counts in 64 bits.
    static constexpr unsigned most_messages = 1u << 20;

    // A poll begins. True: it looks into the far source too.
    virtual bool looks_far() = 0;
    // The poll has taken so many messages. `far` is 0 where it has not looked there. Whoever counts may be a
    // program, so any numbers are taken.
    virtual void note(unsigned near, unsigned far) = 0;
    // The next poll looks into the far source: it begins after a pause, in which something may have come.
    virtual void look_next() = 0;
    // Every so many polls one looks into the far source, as things are now.
    virtual std::uint64_t period() const = 0;

protected:
    ~Polling() = default;
};

} // namespace parley::messaging
