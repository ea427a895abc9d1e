// SPDX-License-Identifier: MIT
#include "tools/machine_model/machine.hpp"

#include "tools/machine_model/memory_kinds.hpp"

#include <bit>
#include <set>
#include <utility>

namespace parley::machine_model {

namespace {

constexpr std::uint64_t most_overlapped = 4096;
constexpr std::uint64_t most_counters = std::uint64_t{1} << 20;

std::string parameter(InstructionClass kind)
{
    return std::string{"instruction."} + instruction_class_names[static_cast<std::size_t>(kind)];
}

const std::set<std::string> of_overlap = {"overlap.stores", "overlap.window",    "overlap.misses",
                                          "overlap.next",   "overlap.run",       "overlap.ahead",
                                          "overlap.jumps",  "overlap.wrong_jump"};

// What there may be beside the former.
const std::set<std::string> with_overlap = {"copies.line", "coherence.in_turn"};

bool is_known(const std::string& name)
{
    if (name == "instruction.word" || name == "slow.processors" || name == "slow.percent" ||
        of_overlap.contains(name) || with_overlap.contains(name) || is_of_memory(name))
        return true;
    for (const char* kind : instruction_class_names)
        if (name == std::string{"instruction."} + kind)
            return true;
    return false;
}

} // namespace

std::expected<Machine, std::string> Machine::make(const MachineFile& file, unsigned processors,
                                                  unsigned multiprocessors)
{
    Machine machine;
    for (const auto& [name, value] : file)
        if (!is_known(name))
            return std::unexpected("A machine has no parameter '" + name + "'.");
    const Picoseconds plain = file[parameter(InstructionClass::plain)];
    if (plain == 0)
        return std::unexpected("A machine needs the parameter 'instruction.plain', a time above 0.");
    for (unsigned kind = 0; kind < instruction_classes; ++kind) {
        const std::string name = parameter(static_cast<InstructionClass>(kind));
        machine.times_[kind] = file.has(name) ? file[name] : plain;
    }
    if (file.has("instruction.word")) {
        const std::uint64_t word = file["instruction.word"];
        if (!std::has_single_bit(word) || word > 64)
            return std::unexpected(
                "A machine's word has 1, 2, 4 or up to 64 bytes, a power of two, and not " +
                std::to_string(word) + ".");
        machine.has_word_ = true;
        for (unsigned kind = 0; kind < instruction_classes; ++kind)
            if (is_repeated_by_word(static_cast<InstructionClass>(kind)))
                machine.steps_[kind] = {static_cast<unsigned>(word), machine.times_[kind]};
    }
    if (file.has("slow.processors")) {
        const std::uint64_t percent = file["slow.percent"];
        if (percent < 100 || percent > 10'000)
            return std::unexpected("What a slow processor takes is 100 to 10000 percent of what others do.");
        machine.slow_ = file["slow.processors"];
        machine.slower_percent_ = percent - 100;
    }
    auto memory = make_memory(file, processors, multiprocessors);
    if (!memory)
        return std::unexpected(memory.error());
    machine.memory_ = std::move(*memory);
    if (const auto problem = machine.add_overlap(file, processors); !problem.empty())
        return std::unexpected(problem);
    return machine;
}

// Nothing is wrong: an empty text.
std::string Machine::add_overlap(const MachineFile& file, unsigned processors)
{
    if (!file.has("overlap.misses")) {
        for (const std::string& name : with_overlap)
            if (file.has(name))
                return name + " is of processors that overlap accesses: the machine needs the table "
                              "'overlap', too.";
        return "";
    }
    if (!file.has("coherence.line"))
        return "Processors overlap accesses where their caches are written back.";
    for (const char* name : {"overlap.stores", "overlap.window", "overlap.next", "overlap.ahead"})
        if (file[name] > most_overlapped)
            return std::string{name} + " is at most " + std::to_string(most_overlapped) + ".";
    const std::uint64_t misses = file["overlap.misses"];
    if (misses == 0 || misses > most_overlapped)
        return "overlap.misses, of lines on their way at once, is 1 to " + std::to_string(most_overlapped) +
               ".";
    const std::uint64_t run = file["overlap.run"];
    if (run == 0 || run > most_overlapped)
        return "overlap.run, of lines after which others are asked for ahead, is 1 to " +
               std::to_string(most_overlapped) + ".";
    if (file["coherence.in_turn"] > 1)
        return "Stores ask in turn, coherence.in_turn 1, or they do not, 0: it is not " +
               std::to_string(file["coherence.in_turn"]) + ".";
    jumps_ = {file["overlap.jumps"], file["overlap.wrong_jump"]};
    if (jumps_.counters != 0 && (!std::has_single_bit(jumps_.counters) || jumps_.counters > most_counters))
        return "overlap.jumps is 0 or a power of two up to " + std::to_string(most_counters) + ", and not " +
               std::to_string(jumps_.counters) + ".";
    out_of_order_.emplace(*memory_, processors,
                          Overlap{.line = file["coherence.line"],
                                  .stores = static_cast<unsigned>(file["overlap.stores"]),
                                  .window = static_cast<unsigned>(file["overlap.window"]),
                                  .misses = static_cast<unsigned>(misses),
                                  .next = static_cast<unsigned>(file["overlap.next"]),
                                  .run = static_cast<unsigned>(run),
                                  .ahead = static_cast<unsigned>(file["overlap.ahead"]),
                                  .copied = file["copies.line"],
                                  .in_turn = file["coherence.in_turn"] != 0,
                                  .from_cache = file["coherence.from_cache"]});
    return "";
}

} // namespace parley::machine_model
