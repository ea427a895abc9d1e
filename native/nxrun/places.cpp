// SPDX-License-Identifier: MIT
#include "native/nxrun/places.hpp"

#include <algorithm>

namespace parley::native {

Places::Places(const messaging::Layout& layout, unsigned helpers) : layout_(layout), pids_(layout.pids, -1)
{
    const unsigned on_nodes = layout.nodes * layout.pids;
    const unsigned programs = on_nodes + (layout.host ? 1 : 0);
    for (unsigned endpoint = 0; endpoint < programs + helpers; ++endpoint) {
        Place& place = places_.emplace_back();
        place.endpoint = endpoint;
        place.machine = layout.machine_of(endpoint);
        const bool of_node = endpoint < on_nodes;
        place.node = static_cast<int>(of_node ? endpoint % layout.nodes : layout.nodes);
        place.pid = static_cast<int>(of_node ? endpoint / layout.nodes : 0);
        place.role = of_node ? Role::program : endpoint < programs ? Role::host : Role::helper;
    }
}

unsigned Places::number_here(const Place& place) const
{
    unsigned number = 0;
    for (unsigned endpoint = 0; endpoint < place.endpoint; ++endpoint)
        number += is_here(places_[endpoint]) ? 1 : 0;
    return number;
}

bool Places::is_meant(const Place& place, Chosen which, const Place* except)
{
    return (which.node == -1 || place.node == which.node) && (which.pid == -1 || place.pid == which.pid) &&
           &place != except && place.role == Role::program;
}

std::vector<Place*> Places::chosen(Chosen which, const Place* except)
{
    std::vector<Place*> found;
    for (Place& place : places_)
        if (is_meant(place, which, except))
            found.push_back(&place);
    return found;
}

bool Places::none_runs(Chosen which, const Place* except) const
{
    return std::ranges::none_of(
        places_, [&](const Place& place) { return is_meant(place, which, except) && place.process != 0; });
}

long Places::row_of(long pid) const
{
    const auto rows = static_cast<long>(pids_.size());
    for (long row = 0; row < rows; ++row)
        if (pids_[static_cast<std::size_t>(row)] == pid)
            return row;
    if (pid >= 0 && pid < rows)
        return pid;
    for (long row = 0; row < rows; ++row) {
        bool is_free = pids_[static_cast<std::size_t>(row)] == -1;
        for (unsigned node = 0; node < layout_.nodes; ++node)
            is_free = is_free && places_[static_cast<std::size_t>(row) * layout_.nodes + node].standing ==
                                     Standing::empty;
        if (is_free)
            return row;
    }
    return -1;
}

std::vector<Place*> Places::of_row(long row, long node)
{
    std::vector<Place*> found;
    for (long at = 0; at < static_cast<long>(layout_.nodes); ++at)
        if (node == -1 || node == at)
            found.push_back(
                &places_[static_cast<std::size_t>(row) * layout_.nodes + static_cast<std::size_t>(at)]);
    return found;
}

} // namespace parley::native
