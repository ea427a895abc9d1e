// SPDX-License-Identifier: MIT
// The processors that ready queues hand out work to.
#pragma once

#include "assertion.hpp"
#include "interface/limits.h"
#include "sched/server.hpp"

#include <cstddef>

namespace parley::sched {

class ServerSet {
public:
    static constexpr std::size_t capacity = PARLEY_MAX_PROCESSORS;

    // Call this before any queue uses the set, at most `capacity` times, with fast processors before slow
    // ones: of several idle ones the first is chosen, so that slow ones work only when no fast one is
    // idle.
    void add(Server& server)
    {
        assert_that([&] { return count_ < capacity; });
        servers_[count_++] = &server;
        with_index_[server.index()] = &server;
    }
    unsigned count() const { return count_; }
    Server& operator[](unsigned index) const { return *servers_[index]; } // in the order of add()
    // The processor that has this number; null: it is not of the set.
    Server* with_index(unsigned index) const { return index <= capacity ? with_index_[index] : nullptr; }

    // Takes the idle mark of a processor that serves `queue`, and answers it; the caller wakes it. Null:
    // none is idle.
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
    Server* with_index_[capacity + 1] = {}; // one more may keep the time
    unsigned count_ = 0;
};

} // namespace parley::sched
