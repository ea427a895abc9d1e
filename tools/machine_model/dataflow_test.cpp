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

TEST_CASE("what an instruction reads and writes without naming it counts, and nothing else")
{
    constexpr RegisterSet flags = flags_register;
    CHECK(use({0x19, 0xc0}).read == (rax | flags));                             // sbb %eax, %eax
    CHECK(use({0x83, 0xd2, 0}).read == (rdx | flags));                          // adc $0, %edx
    CHECK(use({0x48, 0x83, 0xc0, 8}).read == rax);                              // add $8, %rax: no flags
    CHECK(use({0xd3, 0xe2}).read == (rdx | rcx));                               // shl %cl, %edx
    CHECK((use({0xd3, 0xe2}).kept == flags && use({0xc1, 0xe2, 3}).kept == 0)); // by 0 the flags stay
    CHECK((use({0xd1, 0xd2}).read == (rdx | flags) && use({0xd1, 0xc2}).kept == flags)); // rcl, rol
    CHECK((use({0xff, 0xc0}).read == rax && use({0xff, 0xc0}).kept == flags));           // inc %eax
    CHECK((use({0x48, 0x99}).read == rax && use({0x48, 0x99}).written == rdx));          // cqto
    CHECK((use({0x48, 0x98}).read == rax && use({0x48, 0x98}).written == rax));          // cltq
    CHECK(use({0x48, 0x97}).written == (rax | rdi));                                     // xchg %rax, %rdi
    CHECK((use({0x87, 0xc8}).read == (rax | rcx) && use({0x87, 0xc8}).written == (rax | rcx)));
    CHECK((use({0x41, 0x90}).written == (rax | r8) && use({0xf3, 0x90}).written == 0));      // xchg, pause
    CHECK((use({0xf7, 0xd8}).written == (rax | flags) && use({0xf7, 0xd0}).written == rax)); // neg, not
    CHECK((use({0xf7, 0xe1}).read == (rax | rcx) && use({0xf7, 0xe1}).written == (rax | rdx | flags))); // mul
    CHECK((use({0xf6, 0xe1}).written == (rax | flags))); // mul %cl
    CHECK(use({0xf7, 0xf1}).read == (rax | rcx | rdx));  // div %ecx
    CHECK((use({0x0f, 0xaf, 0xc1}).read == (rax | rcx) && use({0x0f, 0xaf, 0xc1}).written == (rax | flags)));
    CHECK((use({0x0f, 0xb1, 0x0f}).read == (rax | rcx))); // cmpxchg %ecx, (%rdi)
    CHECK(use({0x0f, 0xb1, 0x0f}).written == (rax | flags));
    CHECK(use({0x0f, 0xc1, 0xc8}).written == (rax | rcx | flags)); // xadd %ecx, %eax
    CHECK(use({0x0f, 0xa3, 0x0f}).address == (rdi | rcx));         // bt %ecx, (%rdi): far from it, too
    CHECK((use({0x0f, 0xab, 0xc8}).written == (rax | flags) && use({0x0f, 0xa3, 0xc8}).written == flags));
    CHECK((use({0x0f, 0xbc, 0xc1}).kept == rax && use({0xf3, 0x0f, 0xbc, 0xc1}).kept == 0));  // bsf, tzcnt
    CHECK((use({0x0f, 0xa2}).read == (rax | rcx) && (use({0x0f, 0xa2}).written & rbx) != 0)); // cpuid
    CHECK((use({0x0f, 0x31}).read == 0 && use({0x0f, 0x31}).written == (rax | rdx)));         // rdtsc
    CHECK(use({0x0f, 0x01, 0xf9}).written == (rax | rcx | rdx));                              // rdtscp
    CHECK((use({0x9e}).written == flags && use({0x9f}).read == flags));                       // sahf, lahf
    CHECK((use({0xd7}).address == (rax | rbx) && use({0xd7}).written == rax));                // xlat
    CHECK((use({0xec}).read == rdx && use({0xec}).written == rax));                           // in
    CHECK((use({0x8c, 0xd8}).written == rax && use({0x8c, 0xde}).written == rsi));            // mov %ds
    CHECK((use({0xac}).written == rax && use({0xac}).address == rsi));                        // lodsb
    CHECK((use({0xaa}).address == rdi && use({0xaa}).written == 0));                          // stosb
    CHECK((use({0xae}).read == rax && use({0xa6}).written == flags));                         // scasb, cmpsb
    CHECK(use({0xf3, 0xa4}).address == (rsi | rdi | rcx));                                    // rep movsb
    CHECK((use({0xf3, 0xa4}).advanced == (rsi | rdi) && use({0xf3, 0xa4}).written == 0));
    CHECK(use({0xf2, 0xae}).written == (rdi | rcx | flags)); // repne scasb: the data end it
    CHECK((use({0xe3, 0x10}).is_conditional_jump && use({0xe3, 0x10}).read == rcx)); // jrcxz
    CHECK(use({0x9d}).written == flags);                                             // popf
    CHECK((use({0xff, 0xd0}).has_memory && use({0xff, 0x17}).address == rdi));       // call *%rax, *(%rdi)
    CHECK_FALSE(use({0xff, 0xe0}).has_memory);                                       // jmp *%rax
    CHECK((use({0xc9}).address == rbp && use({0xc9}).written == rbp));               // leave
}

