// SPDX-License-Identifier: GPL-2.0-or-later
#include "tools/machine_model/plugin/guest_memory.hpp"

#include <cstdio>
#include <fstream>
#include <string>

namespace parley::machine_model {

GuestMemory GuestMemory::find()
{
    GuestMemory found;
    std::ifstream mappings{"/proc/self/maps"};
    for (std::string line; std::getline(mappings, line);) {
        unsigned long begin = 0;
        unsigned long end = 0;
        unsigned long offset = 0;
        if (line.find("/memfd:memory-backend-memfd") != std::string::npos &&
            std::sscanf(line.c_str(), "%lx-%lx rw-s %lx", &begin, &end, &offset) == 3)
            found.parts_.push_back({begin, end, offset});
    }
    return found;
}

std::uint64_t GuestMemory::offset_of(const void* host_address) const
{
    const auto address = reinterpret_cast<std::uintptr_t>(host_address);
    for (const Part& part : parts_)
        if (address >= part.begin && address < part.end)
            return address - part.begin + part.offset;
    return 0;
}

std::byte* GuestMemory::at(std::uint64_t offset) const
{
    for (const Part& part : parts_)
        if (offset >= part.offset && offset - part.offset < part.end - part.begin)
            return reinterpret_cast<std::byte*>(part.begin + (offset - part.offset));
    return nullptr;
}

} // namespace parley::machine_model
