// SPDX-License-Identifier: MIT
#include "kernel/report/panic.hpp"

#include "arch/x86_64/memory_map.hpp"
#include "arch/x86_64/page_table.hpp"
#include "arch/x86_64/processor.hpp"
#include "arch/x86_64/registers.hpp"
#include "base/text.hpp"
#include "kernel/found.hpp"
#include "kernel/report/console.hpp"
#include "kernel/report/results_channel.hpp"
#include "kernel/report/symbols.hpp"

#include <atomic>

namespace parley::kernel {

namespace {

constexpr int max_depth = 24;
constinit std::atomic<bool> panicking{false};

// A frame pointer may point anywhere by now.
bool readable(std::uint64_t address)
{
    if (address < DIRECT_MAP_BASE || address % 8 != 0)
        return false;
    if (address >= KERNEL_BASE || address < WINDOW_BASE)
        return true;
    return arch::kernel_table().find(round_down(address, page_bytes)).has_value();
}

void add_place(TextWriter& text, std::uint64_t address)
{
    const SourceLocation location = find_source(address);
    text << "    " << Hex{address};
    if (!location.function.empty())
        text << "  " << location.function << "  (" << location.file << ':' << location.line << ')';
    text << '\n';
}

void add_backtrace(TextWriter& text, std::uint64_t instruction, std::uint64_t frame)
{
    if (instruction != 0)
        add_place(text, instruction);
    for (int depth = 0; depth < max_depth && readable(frame); ++depth) {
        const auto* words = reinterpret_cast<const std::uint64_t*>(frame);
        if (words[1] == 0)
            return;
        add_place(text, words[1] - 1); // inside the call, not behind it
        frame = words[0];
    }
}

[[noreturn]] void end_in_panic(std::string_view cause, std::uint64_t instruction, std::uint64_t frame)
{
    // Only the first panic speaks: a panic inside a panic would hide the cause.
    if (panicking.exchange(true))
        end_run(PARLEY_EXIT_PANIC);
    static constinit char memory[4096]; // the stack may be the problem
    TextWriter text(memory);
    text << "\nparley: panic on processor " << arch::this_processor().id << ": " << cause
         << "\n  backtrace:\n";
    add_backtrace(text, instruction, frame);
    console().write_unlocked(text.view());
    run_record().results().send_unlocked(PARLEY_FRAME_PANIC, {bytes_of(text.view())});
    end_run(PARLEY_EXIT_PANIC);
}

} // namespace

void panic(std::string_view cause)
{
    arch::disable_interrupts();
    end_in_panic(cause, 0, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
}

void panic(std::string_view cause, const arch::TrapFrame& frame)
{
    Text<256> text;
    text << cause << " (vector " << frame.vector << ", error " << Hex{frame.error} << ", address "
         << Hex{arch::read_cr2()} << ')';
    end_in_panic(text.view(), frame.instruction, frame.rbp);
}

void end_run(unsigned status)
{
    arch::write_port(PARLEY_EXIT_PORT, static_cast<std::uint8_t>(status));
    // A PC knows no such port, and goes on.
    if (!console().is_emulators())
        console().write_unlocked("parley: the run is over; reset the machine, or switch it off\n");
    for (;;)
        asm volatile("cli; hlt");
}

} // namespace parley::kernel
