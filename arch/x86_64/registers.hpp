// SPDX-License-Identifier: MIT
// The machine's registers and ports as functions: one instruction each. Kernel mode only.
#pragma once

#include <cstdint>

// The place of the instruction at label 1 joins a list of the kernel's image, for who puts another there
// (model_clock.hpp).
#define LISTED_IN(list) ".pushsection ." list ",\"a?\"\n .quad 1b\n .popsection"

namespace parley::arch {

enum class Msr : std::uint32_t {
    apic_base = 0x1b,
    star = 0xc000'0081,
    lstar = 0xc000'0082,
    flag_mask = 0xc000'0084,
    fs_base = 0xc000'0100,
    gs_base = 0xc000'0101,
    kernel_gs_base = 0xc000'0102,
};

inline std::uint64_t read_msr(Msr number)
{
    std::uint32_t low;
    std::uint32_t high;
    asm volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(number));
    return std::uint64_t{high} << 32 | low;
}

inline void write_msr(Msr number, std::uint64_t value)
{
    asm volatile("wrmsr" ::"c"(number), "a"(static_cast<std::uint32_t>(value)),
                 "d"(static_cast<std::uint32_t>(value >> 32))
                 : "memory");
}

inline void write_port(std::uint16_t port, std::uint8_t value)
{
    asm volatile("outb %0, %1" ::"a"(value), "Nd"(port));
}

inline std::uint8_t read_port(std::uint16_t port)
{
    std::uint8_t value;
    asm volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

inline void write_port_word(std::uint16_t port, std::uint16_t value)
{
    asm volatile("outw %0, %1" ::"a"(value), "Nd"(port));
}

inline std::uint16_t read_port_word(std::uint16_t port)
{
    std::uint16_t value;
    asm volatile("inw %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

inline void write_port_long(std::uint16_t port, std::uint32_t value)
{
    asm volatile("outl %0, %1" ::"a"(value), "Nd"(port));
}

inline std::uint32_t read_port_long(std::uint16_t port)
{
    std::uint32_t value;
    asm volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

inline std::uint64_t read_cr2()
{
    std::uint64_t value;
    asm volatile("movq %%cr2, %0" : "=r"(value));
    return value;
}

inline std::uint64_t read_cr3()
{
    std::uint64_t value;
    asm volatile("movq %%cr3, %0" : "=r"(value));
    return value;
}

inline void write_cr3(std::uint64_t value) { asm volatile("movq %0, %%cr3" ::"r"(value) : "memory"); }

inline std::uint64_t read_cr4()
{
    std::uint64_t value;
    asm volatile("movq %%cr4, %0" : "=r"(value));
    return value;
}

inline constexpr std::uint64_t cr4_time_stamp_disable = 1 << 2; // programs that read the counter trap

inline void write_cr4(std::uint64_t value) { asm volatile("movq %0, %%cr4" ::"r"(value) : "memory"); }

inline void invalidate_page(std::uintptr_t address) { asm volatile("invlpg (%0)" ::"r"(address) : "memory"); }

inline std::uint64_t read_time_stamp()
{
    std::uint32_t low;
    std::uint32_t high;
    asm inline volatile("1: rdtsc\n" LISTED_IN("clock_readings") : "=a"(low), "=d"(high));
    return std::uint64_t{high} << 32 | low;
}

struct CpuId {
    std::uint32_t a, b, c, d;
};

inline CpuId cpu_id(std::uint32_t leaf, std::uint32_t subleaf = 0)
{
    CpuId value;
    asm volatile("cpuid"
                 : "=a"(value.a), "=b"(value.b), "=c"(value.c), "=d"(value.d)
                 : "a"(leaf), "c"(subleaf));
    return value;
}

// The NOP makes room for an interrupt: the instruction after STI never has one before it, and under the
// emulator PAUSE would carry that over.
inline void enable_interrupts() { asm volatile("sti; nop" ::: "memory"); }
inline void disable_interrupts() { asm volatile("cli" ::: "memory"); }
// STI takes effect after the next instruction, so no interrupt can slip in between the two.
inline void wait_for_interrupt() { asm inline volatile("1: sti; hlt; cli\n" LISTED_IN("waits")::: "memory"); }

} // namespace parley::arch
