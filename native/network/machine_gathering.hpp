// SPDX-License-Identifier: MIT
// Meetings of a job's ranks on several machines (messaging/machine_meetings.hpp), for one machine's helper:
// when its own ranks have come, it gives what they have brought to the other machines and takes what theirs
// have, by the MPI's own gathering, which no helper waits for. Every rank comes to the same meetings one
// after the other, so all machines begin them in the same order, each when its own ranks have come.
//
// First each machine gives the call that its ranks meet for, how much they have brought, and the bytes if
// they are few. All see that of all. Where some have brought more, a second gathering brings the bytes; where
// the calls are not the same, no rank can ever go on, and all are left to wait for that to be found.
//
// What has begun can be neither taken back nor left: it is over when all have begun it. So a machine that
// leaves its job says how many it has begun, and begins with nothing what others have begun and it has not.
#pragma once

#include "interface/limits.h"
#include "messaging/machine_meetings.hpp"
#include "native/interface/native_job.h"
#include "native/network/adapter.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::native {

class MachineGathering {
public:
    MachineGathering(const parley_network_adapter& wire, unsigned machines, parley_native_traffic& traffic)
        : wire_(wire), machines_(machines), traffic_(traffic)
    {
    }

    bool is_idle() const { return stage_ == Stage::idle; }
    std::uint64_t begun() const { return begun_; }

    // Whether all of this machine's ranks have come to a meeting, which then is begin()'s. Nothing is asked
    // while another one is under way.
    bool finds(messaging::MachineMeetings& meetings);
    void begin();
    // This machine has left its job, and others have begun one more.
    void begin_with_nothing();

    // Takes a step. Whether all has come, until end() or forget() is called.
    bool has_come();
    void end(messaging::MachineMeetings& meetings);
    // Nobody is left here who waits for it.
    void forget();

private:
    enum class Stage { idle, heads, bytes, come };

    static constexpr std::uint32_t nothing = ~0u;
    // What a machine says of its ranks' meeting, with the bytes if there is room.
    struct Head {
        std::uint32_t call = nothing;
        std::uint32_t bytes = 0;
        std::array<std::byte, PARLEY_MEETING_BYTES> few{};
    };

    void take_next_step();
    bool is_of_all() const;
    std::size_t bytes_of_all() const;
    std::size_t most_bytes() const;

    const parley_network_adapter& wire_;
    const unsigned machines_;
    parley_native_traffic& traffic_;
    Stage stage_ = Stage::idle;
    bool has_few_ = true; // the heads have all bytes
    void* transfer_ = nullptr;
    std::uint64_t begun_ = 0;
    // What this machine's ranks have brought. The memory of a gathering stays as it is while one is under
    // way.
    std::array<std::byte, PARLEY_MEETINGS_BYTES> own_;
    // The first gathering has what each machine says: this one, and all.
    Head own_head_;
    std::vector<Head> heads_;
    // The second, which there is unless has_few_, has the ranks' bytes: each machine's part is as long as the
    // longest is.
    std::vector<std::byte> all_;
};

} // namespace parley::native
