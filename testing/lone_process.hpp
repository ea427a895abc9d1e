// SPDX-License-Identifier: MIT
// One process as those see it who wake it, in a test that has no other: nobody ever waits, and the event
// tells how often it was signalled.
#pragma once

#include "messaging/waiter.hpp"
#include "testing/catch.hpp"

namespace parley::testing {

// Nobody else runs, so a lock that is not free never will be, and whoever waited would wait for ever: the
// test has failed, or, as a test says, the party is killed while it waits.
class LoneSynchronization final : public sched::Synchronization {
public:
    bool kills = false;

    Result<void> contend(sched::Lock&, sched::Party&) override { return end("a lock that is held"); }
    void hand_on(sched::Lock& lock, sched::Party&) override { lock.set_free(); }
    Result<void> wait(sched::Event&, std::uint32_t) override { return end("an event"); }
    void wake(sched::Event&) override { }

private:
    Result<void> end(const char* what)
    {
        if (!kills)
            FAIL("the only process waits for " << what);
        return std::unexpected(Error::killed);
    }
};

class LoneProcess {
public:
    explicit LoneProcess(unsigned index = 0) : waiter(synchronization, record, {index, nullptr}) { }
    LoneProcess(const LoneProcess&) = delete;
    LoneProcess& operator=(const LoneProcess&) = delete;

    // How often the process was signalled since this was asked last.
    unsigned signals()
    {
        const std::uint32_t before = seen_;
        seen_ = waiter.sequence();
        return seen_ - before;
    }

    LoneSynchronization synchronization;
    messaging::WaitRecord record;
    messaging::Waiter<> waiter;

private:
    std::uint32_t seen_ = 0;
};

} // namespace parley::testing
