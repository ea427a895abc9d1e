// SPDX-License-Identifier: MIT
#include "native/interface/native_job.h"
#include "native/interface/widest_move.h"
#include "testing/catch.hpp"

#include "native/library/platform.hpp"

#include <algorithm>
#include <memory>
#include <sys/mman.h>
#include <vector>

namespace {

using namespace parley;

// A job area as nxrun makes it; copy() asks it which moves all ranks have.
class JobArea {
public:
    JobArea()
    {
        REQUIRE(mmap(reinterpret_cast<void*>(PARLEY_NATIVE_JOB_BASE), sizeof(parley_native_job),
                     PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
                     0) == reinterpret_cast<void*>(PARLEY_NATIVE_JOB_BASE));
    }
    ~JobArea() { munmap(reinterpret_cast<void*>(PARLEY_NATIVE_JOB_BASE), sizeof(parley_native_job)); }
    JobArea(const JobArea&) = delete;
    JobArea& operator=(const JobArea&) = delete;

    void use(unsigned widest)
    {
        reinterpret_cast<parley_native_job*>(PARLEY_NATIVE_JOB_BASE)->widest_move = widest;
    }
};

// What lies around the range that is written must stay as it is.
void copies_exactly(std::size_t bytes, std::size_t to, std::size_t from)
{
    constexpr std::size_t around = 128;
    const std::byte untouched{0xee};
    std::vector<std::byte> source(bytes + from + around);
    for (std::size_t i = 0; i < source.size(); ++i)
        source[i] = static_cast<std::byte>(1 + i % 127);
    std::vector<std::byte> target(around + to + bytes + around, untouched);
    platform::copy(&target[around + to], &source[from], bytes);
    const auto begin = target.begin() + static_cast<std::ptrdiff_t>(around + to);
    const auto end = begin + static_cast<std::ptrdiff_t>(bytes);
    const auto is_untouched = [&](std::byte one) { return one == untouched; };
    INFO("bytes " << bytes << ", to " << to << ", from " << from);
    CHECK(std::equal(begin, end, source.begin() + static_cast<std::ptrdiff_t>(from)));
    CHECK(std::all_of(target.begin(), begin, is_untouched));
    CHECK(std::all_of(end, target.end(), is_untouched));
}

} // namespace

TEST_CASE("a copy writes all its bytes and no others, by each width of moves that the processor has")
{
    const unsigned widest = GENERATE(16u, 32u, 64u);
    if (widest > parley_widest_move()) {
        WARN("not tested: this processor has no moves of " << widest << " bytes");
        return;
    }
    JobArea area;
    area.use(widest);
    for (std::size_t bytes = 0; bytes <= 400; ++bytes)
        for (const std::size_t shift : {0, 1, 17})
            copies_exactly(bytes, shift, 31 - shift);
    for (const std::size_t bytes : {511, 512, 1000, 4095, 4096, 4097, 70000})
        copies_exactly(bytes, 3, 5);
}
