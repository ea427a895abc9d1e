// SPDX-License-Identifier: MIT
#include "studies/cmmp/measuring/losses.hpp"

#include "interface/limits.h"
#include "studies/cmmp/measuring/fixed_head_disks.hpp"

#include <cstddef>
#include <optional>

namespace parley::cmmp {

namespace {

struct LossWord {
    std::string_view name;
    unsigned Losses::* field;
    unsigned lowest, highest;
    std::string_view refusal;
};

constexpr LossWord known[] = {
    {"slow", &Losses::slow, 0, PARLEY_MAX_PROCESSORS,
     "slow must be between 0 and " PARLEY_LIMIT_TEXT(PARLEY_MAX_PROCESSORS)},
    {"slowdown", &Losses::slowdown, 100, 1000, "slowdown must be between 100 and 1000 percent"},
    {"stealing", &Losses::stealing, 0, 1, "stealing must be 0 or 1"},
    {"tick", &Losses::tick, 10, 1000, "tick must be a multiple of 10 up to 1000 milliseconds"},
    {"slice", &Losses::slice, 0, 10'000, "slice must be a multiple of 10 up to 10000 milliseconds"},
    {"allotment", &Losses::allotment, 1, 1'000'000, "allotment must be between 1 and 1000000 slices"},
    {"request", &Losses::request, 0, 10'000'000, "request must be between 0 and 10000000 microseconds"},
    {"device_owner", &Losses::device_owner, 0, PARLEY_MAX_PROCESSORS - 1,
     "device_owner must be the number of a processor"},
    {"device_asker", &Losses::device_asker, 0, PARLEY_MAX_PROCESSORS - 1,
     "device_asker must be the number of a processor"},
    {"device_every", &Losses::device_every, 10'000, 10'000'000,
     "device_every must be between 10000 and 10000000 microseconds"},
    {"service_shortest", &Losses::service_shortest, 1, 1'000'000,
     "service_shortest must be between 1 and 1000000 microseconds"},
    {"service_longest", &Losses::service_longest, 1, 1'000'000,
     "service_longest must be between 1 and 1000000 microseconds"},
    {"banks", &Losses::banks, 0, 16, "banks must be between 0 and 16"},
    {"samples", &Losses::samples, 0, 1, "samples must be 0 or 1"},
    {"disks", &Losses::disks, 0, FixedHeadDisks::most, "disks must be between 0 and 64"},
    {"rotation", &Losses::rotation, 0, 1'000'000, "rotation must be between 0 and 1000000 microseconds"},
};

std::string_view take(std::string_view& rest, char end)
{
    std::size_t length = 0;
    while (length < rest.size() && rest[length] != end)
        ++length;
    const std::string_view taken(rest.data(), length);
    rest.remove_prefix(length == rest.size() ? length : length + 1);
    return taken;
}

// Nothing: it is no number, or one beyond `highest`.
std::optional<unsigned> number(std::string_view text, unsigned highest)
{
    std::uint64_t value = 0;
    for (const char digit : text) {
        value = value * 10 + static_cast<unsigned>(digit - '0');
        if (digit < '0' || digit > '9' || value > highest)
            return std::nullopt;
    }
    return text.empty() ? std::nullopt : std::optional(static_cast<unsigned>(value));
}

const LossWord* find(std::string_view name)
{
    for (const LossWord& word : known) {
        if (word.name == name)
            return &word;
    }
    return nullptr;
}

// Why they do not go together; empty: they do.
std::string_view contradiction(const Losses& losses, unsigned processors)
{
    if (losses.slice % 10 != 0)
        return find("slice")->refusal;
    if (losses.tick % 10 != 0)
        return find("tick")->refusal;
    if (losses.slice % losses.tick != 0)
        return "slice must be a multiple of tick";
    if (losses.device_every == 0)
        return {};
    if (losses.device_owner >= processors || losses.device_asker >= processors)
        return "a device's owner and who asks it must be processors that run jobs";
    if (losses.service_longest < losses.service_shortest || losses.service_longest >= losses.device_every)
        return "a device's longest service must not be shorter than its shortest, and must be shorter than "
               "the "
               "time between requests";
    return {};
}

} // namespace

std::expected<Losses, std::string_view> read_losses(std::string_view words, unsigned processors)
{
    Losses losses;
    while (!words.empty()) {
        std::string_view value = take(words, ' ');
        if (value.empty())
            continue;
        const LossWord* const word = find(take(value, '='));
        if (word == nullptr)
            return std::unexpected("machine has a word that no loss of it is called by");
        const std::optional<unsigned> found = number(value, word->highest);
        if (!found || *found < word->lowest)
            return std::unexpected(word->refusal);
        losses.*word->field = *found;
    }
    if (const std::string_view why = contradiction(losses, processors); !why.empty())
        return std::unexpected(why);
    return losses;
}

} // namespace parley::cmmp
