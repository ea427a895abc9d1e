// SPDX-License-Identifier: MIT
// The one authority on designs, for tools on the host: the same sources as the kernel's.
//   designs list [--json]
//   designs semaphore KIND
//   designs resolve DESIGN [--nodes N] [--processors P] [--machines M] [--json]
//   designs resolve - [--nodes N] [--processors P]    a line of the input is a design
// A design that does not exist or makes no sense ends with status 2 and one sentence on the error stream.
#include "interface/capabilities.h"
#include "messaging/design/design.hpp"
#include "messaging/design/semaphores.hpp"
#include "messaging/factors.hpp"

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using namespace parley::messaging;
using parley::LeafArgument;
using std::quoted;

namespace {

struct DesignRequest {
    std::string_view command;
    std::string_view design;
    MachineSize machine{2, 0};
    bool json = false;
};

int refuse(std::string_view sentence)
{
    std::cerr << sentence << '\n';
    return 2;
}

bool is_chosen(const Design& design, const LeafInfo& leaf)
{
    return choice_of(design, leaf.factor).name == leaf.name;
}

// "adaptive:100:8192"
std::string text_of(const Design& design, std::string_view factor)
{
    for (const LeafInfo& leaf : leaves())
        if (leaf.factor == factor && is_chosen(design, leaf))
            return std::string(canonical(leaf, choice_of(design, factor).values).text());
    return {};
}

std::string_view ready_queue(const Design& design)
{
    return design.shared_ready_queue ? "shared" : "private";
}

// The elements of a JSON list or object, with commas between them.
class Listing {
public:
    explicit Listing(char closing) : closing_(closing) { std::cout << (closing == ']' ? '[' : '{'); }
    ~Listing() { std::cout << closing_; }
    Listing(const Listing&) = delete;
    Listing& operator=(const Listing&) = delete;

