// SPDX-License-Identifier: MIT
// What the words of a job's configuration choose: its design and the kind of its semaphores.
#pragma once

#include "base/arena.hpp"
#include "kernel/program/configuration.hpp"
#include "kernel/program/failure.hpp"
#include "messaging/design/design.hpp"

namespace parley::kernel {

class JobChoices {
public:
    // Reads the words, once. A word that is refused, and what comes after it, chooses nothing: the record of
    // a refused job says what was chosen until then. The sentence is kept in `sentences`. `machine`: what
    // the job has of machines.
    Loaded<void> read(const JobConfiguration& job, const messaging::MachineSize& machine, Arena& sentences);

    // What is asked for where nothing was read: the design of the standard preset, and no name.
    const messaging::Design& design() const { return design_; }
    const messaging::LeafChoice& semaphore() const { return semaphore_; }

private:
    messaging::Design design_;
    messaging::LeafChoice semaphore_;
};

} // namespace parley::kernel
