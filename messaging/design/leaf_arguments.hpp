// SPDX-License-Identifier: MIT
// Reading, checking and writing what leaves are told, as they declare it (base/leaf_argument.hpp).
#pragma once

#include "base/leaf_argument.hpp"
#include "messaging/design/fixed_string.hpp"

#include <span>
#include <string_view>

namespace parley::messaging {

template <class Leaf>
concept HasArguments = requires { Leaf::arguments; };

template <class Leaf>
constexpr std::span<const LeafArgument> arguments_of()
{
    if constexpr (HasArguments<Leaf>)
        return Leaf::arguments;
    else
        return {};
}

// `values`, completed by the standard of each argument that has no value.
constexpr LeafValues completed(std::span<const LeafArgument> arguments, LeafValues values = {})
{
    while (values.size() < arguments.size())
        values.add(arguments[values.size()].standard);
    return values;
}

// Lower-case letters, digits and hyphens, a letter first: nothing that a design, a shell or a configuration
// file gives a meaning of its own.
constexpr bool is_plain_name(std::string_view name)
{
    if (name.empty() || name[0] < 'a' || name[0] > 'z')
        return false;
    for (const char c : name)
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    return true;
}

// Whether a leaf's declarations can be used. This is asked when they are compiled.
constexpr bool are_declared_well(std::span<const LeafArgument> arguments)
{
    if (arguments.size() > LeafValues::most)
        return false;
    for (const LeafArgument& argument : arguments)
        if (!is_plain_name(argument.name) || argument.meaning.empty() || argument.least > argument.standard ||
            argument.standard > argument.most || argument.most > 0x7fff'ffff'ffff'ffff ||
            (!argument.unit.words.empty() && argument.most >= argument.unit.words.size()))
            return false;
    return true;
}

// Reads what follows a leaf's name, "" or ":100:8192", into `values`, which are then complete. `leaf` is how
// to name the leaf in a sentence, "transfer=adaptive". Empty on success.
FixedString parse_arguments(std::string_view leaf, std::span<const LeafArgument> arguments,
                            std::string_view text, LeafValues& values);

// Writes ":100:8192"; nothing if there are no arguments.
void write_arguments(FixedString& text, std::span<const LeafArgument> arguments, const LeafValues& values);

// Writes a value with the largest suffix that loses nothing: 300ms.
void write_value(FixedString& text, const Unit& unit, std::uint64_t value);

// Writes which values an argument may have: "0 to 100 bytes", "1ms to 10s", "native or cas".
void write_range(FixedString& text, const LeafArgument& argument);

} // namespace parley::messaging
