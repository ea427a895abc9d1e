// SPDX-License-Identifier: MIT
#include "tools/machine_model/instruction.hpp"

#include "testing/catch.hpp"

#include <initializer_list>
#include <vector>

using namespace parley::machine_model;

namespace {

InstructionClass class_of(std::initializer_list<std::uint8_t> bytes)
{
    return classify(std::vector<std::uint8_t>(bytes));
}

} // namespace

TEST_CASE("instructions fall into their classes, whatever their prefixes")
{
    CHECK(class_of({0x48, 0x8b, 0x07}) == InstructionClass::plain);          // mov (%rdi), %rax
    CHECK(class_of({0x48, 0x89, 0x07}) == InstructionClass::store);          // mov %rax, (%rdi)
    CHECK(class_of({0xc7, 0x07, 0, 0, 0, 0}) == InstructionClass::store);    // movl $0, (%rdi)
    CHECK(class_of({0x48, 0x89, 0xc7}) == InstructionClass::plain);          // mov %rax, %rdi
    CHECK(class_of({0x75, 0x10}) == InstructionClass::plain);                // jne
    CHECK(class_of({0x48, 0x0f, 0xaf, 0xc1}) == InstructionClass::multiply); // imul %rcx, %rax
    CHECK(class_of({0x48, 0x6b, 0xc0, 0x18}) == InstructionClass::multiply); // imul $24, %rax
    CHECK(class_of({0x48, 0xf7, 0xe1}) == InstructionClass::multiply);       // mul %rcx
    CHECK(class_of({0x48, 0xf7, 0xf1}) == InstructionClass::divide);         // div %rcx
    CHECK(class_of({0x48, 0xf7, 0xd8}) == InstructionClass::plain);          // neg %rax
    CHECK(class_of({0xf2, 0x0f, 0x58, 0xc1}) == InstructionClass::floating); // addsd
    CHECK(class_of({0xdd, 0x00}) == InstructionClass::floating);             // fldl
    CHECK(class_of({0xe8, 0, 0, 0, 0}) == InstructionClass::call);
    CHECK(class_of({0xc3}) == InstructionClass::call);
    CHECK(class_of({0xff, 0xd0}) == InstructionClass::indirect);                 // call *%rax
    CHECK(class_of({0xff, 0xe0}) == InstructionClass::plain);                    // jmp *%rax
    CHECK(class_of({0xf0, 0x48, 0x0f, 0xc1, 0x07}) == InstructionClass::atomic); // lock xadd
    CHECK(class_of({0x87, 0x07}) == InstructionClass::atomic);                   // xchg %eax, (%rdi)
    CHECK(class_of({0x87, 0xc1}) == InstructionClass::plain);                    // xchg %eax, %ecx
    CHECK(class_of({0xf3, 0xa4}) == InstructionClass::string);                   // rep movsb
    CHECK(class_of({0x0f, 0x05}) == InstructionClass::system);                   // syscall
    CHECK(class_of({0x0f, 0x22, 0xd8}) == InstructionClass::system);             // mov %rax, %cr3
}

TEST_CASE("what writes what it reads is told from what only reads, or only writes")
{
    const auto asked = [](std::initializer_list<std::uint8_t> bytes) {
        return writes_what_it_reads(std::vector<std::uint8_t>(bytes));
    };
    CHECK(asked({0x48, 0xa5}));                // movsq
    CHECK(asked({0xf3, 0x48, 0xa5}));          // rep movsq
    CHECK(asked({0x48, 0x01, 0x07}));          // add %rax, (%rdi)
    CHECK(asked({0x48, 0x83, 0x07, 1}));       // addq $1, (%rdi)
    CHECK(asked({0x48, 0xff, 0x07}));          // incq (%rdi)
    CHECK(asked({0x48, 0xf7, 0x1f}));          // negq (%rdi)
    CHECK(asked({0x48, 0xd1, 0x27}));          // shlq (%rdi)
    CHECK_FALSE(asked({0x48, 0x39, 0x07}));    // cmp %rax, (%rdi)
    CHECK_FALSE(asked({0x48, 0x83, 0x3f, 1})); // cmpq $1, (%rdi)
    CHECK_FALSE(asked({0x48, 0x03, 0x07}));    // add (%rdi), %rax
    CHECK_FALSE(asked({0x48, 0x01, 0xc7}));    // add %rax, %rdi
    CHECK_FALSE(asked({0x48, 0x89, 0x07}));    // mov %rax, (%rdi)
    CHECK_FALSE(asked({0x48, 0xab}));          // stosq
    CHECK_FALSE(asked({0xff, 0x37}));          // push (%rdi): reads here, writes the stack
}

TEST_CASE("a halt is told from others")
{
    const std::uint8_t halt[] = {0xf4};
    const std::uint8_t negation[] = {0xf7, 0xd8};
    CHECK(is_halt(halt));
    CHECK_FALSE(is_halt(negation));
    CHECK_FALSE(is_halt({}));
}

TEST_CASE("a hint is told from others, and what shows where it asks from any other read")
{
    using Bytes = std::vector<std::uint8_t>;
    const auto hint = [](const Bytes& bytes) { return hint_of(bytes); };
    CHECK(hint({0x0f, 0x18, 0x08}) == Hint::to_read);        // prefetcht0 (%rax)
    CHECK(hint({0x0f, 0x0d, 0x08}) == Hint::to_write);       // prefetchw (%rax)
    CHECK(hint({0x41, 0x0f, 0x0d, 0x08}) == Hint::to_write); // prefetchw (%r8)
    CHECK(hint({0x0f, 0x0d, 0x00}) == Hint::to_read);        // prefetch (%rax)
    CHECK(hint({0x0f, 0x1f, 0x00}) == Hint::none);           // nopl (%rax)
    CHECK(hint({}) == Hint::none);
    const auto shows = [](const Bytes& before, const Bytes& bytes) { return shows_place_of(before, bytes); };
    CHECK(shows({0x0f, 0x0d, 0x08}, {0xf6, 0x00, 0x00}));                         // testb $0, (%rax)
    CHECK(shows({0x41, 0x0f, 0x18, 0x48, 0x28}, {0x41, 0xf6, 0x40, 0x28, 0x00})); // 0x28(%r8)
    CHECK_FALSE(shows({0x0f, 0x0d, 0x08}, {0xf6, 0x00, 0x01}));                   // of a bit
    CHECK_FALSE(shows({0x0f, 0x0d, 0x08}, {0xf6, 0x01, 0x00}));                   // (%rcx)
    CHECK_FALSE(shows({0x41, 0x0f, 0x0d, 0x08}, {0xf6, 0x00, 0x00}));             // (%rax)
    CHECK_FALSE(shows({0x0f, 0x18, 0x48, 0x28}, {0xf6, 0x40, 0x20, 0x00}));       // 0x20(%rax)
    CHECK_FALSE(shows({0x0f, 0x1f, 0x00}, {0xf6, 0x00, 0x00}));
    CHECK_FALSE(shows({}, {0xf6, 0x00, 0x00}));
}
