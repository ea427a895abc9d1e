// SPDX-License-Identifier: MIT
// Gives turns to the jobs of one user that want to be gang scheduled on this machine (nxrun --gang), in the
// order of turn_order.hpp, over a connection from each.
//
// It is a process of its own, which the first nxrun of them starts (turns.hpp) and which ends with the last:
// in a session of its own, so that no terminal stops it, and without a descriptor of nxrun's. The name under
// which it listens lies in no file and is held by nobody else, so it goes with the process.
#pragma once

#include "native/nxrun/turn_order.hpp"

#include <map>
#include <sys/types.h>

namespace parley::native {

class TurnKeeper {
public:
    // `listener` is a socket that listens. Throws BadRequest.
    explicit TurnKeeper(int listener);
    ~TurnKeeper();
    TurnKeeper(const TurnKeeper&) = delete;
    TurnKeeper& operator=(const TurnKeeper&) = delete;

    // Returns when all members have gone, or where none has come for a second.
    void run();

    // What TurnOrder asks of its `Jobs`; a member's number is its connection.
    void say(int member, TurnMessage::Kind kind);
    bool is_stopped(int member) const;
    void stop_ranks(int member) const;

private:
    struct Nxrun {
        pid_t number;
        int process; // can be read when it has ended; -1: Linux gives none, and the connection tells
    };

    void attend(int descriptor);
    void accept_one();
    bool receive(int member);
    void remove(int member);
    void set_timer();

    const int listener_;
    const int events_;
    const int timer_;
    std::map<int, Nxrun> nxruns_; // by their connections
    TurnOrder<TurnKeeper> order_{*this};
};

} // namespace parley::native
