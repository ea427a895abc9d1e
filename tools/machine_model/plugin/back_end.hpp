// SPDX-License-Identifier: GPL-2.0-or-later
// How the emulator's processors are run in the order of simulated clocks: what all back ends have in common.
#pragma once

#include "tools/machine_model/machine.hpp"
#include "tools/machine_model/processor_order.hpp"
#include "tools/machine_model/running_clock.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

struct qemu_plugin_insn;

namespace parley::machine_model {

// All calls come from the emulator, in the thread that runs the processor of which they are, unless a
// contract says otherwise.
class BackEnd {
public:
    // `modelled`: the processors that the machine has, whose accesses its memory serves. They are the
    // emulator's last ones; if it has one more, its first boots and keeps the time, and its accesses take
    // none.
    BackEnd(Machine machine, unsigned processors, unsigned modelled, Picoseconds lookahead)
        : order_{processors, lookahead}, machine_{std::in_place, std::move(machine)},
          first_modelled_{processors - modelled}
    {
    }
    virtual ~BackEnd() = default;

    // As records name it.
    virtual const char* name() const = 0;
    // Called when the emulator has made its first processor. An error is one sentence, else it is empty.
    virtual std::string begin() { return {}; }
    // Where in the machine's memory the byte of an instruction at this host address lies.
    virtual std::uint64_t memory_offset(void* host_address) const = 0;
    // Whether a locked instruction's reading and writing come as one access: a writing.
    virtual bool joins_locked_accesses() const = 0;

    // What becomes of a block that a processor came to while another was to run, or at its own limit.
    enum class Entry {
        timed,   // it begins, and takes time
        untimed, // it begins, and takes none
        resumed, // it is the rest of one that began before
    };
    // Called at the start of such a block, whose first instruction has this address. May leave the block
    // instead of returning; `return_address` is the callback's.
    virtual Entry hold(unsigned processor, std::uint64_t block, const void* return_address) = 0;
    // Called before a processor's HLT.
    virtual void halt(unsigned processor) = 0;
    // Has an instruction that means something to the back end call it. True: the call adds the instruction's
    // time itself.
    virtual bool watch(qemu_plugin_insn*, std::span<const std::uint8_t>) { return false; }

    unsigned processors() const { return order_.processors(); } // the emulator's
    RunningClock& running() { return running_; }
    Machine& machine() { return *machine_; }
    // Whether that processor of the emulator is one of the machine's.
    bool is_modelled(unsigned processor) const { return processor >= first_modelled_; }
    // Which of the machine's a modelled processor of the emulator is.
    unsigned number_in_machine(unsigned processor) const { return processor - first_modelled_; }
    // Whether what that processor does now takes time on the machine.
    bool is_timed(unsigned processor) const { return takes_time_ && is_modelled(processor); }

    // What follows is of all that has been simulated.
    Picoseconds clock(unsigned processor) const
    {
        return processor == running_.processor ? running_.now : order_.clock(processor);
    }
    Picoseconds asleep(unsigned processor) const { return order_.asleep(processor); }
    std::uint64_t switches() const { return switches_; }

protected:
    // From now on it is this one.
    void change_machine(Machine machine) { machine_.emplace(std::move(machine)); }

    ProcessorOrder order_;
    RunningClock running_;
    bool takes_time_ = true;
    std::uint64_t switches_ = 0;

private:
    std::optional<Machine> machine_; // always one
    unsigned first_modelled_;
};

} // namespace parley::machine_model
