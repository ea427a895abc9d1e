// SPDX-License-Identifier: MIT
// Values by address, which are all forgotten at once, thousands of times a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace parley::explorer {

template <class Value>
    requires std::is_trivially_destructible_v<Value>
class AddressTable {
public:
    AddressTable() : slots_(64) { }

    void clear()
    {
        ++generation_;
        used_ = 0;
    }
    Value* find(std::uintptr_t address)
    {
        Slot& slot = slot_of(address);
        return slot.generation == generation_ ? &slot.value : nullptr;
    }
    // A new one is as its constructor leaves it. Valid until the next call.
    Value& at(std::uintptr_t address)
    {
        Slot* slot = &slot_of(address);
        if (slot->generation == generation_)
            return slot->value;
        if (2 * ++used_ > slots_.size()) {
            grow();
            slot = &slot_of(address);
        }
        slot->address = address;
        slot->generation = generation_;
        return *std::construct_at(&slot->value);
    }

private:
    struct Slot {
        std::uintptr_t address = 0;
        std::uint64_t generation = 0;
        Value value{};
    };

    Slot& slot_of(std::uintptr_t address)
    {
        std::size_t place = address * 0x9e3779b97f4a7c15u >> 20;
        for (;; ++place) {
            Slot& slot = slots_[place & (slots_.size() - 1)];
            if (slot.generation != generation_ || slot.address == address)
                return slot;
        }
    }
    void grow()
    {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.generation == generation_)
                slot_of(slot.address) = slot;
    }

    std::vector<Slot> slots_;
    std::uint64_t generation_ = 1;
    std::size_t used_ = 0;
};

} // namespace parley::explorer
