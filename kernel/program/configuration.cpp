// SPDX-License-Identifier: MIT
#include "kernel/program/configuration.hpp"

#include <algorithm>
#include <optional>

namespace parley::kernel {

namespace {

using Reason = std::string_view; // why a value was refused; empty: it was not

struct GlobalKey {
    std::string_view name;
    Reason (*set)(Configuration&, std::string_view value);
};

struct JobKey {
    std::string_view name;
    Reason (*set)(JobConfiguration&, std::string_view value);
};

bool newline(char character) { return character == '\n'; }
bool equals_sign(char character) { return character == '='; }
bool blank(char character) { return character == ' ' || character == '\t' || character == '\r'; }

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

// The text before the first character that ends it; what follows that character stays in `rest`.
std::string_view take(std::string_view& rest, bool (*ends)(char))
{
    std::size_t length = 0;
    while (length < rest.size() && !ends(rest[length]))
        ++length;
    const std::string_view taken(rest.data(), length);
    rest.remove_prefix(length == rest.size() ? length : length + 1);
    return taken;
}

std::optional<std::uint64_t> number(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    std::uint64_t value = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '9' || value > (UINT64_MAX - 9) / 10)
            return std::nullopt;
        value = value * 10 + static_cast<std::uint64_t>(digit - '0');
    }
    return value;
}

Reason set_number(unsigned& field, std::string_view text, unsigned lowest, unsigned highest, Reason reason)
{
    const auto value = number(text);
    if (!value || *value < lowest || *value > highest)
        return reason;
    field = static_cast<unsigned>(*value);
    return {};
}

Reason set_bool(bool& field, std::string_view text)
{
    if (text != "0" && text != "1")
        return "the value must be 0 or 1";
    field = text == "1";
    return {};
}

// The enumerators count from 0 in the order of the names.
template <class Choice, std::size_t count>
Reason set_choice(Choice& field, std::string_view text, const std::string_view (&names)[count], Reason reason)
{
    for (std::size_t i = 0; i < count; ++i) {
        if (names[i] != text)
            continue;
        field = static_cast<Choice>(i);
        return {};
    }
    return reason;
}

Reason set_text(std::string_view& field, std::string_view text)
{
    if (text.empty())
        return "the value is missing";
    field = text;
    return {};
}

Reason set_budget(std::uint64_t& field, std::string_view text)
{
    const auto value = number(text);
    if (!value)
        return "the value must be a number of bytes";
    field = *value;
    return {};
}

bool colon(char character) { return character == ':'; }

Reason set_clusters(ClusterTable& field, std::string_view text)
{
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;
    std::uint64_t values[4] = {};
    unsigned count = 0;
    for (; count < 4 && !text.empty(); ++count)
        values[count] = number(take(text, colon)).value_or(most_bytes + 1);
    if (!text.empty() || (count != 2 && count != 4) || std::ranges::max(values) > most_bytes)
        return "the value must be NUMBER:PROCESSORS, or that with :START:BYTES of the clusters' memories";
    for (const unsigned at : {0, 1})
        if (values[at] < 1 || values[at] > PARLEY_MAX_PROCESSORS)
            return "there are 1 to " PARLEY_LIMIT_TEXT(PARLEY_MAX_PROCESSORS) " clusters and processors each";
    constexpr std::uint64_t page = 4096;
    if (values[2] % page != 0 || values[3] % page != 0 || (count == 4 && values[3] <= page))
        return "clusters' memories are whole pages, and more than one";
    field = {static_cast<unsigned>(values[0]), static_cast<unsigned>(values[1]), values[2], values[3]};
    return {};
}

Reason set_machines(MachineTable& field, std::string_view text)
{
    const auto count = number(take(text, colon));
    const auto here = number(text);
    if (!count || !here || *count < 1 || *count > MachineTable::most || *here >= *count)
        return "the value must be NUMBER:HERE, with 1 to 8 machines, of which the first is 0";
    field = {static_cast<unsigned>(*count), static_cast<unsigned>(*here)};
    return {};
}

constexpr GlobalKey global_keys[] = {
    {"processors",
     [](Configuration& c, std::string_view v) {
         return set_number(c.processors, v, 0, PARLEY_MAX_PROCESSORS,
                           "the value must be between 0 (all) and " PARLEY_LIMIT_TEXT(PARLEY_MAX_PROCESSORS));
     }},
    {"clock",
     [](Configuration& c, std::string_view v) {
         return set_choice(c.clock, v, {"free", "counted"}, "the value must be free or counted");
     }},
    {"pause", [](Configuration& c, std::string_view v) { return set_bool(c.pause, v); }},
    {"checks",
     [](Configuration& c, std::string_view v) {
         return set_choice(c.checks, v, {"full", "reduced"}, "the value must be full or reduced");
     }},
    {"gang",
     [](Configuration& c, std::string_view v) {
         return set_choice(c.gang_policy, v, {"design", "shared", "private", "slots"},
                           "the value must be design, shared, private or slots");
     }},
    {"jobs",
     [](Configuration& c, std::string_view v) {
         return set_choice(c.job_order, v, {"sequential", "together"},
                           "the value must be sequential or together");
     }},
    {"clusters", [](Configuration& c, std::string_view v) { return set_clusters(c.clusters, v); }},
    {"colours",
     [](Configuration& c, std::string_view v) {
         return set_number(c.colours, v, 0, 128, "the value must be between 0 (frames have none) and 128");
     }},
    {"machines", [](Configuration& c, std::string_view v) { return set_machines(c.machines, v); }},
    {"machine", [](Configuration& c, std::string_view v) { return set_text(c.machine, v); }},
    {"trace",
     [](Configuration& c, std::string_view v) {
         return set_number(c.trace_records, v, 0, 1 << 24, "the value must be a number of records");
     }},
    {"table", [](Configuration& c, std::string_view v) { return set_bool(c.table, v); }},
    {"plant", [](Configuration& c, std::string_view v) { return set_text(c.plant, v); }},
};

