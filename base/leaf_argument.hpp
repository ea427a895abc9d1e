// SPDX-License-Identifier: MIT
// The arguments of a leaf, `transfer=adaptive:100:8192`: whole numbers, one after each colon, in the order
// in which the leaf declares them. A leaf that takes arguments declares them beside its name and its
// promise,
//
//     static constexpr LeafArgument arguments[] = {
//         {"inline-limit", "longest message that travels inline", units::bytes, 0, 100, 100},
//     };
//
// and its constructor takes their values as its last parameter, a const LeafValues&. Parsing, refusals,
// the list of designs and the canonical text follow from the declaration.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace parley {

// A value is written as digits, then one of these.
struct Suffix {
    std::string_view text;
    std::uint64_t factor;
};

// What a value counts. If a suffix is "" the digits may stand alone. Smaller factors come first.
struct Unit {
    std::string_view name; // of the value without a suffix, in the plural; may be ""
    std::span<const Suffix> suffixes;
    bool powers_of_two = false; // other values make no sense
    // If there are any, a value is written as one of these words, the first for 0, and not in digits.
    std::span<const std::string_view> words{};
};

namespace units {
inline constexpr Suffix plain[] = {{"", 1}};
inline constexpr Suffix times[] = {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};

inline constexpr Unit number{"", plain};
inline constexpr Unit power_of_two{"", plain, true};
inline constexpr Unit bytes{"bytes", plain};
inline constexpr Unit duration{"nanoseconds", times};
} // namespace units

struct LeafArgument {
    std::string_view name; // lower-case letters, digits and hyphens, as in a leaf's own name
    std::string_view meaning;
    const Unit& unit;
    std::uint64_t least;
    std::uint64_t most;
    std::uint64_t standard; // the value if a design names none
};

// One value for each declared argument.
class LeafValues {
public:
    static constexpr std::size_t most = 8;

    constexpr LeafValues() = default;
    // At most `most`.
    constexpr LeafValues(std::initializer_list<std::uint64_t> values)
    {
        for (const std::uint64_t value : values)
            add(value);
    }

    constexpr void add(std::uint64_t value) { values_[count_++] = value; }
    constexpr std::size_t size() const { return count_; }
    constexpr std::uint64_t operator[](std::size_t at) const { return values_[at]; }

    constexpr bool operator==(const LeafValues&) const = default;

private:
    std::array<std::uint64_t, most> values_{};
    std::size_t count_ = 0;
};

} // namespace parley
