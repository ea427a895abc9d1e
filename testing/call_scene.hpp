// SPDX-License-Identifier: MIT
// A small job (fake_job.hpp) in which process 0 has the parts that its calls go through. A test composes the
// part that it is about from these.
#pragma once

#include "messaging/posting.hpp"
#include "testing/fake_job.hpp"
#include "testing/own_requests.hpp"

namespace parley::messaging {

extern template class Progress<Factors<>>;
extern template class Outbox<Factors<>>;
extern template class Posting<Factors<>>;

} // namespace parley::messaging

namespace parley::testing {

class CallScene : public FakeJob {
public:
    static constexpr unsigned stocked = 8;

    explicit CallScene(bool marks_waiters = false);
    ~CallScene();

    // Process 0 has spare messages from now on, so that its sends do not ask the heap.
    void stock();
    unsigned spare();
    // Whether all that stock() has brought are spare.
    bool has_all_messages() { return spare() == stocked; }

    messaging::Progress<Factors> progress{peer(0), router, location, transfer, budget};
    messaging::Outbox<Factors> outbox{peer(0), budget};
    messaging::Posting<Factors> posting{peer(0), router, progress, outbox, directory, transfer, budget};
    OwnRequests requests;
    messaging::CallNotes notes;
};

} // namespace parley::testing
