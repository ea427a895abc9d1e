// SPDX-License-Identifier: MIT
// The semaphores of this machine's ranks, as nxrun knows them: what kind they are, the memory that the
// message library keeps them in, and which rank waits in P. Programs can write into that memory, so nxrun
// follows no address that it finds there.
#pragma once

#include "interface/library.h"
#include "native/interface/job_semaphores.h"
#include "native/nxrun/semaphore_choice.hpp"
#include "sched/semaphore/semaphore_waiter.hpp"

#include <cstddef>
#include <string>

namespace parley::native {

class RankSemaphores {
public:
    // `programs`: how many ranks may wait. The library outlives this.
    RankSemaphores(const SemaphoreChoice& choice, unsigned programs, const parley_library& library);

    // How many policy processes the kind has.
    unsigned policy_processes() const;

    // The kind, with every argument.
    const std::string& text() const { return choice_.text; }
    std::size_t bytes() const;
    // Makes them in so much memory, which all ranks map at this address. `hertz`: of the time-stamp counter.
    // Throws BadRequest.
    parley_job_semaphores* make(std::byte* memory, unsigned long hertz);

    // Whether the program of that endpoint waits in P, and no V has come for it. `wait` is then its wait.
    bool waits(unsigned endpoint, sched::SemaphoreWaiter::WaitInP& wait) const
    {
        return endpoint < programs_ && waiters_ != nullptr && waiters_[endpoint].waits(wait);
    }

private:
    parley_semaphore_kind kind() const;

    const SemaphoreChoice choice_;
    const unsigned programs_;
    const parley_native_semaphores& library_;
    const sched::SemaphoreWaiter* waiters_ = nullptr;
};

} // namespace parley::native
