// SPDX-License-Identifier: GPL-2.0-or-later
// The back end that takes nothing of the emulator but its plugin interface: each processor has a thread of
// the emulator's, and waits in a callback until it is its turn.
//
// The plugin interface can neither set the time-stamp counter, nor bring an interrupt, nor see who is
// interrupted. So the guest works with it (arch/x86_64/model_clock.hpp): it finds the time in a mailbox, asks
// for no ticks, and looks for work again and again where it would sleep.
#pragma once

#include "tools/machine_model/plugin/back_end.hpp"
#include "tools/machine_model/plugin/guest_memory.hpp"
#include "tools/machine_model/plugin/guest_protocol.hpp"
#include "tools/machine_model/processor_turns.hpp"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace parley::machine_model {

class PublicBackEnd final : public BackEnd {
public:
    PublicBackEnd(Machine machine, unsigned processors, unsigned modelled, Picoseconds lookahead);

    const char* name() const override { return "public"; }
    std::uint64_t memory_offset(void* host_address) const override
    {
        return memory_ ? memory_->offset_of(host_address) : 0;
    }
    bool joins_locked_accesses() const override { return true; }
    Entry hold(unsigned processor, std::uint64_t block, const void* return_address) override;
    void halt(unsigned processor) override;
    bool watch(qemu_plugin_insn* instruction, std::span<const std::uint8_t> code) override;

private:
    // An instruction that reads the clock, and traps.
    struct Reading {
        PublicBackEnd* back_end;
        std::uint64_t goes_on_at; // the instruction behind it
        std::uint64_t bytes;      // of the instruction, by which the kernel tells one from another
        bool ends_block;          // so that what follows was in no block that has begun
    };

    void attach();
    void join(unsigned processor);
    void read_clock(const Reading& reading);
    void look_for_work();
    Entry end_reading();
    void end_beginning(unsigned processor);

    std::mutex mutex_; // of what processors do before the order begins
    bool has_started_ = false;
    unsigned joined_ = 0;
    Picoseconds before_ = 0; // what the mailbox shows until then: a microsecond more at each look
    ProcessorTurns turns_{order_, running_, switches_};
    std::deque<Reading> readings_; // as long as the blocks that have them
    std::optional<GuestMemory> memory_;
    GuestMailbox mailbox_;
    bool is_beginning_ = false; // the one that runs has joined, and has come to no other block yet
    // The reading that is under way.
    const Reading* reading_ = nullptr;
    Picoseconds read_at_ = 0;
    Picoseconds limit_ = 0; // the processor's own, meanwhile, and while it begins
};

} // namespace parley::machine_model
