// SPDX-License-Identifier: MIT
// The improvement that the paper proposes (section 5.3): the GangScheduler duplicated for every processor.
// Member i always belongs to the i-th of the collected processors in the order of their numbers, so a gang
// of as many members as there are processors has each on that of its own number. There is no lock, since each
// entry has one process and one processor. A gang with this policy therefore has a processor for each member.
#pragma once

#include "base/atomic.hpp"
#include "sched/gang.hpp"
#include "sched/gang_scheduler.hpp"

#include <algorithm>
#include <string_view>

namespace parley::sched {

class PrivateGangScheduler final : public GangScheduler {
public:
    static constexpr std::string_view name = "private";
    static constexpr std::string_view promise =
        "one queue for each processor: a member stays where it was dispatched";

    Process& dispatch(Gang& gang, Server& last) override
    {
        std::sort(gang.processors, gang.processors + gang.processor_count,
                  [](const Server* one, const Server* other) { return one->index() < other->index(); });
        Process* own = nullptr;
        for (Process* member = gang.first(); member != nullptr; member = gang.after(*member)) {
            Server* const home = gang.processors[member->member];
            place_of_[home->index()] = member->member;
            home_[member->member] = home;
            if (home == &last)
                own = member;
            else
                ready_[member->member].store(member, std::memory_order_relaxed);
        }
        // Pairs with take(). These accesses and those to the idle marks have one total order: a processor
        // marks itself idle and then loads here; the gang's dispatcher stores here and then looks for idle
        // processors; so one of them sees the other. add() pairs with the exchange in take() in the same way.
        dispatched_.store(true, std::memory_order_seq_cst);
        return *own;
    }
    Process* take(Server& server) override
    {
        if (!dispatched_.load(std::memory_order_seq_cst))
            return nullptr;
        return ready_[place_of_[server.index()]].exchange(nullptr, std::memory_order_seq_cst);
    }
    void add(Process& process) override { ready_[process.member].store(&process, std::memory_order_seq_cst); }
    Server* idle_server_for(const Process& process) override
    {
        Server* home = home_[process.member];
        return home->claim_idle() ? home : nullptr;
    }

private:
    Atomic<bool> dispatched_{false};
    Atomic<Process*> ready_[ServerSet::capacity] = {};
    Server* home_[ServerSet::capacity] = {};
    unsigned place_of_[ServerSet::capacity] = {};
};

} // namespace parley::sched
