// SPDX-License-Identifier: MIT
// Catch2's own main program, and a listener that tells the runner which test begins and how it ended;
// compiled once, because version 2 takes long for it. Its own handlers of signals would name neither leaf nor
// design.
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_NO_POSIX_SIGNALS
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

#include "testing/progress.hpp"

// The address sanitizer, where there is one, asks this: undefined behaviour ends in a trap, which it then
// reports (testing/testing.mk).
extern "C" const char* __asan_default_options() { return "handle_sigill=1"; }

namespace {

struct Listener : ListenerBase {
    using ListenerBase::ListenerBase;

    void testRunStarting(const Catch::TestRunInfo&) override { parley::testing::name_crashes(); }
    void testCaseStarting(const Catch::TestCaseInfo& test) override
    {
        name_ = test.name;
        parley::testing::begin_test(name_);
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
