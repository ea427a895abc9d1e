// SPDX-License-Identifier: MIT
#include "testing/exploring/races.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include <unistd.h>

extern "C" const char __executable_start;

namespace parley::explorer {

namespace {

bool writes(AccessKind access) { return access == AccessKind::write || access == AccessKind::atomic_write; }
bool is_atomic(AccessKind access) { return access >= AccessKind::atomic_read; }

} // namespace

bool Races::conflict(const Entry& before, const Entry& now, const VectorClock& clock)
{
    return before.party != now.party && (before.bytes & now.bytes) != 0 &&
           (writes(before.access) || writes(now.access)) &&
           !(is_atomic(before.access) && is_atomic(now.access)) && before.when > clock[before.party];
}

std::optional<Races::Race> Races::note(const Done& done, const void* at, std::size_t bytes,
                                       const VectorClock& clock)
{
    auto address = reinterpret_cast<std::uintptr_t>(at);
    while (bytes > 0) {
        const std::size_t offset = address % 8, here = std::min(bytes, 8 - offset);
        const Entry now{done.place, clock[done.party], static_cast<std::uint8_t>(done.party),
                        static_cast<std::uint8_t>(((1u << here) - 1) << offset), done.access};
        Granule& granule = granules_.at(address / 8);
        address += here;
        bytes -= here;
        const auto end = granule.entries.begin() + granule.used;
        if (std::any_of(granule.entries.begin(), end, [&](const Entry& before) {
                return before.party == now.party && before.when == now.when && before.access == now.access &&
                       (now.bytes & ~before.bytes) == 0;
            }))
            continue; // whoever came since has been compared with that
        unsigned kept = 0;
        for (unsigned index = 0; index < granule.used; ++index) {
            const Entry& before = granule.entries[index];
            if (conflict(before, now, clock))
                return Race{{before.place, before.access, before.party}, done};
            // What this one stands for from now on: whoever comes without order after the one before comes
            // so after this one, too.
            const bool covered = (before.bytes & ~now.bytes) == 0;
            const bool same = before.party == now.party && before.access == now.access;
            if (!(covered && (same || now.access == AccessKind::write)))
                granule.entries[kept++] = before;
        }
        if (kept == granule.entries.size()) {
            std::copy(granule.entries.begin() + 1, granule.entries.end(), granule.entries.begin());
            --kept;
        }
        granule.entries[kept] = now;
        granule.used = static_cast<std::uint8_t>(kept + 1);
    }
    return std::nullopt;
}

void Races::forget(const void* at, std::size_t bytes)
{
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    for (std::uintptr_t granule = address / 8; granule < (address + bytes + 7) / 8; ++granule)
        if (Granule* const known = granules_.find(granule))
            known->used = 0;
}

// Inlined functions are told from the innermost outwards; the first that is the project's is the one to look
// at.
std::string source_of(const void* place)
{
    const auto offset = static_cast<const char*>(place) - &__executable_start;
    char command[128];
    std::snprintf(command, sizeof command, "addr2line -C -f -i -e /proc/%d/exe %#lx", getpid(),
                  static_cast<unsigned long>(offset));
    const std::unique_ptr<FILE, int (*)(FILE*)> lines(popen(command, "r"), pclose);
    std::string answer, function;
    char line[4096];
    for (bool is_function = true; lines && std::fgets(line, sizeof line, lines.get()) != nullptr;
         is_function = !is_function) {
        line[std::strcspn(line, "\n")] = '\0';
        if (is_function) {
            function = line;
            continue;
        }
        answer = function + " (" + line + ")";
        if (std::strstr(line, "/include/c++/") == nullptr)
            break;
    }
    return answer.empty() ? "the place " + std::to_string(offset) + " of the program" : answer;
}

} // namespace parley::explorer
