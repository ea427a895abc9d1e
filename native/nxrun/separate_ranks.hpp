// SPDX-License-Identifier: MIT
// Ranks with an address space each (context-switch=heavy): forks of nxrun that execute their program.
#pragma once

#include "native/nxrun/rank_starter.hpp"
#include "native/nxrun/shared_job_memory.hpp"

#include <csignal>

namespace parley::native {

class SeparateRanks final : public RankStarter {
public:
    // `library_file`: an open descriptor of the message library. `signals`: blocked in nxrun, not in ranks.
    SeparateRanks(const SharedJobMemory& memory, const parley_library& library, int library_file,
                  const sigset_t& signals)
        : memory_(memory), library_(library), library_file_(library_file), signals_(signals)
    {
    }

    std::expected<pid_t, std::string> start(const RankStart& rank) override;
    void resume() override { }

private:
    [[noreturn]] void become(const RankStart& rank, pid_t nxrun) const;

    const SharedJobMemory& memory_;
    const parley_library& library_;
    const int library_file_;
    const sigset_t signals_;
};

} // namespace parley::native
