// SPDX-License-Identifier: MIT
#include "native/nxrun/place.hpp"

namespace parley::native {

std::string name_of(const Place& place)
{
    switch (place.role) {
    case Role::host: return "the host";
    case Role::helper: return "the delivery process";
    case Role::program: break;
    }
    return "node " + std::to_string(place.node) +
           (place.pid != 0 ? ", process " + std::to_string(place.pid) : "");
}

} // namespace parley::native
