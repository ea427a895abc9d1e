// SPDX-License-Identifier: MIT
// How the notes of one thread add up: the cycles that each activity took, and how often it began, from one
// moment on.
#pragma once

#include "userlib/loops/latest_notes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace parley::loops {

// Activities are numbers from First on, and kinds of loops from 0.
template <unsigned First, unsigned Activities, unsigned Parts>
class ActivitySums {
public:
    struct Sum {
        std::uint64_t spent = 0, begun = 0;
    };

    // What was done before then counts no more, whether or not it was added already.
    void count_from(std::uint64_t moment)
    {
        if (moment == from_)
            return;
        sums_ = {};
        from_ = moment;
    }
    // The thread's next note: what it did before has lasted until then.
    void add(const Note& note)
    {
        end(note.time);
        doing_ = &sums_[note.part() * Activities + note.event() - First];
        since_ = note.time;
        doing_->begun += note.time >= from_;
    }
    // What the thread did between its last note and that moment was not the program's.
    void resume(std::uint64_t moment) { since_ = moment; }
    // Until that moment the thread does what it did last.
    void end(std::uint64_t moment)
    {
        const std::uint64_t began = std::max(since_, from_);
        if (doing_ != nullptr && moment > began)
            doing_->spent += moment - began;
    }

    // use(part, activity, sum)
    template <class Use>
    void each(Use use) const
    {
        for (unsigned at = 0; at < sums_.size(); ++at)
            use(at / Activities, at % Activities + First, sums_[at]);
    }

private:
    std::uint64_t from_ = 0;
    std::uint64_t since_ = 0;
    Sum* doing_ = nullptr; // null: nothing yet
    std::array<Sum, Activities * Parts> sums_{};
};

} // namespace parley::loops
