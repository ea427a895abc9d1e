// SPDX-License-Identifier: MIT
#include "kernel/job/cluster_pages.hpp"

#include "testing/catch.hpp"

using namespace parley;
using namespace parley::kernel;

namespace {

constexpr ClusterTable clusters{
    .number = 4, .processors = 8, .memory_start = 1 << 20, .memory_bytes = 1 << 20};

} // namespace

TEST_CASE("a cluster's window lies in its memory, and what a program has elsewhere in the memory for all")
{
    const ClusterPages pages(clusters, 32, 0);
    CHECK(pages.bank_of(PARLEY_CLUSTER_BASE) == 1);
    CHECK(pages.bank_of(PARLEY_CLUSTER_BASE + PARLEY_CLUSTER_BYTES - page_bytes) == 1);
    CHECK(pages.bank_of(PARLEY_CLUSTER_BASE + 3 * PARLEY_CLUSTER_BYTES) == 4);
    CHECK(pages.bank_of(PARLEY_CLUSTER_BASE + 4 * PARLEY_CLUSTER_BYTES) == 0);
    CHECK(pages.bank_of(PARLEY_CLUSTER_BASE - page_bytes) == 0);
    CHECK(pages.bank_of(low_slot_start) == 0);
}

TEST_CASE("a process's first stack lies in the memory of the cluster that has its processor")
{
    const auto stack_of = [](unsigned slot) { return stack_top(slot).value - page_bytes; };
    CHECK(ClusterPages(clusters, 32, 7).bank_of(stack_of(0)) == 1);
    CHECK(ClusterPages(clusters, 32, 8).bank_of(stack_of(0)) == 2);
    CHECK(ClusterPages(clusters, 8, 9).bank_of(stack_of(0)) == 1);
    CHECK(ClusterPages(clusters, 32, 0).bank_of(stack_of(shared_slot(31))) == 4);
    CHECK(ClusterPages(clusters, 32, 0).bank_of(domain_slot_start(shared_slot(31))) == 0);
    CHECK(ClusterPages(clusters, 32, 8).bank_of(stack_low(0).value - page_bytes) == 0);
}