TEST_CASE("what writes a part of a register leaves the rest as it was")
{
    CHECK(use({0x8a, 0x07}).kept == rax);                                  // mov (%rdi), %al
    CHECK(use({0x66, 0x8b, 0x07}).kept == rax);                            // mov (%rdi), %ax
    CHECK((use({0x66, 0x48, 0x8b, 0x07}).kept == 0));                      // mov (%rdi), %rax
    CHECK((use({0x48, 0x66, 0x8b, 0x07}).kept == rax));                    // as without 48, which is not last
    CHECK(use({0x66, 0x31, 0xc0}).kept == rax);                            // xor %ax, %ax
    CHECK(use({0x30, 0xc0}).kept == rax);                                  // xor %al, %al
    CHECK((use({0xb7, 1}).written == rbx && use({0xb7, 1}).kept == rbx));  // mov $1, %bh
    CHECK((use({0x40, 0xb7, 1}).written == rdi && use({0xb8}).kept == 0)); // mov $1, %dil; $1, %eax
    CHECK((use({0x0f, 0xb6, 0xcc}).read == rax && use({0x0f, 0xb6, 0xcc}).kept == 0)); // movzbl %ah, %ecx
    CHECK(
        (use({0x0f, 0x94, 0xc0}).read == flags_register && use({0x0f, 0x94, 0xc0}).kept == rax)); // sete %al
    CHECK((use({0xa0}).kept == rax && use({0xa1}).kept == 0));               // movabs to %al, to %eax
    CHECK((use({0x88, 0xe1}).read == rax && use({0x88, 0xe1}).kept == rcx)); // mov %ah, %cl
    CHECK(use({0x89}).read == rax);                                          // mov %eax, (%rax)
}

