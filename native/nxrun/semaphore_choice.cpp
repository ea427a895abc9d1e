// SPDX-License-Identifier: MIT
#include "native/nxrun/semaphore_choice.hpp"

#include "messaging/design/semaphores.hpp"
#include "native/nxrun/options.hpp"
#include "native/nxrun/printable.hpp"

namespace parley::native {

SemaphoreChoice choose_semaphore(const std::string& wanted)
{
    messaging::LeafChoice kind;
    if (const messaging::FixedString problem = messaging::parse_semaphore(wanted, kind); !problem.empty()) {
        const std::string name = wanted.substr(0, wanted.find(':'));
        if (name == "spin" || name == "kernel")
            throw BadRequest{std::string(problem.text())};
        throw BadRequest{"there are no semaphores '" + printable(name) +
                         "' on Linux; there are spin and kernel."};
    }
    const bool spins = kind.name == "spin";
    if (!spins && kind.name != "kernel")
        throw BadRequest{"semaphore=" + std::string(kind.name) +
                         " is the Parley kernel's (make run); on Linux there are spin and kernel."};
    return {std::string(messaging::canonical_semaphore(kind).text()), spins,
            spins ? static_cast<unsigned>(kind.values[0]) : 0};
}

} // namespace parley::native
