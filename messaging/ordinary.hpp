// SPDX-License-Identifier: MIT
// What the leaves of a design ask of programs, as data, and what a call must be like for the short way: then
// a single look at it tells more than one thing.
#pragma once

#include <cstdint>

namespace parley::messaging {

struct Traits {
    bool direct; // no carriers: senders put into the port of the destination itself
    bool lends;
    bool needs_shared;
    bool hands_over;
    bool awaits_delivery;
    bool negotiates;
    bool spins;

    bool follows_sends() const { return lends || awaits_delivery || negotiates; }
    bool awaits_straight() const { return awaits_delivery && !negotiates && direct; }
};

// Every endpoint has a copy, so that its calls need not look for it.
struct Ordinary {
    Ordinary() = default;
    // `brief_turns`: how often to look for what may come at once, where waiting is spinning. `plain_mark`:
    // of messages without bytes.
    Ordinary(const Traits& traits, unsigned of_nodes, unsigned brief_turns, std::uint64_t plain_mark)
        : nodes(traits.follows_sends() || !traits.direct ? 0 : of_nodes),
          awaited_nodes(traits.awaits_straight() ? of_nodes : 0),
          least_checked(traits.negotiates || traits.hands_over ? 0
                        : traits.needs_shared                  ? 1
                                                               : negative),
          least_checked_block(traits.negotiates                           ? 0
                              : traits.needs_shared && !traits.hands_over ? 1
                                                                          : negative),
          plain(plain_mark), turns(traits.spins ? brief_turns : 0)
    {
    }

    std::uint64_t nodes = 0;         // none, where somebody counts deliveries or messages are carried
    std::uint64_t awaited_nodes = 0; // none, unless csend waits for deliveries and nothing else is to be done
    // A receive with a maximum from this on is looked at first: none but those below 0, which are long here,
    // or all that have bytes, or all. The same of receives of blocks.
    std::uint64_t least_checked = 0;
    std::uint64_t least_checked_block = 0;
    std::uint64_t plain = 0; // Envelope::plain, or 0 where there is more to do
    unsigned turns = 0;

private:
    static constexpr std::uint64_t negative = std::uint64_t{1} << 63;
};

} // namespace parley::messaging
