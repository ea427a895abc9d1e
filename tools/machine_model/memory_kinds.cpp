// SPDX-License-Identifier: MIT
#include "tools/machine_model/memory_kinds.hpp"

#include "tools/machine_model/banked_memory.hpp"
#include "tools/machine_model/clustered_memory.hpp"
#include "tools/machine_model/coherent_memory.hpp"
#include "tools/machine_model/divided_memory.hpp"
#include "tools/machine_model/flat_memory.hpp"
#include "tools/machine_model/write_through_memory.hpp"

#include <bit>
#include <set>
#include <utility>
#include <vector>

namespace parley::machine_model {

namespace {

const std::set<std::string> parameters = {
    "cache.bytes",        "cache.line",           "cache.subline",
    "cache.fill",         "cache.read_miss",      "cache.write",
    "level1.bytes",       "level1.ways",          "level1.hit",
    "level2.bytes",       "level2.ways",          "level2.hit",
    "level3.bytes",       "level3.ways",          "level3.hit",
    "instructions.bytes", "instructions.ways",    "instructions.hit",
    "coherence.line",     "coherence.from_cache", "coherence.from_memory",
    "coherence.upgrade",  "coherence.moves",      "bus.transfer",
    "memory.banks",       "memory.bank",          "memory.width",
    "memory.word",        "memory.slow_banks",    "memory.slow_bank",
    "clusters.number",    "clusters.processors",  "clusters.memory",
    "clusters.cache",     "clusters.line",        "clusters.ways",
    "clusters.banks",     "clusters.bank",        "clusters.hit",
    "clusters.miss",      "clusters.bus",         "network.stage",
    "network.port",       "global.memory",        "global.width",
    "global.module",
};

constexpr unsigned most_processors_of_coherent_caches = 64;
constexpr std::uint64_t most_cached_bytes = std::uint64_t{1} << 30; // the model has a record of every line

std::unexpected<std::string> wrong(const std::string& sentence) { return std::unexpected(sentence); }

std::unexpected<std::string> no_power_of_two(const std::string& which, std::uint64_t size)
{
    return wrong("Sizes of " + which + " are powers of two, and one is " + std::to_string(size) + ".");
}

// Whether a cache can be of so many bytes, and its sets be whole. Nothing is wrong: an empty text.
std::string wrong_with_sets(const std::string& which, std::uint64_t bytes, std::uint64_t ways,
                            std::uint64_t line)
{
    if (bytes > most_cached_bytes)
        return which + " has at most " + std::to_string(most_cached_bytes) + " bytes, and not " +
               std::to_string(bytes) + ".";
    if (ways == 0 || bytes == 0 || bytes % ways != 0 || bytes / ways % line != 0)
        return which + " has whole sets: its " + std::to_string(bytes) + " bytes are no multiple of " +
               std::to_string(ways) + " ways of " + std::to_string(line) + " bytes.";
    return "";
}

// Nothing is wrong: an empty text.
std::string wrong_with_banks(const MachineFile& file)
{
    return file["memory.banks"] == 0 || file["memory.banks"] > 1024 ? "A memory has 1 to 1024 banks." : "";
}

BusTimes bus_of(const MachineFile& file)
{
    return {file["bus.transfer"], file["memory.bank"], static_cast<unsigned>(file["memory.banks"]),
            file["memory.width"]};
}

using Made = std::expected<std::unique_ptr<Memory>, std::string>;

Made make_write_through(const MachineFile& file, unsigned processors)
{
    const CacheGeometry cache{file["cache.bytes"], file["cache.line"], file["cache.subline"],
                              file["cache.fill"]};
    for (const std::uint64_t size :
         {cache.bytes, cache.line, cache.subline, cache.fill, file["memory.width"]})
        if (!std::has_single_bit(size))
            return no_power_of_two("a cache, its lines, sublines and fills, and of the memory's width", size);
    if (cache.subline > cache.fill || cache.fill > cache.line || cache.line > cache.bytes)
        return wrong("A cache holds lines, a line holds fills, and a fill sublines: none is larger than what "
                     "holds it.");
    if (cache.bytes > most_cached_bytes)
        return wrong("A cache has at most " + std::to_string(most_cached_bytes) + " bytes, and not " +
                     std::to_string(cache.bytes) + ".");
    if (cache.line / cache.subline > 32)
        return wrong("A line has at most 32 sublines.");
    return std::make_unique<WriteThroughMemory>(
        processors, cache, bus_of(file), WriteThroughTimes{file["cache.read_miss"], file["cache.write"]});
}

// The caller has found the level's sets to be whole, so there are no more ways than bytes, and these fit.
CacheLevel level_of(const MachineFile& file, const std::string& name)
{
    return {file[name + ".bytes"], static_cast<unsigned>(file[name + ".ways"]), file[name + ".hit"]};
}

Made make_coherent(const MachineFile& file, unsigned processors)
{
    if (processors > most_processors_of_coherent_caches)
        return wrong("At most 64 processors have caches that are written back.");
    const std::uint64_t line = file["coherence.line"];
    for (const std::uint64_t size : {line, file["memory.width"]})
        if (!std::has_single_bit(size))
            return no_power_of_two("a line and of the memory's width", size);
    for (const std::string name : {"level1", "level2", "level3", "instructions"})
        if (file.has(name + ".bytes"))
            if (const std::string problem =
                    wrong_with_sets("A level", file[name + ".bytes"], file[name + ".ways"], line);
                !problem.empty())
                return wrong(problem);
    CoherentGeometry geometry{line, {level_of(file, "level1")}, {}};
    if (file.has("level2.bytes"))
        geometry.own.push_back(level_of(file, "level2"));
    if (file.has("level3.bytes"))
        geometry.shared = level_of(file, "level3");
    if (file.has("instructions.bytes"))
        geometry.instructions = level_of(file, "instructions");
    if (geometry.own.size() > 1 && geometry.own[1].bytes < geometry.own[0].bytes)
        return wrong("The second level holds what the first does, and so is no smaller.");
    if (geometry.instructions &&
        (geometry.own.size() < 2 || geometry.own[1].bytes < geometry.instructions->bytes))
        return wrong("A cache for instructions alone needs a second level that is no smaller: it holds what "
                     "that one does.");
    if (file["coherence.moves"] > 1)
        return wrong("Lines move, coherence.moves 1, or they do not, 0: it is not " +
                     std::to_string(file["coherence.moves"]) + ".");
    return std::make_unique<CoherentMemory>(
        processors, std::move(geometry), bus_of(file),
        CoherentTimes{file["coherence.from_cache"], file["coherence.from_memory"], file["coherence.upgrade"],
                      file["coherence.moves"] == 1});
}

Made make_banked(const MachineFile& file, unsigned processors)
{
    BankTimes times{file["memory.word"], file["memory.width"], {}};
    for (const std::uint64_t size : {times.word, times.width})
        if (!std::has_single_bit(size))
            return no_power_of_two("a memory's word and width", size);
    if (times.word > times.width)
        return wrong("A memory's words are no larger than what follows each other in a bank.");
    times.banks.assign(file["memory.banks"], file["memory.bank"]);
    for (std::size_t bank = 0; bank < 64; ++bank)
        if ((file["memory.slow_banks"] >> bank & 1) != 0) {
            if (bank >= times.banks.size())
                return wrong("The memory has no bank " + std::to_string(bank) + " that could be slow.");
            times.banks[bank] = file["memory.slow_bank"];
        }
    return std::make_unique<BankedMemory>(processors, std::move(times));
}

// Judges the numbers as the file has them, before they are made narrower. Nothing is wrong: an empty text.
std::string wrong_with_clusters(const MachineFile& file, unsigned processors)
{
    const std::uint64_t clusters = file["clusters.number"], each = file["clusters.processors"];
    if (clusters == 0 || each == 0 || clusters > 64 || each > 64 || each % clusters != 0)
        return "There are 1 to 64 clusters, of 1 to 64 processors each, a multiple of the number of "
               "clusters: "
               "as many lanes of the network join each cluster with each group of modules.";
    if (processors > clusters * each)
        return "There are " + std::to_string(processors) + " processors, and no more than " +
               std::to_string(clusters * each) + " in the clusters together.";
    if (file["clusters.memory"] <= ClusteredMemory::bus_page)
        return "A cluster's memory is larger than a page, for its last one is the concurrency bus.";
    if (file["clusters.banks"] == 0 || file["clusters.banks"] > 1024)
        return "A cluster's cache has 1 to 1024 banks.";
    return wrong_with_sets("A cluster's cache", file["clusters.cache"], file["clusters.ways"],
                           file["clusters.line"]);
}

Made make_clustered(const MachineFile& file, unsigned processors)
{
    for (const std::uint64_t size : {file["clusters.memory"], file["clusters.line"], file["global.width"]})
        if (!std::has_single_bit(size))
            return no_power_of_two("a cluster's memory, its lines and a module's words", size);
    if (const std::string problem = wrong_with_clusters(file, processors); !problem.empty())
        return wrong(problem);
    const ClusterGeometry geometry{static_cast<unsigned>(file["clusters.number"]),
                                   static_cast<unsigned>(file["clusters.processors"]),
                                   file["clusters.memory"],
                                   file["clusters.cache"],
                                   static_cast<unsigned>(file["clusters.ways"]),
                                   file["clusters.line"],
                                   static_cast<unsigned>(file["clusters.banks"])};
    return std::make_unique<ClusteredMemory>(geometry,
                                             ClusterTimes{file["clusters.bank"], file["clusters.hit"],
                                                          file["clusters.miss"], file["clusters.bus"]},
                                             GlobalTimes{file["global.memory"],
                                                         file["global.width"],
                                                         file["global.module"],
                                                         {file["network.stage"], file["network.port"]}});
}

Made make_one(const MachineFile& file, unsigned processors)
{
    const bool has_cache = file.has("cache.bytes");
    const bool has_levels = file.has("level1.bytes");
    if (file.has("clusters.number"))
        return make_clustered(file, processors);
    if (!has_cache && !has_levels && !file.has("memory.banks"))
        return std::make_unique<FlatMemory>();
    if (const std::string problem = wrong_with_banks(file); !problem.empty())
        return wrong(problem);
    if (has_cache)
        return make_write_through(file, processors);
    return has_levels ? make_coherent(file, processors) : make_banked(file, processors);
}

} // namespace

bool is_of_memory(const std::string& name) { return parameters.contains(name); }

std::expected<std::unique_ptr<Memory>, std::string> make_memory(const MachineFile& file, unsigned processors,
                                                                unsigned multiprocessors)
{
    if (multiprocessors == 1)
        return make_one(file, processors);
    if (multiprocessors == 0 || processors % multiprocessors != 0)
        return wrong(std::to_string(processors) + " processors cannot be divided into " +
                     std::to_string(multiprocessors) + " multiprocessors.");
    if (file.has("clusters.number"))
        return wrong("A machine with clusters of processors is one multiprocessor.");
    std::vector<std::unique_ptr<Memory>> parts;
    for (unsigned part = 0; part < multiprocessors; ++part) {
        Made made = make_one(file, processors / multiprocessors);
        if (!made)
            return made;
        parts.push_back(std::move(*made));
    }
    return std::make_unique<DividedMemory>(std::move(parts), processors / multiprocessors);
}

} // namespace parley::machine_model
