// SPDX-License-Identifier: MIT
// What the environment says of a program's loops: PARLEY_LOOPS, the leaves; OMP_NUM_THREADS and the like, as
// OpenMP defines them. A word that is not understood ends the program with a sentence before it begins.
#include "userlib/loops/schedules.hpp"
#include "userlib/loops/surroundings/booted.hpp"
#include "userlib/loops/surroundings/clusters.hpp"
#include "userlib/loops/surroundings/threads.hpp"
#include "userlib/loops/this_thread.hpp"

#include "messaging/design/split.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <strings.h>
#include <utility>

namespace parley::loops {

namespace {

ProcessSettings all;

[[noreturn]] void refuse(const char* variable, std::string_view text, const char* wanted)
{
    char sentence[256];
    std::snprintf(sentence, sizeof sentence, "%s=%.*s: %s", variable, static_cast<int>(text.size()),
                  text.data(), wanted);
    give_up(sentence);
}

// Refuses words of PARLEY_LOOPS. The sentence begins with the name by which the user has given them.
[[noreturn]] void refuse_words(const char* sentence)
{
    char about[32];
    std::snprintf(about, sizeof about, "%s: ", name_of_words());
    give_up(sentence, about);
}

// A number from `least` to `most`; anything else is refused. `whole`: where more than the number is said.
unsigned long number(const char* variable, std::string_view text, unsigned long least, unsigned long most,
                     std::string_view whole = {})
{
    unsigned long value = 0;
    bool good = !text.empty();
    for (const char c : text)
        good = good && c >= '0' && c <= '9' && !__builtin_mul_overflow(value, 10ul, &value) &&
               !__builtin_add_overflow(value, static_cast<unsigned long>(c - '0'), &value);
    if (!good || value < least || value > most) {
        char wanted[128];
        std::snprintf(wanted, sizeof wanted, "a whole number from %lu to %lu is wanted", least, most);
        refuse(variable, whole.empty() ? text : whole, wanted);
    }
    return value;
}

bool is_word(std::string_view text, const char* word)
{
    return text.size() == std::strlen(word) && strncasecmp(text.data(), word, text.size()) == 0;
}

bool truth(const char* variable, std::string_view text)
{
    if (!is_word(text, "true") && !is_word(text, "false") && text != "1" && text != "0")
        refuse(variable, text, "true or false is wanted");
    return is_word(text, "true") || text == "1";
}

std::string_view said(const char* variable)
{
    const char* const text = std::getenv(variable);
    return text == nullptr ? std::string_view() : std::string_view(text);
}

// "20M" as OMP_STACKSIZE has it: kilobytes, unless a letter says otherwise.
std::size_t bytes(const char* variable, std::string_view text)
{
    std::size_t unit = 1024;
    std::string_view digits = text;
    if (!text.empty())
        for (const auto& [letter, factor] :
             {std::pair{'b', 1ul}, {'k', 1ul << 10}, {'m', 1ul << 20}, {'g', 1ul << 30}})
            if ((text.back() | 0x20) == letter) {
                unit = factor;
                digits.remove_suffix(1);
                break;
            }
    return number(variable, digits, 1, ~0ul / unit, text) * unit;
}

void read_leaves()
{
    all.choice = standard_choice();
    if (const messaging::FixedString problem = parse_choice(said("PARLEY_LOOPS"), all.choice);
        !problem.empty()) {
        char sentence[messaging::FixedString::most + 1] = {};
        std::memcpy(sentence, problem.text().data(),
                    std::min(problem.text().size(), messaging::FixedString::most));
        refuse_words(sentence);
    }
}

// The numbers of OMP_NUM_THREADS, of which the first is for teams of the outermost level.
std::span<const unsigned> numbers_of_threads(std::string_view text)
{
    const auto count = static_cast<std::size_t>(std::ranges::count(text, ',')) + 1;
    auto* const numbers = static_cast<unsigned*>(std::malloc(count * sizeof(unsigned)));
    if (numbers == nullptr)
        give_up("there is no memory for the numbers of OMP_NUM_THREADS");
    std::string_view rest = text;
    for (std::size_t at = 0; at < count; ++at) {
        const messaging::Halves halves = messaging::split(rest, ',');
        numbers[at] = static_cast<unsigned>(number("OMP_NUM_THREADS", halves.before, 1, most_threads, text));
        rest = halves.after;
    }
    return {numbers, count};
}

bool is_list(std::string_view text) { return std::ranges::count(text, ',') != 0; }

// A list has teams within teams, unless something else says whether there are.
void read_threads()
{
    const std::string_view threads = said("OMP_NUM_THREADS");
    all.settings.threads = processors();
    if (!threads.empty()) {
        const std::span<const unsigned> numbers = numbers_of_threads(threads);
        all.settings.threads = numbers[0];
        if (numbers.size() > 1)
            all.settings.threads_of_levels = numbers;
    }
    const std::string_view nested = said("OMP_NESTED");
    const bool is_nested =
        nested.empty() ? is_list(threads) || is_list(said("OMP_PROC_BIND")) : truth("OMP_NESTED", nested);
    all.settings.most_active_levels = is_nested ? most_threads : 1;
    if (const auto most = said("OMP_MAX_ACTIVE_LEVELS"); !most.empty())
        all.settings.most_active_levels =
            static_cast<unsigned>(number("OMP_MAX_ACTIVE_LEVELS", most, 0, 0x7fff'ffff));
    if (const auto most = said("OMP_THREAD_LIMIT"); !most.empty())
        all.settings.most_threads = static_cast<unsigned>(
            std::min<unsigned long>(number("OMP_THREAD_LIMIT", most, 1, 0x7fff'ffff), most_threads));
    // There cannot be more clusters than threads.
    all.settings.threads = std::min(all.settings.threads, all.settings.most_threads);
    if (const auto dynamic = said("OMP_DYNAMIC"); !dynamic.empty())
        all.settings.dynamic = truth("OMP_DYNAMIC", dynamic);
}

void read_teams_and_devices()
{
    for (const auto& [variable, value] : {std::pair{"OMP_NUM_TEAMS", &league_settings.teams},
                                          {"OMP_TEAMS_THREAD_LIMIT", &league_settings.threads}})
        if (const auto most = said(variable); !most.empty())
            *value = static_cast<int>(number(variable, most, 1, 0x7fff'ffff));
    if (const auto device = said("OMP_DEFAULT_DEVICE"); !device.empty())
        all.settings.device = static_cast<int>(number("OMP_DEFAULT_DEVICE", device, 0, 0x7fff'ffff));
}

// OpenMP's kinds, or a distribution of ours with its arguments after a colon.
void read_schedule()
{
    const std::string_view text = said("OMP_SCHEDULE");
    Settings& settings = all.settings;
    settings.runtime = runtime_of(settings.runtime_kind = 2, settings.runtime_chunk = 1);
    if (text.empty())
        return;
    auto [kind, chunk] = messaging::split(text, ',');
    if (const auto [modifier, rest] = messaging::split(kind, ':'); is_word(modifier, "monotonic")) {
        settings.runtime_kind = static_cast<int>(0x8000'0000);
        kind = rest;
    } else {
        settings.runtime_kind = 0;
        if (is_word(modifier, "nonmonotonic"))
            kind = rest;
    }
    while (!chunk.empty() && chunk.front() == ' ')
        chunk.remove_prefix(1);
    static constexpr const char* kinds[] = {"static", "dynamic", "guided", "auto"};
    for (int at = 0; at < 4; ++at)
        if (is_word(kind, kinds[at])) {
            settings.runtime_chunk = chunk.empty()
                                         ? at != 0 && at != 3
                                         : static_cast<int>(number("OMP_SCHEDULE", chunk, 1, 0x7fff'ffff));
            settings.runtime = runtime_of(settings.runtime_kind |= at + 1, settings.runtime_chunk);
            return;
        }
    if (const messaging::FixedString problem = parse_distribution(text, settings.runtime); !problem.empty())
        refuse("OMP_SCHEDULE", text,
               "static, dynamic, guided or auto is wanted, with a chunk after a comma, or a distribution of "
               "PARLEY_LOOPS");
}

// Whether threads are bound to processors. OMP_PROC_BIND is a list with a word for each level of teams, and
// binds them unless it is the word `false` alone.
bool are_bound(std::string_view list)
{
    static constexpr const char* words[] = {"false", "true", "primary", "master", "close", "spread"};
    for (std::string_view rest = list; !rest.empty();) {
        const messaging::Halves halves = messaging::split(rest, ',');
        if (std::ranges::none_of(words, [&](const char* word) { return is_word(halves.before, word); }))
            refuse("OMP_PROC_BIND", list, "true, false, primary, close or spread is wanted");
        rest = halves.after;
    }
    return !list.empty() && !is_word(list, "false");
}

// OMP_ALLOCATOR, as the number that omp.h gives it.
std::uintptr_t predefined_allocator(std::string_view text)
{
    static constexpr const char* words[] = {
        "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc", "omp_high_bw_mem_alloc",
        "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",    "omp_pteam_mem_alloc", "omp_thread_mem_alloc"};
    for (std::uintptr_t at = 0; at < std::size(words); ++at)
        if (is_word(text, words[at]))
            return at + 1;
    refuse("OMP_ALLOCATOR", text, "one of OpenMP's allocators is wanted, such as omp_default_mem_alloc");
}

void read_rest()
{
    if (const auto allocator = said("OMP_ALLOCATOR"); !allocator.empty())
        all.settings.allocator = predefined_allocator(allocator);
    if (const auto stack = said("OMP_STACKSIZE"); !stack.empty())
        all.stack_bytes = bytes("OMP_STACKSIZE", stack);
    all.pinned = are_bound(said("OMP_PROC_BIND")) || !said("GOMP_CPU_AFFINITY").empty();
    // What OpenMP says of waiting holds where PARLEY_LOOPS says nothing.
    const std::string_view policy = said("OMP_WAIT_POLICY");
    if (!policy.empty() && !is_word(policy, "active") && !is_word(policy, "passive"))
        refuse("OMP_WAIT_POLICY", policy, "active or passive is wanted");
    if (is_word(policy, "passive") && said("PARLEY_LOOPS").find("wait=") == std::string_view::npos)
        (void)parse_choice("wait=sleeping", all.choice);
}

void read_clusters()
{
    unsigned& clusters = all.choice.clusters;
    if (clusters == 0)
        clusters = std::min(machine_clusters().number, all.settings.threads);
    if (clusters <= most_clusters())
        return;
    char sentence[200];
    std::snprintf(sentence, sizeof sentence, "clusters=%u: %s", clusters, why_no_more_clusters().text);
    refuse_words(sentence);
}

[[gnu::constructor]] void read_environment()
{
    watch_if_wanted();
    prepare_schedules();
    read_leaves();
    read_threads();
    read_teams_and_devices();
    read_schedule();
    read_rest();
    read_clusters();
    all.cedar = distribution("xdoall");
    if (all.choice.distribution.kind != nullptr)
        all.cedar = all.settings.runtime = all.choice.distribution;
}

} // namespace

const ProcessSettings& process() { return all; }

unsigned most_clusters()
{
    const Clusters& machine = machine_clusters();
    return machine.processors == 0 ? all.settings.threads : std::min(machine.number, all.settings.threads);
}

Sentence why_no_more_clusters()
{
    Sentence why{};
    const unsigned most = most_clusters();
    const bool by_machine = machine_clusters().processors != 0 && most == machine_clusters().number;
    const bool is_booted = told_by_kernel() != nullptr;
    const char* const more_of_machine =
        is_booted ? "a larger machine" : "more of the machine's (PARLEY_CLUSTERS)";
    const char* const more_threads =
        is_booted ? "more PROCESSORS" : "more threads (OMP_NUM_THREADS, OMP_THREAD_LIMIT)";
    const char* const many = most == 1 ? "" : "s";
    std::snprintf(why.text, sizeof why.text, "there %s %u %s%s %s; say %u at most, or %s",
                  most == 1 ? "is" : "are", most, by_machine ? "cluster" : "thread", many,
                  by_machine ? "of processors" : "for them", most,
                  by_machine ? more_of_machine : more_threads);
    return why;
}

} // namespace parley::loops
