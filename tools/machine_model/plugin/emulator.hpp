// SPDX-License-Identifier: GPL-2.0-or-later
// What the fast back end takes from the emulator beside its plugin interface: functions that QEMU 7.2 exports
// for its own modules, and three entries of the accelerator's table. All of it is checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

namespace parley::machine_model {

struct CPUState; // the emulator's

// Found once, at load. The functions keep the emulator's names (hw/core/cpu.h, exec/exec-all.h, qemu/timer.h,
// qemu/main-loop.h, exec/cpu-common.h of QEMU 7.2).
class Emulator {
public:
    // An error is one sentence: what this emulator lacks.
    static std::expected<Emulator, std::string> find();

    CPUState* processor(unsigned number) const { return qemu_get_cpu_(static_cast<int>(number)); }
    // Leaves the block that a callback at its beginning was called from, before it runs. `return_address` is
    // the callback's.
    [[noreturn]] void leave_block(CPUState* processor, const void* return_address) const;
    // Whether an interrupt waits for the processor that would end its HLT.
    bool has_interrupt(const CPUState* processor) const;
    // Runs the timers of the virtual clock that are due by what the table's clock shows.
    void run_timers() const;
    // Nanoseconds from what the table's clock shows until the first timer is due; below 0: there is none.
    std::int64_t until_timer() const;
    // Where in the emulator's memory the byte at this host address lies.
    std::uint64_t memory_offset(void* host_address) const { return qemu_ram_addr_from_host_(host_address); }

    // The accelerator's entries: (processor, mask), nanoseconds, ticks of the time-stamp counter.
    using HandleInterrupt = void (*)(CPUState*, int);
    using GetTime = std::int64_t (*)();
    struct Hooks {
        HandleInterrupt handle_interrupt;
        GetTime virtual_clock;
        GetTime elapsed_ticks;
    };
    // Puts the hooks into the table of the accelerator, which must be running by then on one thread. Answers
    // the interrupt entry that was there, or one sentence: what is wrong with the table.
    std::expected<HandleInterrupt, std::string> install(const Hooks& hooks) const;

private:
    Emulator() = default;
    bool find_interrupt_word();

    CPUState* (*qemu_get_cpu_)(int) = nullptr;
    void (*cpu_exit_)(CPUState*) = nullptr;
    void (*cpu_loop_exit_restore_)(CPUState*, std::uintptr_t) = nullptr;
    void (*cpu_reset_interrupt_)(CPUState*, int) = nullptr;
    void* (*object_class_by_name_)(const char*) = nullptr;
    std::int64_t (*qemu_clock_deadline_ns_all_)(int, int) = nullptr;
    bool (*qemu_clock_run_timers_)(int) = nullptr;
    void (*qemu_mutex_lock_iothread_impl_)(const char*, int) = nullptr;
    void (*qemu_mutex_unlock_iothread_)() = nullptr;
    bool (*qemu_mutex_iothread_locked_)() = nullptr;
    std::uint64_t (*qemu_ram_addr_from_host_)(void*) = nullptr;
    std::size_t interrupt_word_ = 0; // where CPUState has its interrupt_request
};

} // namespace parley::machine_model
