// SPDX-License-Identifier: MIT
// Which leaves a program's loops have, as users say it: "distribution=guided:4,barrier=tree,wait=sleeping";
// and how many clusters Cedar's loops have, "clusters=4".
#pragma once

#include "messaging/design/fixed_string.hpp"
#include "userlib/loops/kinds.hpp"

#include <string_view>

namespace parley::loops {

template <class OneKind>
struct Chosen {
    const OneKind* kind = nullptr;
    LeafValues values;
};

struct Choice {
    Chosen<DistributionKind> distribution; // no kind: as each loop says
    Chosen<BarrierKind> barrier;
    Chosen<WaitKind> wait;
    unsigned clusters = 0; // of Cedar's loops; 0: as many as the machine has
};

// The choice where nobody says anything.
Choice standard_choice();

// Changes what `text` names; an empty text names nothing. Answers an empty text, or a sentence about what is
// wrong, and then the choice is as it was.
messaging::FixedString parse_choice(std::string_view text, Choice& choice);

// Reads one leaf with its arguments, "guided:4". Answers an empty text, or a sentence about what is wrong.
messaging::FixedString parse_distribution(std::string_view text, Chosen<DistributionKind>& chosen);

// The distribution of that name, which exists, with these values and the standard ones for the rest.
Chosen<DistributionKind> distribution(std::string_view name, const LeafValues& values = {});

// The choice as users would write it, always with every argument.
messaging::FixedString written(const Choice& choice);

} // namespace parley::loops
