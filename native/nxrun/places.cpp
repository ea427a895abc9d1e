// SPDX-License-Identifier: MIT
#include "native/nxrun/places.hpp"

namespace parley::native {

Places::Places(const Spread& layout, unsigned helpers, unsigned policy_processes)
    : layout_(layout), endpoints_(layout.layout().programs() + helpers),
      places_(endpoints_ + policy_processes),
      programs_(std::make_unique<jobs::Roster::ProgramEntry[]>(places_.size())),
      roster_(layout.layout(), {programs_.get(), places_.size()})
{
    for (unsigned endpoint = 0; endpoint < places_.size(); ++endpoint) {
        Place& place = places_[endpoint];
        place.endpoint = endpoint;
        place.machine = layout.machine_of(endpoint);
        place.node = roster_.node_of(endpoint);
        place.role = roster_.is_host(endpoint)      ? Role::host
                     : roster_.is_program(endpoint) ? Role::program
                     : endpoint >= endpoints_       ? Role::policy
                     : layout.machines > 1          ? Role::network
                                                    : Role::delivery;
    }
}

unsigned Places::number_here(const Place& place) const
{
    unsigned number = 0;
    for (unsigned endpoint = 0; endpoint < place.endpoint; ++endpoint)
        number += is_here(places_[endpoint]) ? 1 : 0;
    return number;
}

std::string Places::name_of(const Place& place) const
{
    switch (place.role) {
    case Role::host: return "the host";
    case Role::delivery:
    case Role::network: return "the delivery process";
    case Role::policy: return "policy process " + std::to_string(place.endpoint - endpoints_);
    case Role::program: break;
    }
    const int pid = roster_.pid_of(place.endpoint);
    return "node " + std::to_string(place.node) + (pid != 0 ? ", process " + std::to_string(pid) : "");
}

} // namespace parley::native
