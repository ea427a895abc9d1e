// SPDX-License-Identifier: MIT
#include "tools/machine_model/branch_predictor.hpp"
#include "tools/machine_model/dataflow.hpp"

#include "testing/catch.hpp"

#include <initializer_list>
#include <vector>

using namespace parley::machine_model;

namespace {

constexpr RegisterSet rax = 1, rcx = 2, rdx = 4, rbx = 8, rbp = 32, rsi = 64, rdi = 128, r8 = 256;

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

TEST_CASE("what an instruction reads without naming it counts, too")
{
    CHECK(use({0x19, 0xc0}).read == (rax | flags_register));                          // sbb %eax, %eax
    CHECK(use({0x83, 0xd2, 0}).read == (rdx | flags_register));                       // adc $0, %edx
    CHECK(use({0xd3, 0xe2}).read == (rdx | rcx | flags_register));                    // shl %cl, %edx
    CHECK((use({0x48, 0x99}).read == rax && use({0x48, 0x99}).written == rdx));       // cqto
    CHECK((use({0x48, 0x98}).read == rax && use({0x48, 0x98}).written == rax));       // cltq
    CHECK(use({0x48, 0x97}).written == (rax | rdi));                                  // xchg %rax, %rdi
    CHECK(use({0xf7, 0xd8}).written == (rax | flags_register));                       // neg %eax
    CHECK(use({0xf7, 0xe1}).written == (rax | rdx | flags_register));                 // mul %ecx
    CHECK((use({0x0f, 0xb1, 0x0f}).read & rax) == rax);                               // cmpxchg %ecx, (%rdi)
    CHECK(use({0xf3, 0xa4}).address == (rsi | rdi | rcx));                            // rep movsb
    CHECK((use({0xac}).written == rax && use({0xac}).address == rsi));                // lodsb
    CHECK((use({0xae}).read == rax && use({0xa6}).written == flags_register));        // scasb, cmpsb
    CHECK((use({0xe3, 0x10}).is_conditional_jump && (use({0xe3, 0x10}).read & rcx))); // jrcxz
    CHECK(use({0x9d}).written == flags_register);                                     // popf
    CHECK((use({0xff, 0xd0}).has_memory && use({0xff, 0x17}).address == rdi));        // call *%rax, *(%rdi)
    CHECK(use({0xdd, 0x07}).address == rdi);                                          // fldl (%rdi)
    CHECK(use({0xdf, 0xe0}).written == rax);                                          // fnstsw %ax
    CHECK((use({0xc9}).address == rbp && use({0xc9}).written == rbp));                // leave
}

TEST_CASE("what writes a part of a register leaves the rest as it was")
{
    CHECK(use({0x8a, 0x07}).read == rax);                                      // mov (%rdi), %al
    CHECK(use({0x66, 0x8b, 0x07}).read == rax);                                // mov (%rdi), %ax
    CHECK(use({0x66, 0x31, 0xc0}).read == rax);                                // xor %ax, %ax
    CHECK(use({0x30, 0xc0}).read == rax);                                      // xor %al, %al
    CHECK((use({0xb7, 1}).written == rbx && use({0xb7, 1}).read == rbx));      // mov $1, %bh
    CHECK((use({0x40, 0xb7, 1}).written == rdi && use({0xb8}).read == 0));     // mov $1, %dil; $1, %eax
    CHECK(use({0x0f, 0xb6, 0xcc}).read == rax);                                // movzbl %ah, %ecx
    CHECK((use({0x0f, 0x94, 0xc0}).read == (rax | flags_register)));           // sete %al
    CHECK((use({0x88, 0xe1}).read == (rax | rcx) && use({0x89}).read == rax)); // mov %ah, %cl; %eax, (%rax)
}

TEST_CASE("longer opcodes and prefixes say where their operands are")
{
    CHECK(use({0xf2, 0x48, 0x0f, 0x38, 0xf1, 0x0f}).address == rdi);         // crc32q (%rdi), %rcx
    CHECK((use({0xf2, 0x48, 0x0f, 0x38, 0xf1, 0x0f}).written & rcx) == rcx); // the same
    CHECK((use({0xc5, 0xfe, 0x6f, 0x07}).address == rdi));                   // vmovdqu (%rdi), %ymm0
    CHECK((use({0xc5, 0xfe, 0x6f, 0x07}).has_memory && !use({0xc5, 0xfe, 0x6f, 0x07}).written));
    CHECK(use({0xc4, 0xc1, 0x7e, 0x6f, 0x00}).address == r8);                       // vmovdqu (%r8), %ymm0
    CHECK(use({0xc5, 0xfd, 0xd7, 0xc8}).written == (rcx | rax | flags_register));   // vpmovmskb %ymm0, %ecx
    CHECK((use({0xc4, 0xe2, 0xf1, 0xf7, 0xd0}).read & (rax | rcx)) == (rax | rcx)); // shlx %rcx, %rax, %rdx
    CHECK((use({0xc4, 0xe2, 0xf1, 0xf7, 0xd0}).written & rdx) == rdx);              // the same
    CHECK_FALSE(use({0xc5, 0xf8, 0x77}).has_memory);                                // vzeroupper
    CHECK(
        (use({0x0f, 0xc3, 0x07}).read == rax && use({0x0f, 0xc3, 0x07}).written == 0)); // movnti %eax, (%rdi)
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
