// SPDX-License-Identifier: MIT
// The terminal that nxrun runs at, if it runs at one. Ranks are in groups of processes of their own, to which
// a terminal gives nothing to read: nxrun lends the terminal to a rank that wants it, as a shell lends it to
// jobs.
#pragma once

#include <sys/types.h>

namespace parley::native {

class Terminal {
public:
    Terminal() = default;
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    // Lends the terminal to that group. False: nxrun has not got it itself, because it is in the background.
    bool lend(pid_t group);
    bool is_lent_to(pid_t group) const { return lent_to_ == group; }
    void take_back();

    // Whether a shell may give it to nxrun later on (fg).
    static bool is_shared_out();

private:
    void give(pid_t group);

    int file_ = -1;
    pid_t lent_to_ = 0; // 0: to nobody
};

} // namespace parley::native
