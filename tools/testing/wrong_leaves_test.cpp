// SPDX-License-Identifier: MIT
// The tests of leaves catch wrong leaves: each of wrong_leaves.hpp is found, and what it does is named.
#include "tools/testing/catch.hpp"
#include "tools/testing/port_faults.hpp"
#include "tools/testing/synchronization_faults.hpp"
#include "tools/testing/transfer_faults.hpp"
#include "tools/testing/wrong_leaves.hpp"

using namespace parley::testing;
using Catch::Matchers::Contains;

TEST_CASE("the tests of ports find a port that loses, doubles, reorders, mislabels or refuses")
{
    CHECK_THAT(fault_of_port<LossyPort>(), Contains("loses a message"));
    CHECK_THAT(fault_of_port<DoublingPort>(), Contains("a message twice"));
    CHECK_THAT(fault_of_port<ReorderingPort>(), Contains("another order"));
    CHECK_THAT(fault_of_port<MislabellingPort>(), Contains("envelope of another"));
    CHECK_THAT(fault_of_port<StuckPort>(), Contains("refuses messages although it has been emptied"));
}

TEST_CASE("the tests of transfers find one that drops the last byte, mixes up bytes or keeps a buffer")
{
    CHECK_THAT(fault_of_transfer<ShorteningTransfer>(), Contains("loses the last byte of a message of 101"));
    CHECK_THAT(fault_of_transfer<ScramblingTransfer>(), Contains("brings number 2 wrong"));
    CHECK_THAT(fault_of_transfer<HoardingTransfer>(), Contains("keeps a system buffer"));
}

TEST_CASE("the tests of locks find one that lets two in, however seldom, and one that is never left")
{
    using Count = std::atomic<long>;
    CHECK_THAT((fault_in_excluding<OpenSynchronization, Count>()), Contains("two parties in at once"));
    CHECK_THAT((fault_in_excluding<LeakySynchronization, Count>()), Contains("two parties in at once"));
    synchronization_limit = std::chrono::seconds(2);
    CHECK_THAT(fault_in_excluding<SelfishSynchronization>(), Contains("waits for ever for its lock"));
    CHECK_THAT(fault_in_waking<SilentSynchronization>(), Contains("is not woken"));
    CHECK_THAT(fault_after_a_kill<GraspingSynchronization>(), Contains("stays held"));
    synchronization_limit = std::chrono::seconds(30);
}