constexpr JobKey job_keys[] = {
    {"design", [](JobConfiguration& j, std::string_view v) { return set_text(j.design, v); }},
    {"app", [](JobConfiguration& j, std::string_view v) { return set_text(j.app, v); }},
    {"nodes",
     [](JobConfiguration& j, std::string_view v) {
         return set_number(j.nodes, v, 1, PARLEY_MAX_NODES,
                           "the value must be between 1 and " PARLEY_LIMIT_TEXT(PARLEY_MAX_NODES));
     }},
    {"pids",
     [](JobConfiguration& j, std::string_view v) {
         return set_number(j.pids, v, 1, PARLEY_MAX_PIDS,
                           "the value must be between 1 and " PARLEY_LIMIT_TEXT(PARLEY_MAX_PIDS));
     }},
    {"args",
     [](JobConfiguration& j, std::string_view v) {
         j.arguments = v;
         return Reason{};
     }},
    {"input", [](JobConfiguration& j, std::string_view v) { return set_text(j.input, v); }},
    {"semaphore", [](JobConfiguration& j, std::string_view v) { return set_text(j.semaphore, v); }},
    {"pages", [](JobConfiguration& j, std::string_view v) { return set_text(j.pages, v); }},
    {"loops",
     [](JobConfiguration& j, std::string_view v) {
         return v.size() > PARLEY_MAX_LOOPS_TEXT
                    ? Reason("the value has at most " PARLEY_LIMIT_TEXT(PARLEY_MAX_LOOPS_TEXT) " characters")
                    : set_text(j.loops, v);
     }},
    {"host", [](JobConfiguration& j, std::string_view v) { return set_bool(j.host, v); }},
    {"tag", [](JobConfiguration& j, std::string_view v) { return set_bool(j.tag, v); }},
    {"schedule",
     [](JobConfiguration& j, std::string_view v) {
         return set_choice(j.schedule, v, {"auto", "gang", "timeshared"},
                           "the value must be auto, gang or timeshared");
     }},
    {"limit",
     [](JobConfiguration& j, std::string_view v) {
         return set_number(j.limit_seconds, v, 0, 1'000'000,
                           "the value must be a number of seconds, 0 for no limit");
     }},
    {"budget", [](JobConfiguration& j, std::string_view v) { return set_budget(j.budget_bytes, v); }},
    {"job_memory",
     [](JobConfiguration& j, std::string_view v) {
         unsigned mebibytes = 0;
         const Reason reason = set_number(mebibytes, v, 1, 1 << 20, "the value must be a number of MiB");
         j.memory_bytes = std::uint64_t{mebibytes} << 20;
         return reason;
     }},
};

template <class Key, std::size_t count>
const Key* find(const Key (&keys)[count], std::string_view name)
{
    for (const Key& key : keys) {
        if (key.name == name)
            return &key;
    }
    return nullptr;
}

Reason add_job(Configuration& into, std::string_view name)
{
    if (name.empty())
        return "a job needs a name";
    if (into.job_count == into.jobs.size())
        return "there are too many jobs";
    into.jobs[into.job_count++].name = name;
    return {};
}

// `job`: the job that job keys act on; null when there is none yet.
Reason set(Configuration& into, JobConfiguration* job, std::string_view name, std::string_view value)
{
    if (const GlobalKey* key = find(global_keys, name))
        return key->set(into, value);
    const JobKey* key = find(job_keys, name);
    if (key == nullptr)
        return "there is no such key";
    if (job == nullptr)
        return "this key belongs to a job, so a line 'job NAME' must come first";
    return key->set(*job, value);
}

Reason read_line(Configuration& into, std::string_view name, std::string_view value)
{
    if (name == "job")
        return add_job(into, value);
    return set(into, into.job_count == 0 ? nullptr : &into.jobs[into.job_count - 1], name, value);
}

} // namespace

Configured read_configuration(Configuration& into, std::string_view text)
{
    for (unsigned line = 1; !text.empty(); ++line) {
        std::string_view value = trimmed(take(text, newline));
        if (value.empty() || value.front() == '#')
            continue;
        const std::string_view name = take(value, blank);
        const Reason reason = read_line(into, name, trimmed(value));
        if (!reason.empty())
            return std::unexpected(ConfigurationError{line, name, reason});
    }
    return {};
}

Configured apply_command_line(Configuration& into, std::string_view line)
{
    std::array<std::string_view, 64> words;
    const auto count = split_words(line, into.storage, words);
    if (!count)
        return std::unexpected(ConfigurationError{0, "command line", count.error()});
    for (std::string_view value : std::span(words).first(*count)) {
        const std::string_view word = value;
        const std::string_view name = take(value, equals_sign);
        if (name.size() == word.size())
            continue; // a loader may put the kernel's own name in front
        if (into.job_count == 0)
            add_job(into, "job");
        const Reason reason =
            name == "job" ? set_text(into.jobs[0].name, value) : set(into, &into.jobs[0], name, value);
        if (!reason.empty())
            return std::unexpected(ConfigurationError{0, word, reason});
    }
    return {};
}

} // namespace parley::kernel
