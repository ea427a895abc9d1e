// SPDX-License-Identifier: MIT
#include "tools/machine_model/machine.hpp"

#include "tools/machine_model/flat_memory.hpp"
#include "tools/machine_model/write_through_memory.hpp"

#include <bit>
#include <set>

namespace parley::machine_model {

namespace {

const std::set<std::string> memory_parameters = {
    "cache.bytes", "cache.line",   "cache.subline", "cache.fill",  "cache.read_miss",
    "cache.write", "bus.transfer", "memory.banks",  "memory.bank", "memory.width",
};

std::string parameter(InstructionClass kind)
{
    return std::string{"instruction."} + instruction_class_names[static_cast<std::size_t>(kind)];
}

bool is_known(const std::string& name)
{
    if (name == "instruction.word" || memory_parameters.contains(name))
        return true;
    for (const char* kind : instruction_class_names)
        if (name == std::string{"instruction."} + kind)
            return true;
    return false;
}

// Nothing is wrong: an empty text.
std::string wrong_with(const CacheGeometry& cache, const BusTimes& bus)
{
    for (const std::uint64_t size : {cache.bytes, cache.line, cache.subline, cache.fill, bus.width})
        if (!std::has_single_bit(size))
            return "Sizes of a cache, its lines, sublines and fills, and of the memory's width are powers of "
                   "two, and one is " +
                   std::to_string(size) + ".";
    if (cache.subline > cache.fill || cache.fill > cache.line || cache.line > cache.bytes)
        return "A cache holds lines, a line holds fills, and a fill sublines: none is larger than what "
               "holds it.";
    if (cache.line / cache.subline > 32)
        return "A line has at most 32 sublines.";
    if (bus.banks == 0 || bus.banks > 1024)
        return "A memory has 1 to 1024 banks.";
    return "";
}

} // namespace

std::expected<Machine, std::string> Machine::make(const MachineFile& file, unsigned processors)
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
    if (!file.has("cache.bytes")) {
        machine.memory_ = std::make_unique<FlatMemory>();
        return machine;
    }
    const CacheGeometry cache{file["cache.bytes"], file["cache.line"], file["cache.subline"],
                              file["cache.fill"]};
    const BusTimes bus{file["bus.transfer"], file["memory.bank"], static_cast<unsigned>(file["memory.banks"]),
                       file["memory.width"]};
    if (const std::string problem = wrong_with(cache, bus); !problem.empty())
        return std::unexpected(problem);
    machine.memory_ = std::make_unique<WriteThroughMemory>(
        processors, cache, bus, WriteThroughTimes{file["cache.read_miss"], file["cache.write"]});
    return machine;
}

} // namespace parley::machine_model