TEST_CASE("longer opcodes and prefixes say where their operands are")
{
    CHECK(use({0xf2, 0x48, 0x0f, 0x38, 0xf1, 0x0f}).address == rdi); // crc32q (%rdi), %rcx
    CHECK(use({0xf2, 0x48, 0x0f, 0x38, 0xf1, 0x0f}).written == rcx); // the same
    CHECK(
        (use({0x0f, 0x38, 0xf0, 0x0f}).written == rcx && use({0x0f, 0x38, 0xf1, 0x0f}).read == rcx)); // movbe
    CHECK((use({0xc5, 0xfe, 0x6f, 0x07}).address == rdi));                        // vmovdqu (%rdi), %ymm0
    CHECK(use({0xc4, 0xc1, 0x7e, 0x6f, 0x00}).address == r8);                     // vmovdqu (%r8), %ymm0
    CHECK((use({0xc4, 0xe2, 0xf1, 0xf7, 0xd0}).read == (rax | rcx)));             // shlx %rcx, %rax, %rdx
    CHECK((use({0xc4, 0xe2, 0xf1, 0xf7, 0xd0}).written == rdx));                  // the same
    CHECK(use({0xc4, 0xe2, 0xf0, 0xf2, 0xd0}).written == (rdx | flags_register)); // andn %rax, %rcx, %rdx
    CHECK(use({0xc4, 0xe2, 0xf3, 0xf6, 0xc3}).read == (rbx | rdx));               // mulx %rbx, %rcx, %rax
    CHECK(use({0xc4, 0xe2, 0xf3, 0xf6, 0xc3}).written == (rax | rcx));            // the same
    CHECK(use({0xc4, 0xe2, 0xf0, 0xf3, 0xc8}).written == (rcx | flags_register)); // blsr %rax, %rcx
    CHECK(use({0x0f, 0xae, 0x27}).read == (rax | rdx));                           // xsave (%rdi)
    CHECK_FALSE(use({0xc5, 0xf8, 0x77}).has_memory);                              // vzeroupper
    CHECK(
        (use({0x0f, 0xc3, 0x07}).read == rax && use({0x0f, 0xc3, 0x07}).written == 0)); // movnti %eax, (%rdi)
}

TEST_CASE("what comes of vectors waits for all that were written")
{
    constexpr RegisterSet vectors = vector_registers;
    const RegisterUse load = use({0xf3, 0x0f, 0x6f, 0x07}); // movdqu (%rdi), %xmm0
    CHECK((load.has_memory && load.address == rdi && load.written == vectors && load.kept == vectors));
    CHECK((use({0x66, 0x0f, 0xd7, 0xc8}).read == vectors)); // pmovmskb %xmm0, %ecx
    CHECK((use({0x66, 0x0f, 0xd7, 0xc8}).written == rcx && use({0xc5, 0xfd, 0xd7, 0xc8}).written == rcx));
    CHECK((use({0x66, 0x0f, 0x7e, 0xc0}).written == rax && use({0x66, 0x0f, 0x7e, 0xc0}).kept == 0)); // movd
    CHECK((use({0x66, 0x0f, 0x6e, 0xc0}).read == rax && use({0xf3, 0x0f, 0x7e, 0xc0}).written == vectors));
    CHECK((use({0xf2, 0x0f, 0x2c, 0xc8}).written == rcx && use({0xf2, 0x0f, 0x2a, 0xc8}).read == rax));
    CHECK((use({0x66, 0x0f, 0x2f, 0xc1}).read == vectors)); // comisd %xmm1, %xmm0
    CHECK((use({0x66, 0x0f, 0x2f, 0xc1}).written == flags_register));
    CHECK(use({0x66, 0x0f, 0x38, 0x17, 0xc0}).written == flags_register);              // ptest
    CHECK(use({0x66, 0x0f, 0x3a, 0x63, 0xc1, 0}).written == (rcx | flags_register));   // pcmpistri
    CHECK(use({0x66, 0x0f, 0x3a, 0x61, 0xc1, 0}).read == (vectors | rax | rdx));       // pcmpestri
    CHECK((use({0x66, 0x0f, 0x3a, 0x16, 0xc1, 0}).written == rcx));                    // pextrd $0, ., %ecx
    CHECK((use({0x66, 0x0f, 0xf7, 0xc1}).address == rdi));                             // maskmovdqu
    CHECK((use({0xc4, 0xe2, 0x7d, 0x90, 0x04, 0x07}).address & vectors) == vectors);   // vpgatherdd
    CHECK((use({0xdd, 0x07}).address == rdi && use({0xdd, 0x07}).written == vectors)); // fldl (%rdi)
    CHECK((use({0xdf, 0xe0}).written == rax && use({0xdf, 0xe0}).read == vectors));    // fnstsw %ax
    CHECK((use({0xdf, 0xf1}).written & ~vectors) == flags_register);                   // fcomip
    CHECK(use({0xda, 0xc1}).read == flags_register);                                   // fcmovb
}

