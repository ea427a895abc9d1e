// SPDX-License-Identifier: MIT
// A design as data: one class for each factor. Parses `exp6,synchronization=ticket` (a preset's name, then
// overrides; a class name may stand alone, and is then of the first factor that has it; a class's arguments
// follow its name after colons), writes the canonical form, and refuses what makes no sense, in one sentence.
#pragma once

#include "messaging/design/fixed_string.hpp"
#include "messaging/design/leaf_arguments.hpp"

#include <span>
#include <string_view>

namespace parley::messaging {

// The class that a design has for a factor, and the values of its arguments. The name points to the leaf's
// own, so designs can be copied freely.
struct LeafChoice {
    constexpr LeafChoice() = default;
    constexpr LeafChoice(std::string_view leaf, const LeafValues& told = {}) : name(leaf), values(told) { }
    constexpr LeafChoice(const char* leaf, const LeafValues& told = {}) : name(leaf), values(told) { }

    std::string_view name;
    LeafValues values;

    constexpr bool operator==(const LeafChoice&) const = default;
};

// The polling of a design whose user names none; it is not written out.
inline constexpr std::string_view usual_polling = "fixed";

// A message system as its user chooses it: a class for each factor, and how its processes are queued.
struct Design {
    LeafChoice location;
    LeafChoice context_switch;
    LeafChoice interaction;
    LeafChoice port;
    LeafChoice transport;
    LeafChoice synchronization;
    LeafChoice transfer;
    bool shared_ready_queue = false;    // one ready queue for all processors, instead of one each
    LeafChoice polling = usual_polling; // of who looks into two sources

    bool operator==(const Design&) const = default;
};

// A design that has a name.
struct Preset {
    std::string_view name;
    Design design;
};

// What users are told of a leaf: of which factor it is, and what it promises.
struct LeafInfo {
    std::string_view factor;
    std::string_view name;
    std::string_view promise;
    std::span<const LeafArgument> arguments;
};

// What follows from a design for those who start its processes or refuse it, whichever classes it has.
struct DesignTraits {
    bool in_user;     // the user-level library instead of proxy calls
    bool one_domain;  // light
    bool spins;       // waiting keeps the processor
    bool looks_first; // waiting begins with looking, for some microseconds at least
    bool lent_until_delivered;
    bool needs_shared_memory;
    bool transfers_ownership;
    bool writes_to_receivers; // moves bytes straight into the receiver's memory
    bool keeps_order;         // its port does, of one sender's messages: else a program sends none by NX/2
    bool joins_machines;      // a job's nodes may be on several machines
    bool processes_look;      // processes look themselves into what joins them with others
    bool polls_as_usual;      // two sources, if there are two, are looked into as usual
    unsigned helpers;         // processes of its own, which the job starts
    bool helpers_are_devices; // these stand for devices: none of them is to keep a processor from programs
    // The kind of semaphores by whose P and V its processes wait, told what the Synchronization is told;
    // empty: by none.
    std::string_view semaphores;
};

// All presets and leaves that this build knows, in the order in which they are listed.
std::span<const Preset> presets();
std::span<const LeafInfo> leaves();
std::span<const std::string_view> factor_names();

// Reads a design. The answer is empty on success; `design` is then complete.
FixedString parse_design(std::string_view text, Design& design);
// Writes all that a design chooses, with every argument: parse_design() reads it as the same design.
FixedString canonical(const Design& design);
// Writes a class with its arguments, as a design does: "adaptive:100:8192".
FixedString canonical(const LeafInfo& leaf, const LeafValues& values);
// What `design` chooses for the factor of that name, which exists.
const LeafChoice& choice_of(const Design& design, std::string_view factor);
// Whether both designs compose the same classes, whatever these are told and however processes are scheduled.
// Static dispatch is compiled for one such set of classes.
bool same_classes(const Design& one, const Design& other);
// The designs for which it is compiled in this build, the presets first; and whether one is composed so: by
// its row, or, where its processes have the system themselves, by a row that differs in its location alone.
std::span<const Preset> static_rows();
bool has_static_row(const Design& design);
DesignTraits traits_of(const Design& design);
// What a design's programs must know: bits of enum nx_capability.
unsigned capabilities_of(const Design& design);
// How many processors so many processes need at once, so that those who wait do not keep the others from
// running.
unsigned least_processors(const Design& design, unsigned processes);
// The port of a design's mailboxes: its own, or the one that this names where it keeps no order itself.
LeafChoice mailbox_port(const Design& design);
// How many processes of their own the classes of a design need, whichever classes these are.
unsigned helpers_of(const Design& design);
// The name of the preset that is exactly this design, or "".
std::string_view preset_name(const Design& design);

struct MachineSize {
    unsigned nodes;
    unsigned processors;
    unsigned machines = 1; // over which the job's nodes are spread
};
// Why a design makes no sense on a machine; empty when it does.
FixedString refusal(const Design& design, const MachineSize& machine);

struct RefusalRule {
    std::string_view reason;
    bool (*applies)(const DesignTraits& traits, const MachineSize& machine);
};
// The table behind refusal(); the first that applies is told.
std::span<const RefusalRule> refusal_rules();

} // namespace parley::messaging
