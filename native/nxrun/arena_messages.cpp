// SPDX-License-Identifier: MIT
#include "native/nxrun/arena_messages.hpp"

namespace parley::native {

namespace {

// The library answers 0, or minus an error.
Result<void> result_of(long answer)
{
    if (answer < 0)
        return std::unexpected(static_cast<Error>(-answer));
    return {};
}

} // namespace

void ArenaMessages::enter(unsigned endpoint)
{
    self_ = library_.attach(&memory_.place(endpoint).start);
    if (self_ == nullptr)
        throw BadRequest{"The message system cannot be set up: take a larger --budget or fewer nodes."};
}

jobs::MachineState ArenaMessages::look()
{
    const jobs::Look look = waits_.look();
    const parley_native_traffic& traffic = memory_.job().traffic;
    const unsigned long ended = __atomic_load_n(&traffic.ended, __ATOMIC_ACQUIRE);
    const unsigned long begun = __atomic_load_n(&traffic.begun, __ATOMIC_ACQUIRE);
    return {look.all_wait(),
            look.somebody_waits(),
            look.epochs(),
            static_cast<std::int64_t>(__atomic_load_n(&traffic.sent, __ATOMIC_ACQUIRE)),
            static_cast<std::int64_t>(__atomic_load_n(&traffic.received, __ATOMIC_ACQUIRE)),
            static_cast<std::int64_t>(begun),
            ended != begun};
}

Result<void> ArenaMessages::change(const Packet& packet)
{
    const long endpoint = packet.endpoint;
    switch (packet.kind) {
    case Packet::Kind::place:
        for (long next = endpoint; next < endpoint + packet.words[1]; ++next)
            TRY_VOID(result_of(library_.reopen(self_, next, packet.words[0])));
        return {};
    case Packet::Kind::set_pid: return result_of(library_.set_pid(self_, endpoint, packet.words[0]));
    default:
        return result_of(library_.reset(self_, nodes_, packet.words[0], packet.words[1], packet.words[2]));
    }
}

} // namespace parley::native
