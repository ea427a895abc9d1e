// SPDX-License-Identifier: MIT
// The message system that lies in this machine's arena. On one machine its ranks make all changes themselves,
// and nxrun only looks; on several nxrun has a place of its own in it, from which it makes those that ranks
// of other machines have asked for.
#pragma once

#include "native/nxrun/local_messages.hpp"
#include "native/nxrun/shared_job_memory.hpp"
#include "native/nxrun/wait_watch.hpp"

namespace parley::native {

class ArenaMessages final : public LocalMessages {
public:
    ArenaMessages(const WaitWatch& waits, const SharedJobMemory& memory, const parley_library& library,
                  int nodes)
        : waits_(waits), memory_(memory), library_(library), nodes_(nodes)
    {
    }

    // Takes the place of the process that has the network, before any rank begins. Throws BadRequest.
    void enter(unsigned endpoint);

    jobs::MachineState look() override;
    std::string report() const override { return waits_.report(); }
    const messaging::Unreceived& unreceived(unsigned endpoint) const override
    {
        return waits_.unreceived(endpoint);
    }
    bool all_are_closed() const override { return waits_.all_are_closed(); }
    // The caller has entered.
    Result<void> change(const Packet& packet) override;

private:
    const WaitWatch& waits_;
    const SharedJobMemory& memory_;
    const parley_library& library_;
    const int nodes_;
    parley_process* self_ = nullptr;
};

} // namespace parley::native
