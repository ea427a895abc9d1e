// SPDX-License-Identifier: MIT
#include "kernel/job/wait_monitor.hpp"

#include "interface/option_words.h"
#include "kernel/job/job.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/report/console.hpp"

#include <algorithm>

namespace parley::kernel {

namespace {

using jobs::Look;
using jobs::Seen;
using jobs::WaitReport;
using messaging::WaitRecord;

constexpr std::uint64_t millisecond = 1'000'000;

bool waits_for_ends(std::uint32_t epoch) { return epoch % 2 == 1; }

} // namespace

void WaitMonitor::know(const jobs::Roster& roster, std::span<UserProcess* const> programs)
{
    roster_ = &roster;
    programs_ = programs;
}

void WaitMonitor::watch(JobMessageSystem& messages, std::span<std::uint32_t> words, std::string_view job)
{
    messages_ = &messages;
    records_ = messages.records_address();
    count_ = static_cast<unsigned>(words.size() / words_each);
    seen_ = words.first(count_);
    since_ = words.subspan(count_, count_);
    std::ranges::fill(seen_, 0);
    std::ranges::fill(since_, 0);
    job_ = job;
}

const void* WaitMonitor::view(const void* address, std::size_t bytes, std::size_t alignment)
{
    return messages_->view(address, bytes, alignment);
}

void WaitMonitor::tell(std::string_view lines) { console().write(lines); }

bool WaitMonitor::is_here(const UserProcess& process) const
{
    return !process.job().is_elsewhere(process.endpoint());
}

Seen WaitMonitor::see_program(UserProcess& process, const WaitRecord* record) const
{
    const ProgramThreads::Waits others = process.threads().waits();
    if (!others.all)
        return Seen::going_on();
    Seen seen = see_first_thread(process, record);
    seen.epoch += others.epoch;
    return seen;
}

Seen WaitMonitor::see_first_thread(const UserProcess& process, const WaitRecord* record) const
{
    if (process.pending_work.killed())
        return Seen::going_on(); // it is about to end, and others may wait for that
    const std::uint32_t epoch = roster_->epoch(process.endpoint());
    if (!is_here(process) || !roster_->runs(process.endpoint()))
        return Seen::away();
    // A program that waits for ends runs a handler that is due first, which may send.
    if (waits_for_ends(epoch))
        return process.pending_work.interrupted() ? Seen::going_on() : Seen::waiting(epoch);
    // Epochs of other waits are odd, so that none is like those in P.
    if (sched::SemaphoreWaiter::WaitInP wait{}; process.job().semaphores().waits(process.endpoint(), wait))
        return Seen::waiting(wait.ticket + 1);
    if (process.waits_on_word())
        return process.pending_work.interrupted() ? Seen::going_on() : Seen::waiting(process.word_wait());
    // One that has left the message system is on its way out, and others may wait for that.
    return record != nullptr && record->is_live() ? Seen::by(*record) : Seen::going_on();
}

Seen WaitMonitor::see(unsigned index) const
{
    const WaitRecord* const record = messages_->record(index);
    if (UserProcess* const process = program(index))
        return see_program(*process, record);
    if (record == nullptr)
        return Seen::going_on();
    return record->is_live() ? Seen::by(*record) : Seen::away();
}

Look WaitMonitor::look() const
{
    Look look;
    for (unsigned i = 0; look.all_wait() && i < count_; ++i)
        look.add(see(i));
    return look;
}

Look WaitMonitor::look_at_programs() const
{
    Look look;
    for (unsigned i = 0; look.all_wait() && i < programs_.size(); ++i)
        look.add(see(i));
    return look;
}

bool WaitMonitor::nobody_can_go_on()
{
    if (!looks_.nobody_can_go_on(look()))
        return false;
    report_deadlock(true);
    return true;
}

void WaitMonitor::report_deadlock(bool head)
{
    if (head) {
        Text<160> line;
        line << "parley: deadlock in job " << job_ << ": every process waits, so none can ever go on\n";
        console().write(line.view());
    }
    WaitReport report(*this);
    for (unsigned i = 0; i < count_; ++i) {
        const WaitRecord* const record = messages_->record(i);
        if (report_wait(report, i) && record != nullptr)
            report.tell_unmatched(*record);
    }
    report_left();
    report.tell_budget(PARLEY_ASK_BUDGET);
}

void WaitMonitor::begin_line(TextWriter& line, unsigned index, const WaitRecord& record) const
{
    if (program(index) != nullptr && roster_->is_host(index))
        line << "  the host";
    else
        line << "  node " << record.node;
    if (record.pid != 0)
        line << ", process " << record.pid;
    line << ": ";
}

bool WaitMonitor::report_p(WaitReport& report, unsigned index)
{
    sched::SemaphoreWaiter::WaitInP wait{};
    const WaitRecord* const record = messages_->record(index);
    if (!program(index)->job().semaphores().waits(index, wait))
        return false;
    Text<160> line;
    begin_line(line, index, *record);
    report.tell_wait_in_p(line, wait.semaphore);
    return true;
}

// Whether its first thread waits for another; if so, tells it.
bool WaitMonitor::report_threads(unsigned index)
{
    UserProcess& process = *program(index);
    if (!process.waits_on_word())
        return false;
    Text<160> line;
    begin_line(line, index, *messages_->record(index));
    line << "its first thread waits for another of its " << process.threads().count() + 1 << " threads\n";
    console().write(line.view());
    return true;
}

bool WaitMonitor::report_wait(WaitReport& report, unsigned index)
{
    const WaitRecord* const at = messages_->record(index);
    const bool is_program = program(index) != nullptr;
    if (at == nullptr || !at->is_live() ||
        (is_program && !(is_here(*program(index)) && roster_->runs(index))))
        return false;
    if (is_program && (report_p(report, index) || report_threads(index)))
        return true;
    const bool for_ends = is_program && waits_for_ends(roster_->epoch(index));
    const std::uint32_t epoch = at->epoch.load(std::memory_order_acquire);
    if (!for_ends && epoch % 2 == 0)
        return false;
    Text<240> line;
    begin_line(line, index, *at);
    if (for_ends)
        report.tell_wait_for_ends(line, *at);
    else if (limit_came_ != 0 && seen_[index] == epoch)
        report.tell_wait(line, *at, limit_came_ / millisecond - since_[index]);
    else
        report.tell_wait(line, *at);
    return true;
}

// Few at each tick, so that a tick stays short.
void WaitMonitor::observe(std::uint64_t now)
{
    constexpr unsigned at_once = 64;
    for (unsigned looks = std::min(at_once, count_); looks > 0; --looks) {
        next_ = next_ + 1 < count_ ? next_ + 1 : 0;
        const WaitRecord* const at = messages_->record(next_);
        const std::uint32_t epoch = at == nullptr ? 0 : at->epoch.load(std::memory_order_acquire);
        if (epoch == seen_[next_])
            continue;
        seen_[next_] = epoch;
        since_[next_] = static_cast<std::uint32_t>(now / millisecond);
    }
}

// Whoever does not wait at this moment is somewhere that only its own processor knows.
void WaitMonitor::report_limit(std::uint64_t now)
{
    limit_came_ = now;
    WaitReport report(*this);
    for (unsigned i = 0; i < count_; ++i) {
        const bool told = report_wait(report, i);
        if (told && i < programs_.size())
            programs_[i]->note_end_told();
    }
    report_left();
    report.tell_budget(PARLEY_ASK_BUDGET);
    // Each is killed afterwards: by that it sees what has been told.
    at_limit_.store(true, std::memory_order_relaxed);
}

bool WaitMonitor::leaves_telling(const UserProcess& process) const
{
    return at_limit_.load(std::memory_order_relaxed) && process.endpoint() < programs_.size() &&
           !process.end_is_told();
}

std::optional<int> WaitMonitor::left_with(unsigned index) const
{
    return is_here(*programs_[index]) ? roster_->left_with(index) : std::nullopt;
}

// Who has left before: others may wait for what these never sent. Neighbours with one status share a line.
void WaitMonitor::report_left()
{
    for (unsigned i = 0; i < programs_.size();) {
        const std::optional<int> status = left_with(i);
        const int pid = roster_->pid_of(i);
        unsigned after = i + 1;
        while (status && after < programs_.size() && roster_->pid_of(after) == pid &&
               !roster_->is_host(after) && left_with(after) == status)
            ++after;
        if (status) {
            Text<120> line;
            if (roster_->is_host(i))
                line << "  the host";
            else
                line << (after == i + 1 ? "  node " : "  nodes ") << roster_->node_of(i);
            if (after != i + 1)
                line << " to " << roster_->node_of(after - 1);
            if (pid != 0)
                line << ", process " << pid;
            line << " left before, with status " << *status << '\n';
            console().write(line.view());
        }
        i = after;
    }
}

} // namespace parley::kernel
