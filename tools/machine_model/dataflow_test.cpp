// SPDX-License-Identifier: MIT
#include "tools/machine_model/branch_predictor.hpp"
#include "tools/machine_model/dataflow.hpp"

#include "testing/catch.hpp"

#include <initializer_list>
#include <vector>

using namespace parley::machine_model;

namespace {

constexpr RegisterSet rax = 1, rcx = 2, rdx = 4, rdi = 128, r8 = 256;

RegisterUse use(std::initializer_list<std::uint8_t> bytes)
{
    const std::vector<std::uint8_t> code{bytes};
    return register_use(code);
}

} // namespace

TEST_CASE("an instruction's registers: of its address, read and written")
{
    const RegisterUse load = use({0x48, 0x8b, 0x04, 0xcf}); // mov (%rdi,%rcx,8), %rax
    CHECK(load.address == (rdi | rcx));
    CHECK((load.has_memory && load.written == rax && load.read == 0));
    const RegisterUse store = use({0x4c, 0x89, 0x02}); // mov %r8, (%rdx)
    CHECK((store.address == rdx && store.read == r8 && store.written == 0));
    const RegisterUse compare = use({0x39, 0xc8}); // cmp %ecx, %eax
    CHECK((compare.read == (rax | rcx) && compare.written == flags_register && !compare.has_memory));
    const RegisterUse jump = use({0x75, 0x10});
    CHECK((jump.is_conditional_jump && jump.read == flags_register));
    CHECK(use({0x31, 0xc0}).read == 0);                        // xor %eax, %eax
    const RegisterUse address = use({0x48, 0x8d, 0x47, 0x08}); // lea 8(%rdi), %rax
    CHECK((address.read == rdi && address.written == rax && !address.has_memory));
    CHECK(use({0x8b, 0x05, 0, 0, 0, 0}).address == 0); // relative to the instruction
    CHECK(use({0x8b, 0x44, 0x24, 0x08}).address == 0); // on the stack
    CHECK(use({0x0f, 0xb6, 0x07}).written == rax);     // movzbl (%rdi), %eax
}

TEST_CASE("an address waits for what it is computed of, from one block to the next")
{
    Dataflow first;
    const auto list = first.add(use({0x48, 0x8b, 0x07}));        // mov (%rdi), %rax
    first.add(use({0x48, 0x83, 0xc0, 0x08}));                    // add $8, %rax
    const auto next = first.add(use({0x48, 0x8b, 0x08}));        // mov (%rax), %rcx
    const auto apart = first.add(use({0x48, 0x8b, 0x57, 0x10})); // mov 16(%rdi), %rdx
    first.add(use({0x48, 0x85, 0xc9}));                          // test %rcx, %rcx
    first.add(use({0x75, 0x10}));                                // jne
    CHECK(first.instructions() == 6);
    RegisterTimes times;
    times.set_read(list.reader, 100);
    CHECK(times.of(next.address) == 100);
    CHECK(times.of(apart.address) == 0);
    times.set_read(next.reader, 180);
    CHECK(first.ends_in_jump());
    CHECK(times.of(first.decided_by()) == 180);
    times.end_block(first, 50);
    Dataflow second;
    CHECK(times.of(second.add(use({0x48, 0x8b, 0x11})).address) == 180); // mov (%rcx), %rdx
    times.end_block(second, 200);
    Dataflow third;
    CHECK(times.of(third.add(use({0x48, 0x8b, 0x11})).address) == 0); // it is there
}

TEST_CASE("a jump that goes as before is foreseen, one that goes otherwise is not")
{
    BranchPredictor predictor{16};
    for (unsigned i = 0; i < 20; ++i)
        predictor.foresaw(0x1000, true);
    CHECK(predictor.foresaw(0x1000, true));
    CHECK_FALSE(predictor.foresaw(0x1000, false));
    BranchPredictor other{16};
    unsigned wrong = 0;
    for (unsigned i = 0; i < 100; ++i)
        wrong += other.foresaw(0x1000, i % 3 == 0) ? 0 : 1;
    CHECK(wrong < 20); // it has learnt from how the last ones went
}
