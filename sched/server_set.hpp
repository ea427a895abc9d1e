// SPDX-License-Identifier: MIT
// The processors that ready queues hand out work to.
#pragma once

#include "interface/limits.h"
#include "sched/server.hpp"

#include <cstddef>

namespace parley::sched {

class ServerSet {
public:
    static constexpr std::size_t capacity = PARLEY_MAX_PROCESSORS;

    // Before any queue uses the set; at most `capacity`. Fast ones come before slow ones: of several that
    // are idle the first is chosen, so slow ones work when no fast one is idle.
    void add(Server& server) { servers_[count_++] = &server; }
    unsigned count() const { return count_; }
    Server& operator[](unsigned index) const { return *servers_[index]; }

    // An idle one that serves `queue`, with its idle mark taken: the caller wakes it. Null: none.
    Server* claim_idle(const ReadyQueue& queue) const
    {
        for (unsigned i = 0; i < count_; ++i) {
            if (&servers_[i]->queue() == &queue && servers_[i]->claim_idle())
                return servers_[i];
        }
        return nullptr;
    }

private:
    Server* servers_[capacity] = {};
    unsigned count_ = 0;
};

} // namespace parley::sched
