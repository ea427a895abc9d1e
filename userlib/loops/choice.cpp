// SPDX-License-Identifier: MIT
#include "userlib/loops/choice.hpp"

#include "messaging/design/leaf_arguments.hpp"
#include "messaging/design/split.hpp"

namespace parley::loops {

namespace {

using messaging::FixedString;

template <class OneKind>
const OneKind* found(std::span<const OneKind> kinds, std::string_view name)
{
    for (const OneKind& kind : kinds)
        if (kind.name == name)
            return &kind;
    return nullptr;
}

// "guided:4", of the factor of that name.
template <class OneKind>
FixedString parse_leaf(std::string_view factor, std::span<const OneKind> kinds, std::string_view text,
                       Chosen<OneKind>& chosen)
{
    FixedString problem;
    const std::string_view name = messaging::split(text, ':').before;
    const OneKind* const kind = found(kinds, name);
    if (kind == nullptr) {
        problem << "there is no " << factor << " '" << name << "'; there are";
        for (const OneKind& other : kinds)
            problem << (&other == &kinds[0] ? " " : ", ") << other.name;
        return problem;
    }
    FixedString leaf;
    leaf << factor << "=" << name;
    LeafValues values;
    text.remove_prefix(name.size());
    problem = messaging::parse_arguments(leaf.text(), kind->arguments, text, values);
    if (problem.empty())
        chosen = {kind, values};
    return problem;
}

FixedString parse_clusters(std::string_view text, unsigned& clusters)
{
    static constexpr LeafArgument number[] = {
        {"number", "how many clusters there are", units::number, 1, most_threads, 1}};
    LeafValues values;
    FixedString told;
    told << ":" << text;
    const FixedString problem = messaging::parse_arguments("clusters=", number, told.text(), values);
    if (problem.empty())
        clusters = static_cast<unsigned>(values[0]);
    return problem;
}

FixedString parse_word(std::string_view word, Choice& choice)
{
    const std::string_view factor = messaging::split(word, '=').before;
    const std::string_view leaf = messaging::split(word, '=').after;
    if (factor == "distribution")
        return parse_leaf(factor, distributions(), leaf, choice.distribution);
    if (factor == "barrier")
        return parse_leaf(factor, barriers(), leaf, choice.barrier);
    if (factor == "wait")
        return parse_leaf(factor, waits(), leaf, choice.wait);
    if (factor == "clusters")
        return parse_clusters(leaf, choice.clusters);
    FixedString problem;
    return problem << "'" << word << "' is none of distribution=, barrier=, wait= and clusters=";
}

template <class OneKind>
void write(FixedString& text, std::string_view factor, const Chosen<OneKind>& chosen)
{
    text << (text.empty() ? "" : ",") << factor << "=" << chosen.kind->name;
    messaging::write_arguments(text, chosen.kind->arguments, chosen.values);
}

template <class OneKind>
Chosen<OneKind> standard(std::span<const OneKind> kinds, std::string_view name)
{
    const OneKind* const kind = found(kinds, name);
    return {kind, messaging::completed(kind->arguments)};
}

} // namespace

Choice standard_choice() { return {{}, standard(barriers(), "central"), standard(waits(), "two-phase"), 0}; }

FixedString parse_choice(std::string_view text, Choice& choice)
{
    Choice changed = choice;
    while (!text.empty()) {
        const std::string_view word = messaging::split(text, ',').before;
        if (const FixedString problem = parse_word(word, changed); !problem.empty())
            return problem;
        text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
    }
    choice = changed;
    return {};
}

FixedString parse_distribution(std::string_view text, Chosen<DistributionKind>& chosen)
{
    return parse_leaf("distribution", distributions(), text, chosen);
}

Chosen<DistributionKind> distribution(std::string_view name, const LeafValues& values)
{
    const DistributionKind* const kind = found(distributions(), name);
    return {kind, messaging::completed(kind->arguments, values)};
}

FixedString written(const Choice& choice)
{
    FixedString text;
    if (choice.distribution.kind != nullptr)
        write(text, "distribution", choice.distribution);
    write(text, "barrier", choice.barrier);
    write(text, "wait", choice.wait);
    return text;
}

} // namespace parley::loops
