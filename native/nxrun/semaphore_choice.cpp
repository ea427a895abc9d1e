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
    const bool spins = kind.name == "spin";
    if (!spins && kind.name != "kernel")
        throw BadRequest{"semaphore=" + std::string(kind.name) +
                         " is the Parley kernel's (make run); on Linux there are spin and kernel."};
    return {std::string(messaging::canonical_semaphore(kind).text()), spins,
            spins ? static_cast<unsigned>(kind.values[0]) : 0};
}

} // namespace parley::native
