// SPDX-License-Identifier: MIT
#include "messaging/design.hpp"

#include "messaging/factors.hpp"
#include "messaging/nearest_name.hpp"
#include "messaging/rows.hpp"

#include "messaging/leaves.hpp"

namespace parley::messaging {

namespace {

constexpr std::string_view factor_list[] = {
#define PARLEY_FACTOR_NAME(identifier, name, leaves) name,
    PARLEY_FACTORS(PARLEY_FACTOR_NAME)
#undef PARLEY_FACTOR_NAME
};

template <class... Lists>
constexpr std::size_t total = (Lists::size + ...);

constexpr std::size_t leaf_count = total<LocationLeaves, ContextSwitchLeaves, InteractionLeaves, PortLeaves,
                                         TransportLeaves, SynchronizationLeaves, TransferLeaves<>>;

struct LeafTable {
    LeafInfo entries[leaf_count];
};

constexpr LeafTable leaf_table = [] {
    LeafTable table{};
    std::size_t at = 0;
#define PARLEY_FACTOR_LEAVES(identifier, factor, list) \
    list::for_each([&]<class Leaf>() { table.entries[at++] = {factor, Leaf::name, Leaf::promise}; });
    PARLEY_FACTORS(PARLEY_FACTOR_LEAVES)
#undef PARLEY_FACTOR_LEAVES
    return table;
}();

// The class that `design` has for a factor; null when there is no such factor.
std::string_view* member(Design& design, std::string_view factor)
{
#define PARLEY_FACTOR_MEMBER(identifier, name, leaves) \
    if (factor == name)                                \
        return &design.identifier;
    PARLEY_FACTORS(PARLEY_FACTOR_MEMBER)
#undef PARLEY_FACTOR_MEMBER
    return nullptr;
}

const LeafInfo* find_leaf(std::string_view factor, std::string_view name)
{
    for (const LeafInfo& leaf : leaves())
        if (leaf.factor == factor && leaf.name == name)
            return &leaf;
    return nullptr;
}

const LeafInfo* find_unique_leaf(std::string_view name)
{
    const LeafInfo* found = nullptr;
    for (const LeafInfo& leaf : leaves()) {
        if (leaf.name != name)
            continue;
        if (found != nullptr)
            return nullptr;
        found = &leaf;
    }
    return found;
}

const Row* find_row(std::string_view name)
{
    for (const Row& row : rows())
        if (row.name == name)
            return &row;
    return nullptr;
}

struct Halves {
    std::string_view before, after;
};

// What is before and after the first `mark`; by hand, because string_view::substr may throw.
Halves split(std::string_view text, char mark)
{
    std::size_t length = 0;
    while (length < text.size() && text[length] != mark)
        ++length;
    Halves halves{text, text};
    halves.before.remove_suffix(text.size() - length);
    halves.after.remove_prefix(length < text.size() ? length + 1 : length);
    return halves;
}

Sentence set_class(Design& design, std::string_view factor, std::string_view name)
{
    Sentence problem;
    if (factor == "ready-queue") {
        if (name != "shared" && name != "private")
            problem << "a ready queue is shared or private, not '" << name << "'";
        design.shared_ready_queue = name == "shared";
        return problem;
    }
    std::string_view* const chosen = member(design, factor);
    if (chosen == nullptr) {
        NearestName nearest(factor);
        for (const std::string_view known : factor_list)
            nearest.consider(known);
        return problem << "there is no factor '" << factor << "'; did you mean '" << nearest.best() << "'?";
    }
    if (const LeafInfo* const leaf = find_leaf(factor, name)) {
        *chosen = leaf->name;
        return problem;
    }
    NearestName nearest(name);
    for (const LeafInfo& leaf : leaves())
        if (leaf.factor == factor)
            nearest.consider(leaf.name);
    return problem << "there is no " << factor << " '" << name << "'; did you mean '" << nearest.best()
                   << "'?";
}

// A factor without its class.
Sentence ask_for_class(std::string_view factor)
{
    Sentence problem;
    problem << factor << " is a factor, and its class is wanted: say ";
    std::string_view between;
    for (const LeafInfo& leaf : leaves()) {
        if (leaf.factor != factor)
            continue;
        problem << between << factor << "=" << leaf.name;
        between = " or ";
    }
    return problem;
}

Sentence set_word(Design& design, std::string_view word, bool first)
{
    const Row* const row = first ? find_row(word) : nullptr;
    if (row != nullptr) {
        design = row->design;
        return {};
    }
    if (const LeafInfo* const leaf = find_unique_leaf(word))
        return set_class(design, leaf->factor, leaf->name);
    if (member(design, word) != nullptr)
        return ask_for_class(word);
    NearestName nearest(word);
    for (const Row& known : rows())
        nearest.consider(known.name);
    for (const LeafInfo& leaf : leaves())
        nearest.consider(leaf.name);
    Sentence problem;
    return problem << "there is no design or class '" << word << "'; did you mean '" << nearest.best()
                   << "'?";
}

// The factor that a word of a design chooses for; empty for a row.
std::string_view factor_of(std::string_view word)
{
    const auto [factor, name] = split(word, '=');
    if (factor.size() < word.size())
        return factor;
    const LeafInfo* const leaf = find_unique_leaf(word);
    return leaf == nullptr ? std::string_view() : leaf->factor;
}

bool is_chosen(std::string_view factor, std::string_view words)
{
    while (!words.empty()) {
        const auto [word, rest] = split(words, ',');
        if (factor_of(word) == factor)
            return true;
        words = rest;
    }
    return false;
}

constexpr RefusalRule rules[] = {
    {"process transport needs a processor for the delivery process when waiting keeps the processor: give "
     "the run one more "
     "processor than nodes, or choose synchronization=semaphore",
     [](const DesignTraits& traits, const Machine& machine) {
         return traits.helpers > 0 && traits.spins && machine.processors < machine.nodes + traits.helpers;
     }},
    {"transfer=nx2 moves long messages straight into the receiver's memory, which a message system in user "
     "space "
     "(location=user) reaches only in one domain: choose location=kernel or context-switch=light",
     [](const DesignTraits& traits, const Machine&) {
         return traits.writes_to_receivers && traits.in_user && !traits.one_domain;
     }},
    {"a job has at most 64 nodes: the readers of a broadcast block are kept in a word of 64 bits",
     [](const DesignTraits&, const Machine& machine) { return machine.nodes > 64; }},
    {"a job needs at least one node, and a machine one processor",
     [](const DesignTraits&, const Machine& machine) {
         return machine.nodes == 0 || machine.processors == 0;
     }},
};

} // namespace

std::span<const Row> rows() { return design_rows; }
std::span<const LeafInfo> leaves() { return leaf_table.entries; }
std::span<const std::string_view> factor_names() { return factor_list; }
std::span<const RefusalRule> refusal_rules() { return rules; }

Sentence parse_design(std::string_view text, Design& design)
{
    design = find_row("exp6")->design;
    for (bool first = true; !text.empty(); first = false) {
        const auto [word, rest] = split(text, ',');
        const auto [factor, name] = split(word, '=');
        const bool stands_alone = factor.size() == word.size();
        const Sentence problem =
            stands_alone ? set_word(design, word, first) : set_class(design, factor, name);
        text = rest;
        if (!problem.empty())
            return problem;
        if (const std::string_view chosen = factor_of(word); !chosen.empty() && is_chosen(chosen, rest))
            return Sentence() << "the " << chosen << " is chosen twice; say it once";
    }
    return {};
}

Sentence canonical(const Design& design)
{
    Sentence text;
    text << design.location << "," << design.context_switch << "," << design.interaction << "," << design.port
         << "," << design.transport << "," << design.synchronization << "," << design.transfer;
    if (design.shared_ready_queue)
        text << ",ready-queue=shared";
    return text;
}

std::string_view row_name(const Design& design)
{
    for (const Row& row : rows())
        if (row.design == design)
            return row.name;
    return {};
}

Sentence refusal(const Design& design, const Machine& machine)
{
    Sentence sentence;
    const DesignTraits traits = traits_of(design);
    for (const RefusalRule& rule : rules)
        if (rule.applies(traits, machine))
            return sentence << rule.reason;
    return sentence;
}

} // namespace parley::messaging
