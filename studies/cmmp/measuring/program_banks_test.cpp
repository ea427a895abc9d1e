// SPDX-License-Identifier: MIT
// Which bank a job's words mean for each of its processes, and which words mean none.
#include "studies/cmmp/measuring/program_banks.hpp"

#include "testing/catch.hpp"

namespace parley::cmmp {

using namespace kernel;

TEST_CASE("each process has the bank that the job says", "[banks]")
{
    const auto of = [](std::string_view text, unsigned process) {
        return ProgramBanks::of_process(text, 4, process).value_or(99);
    };
    CHECK((of("private", 0) == 0 && of("private", 3) == 3 && of("", 5) == 1));
    CHECK((of("apart", 0) == 1 && of("apart", 2) == 3 && of("apart", 3) == 1));
    CHECK(ProgramBanks::of_process("apart", 1, 3) == 0);
    CHECK((of("shared", 0) == 0 && of("shared", 7) == 0));
    CHECK((of("0,3,1", 0) == 0 && of("0,3,1", 1) == 3 && of("0,3,1", 2) == 1));
    CHECK(of("0,3,1", 3) == 99);
    for (const std::string_view wrong : {"4", "12345678901234567890", "x", "1x", "-1", ",", "public"})
        CHECK(of(wrong, 0) == 99);
}

TEST_CASE("a page is its process's by the place that it lies in", "[banks]")
{
    MemoryBanks banks(4);
    const ProgramBanks shared_domain("3,2,1", banks, 0);
    CHECK(shared_domain.bank_of(domain_slot_start(shared_slot(0))) == 3);
    CHECK(shared_domain.bank_of(domain_slot_end(shared_slot(1)) - 1) == 2);
    CHECK(shared_domain.bank_of(domain_slot_start(shared_slot(2))) == 1);
    const ProgramBanks own_domain("3,2,1", banks, 2);
    CHECK(own_domain.bank_of(low_slot_start) == 1);
}

TEST_CASE("shared pages are spread where programs' own lie apart from the kernel", "[banks]")
{
    MemoryBanks banks(4);
    const SharedBanks apart("apart", banks), with_kernel("private", banks);
    for (const unsigned page : {0u, 1u, 2u, 3u}) {
        CHECK(apart.bank_of(page * page_bytes + 1) == 1 + page % 3);
        CHECK(with_kernel.bank_of(page * page_bytes) == 0);
    }
    MemoryBanks one(1);
    CHECK(SharedBanks("apart", one).bank_of(page_bytes) == 0);
}

} // namespace parley::cmmp
