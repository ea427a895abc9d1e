// SPDX-License-Identifier: MIT
#include "pace.h"

#include "messaging/polling/adaptive.hpp"
#include "messaging/polling/fixed.hpp"
#include "messaging/polling/fractional.hpp"

#include <optional>
#include <string>

namespace {

using namespace parley;
using namespace parley::messaging;

template <typename Leaf>
LeafValues usual()
{
    LeafValues values;
    for (const LeafArgument& argument : Leaf::arguments)
        values.add(argument.standard);
    return values;
}

template <typename Leaf>
std::string named()
{
    return std::string(Leaf::name) + ":" + std::to_string(Leaf::arguments[0].standard);
}

FixedPolling fixed;
std::optional<FractionalPolling> fractional;
std::optional<AdaptivePolling> adaptive;
Polling* chosen = nullptr; // none: never

} // namespace

const char* pace_name(pace pace)
{
    static const std::string names[paces] = {
        "never", std::string(FixedPolling::name), named<FractionalPolling>(),
        named<AdaptivePolling>() + ":" + std::to_string(AdaptivePolling::arguments[1].standard)};
    return names[pace].c_str();
}

void pace_begin(pace pace)
{
    chosen = nullptr;
    if (pace == pace_fixed)
        chosen = &fixed;
    if (pace == pace_fractional)
        chosen = &fractional.emplace(usual<FractionalPolling>());
    if (pace == pace_adaptive)
        chosen = &adaptive.emplace(usual<AdaptivePolling>());
}

int pace_looks_far() { return chosen && chosen->looks_far(); }

void pace_note(unsigned near, unsigned far)
{
    if (chosen)
        chosen->note(near, far);
}
