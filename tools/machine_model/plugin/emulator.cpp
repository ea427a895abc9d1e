// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/machine_model/plugin/emulator.hpp"

#include <cstring>
#include <dlfcn.h>
#include <vector>

namespace parley::machine_model {

namespace {

constexpr int virtual_clock_type = 1;          // QEMU_CLOCK_VIRTUAL, qemu/timer.h
constexpr int all_timers = -1;                 // QEMU_TIMER_ATTR_ALL
constexpr std::size_t object_class_bytes = 96; // ObjectClass, qom/object.h

// Entries of AccelOpsClass (sysemu/accel-ops.h), each a pointer, after its ObjectClass.
enum AccelerationEntry {
    create_vcpu_thread = 2,
    kick_vcpu_thread = 3,
    handle_interrupt = 10,
    virtual_clock = 11,
    ticks = 12
};

// What ends HLT, by exec/cpu-all.h and target/i386/cpu.h. Hard, poll, SMI, NMI, reset, virtual, SIPI, MCE.
constexpr std::uint32_t ends_halt = 0x2 | 0x10 | 0x40 | 0x200 | 0x400 | 0x100 | 0x800 | 0x1000;

template <class Function>
bool find(Function*& function, const char* name, std::string& missing)
{
    function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
    if (function == nullptr)
        missing += (missing.empty() ? "" : ", ") + std::string{name};
    return function != nullptr;
}

// The file of the emulator that holds a function, or none. The accelerator may be a module of its own.
const void* file_of(const void* function)
{
    Dl_info found{};
    return function != nullptr && dladdr(function, &found) != 0 ? found.dli_fbase : nullptr;
}

} // namespace

std::expected<Emulator, std::string> Emulator::find()
{
    Emulator found;
    std::string missing;
    machine_model::find(found.qemu_get_cpu_, "qemu_get_cpu", missing);
    machine_model::find(found.cpu_exit_, "cpu_exit", missing);
    machine_model::find(found.cpu_loop_exit_restore_, "cpu_loop_exit_restore", missing);
    machine_model::find(found.cpu_reset_interrupt_, "cpu_reset_interrupt", missing);
    machine_model::find(found.object_class_by_name_, "object_class_by_name", missing);
    machine_model::find(found.qemu_clock_deadline_ns_all_, "qemu_clock_deadline_ns_all", missing);
    machine_model::find(found.qemu_clock_run_timers_, "qemu_clock_run_timers", missing);
    machine_model::find(found.qemu_mutex_lock_iothread_impl_, "qemu_mutex_lock_iothread_impl", missing);
    machine_model::find(found.qemu_mutex_unlock_iothread_, "qemu_mutex_unlock_iothread", missing);
    machine_model::find(found.qemu_mutex_iothread_locked_, "qemu_mutex_iothread_locked", missing);
    machine_model::find(found.qemu_ram_addr_from_host_, "qemu_ram_addr_from_host", missing);
    if (!missing.empty())
        return std::unexpected("it does not export " + missing);
    if (!found.find_interrupt_word())
        return std::unexpected("its processors have no word of interrupts where one is looked for");
    return found;
}

// cpu_reset_interrupt clears one bit of that word and touches nothing else: on a processor of ones alone, the
// word that changes is the one.
bool Emulator::find_interrupt_word()
{
    constexpr std::size_t enough = 64 * 1024;
    constexpr std::uint32_t ones = ~std::uint32_t{0};
    constexpr int bit = 0x2;
    std::vector<std::uint32_t> probe(enough / sizeof ones, ones);
    cpu_reset_interrupt_(reinterpret_cast<CPUState*>(probe.data()), bit);
    unsigned changed = 0;
    for (std::size_t i = 0; i < probe.size(); ++i) {
        if (probe[i] == ones)
            continue;
        if (probe[i] != (ones & ~static_cast<std::uint32_t>(bit)))
            return false;
        interrupt_word_ = i * sizeof ones;
        ++changed;
    }
    return changed == 1;
}

void Emulator::leave_block(CPUState* processor, const void* return_address) const
{
    cpu_exit_(processor);
    cpu_loop_exit_restore_(processor, reinterpret_cast<std::uintptr_t>(return_address));
    __builtin_unreachable();
}

bool Emulator::has_interrupt(const CPUState* processor) const
{
    std::uint32_t word;
    std::memcpy(&word, reinterpret_cast<const char*>(processor) + interrupt_word_, sizeof word);
    return (word & ends_halt) != 0;
}

void Emulator::run_timers() const
{
    const bool locked = qemu_mutex_iothread_locked_();
    if (!locked)
        qemu_mutex_lock_iothread_impl_(__FILE__, __LINE__);
    qemu_clock_run_timers_(virtual_clock_type);
    if (!locked)
        qemu_mutex_unlock_iothread_();
}

std::int64_t Emulator::until_timer() const
{
    return qemu_clock_deadline_ns_all_(virtual_clock_type, all_timers);
}

std::expected<Emulator::HandleInterrupt, std::string> Emulator::install(const Hooks& hooks) const
{
    auto* type = static_cast<char*>(object_class_by_name_("tcg-accel-ops"));
    if (type == nullptr)
        return std::unexpected("it has no accelerator 'tcg-accel-ops'");
    auto* entries = reinterpret_cast<void**>(type + object_class_bytes);
    const void* accelerator = file_of(entries[create_vcpu_thread]);
    for (const AccelerationEntry entry : {create_vcpu_thread, kick_vcpu_thread, handle_interrupt})
        if (accelerator == nullptr || file_of(entries[entry]) != accelerator)
            return std::unexpected("the table of its accelerator is laid out otherwise");
    if (entries[virtual_clock] != nullptr || entries[ticks] != nullptr)
        return std::unexpected("its accelerator has a clock already (-icount), or its table is laid out "
                               "otherwise");
    const auto before = reinterpret_cast<HandleInterrupt>(entries[handle_interrupt]);
    entries[handle_interrupt] = reinterpret_cast<void*>(hooks.handle_interrupt);
    entries[virtual_clock] = reinterpret_cast<void*>(hooks.virtual_clock);
    entries[ticks] = reinterpret_cast<void*>(hooks.elapsed_ticks);
    return before;
}

} // namespace parley::machine_model