TEST_CASE("a pointer that is moved on waits for no datum, and what is compared for each")
{
    // mov (%rdi), %rax; test %rax, %rax; add $8, %rdi; mov (%rdi), %rcx; cmp %rax, %rcx; inc %edx; jb
    Dataflow flow;
    const auto first = flow.add(use({0x48, 0x8b, 0x07}));
    flow.add(use({0x48, 0x85, 0xc0}));
    flow.add(use({0x48, 0x83, 0xc7, 0x08}));
    const auto second = flow.add(use({0x48, 0x8b, 0x0f}));
    flow.add(use({0x48, 0x39, 0xc1}));
    flow.add(use({0xff, 0xc2}));
    flow.add(use({0x72, 0xee}));
    RegisterTimes times;
    times.set_read(first.reader, 100);
    CHECK(times.of(second.address) == 0);
    times.set_read(second.reader, 40);
    CHECK(times.of(flow.decided_by()) == 100); // inc has left the carry
    times.end_block(flow, 0);
    Dataflow next;
    CHECK(times.of(next.add(use({0x48, 0x8b, 0x30})).address) == 100); // (%rax)
    CHECK(times.of(next.add(use({0x48, 0x8b, 0x07})).address) == 0);   // (%rdi)
    CHECK(times.of(next.add(use({0x48, 0x8b, 0x02})).address) == 0);   // (%rdx)
    CHECK(times.of(next.add(use({0x48, 0x8b, 0x01})).address) == 40);  // (%rcx)
}

TEST_CASE("after a repeated string instruction its pointers wait for its count, or for what has ended it")
{
    const auto after = [](std::initializer_list<std::uint8_t> string) {
        Dataflow flow;
        const auto count = flow.add(use({0x48, 0x8b, 0x0e})); // mov (%rsi), %rcx
        const auto moved = flow.add(use(string));
        const auto next = flow.add(use({0x48, 0x8b, 0x07})); // mov (%rdi), %rax
        RegisterTimes times;
        times.set_read(count.reader, 70);
        times.set_read(moved.reader, 90);
        return times.of(next.address);
    };
    CHECK(after({0xf3, 0x48, 0xa5}) == 70); // rep movsq
    CHECK(after({0x48, 0xa5}) == 0);
    CHECK(after({0xf2, 0xae}) == 90); // repne scasb
}

TEST_CASE("a jump waits for flags that may still be those before")
{
    // cmp (%rdi), %rax, whose datum is there at 100; what is given; jne
    const auto decided = [](std::initializer_list<std::uint8_t> between) {
        Dataflow flow;
        const auto compared = flow.add(use({0x48, 0x3b, 0x07}));
        flow.add(use(between));
        flow.add(use({0x75, 0x10}));
        RegisterTimes times;
        times.set_read(compared.reader, 100);
        return times.of(flow.decided_by());
    };
    CHECK(decided({0xc1, 0xe1, 0x00}) == 100);             // shl $0, %ecx: leaves them
    CHECK(decided({0xc1, 0xe1, 0x20}) == 100);             // shl $32, %ecx: the same
    CHECK(decided({0xc1, 0xe1, 0x03}) == 0);               // shl $3, %ecx
    CHECK(decided({0xd1, 0xe1}) == 0);                     // shl %ecx
    CHECK(decided({0xd3, 0xe2}) == 100);                   // shl %cl, %edx: by what rcx says
    CHECK(decided({0x0f, 0xa4, 0xca, 0x00}) == 100);       // shld $0, %ecx, %edx
    CHECK(decided({0x0f, 0xa4, 0xca, 0x05}) == 0);         // shld $5, %ecx, %edx
    CHECK(decided({0xc1, 0xc1, 0x03}) == 100);             // rol $3, %ecx: zero flag as before
    CHECK(decided({0xff, 0xc9}) == 100);                   // dec %ecx: carry as before
    CHECK(decided({0x83, 0xe9, 0x01}) == 0);               // sub $1, %ecx
    CHECK(decided({0x0f, 0xc7, 0x0e}) == 100);             // cmpxchg8b (%rsi): zero flag alone
    CHECK(decided({0x48, 0x8d, 0x49, 0x01}) == 100);       // lea 1(%rcx), %rcx: none
    CHECK(decided({0x62, 0xf1, 0x7c, 0x48, 0x58}) == 100); // a longer vector: whatever it does
}

