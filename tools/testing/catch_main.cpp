// SPDX-License-Identifier: MIT
// Catch2's own main program, and a listener that tells the runner which test begins and how it ended;
// compiled
// once, because version 2 takes long for it.
#define CATCH_CONFIG_MAIN
#if __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
using ListenerBase = Catch::TestEventListenerBase;
#else
#include <catch2/catch_session.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using ListenerBase = Catch::EventListenerBase;
int main(int count, char** words) { return Catch::Session().run(count, words); }
#endif

#include "tools/testing/progress.hpp"

namespace {

struct Listener : ListenerBase {
    using ListenerBase::ListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo& test) override
    {
        name_ = test.name;
        parley::testing::tell("start", name_);
    }
    void testCaseEnded(const Catch::TestCaseStats& stats) override
    {
        const bool passed = stats.totals.assertions.allOk();
        parley::testing::tell("end", name_,
                              passed ? ", \"outcome\": \"passed\"" : ", \"outcome\": \"failed\"");
    }

private:
    std::string name_;
};

CATCH_REGISTER_LISTENER(Listener)

} // namespace
