// SPDX-License-Identifier: MIT
#include "native/nxrun/semaphore_choice.hpp"

#include "messaging/design/semaphores.hpp"
#include "native/nxrun/options.hpp"

namespace parley::native {

SemaphoreChoice choose_semaphore(const std::string& wanted)
{
    messaging::LeafChoice kind;
    if (const messaging::FixedString problem = messaging::parse_semaphore(wanted, kind); !problem.empty())
        throw BadRequest{std::string(problem.text())};
    SemaphoreChoice choice{
        std::string(messaging::canonical_semaphore(kind).text()), std::string(kind.name), {}};
    for (std::size_t at = 0; at < kind.values.size(); ++at)
        choice.values.push_back(kind.values[at]);
    return choice;
}

} // namespace parley::native
