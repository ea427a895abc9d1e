// SPDX-License-Identifier: MIT
// Coscheduling by slots (after Ousterhout's matrix): rows are slots of time, columns are processors, and a
// gang has a row or a part of one. At the end of a slot all processors go on to the next row together. Where
// a row has no member that can run, the processor runs timeshared processes; when there are any, they also
// have a row of their own. Gangs for which no row has room wait until others have ended, oldest first, and no
// later one passes.
#pragma once

#include "base/spin_lock.hpp"
#include "sched/gang.hpp"
#include "sched/gang_host.hpp"

#include <string_view>

namespace parley::sched {

class SlotScheduler final : public GangHost {
public:
    static constexpr std::string_view name = "slots";
    static constexpr std::string_view promise =
        "all members switch together at the end of a slot; rows take turns, and who has none waits for one";
    static constexpr unsigned max_rows = 16;

    using ClockFunction = std::uint64_t (*)();

    SlotScheduler(const ServerSet& servers, ClockFunction clock) : servers_(servers), clock_(clock) { }

    Process* take(Server& server) override;
    void add(Process& process) override;
    void add_first(Process& process) override;
    Server* idle_server_for(const Process& process) override;

    void schedule(Gang& gang) override;
    void member_ended(Gang& gang) override;
    bool withdraw(Gang& gang) override;

    // A slot has ended. True: the row has changed, and every processor must decide again.
    bool advance() override;
    // How many slots pass before a row has its turn again.
    unsigned rows() const;

private:
    struct Cell {
        Process* ready = nullptr; // the member, while it could run
        Gang* gang = nullptr;
    };
    using Processes = List<Process, &Process::ready_link>;

    bool fits(unsigned row, unsigned members) const REQUIRES(lock_);
    bool in_use(unsigned row) const REQUIRES(lock_);
    bool place(Gang& gang) REQUIRES(lock_);
    void place_waiting() REQUIRES(lock_);
    void remove(const Gang& gang) REQUIRES(lock_);
    Cell* cell_of(const Process& process) REQUIRES(lock_);
    void wake(Server& server);

    const ServerSet& servers_;
    const ClockFunction clock_;
    mutable SpinLock lock_;
    Cell cells_[max_rows][ServerSet::capacity] GUARDED_BY(lock_);
    Processes timeshared_ GUARDED_BY(lock_);
    // No row has room for the oldest, and the others stand behind it.
    List<Gang, &Gang::link> waiting_ GUARDED_BY(lock_);
    unsigned current_ GUARDED_BY(lock_) = 0;
    static constexpr unsigned timeshared_row = max_rows; // only while processes wait in it
};

} // namespace parley::sched
