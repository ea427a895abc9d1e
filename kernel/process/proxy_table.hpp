// SPDX-License-Identifier: MIT
// A process's proxies: the numbers by which its program names kernel objects (paper section 3.2, Application/Kernel interface). A number carries
// its place in the table and a generation, so a stale or invented one is found out.
#pragma once

#include "kernel/base/result.hpp"

#include <array>
#include <cstdint>

namespace parley::kernel {

enum class ObjectClass : std::uint8_t { none, messages, results, process, gangs, job };

// Full: every call is checked against the table. Reduced: the object is taken on trust from the process's own fixed place, as the
// paper's customised interface does; still only the process's own objects can be reached.
class ProxyTable {
public:
    // A proxy for an object; 0 is never one.
    std::uint32_t add(ObjectClass kind, void* object)
    {
        Entry& entry = entries_[static_cast<std::size_t>(kind)];
        entry = {object, kind, ++generation_, true};
        return static_cast<std::uint32_t>(kind) | std::uint32_t{generation_} << index_bits;
    }
    // The object is gone; its proxy is refused from now on.
    void revoke(ObjectClass kind) { entries_[static_cast<std::size_t>(kind)].valid = false; }

    // Whether this number is a proxy of this process, for an object of that class that still exists.
    bool check(std::uint64_t proxy, ObjectClass kind) const
    {
        const std::uint64_t index = proxy & (entries_.size() - 1);
        const Entry& entry = entries_[index];
        return proxy >> index_bits == entry.generation && entry.valid && entry.kind == kind;
    }
    bool valid(ObjectClass kind) const { return entries_[static_cast<std::size_t>(kind)].valid; }

private:
    static constexpr unsigned index_bits = 3;
    struct Entry {
        void* object = nullptr;
        ObjectClass kind = ObjectClass::none;
        std::uint16_t generation = 0;
        bool valid = false;
    };
    std::array<Entry, 1 << index_bits> entries_;
    std::uint16_t generation_ = 0;
};

} // namespace parley::kernel
