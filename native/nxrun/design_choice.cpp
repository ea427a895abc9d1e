// SPDX-License-Identifier: MIT
#include "native/nxrun/design_choice.hpp"

#include "native/nxrun/options.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <string_view>

namespace parley::native {

namespace {

// What the named designs' transports become when the nodes are on several machines.
constexpr const char* joining = "network";

// Whether the user wrote the class's name himself, with its factor or alone.
bool says(std::string_view wanted, std::string_view leaf)
{
    for (std::size_t at = 0; at < wanted.size();) {
        const std::size_t end = std::min(wanted.find(',', at), wanted.size());
        const std::string_view word = wanted.substr(at, end - at);
        if (word == leaf || (word.ends_with(leaf) && word[word.size() - leaf.size() - 1] == '='))
            return true;
        at = end + 1;
    }
    return false;
}

void add(std::string& sentence, std::string_view words)
{
    sentence += sentence.empty() ? "" : ", ";
    sentence += words;
}

// With processors for everybody: what a machine has too few of is no matter here.
bool runs_natively(const std::string& design, unsigned machines = 1)
{
    try {
        choose_design(design, 2, 64, machines);
        return true;
    } catch (const BadRequest&) {
        return false;
    }
}

bool some_design_takes(const std::string& word)
{
    return std::ranges::any_of(messaging::presets(), [&](const messaging::Preset& preset) {
        const std::string design = std::string(preset.name) + "," + word;
        return runs_natively(design) || runs_natively(design, 2);
    });
}

} // namespace

// In such a crowd ranks that look, and give way between looks, keep those waiting that have something to do;
// in a smaller one a sleep and its wake cost more than the turns of the few others (docs/native.md).
std::string default_design(unsigned processes, unsigned processors)
{
    constexpr unsigned crowd = 8; // to each processor
    return processes > crowd * processors ? "native,synchronization=two-phase" : "native";
}

DesignChoice choose_design(const std::string& wanted, unsigned processes, unsigned processors,
                           unsigned machines)
{
    DesignChoice choice{};
    if (const messaging::FixedString sentence = messaging::parse_design(wanted, choice.design);
        !sentence.empty())
        throw BadRequest{std::string(sentence.text())};
    if (const messaging::DesignTraits traits = messaging::traits_of(choice.design);
        !traits.semaphores.empty())
        throw BadRequest{"synchronization=" + std::string(traits.semaphores) +
                         " waits by semaphores of the Parley kernel (make run); on Linux a process sleeps by "
                         "synchronization=semaphore or two-phase."};
    if (says(wanted, "kernel"))
        throw BadRequest{
            "location=kernel needs the Parley kernel (make run); on Linux the message system is in "
            "the library: leave the word out."};
    if (machines > 1 && says(wanted, "light"))
        throw BadRequest{"context-switch=light needs one address space for all nodes, which several machines "
                         "have not: leave the word out, or take one machine."};
    if (choice.design.location.name != "user") {
        choice.design.location = "user";
        add(choice.changed, "location=user");
    }
    if (machines > 1 && messaging::traits_of(choice.design).one_domain) {
        choice.design.context_switch = "heavy";
        add(choice.changed, "context-switch=heavy");
    }
    if (machines > 1 && choice.design.transport.name != joining &&
        !says(wanted, choice.design.transport.name)) {
        choice.design.transport = joining;
        add(choice.changed, "transport=" + std::string(joining));
    }
    const messaging::MachineSize machine{processes, std::max(processors, 1u), machines};
    if (const messaging::FixedString sentence = messaging::refusal(choice.design, machine); !sentence.empty())
        throw BadRequest{"This design cannot run here: " + std::string(sentence.text()) + "."};
    choice.text = messaging::canonical(choice.design).text();
    choice.has_static_row = messaging::has_static_row(choice.design);
    return choice;
}

void list_designs(std::ostream& out)
{
    constexpr int column = 34;
    for (const messaging::Preset& preset : messaging::presets()) {
        const std::string name(preset.name);
        if (runs_natively(name))
            out << std::left << std::setw(column) << name << choose_design(name, 2, 64, 1).text << '\n';
    }
    for (const messaging::LeafInfo& leaf : messaging::leaves()) {
        const std::string word = std::string(leaf.factor) + "=" + std::string(leaf.name);
        if (some_design_takes(word))
            out << std::left << std::setw(column) << word << leaf.promise << '\n';
    }
}

} // namespace parley::native
