// SPDX-License-Identifier: MIT
// What each processor did when, for a picture: spans of one activity, of those that lie in a window of time.
#pragma once

#include "studies/cmmp/simulated/banks.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace parley::simulated {

enum class Doing : std::uint8_t { nothing, dispatch, compute, spin, interrupt };

struct Span {
    unsigned processor = 0, program = 0;
    Doing doing = Doing::nothing;
    Nanoseconds from = 0, to = 0;
};

class Timeline {
public:
    // Before anything is noted.
    void watch(Nanoseconds from, Nanoseconds to, unsigned processors)
    {
        from_ = from;
        to_ = to;
        current_.resize(processors);
    }
    bool is_watched() const { return to_ != 0; }

    // From now on that processor does this.
    void note(unsigned processor, unsigned program, Doing doing, Nanoseconds now)
    {
        Span& current = current_[processor];
        if (current.doing == doing && current.program == program)
            return;
        current.to = now;
        keep(current);
        current = {processor, program, doing, now, now};
    }
    // Beside what it does.
    void interrupt(unsigned processor, Nanoseconds from, Nanoseconds to)
    {
        keep({processor, 0, Doing::interrupt, from, to});
    }
    // Those that have ended, cut at the edges of the window.
    const std::vector<Span>& spans() const { return spans_; }

private:
    void keep(Span span)
    {
        span.from = std::max(span.from, from_);
        span.to = std::min(span.to, to_);
        if (span.doing != Doing::nothing && span.from < span.to)
            spans_.push_back(span);
    }

    Nanoseconds from_ = 0, to_ = 0;
    std::vector<Span> current_;
    std::vector<Span> spans_;
};

} // namespace parley::simulated
