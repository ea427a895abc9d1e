// SPDX-License-Identifier: GPL-2.0-or-later
// The fast back end: runs the emulator's processors, all on one thread, in the order of simulated clocks.
#pragma once

#include "tools/machine_model/plugin/back_end.hpp"
#include "tools/machine_model/plugin/emulator.hpp"
#include "tools/machine_model/plugin/guest_memory.hpp"
#include "tools/machine_model/plugin/guest_protocol.hpp"

#include <optional>
#include <pthread.h>
#include <vector>

namespace parley::machine_model {

class FastBackEnd final : public BackEnd {
public:
    // `as_new`: the same machine once more. With it the guest does without ticks, as under the public back
    // end (guest_protocol.hpp), and that machine's time begins when all processors have joined.
    FastBackEnd(const Emulator& emulator, Machine machine, std::optional<Machine> as_new, unsigned processors,
                unsigned modelled, Picoseconds lookahead);

    const char* name() const override { return without_ticks_ ? "fast-without-ticks" : "fast"; }
    std::string begin() override;
    std::uint64_t memory_offset(void* host_address) const override
    {
        return emulator_.memory_offset(host_address);
    }
    bool joins_locked_accesses() const override { return false; }
    Entry hold(unsigned processor, std::uint64_t block, const void* return_address) override;
    void halt(unsigned processor) override;
    bool watch(qemu_plugin_insn* instruction, std::span<const std::uint8_t> code) override;

private:
    // The entries of the accelerator's table.
    void interrupt(CPUState* processor, int mask);
    std::int64_t virtual_clock(); // also called by other threads, which see none of the simulated time
    std::int64_t elapsed_ticks() const { return static_cast<std::int64_t>(running_.now / nanosecond); }

    void run_next(unsigned last);
    void run(unsigned processor);
    void stop_running();
    void run_timers_until(Picoseconds at);
    Picoseconds timer_due();
    bool runs_not(unsigned held);
    void attach();
    void join(unsigned processor);
    bool waits_for_beginning(unsigned processor) const { return !has_started_ && has_joined_[processor]; }
    void hold_until_beginning(unsigned processor);
    void begin_time();
    std::optional<unsigned> number_of(const CPUState* processor);
    CPUState* state_of(unsigned processor);

    Emulator emulator_;
    pthread_t main_thread_;
    std::vector<CPUState*> states_; // found when first used
    std::vector<unsigned> held_;    // how often each was held since the chosen one has moved
    Picoseconds seen_ = never;      // where the chosen one's clock was then
    Emulator::HandleInterrupt real_interrupt_ = nullptr;
    Picoseconds timers_now_ = 0; // what the timers are run by
    bool in_timers_ = false;
    const bool without_ticks_;
    // Where the guest does without ticks.
    std::optional<Machine> as_new_; // until time begins
    GuestMailbox mailbox_;
    std::vector<bool> has_joined_;
    bool has_started_ = false; // time has begun
};

} // namespace parley::machine_model
