// SPDX-License-Identifier: MIT
// Makes processes of ranks. A subclass says what address space they have.
#pragma once

#include "native/nxrun/place.hpp"

#include <expected>
#include <string>
#include <sys/types.h>

namespace parley::native {

// A rank that is to begin. The descriptors stay its starter's caller's.
struct RankStart {
    const Place& place; // its command, unless it is a delivery process
    int processor;      // it keeps to that one; -1: to none
    bool reads_input;   // it has nxrun's standard input
    int socket;         // to nxrun
    int output;         // what it prints goes there; -1: where nxrun prints
};

class RankStarter {
public:
    virtual ~RankStarter() = default;

    // The process is a child of the calling one. It tells PARLEY_NATIVE_BEGUN over its socket as soon as it
    // ends with nxrun. Errors: a sentence.
    virtual std::expected<pid_t, std::string> start(const RankStart& rank) = 0;
    // All ranks had been stopped and are to go on.
    virtual void resume() = 0;
};

} // namespace parley::native
