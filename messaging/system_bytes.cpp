// SPDX-License-Identifier: MIT
#include "messaging/composition.hpp"
#include "messaging/job_messages.hpp"
#include "messaging/memory/blocks.hpp"
#include "sched/synchronization/states.hpp"

#include "messaging/leaves.hpp"

namespace parley::messaging {

namespace {

template <class... Leaves>
consteval std::size_t largest(LeafList<Leaves...>)
{
    std::size_t bytes = 0;
    ((bytes = sizeof(Leaves) > bytes ? sizeof(Leaves) : bytes), ...);
    return bytes;
}

template <class... Leaves>
consteval std::size_t largest_state(LeafList<Leaves...>)
{
    std::size_t bytes = 0;
    ((bytes = sched::state_bytes<Leaves> > bytes ? sched::state_bytes<Leaves> : bytes), ...);
    return bytes;
}

// Leaves of which a job has one each.
constexpr std::size_t single_leaves = largest(LocationLeaves{}) + largest(InteractionLeaves{}) +
                                      largest(TransportLeaves{}) + largest(SynchronizationLeaves{}) +
                                      largest(TransferLeaves<>{}) + largest(PollingLeaves{});

// The system object, heaps, and what is lost to alignment: small beside one endpoint.
constexpr std::size_t everything_else = 16 * page_bytes + sizeof(JointMeeting) + single_leaves;

} // namespace

std::size_t system_bytes(unsigned endpoints, std::size_t budget, const SharedRange& blocks)
{
    constexpr std::size_t each = sizeof(ComposedEndpoint<Factors<>>) + 3 * sizeof(void*) +
                                 round_up(largest(PortLeaves{}), 64) + Requests::room_bytes +
                                 3 * largest_state(SynchronizationLeaves{});
    const std::size_t arena = round_up(budget, page_bytes);
    return round_up(wait_records_bytes(endpoints) + endpoints * each + everything_else +
                        BuddyHeap::table_bytes(blocks.bytes) + BuddyHeap::table_bytes(arena) + arena,
                    page_bytes);
}

} // namespace parley::messaging
