// SPDX-License-Identifier: MIT
// What the ranks print. Either they write to nxrun's own standard output, or nxrun takes their lines, puts
// before each which rank has written it (nxrun --tag), and writes them there. nxrun never waits for the
// reader of its output: it keeps what it cannot write, and where it keeps much, the ranks wait.
// Invariant: a place has an `output` exactly from open() until end(), and only where lines are tagged.
#pragma once

#include "native/nxrun/place.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>

namespace parley::native {

class RankOutput {
public:
    // `file`: a descriptor, where tagged lines are written to. Throws BadRequest.
    RankOutput(bool tagged, int file);
    ~RankOutput();
    RankOutput(const RankOutput&) = delete;
    RankOutput& operator=(const RankOutput&) = delete;

    // This descriptor can be read when attend() has something to do.
    int descriptor() const { return events_; }
    // Takes what ranks have written, and writes as much as goes without waiting.
    void attend();

    // A rank is to start in that place. Answers the descriptor that the rank is to write to, which the caller
    // closes, or -1: the rank has nxrun's own output. Nothing: Linux gives no more descriptors, and errno
    // says why.
    std::optional<int> open(Place& place);
    // The rank has ended, or could not be started: takes all that it has written.
    void end(Place& place);

    // The job has been told to end: from now on what nobody reads is lost.
    void give_up() { gives_up_ = true; }
    // Whether something is still to be written.
    bool waits() const { return !gives_up_ && !text_.empty(); }
    // Why lines could not be written, which are lost: an error number. 0: none are.
    int failure() const { return failure_; }

private:
    void watch(Place& place) const;
    void take_some(Place& place);
    void take_lines(Place& place, bool all);
    void write();
    void await_reader(bool awaits);

    const bool tagged_;
    const int file_;
    const int events_;
    std::set<Place*> ranks_;     // that may write more
    std::string text_;           // lines that are not written yet
    bool awaits_reader_ = false; // and takes nothing from ranks
    bool gives_up_ = false;
    int failure_ = 0;
};

// Whether somebody reads what is written there, or it needs no reader.
bool can_be_written(int file);

} // namespace parley::native
