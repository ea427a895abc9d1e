// SPDX-License-Identifier: MIT
#include "jobs/roster.hpp"

namespace parley::jobs {

Roster::Roster(const messaging::Layout& layout, std::span<ProgramEntry> entries)
    : layout_(layout), entries_(entries)
{
    for (unsigned endpoint = 0; endpoint < on_nodes(); ++endpoint)
        entries_[endpoint].pid.store(static_cast<int>(endpoint / layout.nodes), std::memory_order_relaxed);
}

int Roster::node_of(unsigned endpoint) const
{
    return static_cast<int>(endpoint < on_nodes() ? endpoint % layout_.nodes : layout_.nodes);
}

std::optional<int> Roster::left_with(unsigned endpoint) const
{
    if (standing(endpoint) != Standing::ended)
        return {};
    return entries_[endpoint].exit_status.load(std::memory_order_relaxed);
}

bool Roster::is_free(unsigned row) const
{
    for (unsigned node = 0; node < layout_.nodes; ++node)
        if (!entries_[row * layout_.nodes + node].standing.is(Standing::empty))
            return false;
    return true;
}

// By its number, because it was given that pid, or because one of its programs has it.
bool Roster::has_pid(unsigned row, int pid) const
{
    if (static_cast<unsigned>(pid) == row || rows_[row].pid == pid)
        return true;
    for (const ProgramEntry& entry : entries_.subspan(row * layout_.nodes, layout_.nodes))
        if (!entry.standing.is(Standing::empty) && entry.pid.load(std::memory_order_relaxed) == pid)
            return true;
    return false;
}

bool Roster::is_of_other_row(unsigned row, int pid) const
{
    for (unsigned other = 0; other < layout_.pids; ++other)
        if (other != row && has_pid(other, pid))
            return true;
    return false;
}

// By the pid that it was given, by its number, or one that may be given that pid.
Result<unsigned> Roster::row_of(int pid) const
{
    if (pid < 0)
        return std::unexpected(Error::bad_process);
    for (unsigned row = 0; row < layout_.pids; ++row)
        if (rows_[row].pid == pid)
            return row;
    if (static_cast<unsigned>(pid) < layout_.pids)
        return static_cast<unsigned>(pid);
    for (unsigned row = 0; row < layout_.pids; ++row)
        if (rows_[row].pid == -1 && is_free(row))
            return row;
    return std::unexpected(Error::bad_process);
}

Result<void> Roster::check(Selection whom) const
{
    if (whom.node < -1 || whom.node >= static_cast<int>(layout_.nodes))
        return std::unexpected(Error::bad_node);
    if (whom.pid == -1)
        return {};
    const Meant known = meant({-1, whom.pid});
    if (known.begin() != known.end())
        return {};
    TRY_VOID(row_of(whom.pid));
    return {};
}

Result<Roster::Plan> Roster::load(unsigned loader, Selection where)
{
    if (!layout_.host)
        return std::unexpected(Error::not_permitted);
    if (where.node < -1 || where.node >= static_cast<int>(layout_.nodes))
        return std::unexpected(Error::bad_node);
    const unsigned row = TRY(row_of(where.pid));
    const bool on_all = where.node == -1;
    const Plan plan{row * layout_.nodes + (on_all ? 0 : static_cast<unsigned>(where.node)),
                    on_all ? layout_.nodes : 1};
    for (ProgramEntry& entry : entries_.subspan(plan.first, plan.count))
        if (!entry.standing.is(Standing::empty))
            return std::unexpected(Error::pid_in_use);
    if (is_of_other_row(row, where.pid))
        return std::unexpected(Error::pid_in_use);
    if (rows_[row].pid == -1 && static_cast<unsigned>(where.pid) != row)
        rows_[row].pid = where.pid;
    unstarted_ += plan.count;
    for (ProgramEntry& entry : entries_.subspan(plan.first, plan.count)) {
        entry.owner = loader;
        entry.pid_before = entry.pid.load(std::memory_order_relaxed);
        entry.pid.store(where.pid, std::memory_order_relaxed);
        entry.standing.move(Standing::loading, std::memory_order_release);
    }
    return plan;
}

void Roster::commit(const Plan& plan)
{
    for (unsigned endpoint = plan.first; endpoint < plan.first + plan.count; ++endpoint) {
        ProgramEntry& entry = entries_[endpoint];
        if (removed(endpoint))
            take_back(endpoint, entry.owner);
        else
            entry.standing.move(Standing::placed, std::memory_order_release);
    }
}

void Roster::undo(const Plan& plan)
{
    for (unsigned endpoint = plan.first; endpoint < plan.first + plan.count; ++endpoint)
        take_back(endpoint, entries_[endpoint].owner);
}

void Roster::unload(unsigned endpoint, unsigned owner)
{
    if (standing(endpoint) == Standing::placed)
        take_back(endpoint, owner);
}

void Roster::take_back(unsigned endpoint, unsigned owner)
{
    entries_[endpoint].owner = owner;
    entries_[endpoint].standing.move(Standing::returning, std::memory_order_release);
}

std::optional<unsigned> Roster::next_returning(unsigned owner, unsigned from) const
{
    for (unsigned endpoint = from; unstarted_ != 0 && endpoint < on_nodes(); ++endpoint)
        if (entries_[endpoint].standing.is(Standing::returning) && entries_[endpoint].owner == owner)
            return endpoint;
    return {};
}

// The row loses a pid that it was given for a load of which nothing has come.
void Roster::returned(unsigned endpoint)
{
    ProgramEntry& entry = entries_[endpoint];
    tell_waiters(endpoint);
    --unstarted_;
    entry.removed.store(false, std::memory_order_relaxed);
    entry.pid.store(entry.pid_before, std::memory_order_relaxed);
    entry.standing.move(Standing::empty, std::memory_order_release);
    Row& row = rows_[endpoint / layout_.nodes];
    if (!row.is_lasting && is_free(endpoint / layout_.nodes))
        row.pid = -1;
}

void Roster::begin(unsigned endpoint)
{
    unstarted_ -= entries_[endpoint].standing.is(Standing::placed) ? 1 : 0;
    entries_[endpoint].standing.move(Standing::running, std::memory_order_release);
    running_ += is_program(endpoint) ? 1 : 0;
    if (endpoint < on_nodes())
        rows_[endpoint / layout_.nodes].is_lasting = true;
}

bool Roster::ended(unsigned endpoint, int status)
{
    ProgramEntry& entry = entries_[endpoint];
    give_up(endpoint);
    for (unsigned other = 0; unstarted_ != 0 && other < on_nodes(); ++other)
        if (entries_[other].standing.is(Standing::placed) && entries_[other].owner == endpoint)
            take_back(other, endpoint);
    tell_waiters(endpoint);
    const bool was_removed = removed(endpoint);
    entry.removed.store(false, std::memory_order_relaxed);
    entry.exit_status.store(status, std::memory_order_relaxed);
    entry.standing.move(was_removed ? Standing::empty : Standing::ended, std::memory_order_release);
    return is_program(endpoint) && --running_ == 0;
}

void Roster::forget_end(unsigned endpoint)
{
    if (standing(endpoint) == Standing::ended)
        (void)collect(endpoint);
}

Result<void> Roster::check_pid(unsigned endpoint, int pid) const
{
    if (pid < 0)
        return std::unexpected(Error::bad_process);
    if (endpoint < on_nodes() && is_of_other_row(endpoint / layout_.nodes, pid))
        return std::unexpected(Error::pid_in_use);
    return {};
}

Result<void> Roster::set_pid(unsigned endpoint, int pid)
{
    if (pid < 0)
        return std::unexpected(Error::bad_process);
    tell_waiters(endpoint); // those who meant it by the pid that it had do not any more
    entries_[endpoint].pid.store(pid, std::memory_order_relaxed);
    return {};
}

// True: a program runs there, which whoever asks for its end stops before it gives the lock back.
bool Roster::remove(unsigned endpoint, unsigned killer, bool successor_receives)
{
    ProgramEntry& entry = entries_[endpoint];
    switch (entry.standing.load(std::memory_order_relaxed)) {
    case Standing::empty:
    case Standing::returning: return false;
    case Standing::ended: (void)collect(endpoint); return false;
    case Standing::placed: take_back(endpoint, killer); return false;
    case Standing::loading: entry.removed.store(true, std::memory_order_relaxed); return false;
    case Standing::running: break;
    }
    entry.successor_receives.store(successor_receives, std::memory_order_relaxed);
    entry.removed.store(true, std::memory_order_relaxed);
    return true;
}

Ended Roster::collect(unsigned endpoint)
{
    ProgramEntry& entry = entries_[endpoint];
    const Ended ended{entry.exit_status.load(std::memory_order_relaxed), node_of(endpoint), pid_of(endpoint)};
    entry.standing.move(Standing::empty, std::memory_order_release);
    return ended;
}

// Those who wait for what is there look again. The looks at a deadlock read both words without the lock, and
// never see somebody wait for what has happened: each epoch is stored before the standing, with release.
void Roster::tell_waiters(unsigned endpoint)
{
    if (waiting_ == 0)
        return;
    for (ProgramEntry& other : entries_) {
        const std::uint32_t now = other.epoch.load(std::memory_order_relaxed);
        if (other.wait && now % 2 == 1 && is_meant(endpoint, other.wait->whom))
            other.epoch.store(now + 1, std::memory_order_release);
    }
}

Result<void> Roster::wait(unsigned endpoint, const WaitForEnds& wait)
{
    TRY_VOID(check(wait.whom));
    waiting_ += entries_[endpoint].wait ? 0 : 1;
    entries_[endpoint].wait = wait;
    return {};
}

void Roster::give_up(unsigned endpoint)
{
    ProgramEntry& entry = entries_[endpoint];
    if (!entry.wait)
        return;
    entry.wait.reset();
    --waiting_;
    const std::uint32_t now = entry.epoch.load(std::memory_order_relaxed);
    entry.epoch.store(now + now % 2, std::memory_order_release);
}

bool Roster::is_awaited(unsigned endpoint, WaitForEnds::For what) const
{
    const Standing now = standing(endpoint);
    if (what != WaitForEnds::For::killed)
        return now == Standing::running;
    return now == Standing::returning || removed(endpoint);
}

bool Roster::is_over(unsigned waiter, const WaitForEnds& wait) const
{
    for (const unsigned endpoint : meant(wait.whom))
        if (endpoint != waiter && is_awaited(endpoint, wait.what))
            return false;
    return true;
}

std::optional<unsigned> Roster::first_ended(unsigned waiter, Selection whom) const
{
    for (const unsigned endpoint : meant(whom))
        if (endpoint != waiter && standing(endpoint) == Standing::ended)
            return endpoint;
    return {};
}

Result<Ended> Roster::check_wait(unsigned endpoint)
{
    const WaitForEnds wait = *entries_[endpoint].wait;
    if (wait.what == WaitForEnds::For::one) {
        if (const std::optional<unsigned> found = first_ended(endpoint, wait.whom)) {
            give_up(endpoint);
            return collect(*found);
        }
    }
    if (!is_over(endpoint, wait)) {
        const std::uint32_t now = entries_[endpoint].epoch.load(std::memory_order_relaxed);
        entries_[endpoint].epoch.store(now + 1 - now % 2, std::memory_order_release);
        return std::unexpected(Error::would_block);
    }
    give_up(endpoint);
    if (wait.what == WaitForEnds::For::one)
        return std::unexpected(Error::closed);
    for (const unsigned other : meant(wait.whom))
        if (other != endpoint && standing(other) == Standing::ended)
            (void)collect(other);
    return Ended{};
}

} // namespace parley::jobs
