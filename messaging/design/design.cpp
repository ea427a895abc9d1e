// SPDX-License-Identifier: MIT
#include "messaging/design/design.hpp"

#include "messaging/design/nearest_name.hpp"
#include "messaging/design/rows.hpp"
#include "messaging/design/split.hpp"
#include "messaging/factors.hpp"

#include "messaging/leaves.hpp"

#include <algorithm>

namespace parley::messaging {

namespace {

constexpr std::string_view factor_list[] = {
#define PARLEY_FACTOR_NAME(identifier, name, leaves) name,
    PARLEY_FACTORS(PARLEY_FACTOR_NAME)
#undef PARLEY_FACTOR_NAME
};

template <class... Lists>
constexpr std::size_t total = (Lists::size + ...);

constexpr std::size_t leaf_count =
    total<LocationLeaves, ContextSwitchLeaves, InteractionLeaves, PortLeaves, TransportLeaves,
          SynchronizationLeaves, TransferLeaves<>, PollingLeaves>;

struct LeafTable {
    LeafInfo entries[leaf_count];
};

constexpr LeafTable leaf_table = [] {
    LeafTable table{};
    std::size_t at = 0;
#define PARLEY_FACTOR_LEAVES(identifier, factor, list)                                   \
    list::for_each([&]<class Leaf>() {                                                   \
        static_assert(is_plain_name(Leaf::name));                                        \
        static_assert(are_declared_well(arguments_of<Leaf>()));                          \
        table.entries[at++] = {factor, Leaf::name, Leaf::promise, arguments_of<Leaf>()}; \
    });
    PARLEY_FACTORS(PARLEY_FACTOR_LEAVES)
#undef PARLEY_FACTOR_LEAVES
    return table;
}();

// A row's classes may be told less than they take. The presets come first.
constexpr auto complete_rows = [] {
    auto rows = design_rows;
    for (Preset& row : rows) {
#define PARLEY_COMPLETE_FACTOR(identifier, factor, list)                                              \
    list::with(row.design.identifier.name, [&]<class Leaf>() {                                        \
        row.design.identifier.values = completed(arguments_of<Leaf>(), row.design.identifier.values); \
    });
        PARLEY_FACTORS(PARLEY_COMPLETE_FACTOR)
#undef PARLEY_COMPLETE_FACTOR
    }
    return rows;
}();

// What `design`, which may be const, chooses for a factor; null when there is no such factor.
template <class AnyDesign>
auto member(AnyDesign& design, std::string_view factor) -> decltype(&design.location)
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

// What a class's name means where it stands alone: of the first factor that has one.
const LeafInfo* find_leaf_alone(std::string_view name)
{
    for (const LeafInfo& leaf : leaves())
        if (leaf.name == name)
            return &leaf;
    return nullptr;
}

const Preset* find_preset(std::string_view name)
{
    for (const Preset& preset : presets())
        if (preset.name == name)
            return &preset;
    return nullptr;
}

// A class and what it is told: the name, then "" or ":100:8192".
Halves class_and_arguments(std::string_view text)
{
    Halves halves{split(text, ':').before, text};
    halves.after.remove_prefix(halves.before.size());
    return halves;
}

FixedString choose(LeafChoice& chosen, const LeafInfo& leaf, std::string_view arguments)
{
    FixedString full_name;
    full_name << leaf.factor << "=" << leaf.name;
    chosen.name = leaf.name;
    return parse_arguments(full_name.text(), leaf.arguments, arguments, chosen.values);
}

FixedString set_class(Design& design, std::string_view factor, std::string_view text)
{
    const auto [name, arguments] = class_and_arguments(text);
    FixedString problem;
    if (factor == "ready-queue") {
        if (text != "shared" && text != "private")
            problem << "a ready queue is shared or private, not '" << text << "'";
        design.shared_ready_queue = text == "shared";
        return problem;
    }
    LeafChoice* const chosen = member(design, factor);
    if (chosen == nullptr) {
        NearestName nearest(factor);
        for (const std::string_view known : factor_list)
            nearest.consider(known);
        return problem << "there is no factor '" << factor << "'; did you mean '" << nearest.best() << "'?";
    }
    if (const LeafInfo* const leaf = find_leaf(factor, name))
        return choose(*chosen, *leaf, arguments);
    NearestName nearest(name);
    for (const LeafInfo& leaf : leaves())
        if (leaf.factor == factor)
            nearest.consider(leaf.name);
    problem << "there is no " << factor << " '" << name;
    if (nearest.is_near())
        return problem << "'; did you mean '" << nearest.best() << "'?";
    std::string_view between = "'; there are ";
    for (const LeafInfo& leaf : leaves()) {
        if (leaf.factor != factor)
            continue;
        problem << between << leaf.name;
        between = ", ";
    }
    return problem;
}

// A factor without its class.
FixedString ask_for_class(std::string_view factor)
{
    FixedString problem;
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

FixedString set_word(Design& design, std::string_view word, bool first)
{
    const auto [name, arguments] = class_and_arguments(word);
    if (const Preset* const preset = first ? find_preset(name) : nullptr) {
        design = preset->design;
        if (arguments.empty())
            return {};
        return FixedString() << name << " is a preset of classes, and only a class takes arguments; leave '"
                             << arguments << "' out";
    }
    if (const LeafInfo* const leaf = find_leaf_alone(name))
        return choose(*member(design, leaf->factor), *leaf, arguments);
    if (member(design, name) != nullptr)
        return ask_for_class(name);
    NearestName nearest(name);
    for (const Preset& known : presets())
        nearest.consider(known.name);
    for (const LeafInfo& leaf : leaves())
        nearest.consider(leaf.name);
    FixedString problem;
    return problem << "there is no design or class '" << name << "'; did you mean '" << nearest.best()
                   << "'?";
}

// The factor that a word of a design chooses for; empty for a preset.
std::string_view factor_of(std::string_view word)
{
    const auto [factor, name] = split(word, '=');
    if (factor.size() < word.size())
        return factor;
    const LeafInfo* const leaf = find_leaf_alone(class_and_arguments(word).before);
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

} // namespace

std::span<const Preset> presets() { return static_rows().first<std::size(design_presets)>(); }
std::span<const Preset> static_rows() { return complete_rows; }
std::span<const LeafInfo> leaves() { return leaf_table.entries; }
std::span<const std::string_view> factor_names() { return factor_list; }

FixedString parse_design(std::string_view text, Design& design)
{
    design = find_preset("exp6")->design;
    for (bool first = true; !text.empty(); first = false) {
        const auto [word, rest] = split(text, ',');
        const auto [factor, name] = split(word, '=');
        const bool stands_alone = factor.size() == word.size();
        const FixedString problem =
            stands_alone ? set_word(design, word, first) : set_class(design, factor, name);
        text = rest;
        if (!problem.empty())
            return problem;
        if (const std::string_view chosen = factor_of(word); !chosen.empty() && is_chosen(chosen, rest))
            return FixedString() << "the " << chosen << " is chosen twice; say it once";
    }
    return {};
}

FixedString canonical(const LeafInfo& leaf, const LeafValues& values)
{
    FixedString text;
    text << leaf.name;
    write_arguments(text, leaf.arguments, values);
    return text;
}

FixedString canonical(const Design& design)
{
    FixedString text;
    std::string_view between;
    for (const std::string_view factor : factor_names()) {
        const LeafChoice& choice = choice_of(design, factor);
        if (factor == "polling" && choice.name == usual_polling)
            continue;
        const LeafInfo* const leaf = find_leaf(factor, choice.name);
        text << between;
        if (leaf != find_leaf_alone(choice.name))
            text << factor << "=";
        text << choice.name;
        if (leaf != nullptr)
            write_arguments(text, leaf->arguments, choice.values);
        between = ",";
    }
    if (design.shared_ready_queue)
        text << ",ready-queue=shared";
    return text;
}

const LeafChoice& choice_of(const Design& design, std::string_view factor) { return *member(design, factor); }

bool same_classes(const Design& one, const Design& other)
{
    for (const std::string_view factor : factor_names())
        if (choice_of(one, factor).name != choice_of(other, factor).name)
            return false;
    return true;
}

bool has_static_row(const Design& design)
{
    const bool in_user = traits_of(design).in_user;
    return std::ranges::any_of(static_rows(), [&](const Preset& row) {
        Design composed = row.design;
        if (in_user)
            composed.location = design.location;
        return same_classes(composed, design);
    });
}

std::string_view preset_name(const Design& design)
{
    for (const Preset& preset : presets())
        if (preset.design == design)
            return preset.name;
    return {};
}

} // namespace parley::messaging