    std::ostream& next() { return std::cout << (first_ ? (first_ = false, "") : ", "); }
    std::ostream& key(std::string_view name) { return next() << quoted(name) << ": "; }

private:
    char closing_;
    bool first_ = true;
};

// What the classes are told, by factor and name: {"transfer": {"inline-limit": 100}}.
void print_arguments(Listing& object, const Design& design)
{
    object.key("arguments");
    Listing factors('}');
    for (const LeafInfo& leaf : leaves()) {
        if (leaf.arguments.empty() || !is_chosen(design, leaf))
            continue;
        factors.key(leaf.factor);
        Listing values('}');
        for (std::size_t at = 0; at < leaf.arguments.size(); ++at)
            values.key(leaf.arguments[at].name) << choice_of(design, leaf.factor).values[at];
    }
}

void print_design(Listing& object, const Design& design)
{
    const DesignTraits traits = traits_of(design);
    object.key("design") << quoted(canonical(design).text());
    for (const std::string_view factor : factor_names())
        object.key(factor) << quoted(choice_of(design, factor).name);
    print_arguments(object, design);
    object.key("ready_queue") << quoted(ready_queue(design));
    object.key("extra_processes") << traits.helpers;
    object.key("spins") << (traits.spins ? "true" : "false");
    const bool gives_away = (capabilities_of(design) & NX_BLOCKS_CHANGE_OWNER) != 0;
    object.key("gives_away") << (gives_away ? "true" : "false");
    object.key("static_row") << (has_static_row(design) ? "true" : "false");
    object.key("promises");
    Listing promises(']');
    for (const LeafInfo& leaf : leaves())
        if (is_chosen(design, leaf))
            promises.next() << quoted(leaf.promise);
}

void print_class(Listing& list, const LeafInfo& leaf)
{
    list.next();
    Listing object('}');
    object.key("factor") << quoted(leaf.factor);
    object.key("name") << quoted(leaf.name);
    object.key("promise") << quoted(leaf.promise);
    object.key("arguments");
    Listing arguments(']');
    for (const LeafArgument& argument : leaf.arguments) {
        arguments.next();
        Listing each('}');
        each.key("name") << quoted(argument.name);
        each.key("meaning") << quoted(argument.meaning);
        each.key("unit") << quoted(argument.unit.name);
        each.key("least") << argument.least;
        each.key("most") << argument.most;
        each.key("default") << argument.standard;
    }
}

// Rows that are no presets: what users say to have them.
std::string words_of(const Preset& row)
{
    for (const Preset& preset : presets()) {
        Design other = preset.design;
        other.port = row.design.port;
        if (other == row.design)
            return std::string(preset.name) + ",port=" + std::string(row.name);
    }
    return std::string(canonical(row.design).text());
}
std::span<const Preset> rows_beside() { return static_rows().subspan(presets().size()); }

void list_json()
{
    Listing all('}');
    all.key("presets");
    {
        Listing list(']');
        for (const Preset& preset : presets()) {
            list.next();
            Listing object('}');
            object.key("name") << quoted(preset.name);
            print_design(object, preset.design);
        }
    }
    all.key("rows_beside");
    {
        Listing list(']');
        for (const Preset& row : rows_beside())
            list.next() << quoted(words_of(row));
    }
    all.key("classes");
    {
        Listing list(']');
        for (const LeafInfo& leaf : leaves())
            print_class(list, leaf);
    }
    all.key("semaphores");
    {
        Listing list(']');
        for (const LeafInfo& leaf : semaphores())
            print_class(list, leaf);
    }
    all.key("refusals");
    Listing list(']');
    for (const RefusalRule& rule : refusal_rules())
        list.next() << quoted(rule.reason);
}

std::string_view title_of(std::string_view factor)
{
    return factor == "synchronization" ? "synchron." : factor == "context-switch" ? "switch" : factor;
}

// Columns are as wide as what stands in them, whatever classes there are.
int wider(int width, std::string_view text) { return std::max(width, static_cast<int>(text.size()) + 2); }

int column_width(std::string_view factor)
{
    int width = wider(0, title_of(factor));
    for (const LeafInfo& leaf : leaves())
        width = leaf.factor == factor ? wider(width, leaf.name) : width;
    for (const Preset& preset : presets())
        width = wider(width, text_of(preset.design, factor));
    return width;
}

void print_rows()
{
    int names = wider(0, "preset");
    for (const Preset& preset : presets())
        names = wider(names, preset.name);
    std::cout
        << "Designs (DESIGN=preset, or DESIGN=preset,factor=class,...; a class's arguments follow it after "
           "colons)\n  "
        << std::left << std::setw(names) << "preset";
    for (const std::string_view factor : factor_names())
        std::cout << std::setw(column_width(factor)) << title_of(factor);
    std::cout << "ready-queue\n";
    for (const Preset& preset : presets()) {
        std::cout << "  " << std::setw(names) << preset.name;
        for (const std::string_view factor : factor_names())
            std::cout << std::setw(column_width(factor)) << text_of(preset.design, factor);
        std::cout << ready_queue(preset.design) << '\n';
    }
    std::cout << "\nDISPATCH=static has these, and\n";
    for (const Preset& row : rows_beside())
        std::cout << "  " << words_of(row) << '\n';
}

// "adaptive[:inline-limit[:double-copy-limit]]", then a line for each argument.
void explain_arguments(const LeafInfo& leaf, int indent)
{
    if (leaf.arguments.empty())
        return;
    std::cout << std::setw(indent) << "" << leaf.name;
    int names = 0;
    for (const LeafArgument& argument : leaf.arguments) {
        std::cout << "[:" << argument.name;
        names = wider(names, argument.name);
    }
    std::cout << std::string(leaf.arguments.size(), ']') << '\n';
    for (const LeafArgument& argument : leaf.arguments) {
        FixedString range, standard;
        write_range(range, argument);
        write_value(standard, argument.unit, argument.standard);
        std::cout << std::setw(indent + 2) << "" << std::setw(names) << argument.name << argument.meaning
                  << ": " << range.text() << " (default " << standard.text() << ")\n";
    }
}

void list_text()
{
    print_rows();
    int names = 0;
    for (const LeafInfo& leaf : leaves())
        names = wider(names, leaf.name);
    std::string_view factor;
    for (const LeafInfo& leaf : leaves()) {
        if (leaf.factor != factor)
            std::cout << '\n' << (factor = leaf.factor) << '\n';
        std::cout << "  " << std::setw(names) << leaf.name << leaf.promise << '\n';
        explain_arguments(leaf, names + 2);
    }
    std::cout << "\nsemaphores (SEMAPHORE=kind; the same for every design)\n";
    for (const LeafInfo& leaf : semaphores()) {
        std::cout << "  " << std::setw(names) << leaf.name << leaf.promise << '\n';
        explain_arguments(leaf, names + 2);
    }
    std::cout << "\nready-queue\n  shared, private: one for all processors, or one each\n\nRefused\n";
    for (const RefusalRule& rule : refusal_rules())
        std::cout << "  " << rule.reason << '\n';
}

// Why that machine has no such design. Empty: it has, and `design` is it.
FixedString problem_of(std::string_view text, MachineSize machine, Design& design)
{
    const FixedString problem = parse_design(text, design);
    if (!problem.empty())
        return problem;
    if (machine.processors == 0)
        machine.processors = machine.nodes; // the run's own default
    return refusal(design, machine);
}

// Answers each line of the input at once by a line, `ok DESIGN` or `refused SENTENCE`: a caller with many
// questions starts this program once.
int resolve_lines(const DesignRequest& request)
{
    for (std::string line; std::getline(std::cin, line);) {
        Design design;
        const FixedString problem = problem_of(line, request.machine, design);
        if (problem.empty())
            std::cout << "ok " << canonical(design).text() << std::endl;
        else
            std::cout << "refused " << problem.text() << std::endl;
    }
    return 0;
}

int resolve(const DesignRequest& request)
{
    if (request.design == "-")
        return resolve_lines(request);
    Design design;
    const FixedString problem = problem_of(request.design, request.machine, design);
    if (!problem.empty())
        return refuse(problem.text());
    if (!request.json) {
        std::cout << canonical(design).text() << '\n';
        return 0;
    }
    {
        Listing object('}');
        object.key("name") << quoted(preset_name(design));
        print_design(object, design);
    }
    std::cout << '\n';
    return 0;
}

int semaphore(std::string_view text)
{
    LeafChoice kind;
    const FixedString problem = parse_semaphore(text, kind);
    if (!problem.empty())
        return refuse(problem.text());
    std::cout << canonical_semaphore(kind).text() << '\n';
    return 0;
}

bool parse_number(std::string_view text, unsigned& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

// False: not a call that this tool knows.
bool parse_arguments(const std::vector<std::string_view>& words, DesignRequest& request)
{
    for (std::size_t at = 0; at < words.size(); ++at) {
        const bool has_value = at + 1 < words.size();
        if (words[at] == "--json")
            request.json = true;
        else if (words[at] == "--nodes" && has_value && parse_number(words[at + 1], request.machine.nodes))
            ++at;
        else if (words[at] == "--processors" && has_value &&
                 parse_number(words[at + 1], request.machine.processors))
            ++at;
        else if (words[at] == "--machines" && has_value &&
                 parse_number(words[at + 1], request.machine.machines))
            ++at;
        else if (request.command.empty())
            request.command = words[at];
        else if (request.command != "list" && request.design.empty())
            request.design = words[at];
        else
            return false;
    }
    if (request.command == "resolve" || request.command == "semaphore")
        return !request.design.empty();
    return request.command == "list";
}

} // namespace

int main(int count, char** words)
{
    DesignRequest request;
    if (!parse_arguments({words + 1, words + count}, request))
        return refuse("usage: designs list [--json] | designs semaphore KIND | "
                      "designs resolve DESIGN|- "
                      "[--nodes N] [--processors P] [--machines M] [--json]");
    if (request.command == "resolve")
        return resolve(request);
    if (request.command == "semaphore")
        return semaphore(request.design);
    if (request.json)
        list_json();
    else
        list_text();
    std::cout << (request.json ? "\n" : "");
    return 0;
}
