// SPDX-License-Identifier: MIT
// Standard output where lines begin with the rank that wrote them (nxrun --tag). nxrun never waits for
// whoever reads it: what cannot be written is kept, and when that is much, the ranks wait.
#pragma once

#include "native/nxrun/place.hpp"

#include <cstddef>
#include <set>
#include <string>

namespace parley::native {

class TaggedOutput {
public:
    explicit TaggedOutput(int file);
    ~TaggedOutput();
    TaggedOutput(const TaggedOutput&) = delete;
    TaggedOutput& operator=(const TaggedOutput&) = delete;

    // Can be read when attend() has something to do.
    int descriptor() const { return events_; }
    // Takes what ranks have written, and writes what goes without waiting.
    void attend();

    // A rank's output, place.output, is to be taken from now on.
    void begin(Place& place);
    // The rank has ended: takes all that is left, and closes it.
    void end(Place& place);

    // The job has been told to end: from now on what nobody reads is lost.
    void give_up() { gives_up_ = true; }
    // Whether something is still to be written.
    bool waits() const { return !gives_up_ && !text_.empty(); }

private:
    void watch(Place& place) const;
    void take_some(Place& place);
    void take_lines(Place& place, bool all);
    void write();
    void await_reader(bool awaits);

    const int file_;
    const int events_;
    std::set<Place*> ranks_;     // that may write more
    std::string text_;           // lines that are not written yet
    bool awaits_reader_ = false; // and takes nothing from ranks
    bool gives_up_ = false;
};

// Whether somebody reads what is written there, or it needs no reader.
bool can_be_written(int file);

} // namespace parley::native
