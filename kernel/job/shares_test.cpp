// SPDX-License-Identifier: MIT
#include "kernel/job/shares.hpp"

#include "testing/catch.hpp"

#include <array>
#include <numeric>
#include <vector>

using namespace parley::kernel;

namespace {

constexpr std::size_t mebibyte = 1 << 20;

std::vector<Share> shares(const std::vector<std::size_t>& wanted, std::size_t memory)
{
    std::vector<JobConfiguration> jobs(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        jobs[i].memory_bytes = wanted[i] * mebibyte;
    std::vector<Share> into(wanted.size());
    share_memory(jobs, memory * mebibyte, into);
    return into;
}

} // namespace

TEST_CASE("a job alone may hold all but a sixteenth, or what it asks for")
{
    REQUIRE(shares({0}, 512)[0].bytes == 480 * mebibyte);
    REQUIRE(shares({0}, 512)[0].fits());
    REQUIRE(shares({100}, 512)[0].bytes == 100 * mebibyte);
    REQUIRE(shares({480}, 512)[0].fits());
    REQUIRE(!shares({481}, 512)[0].fits());
    REQUIRE(!shares({3}, 512)[0].fits());
}

TEST_CASE("jobs that run together get what they ask for and equal parts of the rest")
{
    const auto three = shares({0, 100, 0}, 512);
    REQUIRE(three[0].bytes == 190 * mebibyte);
    REQUIRE(three[1].bytes == 100 * mebibyte);
    REQUIRE(three[2].bytes == 190 * mebibyte);
}

TEST_CASE("what does not fit is refused alone, and says what it adds up to")
{
    const auto jobs = shares({300, 200, 100, 0}, 512);
    REQUIRE(jobs[0].fits());
    REQUIRE(!jobs[1].fits());
    REQUIRE(jobs[1].wanted_by_all == 504 * mebibyte);
    REQUIRE(jobs[1].for_all == 480 * mebibyte);
    REQUIRE(jobs[2].fits());
    REQUIRE(jobs[3].bytes == 80 * mebibyte);
    REQUIRE(jobs[3].fits());
}

TEST_CASE("the shares of those that fit are never more than there is")
{
    const std::array<std::size_t, 4> sizes{0, 4, 60, 400};
    for (unsigned combination = 0; combination < 4 * 4 * 4 * 4; ++combination) {
        const std::vector<std::size_t> wanted{sizes[combination % 4], sizes[combination / 4 % 4],
                                              sizes[combination / 16 % 4], sizes[combination / 64]};
        for (const std::size_t memory : {16, 64, 512}) {
            const auto all = shares(wanted, memory);
            const std::size_t sum = std::accumulate(
                all.begin(), all.end(), std::size_t{0},
                [](std::size_t sum, const Share& one) { return sum + (one.fits() ? one.bytes : 0); });
            REQUIRE(sum <= all[0].for_all);
        }
    }
}
