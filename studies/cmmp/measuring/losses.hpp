// SPDX-License-Identifier: MIT
// What is injected into the machine, as the request's key `machine` says it: words `name=value`. Texts come
// from outside; a sentence says which word is wrong and what it may be.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace parley::cmmp {

struct Losses {
    // The last so many processors are slow and take so many percent of the time of the others; stealing 1: an
    // idle fast one may take over what runs on them.
    unsigned slow = 0;
    unsigned slowdown = 100;
    unsigned stealing = 1;
    // Milliseconds between the ticks of a processor that runs programs.
    unsigned tick = 10;
    // Milliseconds of a time slice of timeshared programs; 0: a tick, and slices are never used up. After an
    // allotment of slices more are asked for, which takes so many microseconds beyond the work.
    unsigned slice = 0;
    unsigned allotment = 10;
    unsigned request = 0;
    // A device on the first of these processors, of which the second asks something every so many
    // microseconds, drawn; 0: there is none. The service routine takes a time between two, in microseconds.
    unsigned device_owner = 0;
    unsigned device_asker = 0;
    unsigned device_every = 0;
    unsigned service_shortest = 1000;
    unsigned service_longest = 1000;
    // Memory is looked at as so many banks; 0: it is not. samples 1: at its ticks each processor notes the
    // one that it is at; 0: pages are only placed, as where the machine has banks itself.
    unsigned banks = 0;
    unsigned samples = 1;
    // So many fixed-head disks, to which the pages of waiting processes go; 0: pages take no time. A
    // revolution takes so many microseconds.
    unsigned disks = 0;
    unsigned rotation = 0;
};

// For a machine in which so many processors run jobs. Errors: a sentence without a full stop.
std::expected<Losses, std::string_view> read_losses(std::string_view words, unsigned processors);

} // namespace parley::cmmp
