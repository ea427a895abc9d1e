// SPDX-License-Identifier: MIT
// One address space for all ranks of a job (context-switch=light). A process of nxrun's, the keeper, has the
// job's memory and the message library mapped. Each rank is a Linux process with its own descriptors,
// signals and number that shares the keeper's address space, in which it has a copy of its program's image,
// of the dynamic linker, and so of every library and all their variables, thread-local ones too, and a stack.
// So a program that runs under context-switch=heavy runs here unchanged, if it can lie anywhere.
//
// What Linux has once for an address space they have in common: no heap grows from a program's end (the C
// library maps memory instead), and none of them leaves a core file, for which Linux would end them all.
#pragma once

#include "interface/library.h"
#include "native/interface/native_job.h"
#include "native/nxrun/rank_starter.hpp"

#include <string>
#include <sys/types.h>

namespace parley::native {

class SharedSpace final : public RankStarter {
public:
    // Forks the keeper, while nxrun has the job's memory and the library mapped and nothing else that ranks
    // should not have. Throws BadRequest.
    SharedSpace(parley_native_job& job, const parley_library& library);
    // Waits for the end of the keeper. Ranks that still run keep the address space.
    ~SharedSpace();
    SharedSpace(const SharedSpace&) = delete;
    SharedSpace& operator=(const SharedSpace&) = delete;

    std::expected<pid_t, std::string> start(const RankStart& rank) override;
    // Has a keeper that has been stopped with the ranks go on.
    void resume() override;

private:
    std::string how_keeper_ended();

    int socket_ = -1; // to the keeper
    pid_t keeper_ = -1;
};

} // namespace parley::native
