// SPDX-License-Identifier: MIT
#include "sched/slot_scheduler.hpp"

#include "assertion.hpp"
#include "sched/process.hpp"
#include "sched/trace_points.hpp"

namespace parley::sched {

Process* SlotScheduler::take(Server& server)
{
    LockGuard guard(lock_);
    if (current_ < max_rows) {
        Cell& cell = cells_[current_][server.index()];
        if (Process* member = cell.ready) {
            cell.ready = nullptr;
            return member;
        }
    }
    return timeshared_.pop_front();
}

void SlotScheduler::add(Process& process)
{
    LockGuard guard(lock_);
    if (process.gang == nullptr)
        timeshared_.push_back(process);
    else if (Cell* cell = cell_of(process)) {
        assert_that([&] { return cell->ready == nullptr; });
        cell->ready = &process;
    }
}

void SlotScheduler::add_first(Process& process)
{
    LockGuard guard(lock_);
    timeshared_.push_front(process);
}

Server* SlotScheduler::idle_server_for(const Process& process)
{
    if (process.gang == nullptr)
        return servers_.claim_idle(*this);
    Server* home = process.gang->processors[process.member];
    return home->claim_idle() ? home : nullptr;
}

void SlotScheduler::schedule(Gang& gang)
{
    gang.times.scheduled = clock_();
    trace::gang_scheduled(gang);
    {
        LockGuard guard(lock_);
        if (!waiting_.empty() || !place(gang)) {
            waiting_.push_back(gang);
            return;
        }
    }
    for (unsigned i = 0; i < gang.size(); ++i)
        wake(*gang.processors[i]);
}

void SlotScheduler::member_ended(Gang& gang)
{
    const unsigned living = gang.living.fetch_sub(1, std::memory_order_acq_rel);
    assert_that([&] { return living != 0; });
    if (living != 1)
        return;
    gang.times.ended = clock_();
    trace::gang_freed(gang);
    LockGuard guard(lock_);
    remove(gang);
    place_waiting();
}

bool SlotScheduler::withdraw(Gang& gang)
{
    LockGuard guard(lock_);
    if (!gang.link.linked())
        return false;
    waiting_.remove(gang);
    place_waiting(); // what has waited behind it may fit
    return true;
}

bool SlotScheduler::advance()
{
    LockGuard guard(lock_);
    const unsigned before = current_;
    for (unsigned step = 0; step <= max_rows; ++step) {
        current_ = current_ == timeshared_row ? 0 : current_ + 1;
        const bool wanted = current_ == timeshared_row ? !timeshared_.empty() : in_use(current_);
        if (wanted)
            break;
    }
    return current_ != before;
}

unsigned SlotScheduler::rows() const
{
    LockGuard guard(lock_);
    unsigned used = 0;
    for (unsigned row = 0; row < max_rows; ++row)
        used += in_use(row) ? 1 : 0;
    return used;
}

bool SlotScheduler::in_use(unsigned row) const
{
    for (unsigned column = 0; column < servers_.count(); ++column) {
        if (cells_[row][column].gang != nullptr)
            return true;
    }
    return false;
}

bool SlotScheduler::fits(unsigned row, unsigned members) const
{
    unsigned free = 0;
    for (unsigned column = 0; column < servers_.count(); ++column)
        free += cells_[row][column].gang == nullptr ? 1 : 0;
    return free >= members;
}

// In the first row with room; member i gets the i-th free column.
bool SlotScheduler::place(Gang& gang)
{
    unsigned row = 0;
    while (row < max_rows && !fits(row, gang.size()))
        ++row;
    if (row == max_rows)
        return false;
    Process* member = gang.first();
    for (unsigned column = 0; member != nullptr; ++column) {
        Cell& cell = cells_[row][column];
        if (cell.gang != nullptr)
            continue;
        cell = {member, &gang};
        gang.processors[member->member] = &servers_[column];
        member = gang.after(*member);
    }
    gang.processor_count = gang.size();
    gang.times.begun = gang.times.collected = clock_();
    trace::gang_collected(gang);
    return true;
}

// Oldest first, and no later one passes.
void SlotScheduler::place_waiting()
{
    while (Gang* const oldest = waiting_.first()) {
        if (!place(*oldest))
            return;
        waiting_.remove(*oldest);
    }
}

void SlotScheduler::remove(const Gang& gang)
{
    for (auto& row : cells_) {
        for (Cell& cell : row) {
            if (cell.gang == &gang)
                cell = Cell{};
        }
    }
}

SlotScheduler::Cell* SlotScheduler::cell_of(const Process& process)
{
    const unsigned column = process.gang->processors[process.member]->index();
    for (auto& row : cells_) {
        if (row[column].gang == process.gang)
            return &row[column];
    }
    return nullptr;
}

void SlotScheduler::wake(Server& server)
{
    if (server.claim_idle())
        server.wake();
}

} // namespace parley::sched
