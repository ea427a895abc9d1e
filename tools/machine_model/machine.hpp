// SPDX-License-Identifier: MIT
// A modelled machine: what its instructions take, and its memory.
#pragma once

#include "tools/machine_model/instruction.hpp"
#include "tools/machine_model/machine_file.hpp"
#include "tools/machine_model/memory.hpp"
#include "tools/machine_model/out_of_order.hpp"

#include <array>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace parley::machine_model {

class Machine {
public:
    // Makes a machine of so many processors, divided into so many multiprocessors (make_memory). An unknown
    // parameter, or an impossible geometry, is an error of one sentence.
    static std::expected<Machine, std::string> make(const MachineFile& file, unsigned processors,
                                                    unsigned multiprocessors = 1);

    // How long an instruction takes when it and its data are at hand.
    Picoseconds time_of(InstructionClass kind) const { return times_[static_cast<std::size_t>(kind)]; }
    // How much longer this processor takes for instructions that take `time` on others.
    Picoseconds slower_by(unsigned processor, Picoseconds time) const
    {
        return processor < 64 && (slow_ >> processor & 1) != 0 ? time * slower_percent_ / 100 : 0;
    }
    // An instruction moves data between memory and registers in steps of so many bytes, and each step after
    // the first takes `again` longer.
    struct Steps {
        unsigned bytes = ~0U; // any number
        Picoseconds again = 0;
    };
    const Steps& steps_of(InstructionClass kind) const { return steps_[static_cast<std::size_t>(kind)]; }
    // Whether it matters which data instructions read and write.
    bool accesses_take_time() const { return memory_->takes_time() || has_word_; }
    Memory& memory() { return *memory_; }
    // Between processors and their memory, where they go on while they wait for it; null: they do not.
    OutOfOrder* out_of_order() { return out_of_order_ ? &*out_of_order_ : nullptr; }
    // How processors predict jumps: by so many counters; a jump that was predicted wrongly takes this long.
    struct Jumps {
        std::uint64_t counters = 0; // 0: all are foreseen
        Picoseconds wrong = 0;
    };
    const Jumps& jumps() const { return jumps_; }

private:
    Machine() = default;

    std::string add_overlap(const MachineFile& file, unsigned processors);

    std::array<Picoseconds, instruction_classes> times_{};
    std::array<Steps, instruction_classes> steps_{};
    bool has_word_ = false;
    std::uint64_t slow_ = 0; // a bit a processor
    std::uint64_t slower_percent_ = 0;
    std::unique_ptr<Memory> memory_;
    std::optional<OutOfOrder> out_of_order_;
    Jumps jumps_;
};

} // namespace parley::machine_model
