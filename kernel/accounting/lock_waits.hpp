// SPDX-License-Identifier: MIT
// What processors have waited for the kernel's spin locks, by the place in the kernel's text where the lock
// was wanted: where SpinLock::acquire() stands, which is inlined. Safe to use from several processors.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace parley::kernel::accounting {

class LockWaits {
public:
    static constexpr unsigned room = 128; // places; what there is no room for is put to the last

    struct Sum {
        std::uint64_t cycles = 0, times = 0;
    };
    using Sums = std::array<Sum, room>; // by the number of a place, which it keeps

    // A wait has ended that began where a call returns to `place`.
    void add(const void* place, std::uint64_t cycles);
    Sums sums() const;
    // The name of the function that has the place of that number; empty: it is not known.
    std::string_view function_of(unsigned number) const;

private:
    struct Place {
        std::atomic<const void*> place{nullptr};
        std::atomic<std::uint64_t> cycles{0}, times{0};
    };

    Place& entry_of(const void* place);

    std::array<Place, room> places_;
};

} // namespace parley::kernel::accounting