TEST_CASE("what an instruction may leave or take without naming it is waited for")
{
    // mov (%rdi), %rcx, which is there at 100; what is given; mov (%rdx), %rbx
    const auto known = [](std::initializer_list<std::uint8_t> between,
                          std::initializer_list<std::uint8_t> last) {
        Dataflow flow;
        const auto loaded = flow.add(use({0x48, 0x8b, 0x0f}));
        flow.add(use(between));
        const auto next = flow.add(use(last));
        RegisterTimes times;
        times.set_read(loaded.reader, 100);
        return times.of(next.address);
    };
    const std::initializer_list<std::uint8_t> by_rcx = {0x48, 0x8b, 0x19}; // mov (%rcx), %rbx
    const std::initializer_list<std::uint8_t> by_rdx = {0x48, 0x8b, 0x1a}; // mov (%rdx), %rbx
    CHECK(known({0x0f, 0xbc, 0xcb}, by_rcx) == 100);                       // bsf %ebx, %ecx: where %ebx is 0
    CHECK(known({0xf2, 0x0f, 0xbc, 0xcb}, by_rcx) == 100); // the same: f2 makes nothing else of it
    CHECK(known({0xf3, 0x0f, 0xbc, 0xcb}, by_rcx) == 0);   // tzcnt %ebx, %ecx
    CHECK(known({0x0f, 0x01, 0xee}, by_rdx) == 100);       // rdpkru: of rcx, rdx
    CHECK(known({0xf7, 0xe1}, by_rdx) == 100);             // mul %ecx: the high half
    CHECK(known({0xf6, 0xe1}, by_rdx) == 0);               // mul %cl: rax alone
    CHECK(known({0xf7, 0xf3}, by_rdx) == 0);               // div %ebx: of rax and rdx
    CHECK(known({0x48, 0x87, 0xca}, by_rdx) == 100);       // xchg %rcx, %rdx
    CHECK(known({0x0f, 0xc1, 0xca}, by_rdx) == 100);       // xadd %ecx, %edx
    CHECK(known({0x0f, 0xb1, 0xca}, by_rdx) == 100);       // cmpxchg %ecx, %edx
    CHECK(known({0x88, 0xca}, by_rdx) == 100);             // mov %cl, %dl
    CHECK(known({0xb9, 1, 0, 0, 0}, by_rcx) == 0);         // mov $1, %ecx
    CHECK(known({0xb1, 1}, by_rcx) == 100);                // mov $1, %cl: the rest is as before
    CHECK(known({0xb5, 1}, by_rcx) == 100);                // mov $1, %ch
}

TEST_CASE("an address of a vector's bits waits for the vector")
{
    Dataflow flow;
    const auto load = flow.add(use({0xf3, 0x0f, 0x6f, 0x07}));  // movdqu (%rdi), %xmm0
    flow.add(use({0x66, 0x0f, 0x74, 0xc1}));                    // pcmpeqb %xmm1, %xmm0
    flow.add(use({0x66, 0x0f, 0xd7, 0xc8}));                    // pmovmskb %xmm0, %ecx
    flow.add(use({0xf3, 0x0f, 0xbc, 0xc9}));                    // tzcnt %ecx, %ecx
    const auto found = flow.add(use({0x0f, 0xb6, 0x04, 0x0f})); // movzbl (%rdi,%rcx), %eax
    RegisterTimes times;
    times.set_read(load.reader, 60);
    CHECK(times.of(found.address) == 60);
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
