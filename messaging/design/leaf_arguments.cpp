// SPDX-License-Identifier: MIT
#include "messaging/design/leaf_arguments.hpp"

#include "messaging/design/split.hpp"

#include <algorithm>
#include <optional>

namespace parley::messaging {

namespace {

// Digits, then a suffix of the unit; or one of its words.
std::optional<std::uint64_t> value_of(std::string_view text, const Unit& unit)
{
    for (std::size_t at = 0; at < unit.words.size(); ++at)
        if (text == unit.words[at])
            return at;
    std::uint64_t number = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits)
        if (__builtin_mul_overflow(number, 10u, &number) ||
            __builtin_add_overflow(number, static_cast<unsigned>(text[digits] - '0'), &number))
            return std::nullopt;
    if (digits == 0)
        return std::nullopt;
    text.remove_prefix(digits);
    for (const Suffix& suffix : unit.suffixes)
        if (text == suffix.text && !__builtin_mul_overflow(number, suffix.factor, &number))
            return number;
    return std::nullopt;
}

FixedString too_many(std::string_view leaf, std::span<const LeafArgument> arguments, std::string_view text)
{
    FixedString problem;
    if (arguments.empty())
        return problem << leaf << " takes no arguments; leave '" << text << "' out";
    problem << leaf << " takes at most " << static_cast<long>(arguments.size()) << " argument";
    if (arguments.size() > 1)
        problem << "s";
    problem << ", ";
    for (const LeafArgument& argument : arguments)
        problem << ":" << argument.name;
    return problem << ", not '" << text << "'";
}

FixedString not_a_value(std::string_view leaf, const LeafArgument& argument, std::string_view text)
{
    FixedString problem;
    problem << "the " << argument.name << " of " << leaf << " is ";
    write_range(problem, argument);
    if (argument.unit.powers_of_two)
        problem << ", a power of two";
    else if (argument.unit.words.empty())
        problem << ", in whole numbers";
    return problem << ", not '" << text << "'";
}

} // namespace

FixedString parse_arguments(std::string_view leaf, std::span<const LeafArgument> arguments,
                            std::string_view text, LeafValues& values)
{
    values = {};
    if (static_cast<std::size_t>(std::ranges::count(text, ':')) > arguments.size())
        return too_many(leaf, arguments, text);
    while (!text.empty()) {
        text.remove_prefix(1);
        const std::string_view word = split(text, ':').before;
        text.remove_prefix(word.size());
        const LeafArgument& argument = arguments[values.size()];
        const std::optional<std::uint64_t> value = value_of(word, argument.unit);
        if (!value || *value < argument.least || *value > argument.most ||
            (argument.unit.powers_of_two && (*value & (*value - 1)) != 0))
            return not_a_value(leaf, argument, word);
        values.add(*value);
    }
    values = completed(arguments, values);
    return {};
}

void write_arguments(FixedString& text, std::span<const LeafArgument> arguments, const LeafValues& values)
{
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        text << ":";
        write_value(text, arguments[at].unit, values[at]);
    }
}

void write_value(FixedString& text, const Unit& unit, std::uint64_t value)
{
    if (!unit.words.empty()) {
        text << unit.words[value];
        return;
    }
    const Suffix* best = &unit.suffixes[0];
    for (const Suffix& suffix : unit.suffixes)
        if (value % suffix.factor == 0)
            best = &suffix;
    text << static_cast<long>(value / best->factor) << best->text;
}

void write_range(FixedString& text, const LeafArgument& argument)
{
    write_value(text, argument.unit, argument.least);
    if (!argument.unit.words.empty()) {
        for (std::uint64_t value = argument.least + 1; value <= argument.most; ++value)
            text << " or " << argument.unit.words[value];
        return;
    }
    text << " to ";
    write_value(text, argument.unit, argument.most);
    if (argument.unit.suffixes[0].text.empty() && !argument.unit.name.empty())
        text << " " << argument.unit.name;
}

} // namespace parley::messaging
