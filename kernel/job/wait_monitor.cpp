// SPDX-License-Identifier: MIT
#include "kernel/job/wait_monitor.hpp"

#include "base/text.hpp"
#include "kernel/job/job.hpp"
#include "kernel/job/unmatched_candidates.hpp"
#include "kernel/process/user_process.hpp"
#include "kernel/report/console.hpp"
#include "jobs/wait_description.hpp"
#include "messaging/message/message.hpp"

#include <algorithm>

namespace parley::kernel {

namespace {

using messaging::EndpointState;
using messaging::WaitReason;
using messaging::WaitRecord;

constexpr std::uint64_t millisecond = 1'000'000;

void name_process(TextWriter& text, bool is_host, int node, int pid)
{
    if (is_host)
        text << "  the host";
    else
        text << "  node " << node;
    if (pid != 0)
        text << ", process " << pid;
    text << ": ";
}

void add_seconds(TextWriter& text, std::uint64_t milliseconds)
{
    text << ", for " << milliseconds / 1000 << '.' << milliseconds % 1000 / 100 << " s";
}

bool has_ended(const WaitRecord& record)
{
    return record.state.load(std::memory_order_acquire) != EndpointState::live;
}

bool waits_for_ends(std::uint32_t epoch) { return epoch % 2 == 1; }

// It waits in P. Epochs of other waits are odd, so that none is like these.
bool in_p(const UserProcess& process, std::uint32_t& epoch)
{
    sched::Waiter::WaitInP wait{};
    const bool waits = process.job.semaphores().waits(process.endpoint, wait);
    epoch = wait.ticket + 1;
    return waits;
}

} // namespace

void WaitMonitor::know(const jobs::Roster& roster, UserProcess* const* programs, unsigned count)
{
    roster_ = &roster;
    programs_ = programs;
    program_count_ = count;
}

void WaitMonitor::watch(JobMessages& messages, std::span<std::uint32_t> words, std::string_view job)
{
    messages_ = &messages;
    records_ = messages.records_address();
    count_ = static_cast<unsigned>(words.size() / words_each);
    first_ = words.first(count_);
    second_ = words.subspan(count_, count_);
    seen_ = words.subspan(2 * std::size_t{count_}, count_);
    since_ = words.subspan(3 * std::size_t{count_}, count_);
    std::ranges::fill(seen_, 0);
    std::ranges::fill(since_, 0);
    job_ = job;
}

// It runs no program, or waits for programs to end, as `epoch` then says: it will not go on by itself.
bool WaitMonitor::elsewhere(const UserProcess& process, std::uint32_t& epoch) const
{
    epoch = roster_->epoch(process.endpoint);
    return waits_for_ends(epoch) || !roster_->runs(process.endpoint);
}

// A message handler is due: a program that waits for ends will run it first, and it may send.
bool WaitMonitor::has_handler_due(const UserProcess& process) const
{
    return roster_->runs(process.endpoint) && process.pending_work.interrupted();
}

// Every live process waits for an event that has not been signalled since the process looked.
bool WaitMonitor::all_wait(std::span<std::uint32_t> epochs)
{
    unsigned waiting = 0;
    for (unsigned i = 0; i < count_; ++i) {
        const UserProcess* const process = program(i);
        if (process != nullptr && process->pending_work.killed())
            return false; // it is about to end, and others may wait for that
        if (process != nullptr && elsewhere(*process, epochs[i])) {
            if (has_handler_due(*process))
                return false;
            continue;
        }
        if (process != nullptr && in_p(*process, epochs[i])) {
            ++waiting;
            continue;
        }
        const WaitRecord* at = messages_->record(i);
        if (at == nullptr)
            return false;
        if (has_ended(*at)) {
            if (process != nullptr)
                return false; // it is on its way out, and others may wait for that
            epochs[i] = 0;
            continue;
        }
        if (!waits_unsignalled(*at, epochs[i]))
            return false;
        waiting += at->reason.load(std::memory_order_relaxed) != WaitReason::carrying ? 1 : 0;
    }
    return waiting != 0;
}

// One pass could see A waiting, then B; between the two looks B may have signalled A. But signals and waits
// only count upwards: when a second pass finds every count unchanged, all of them waited, unsignalled, at the
// moment between the passes. Only they could signal each other, so they wait for ever.
bool WaitMonitor::nobody_can_go_on()
{
    if (count_ == 0 || !all_wait(first_) || !all_wait(second_))
        return false;
    for (unsigned i = 0; i < count_; ++i) {
        if (first_[i] != second_[i])
            return false;
    }
    report();
    return true;
}

void WaitMonitor::report()
{
    Text<160> head;
    head << "parley: deadlock in job " << job_ << ": every process waits, so none can ever go on\n";
    console().write(head.view());
    for (unsigned i = 0; i < count_; ++i) {
        const WaitRecord* const record = messages_->record(i);
        if (report_wait(i) && record != nullptr)
            report_queue(*record);
    }
    report_left();
    report_budget();
}

bool WaitMonitor::report_p(const UserProcess& process)
{
    sched::Waiter::WaitInP wait{};
    if (!process.job.semaphores().waits(process.endpoint, wait))
        return false;
    Text<160> line;
    name_process(line, process.job.is_host(process), process.node, roster_->pid_of(process.endpoint));
    line << "P waits for a V of semaphore " << wait.semaphore << '\n';
    console().write(line.view());
    return true;
}

bool WaitMonitor::report_wait(unsigned index)
{
    const WaitRecord* const at = messages_->record(index);
    const UserProcess* const process = program(index);
    if (at == nullptr || has_ended(*at) || (process != nullptr && !roster_->runs(process->endpoint)))
        return false;
    if (process != nullptr && report_p(*process))
        return true;
    const bool for_ends = process != nullptr && waits_for_ends(roster_->epoch(process->endpoint));
    const std::uint32_t epoch = at->epoch.load(std::memory_order_acquire);
    if (!for_ends && epoch % 2 == 0)
        return false;
    Text<240> line;
    name_process(line, process != nullptr && process->job.is_host(*process), at->node, at->pid);
    if (for_ends)
        line << "waitall waits for programs to end";
    else
        describe_wait(line, *at);
    if (limit_came_ != 0 && !for_ends && seen_[index] == epoch)
        add_seconds(line, limit_came_ / millisecond - since_[index]);
    if (at->holds_handler.load(std::memory_order_relaxed) != 0)
        line << "; a message handler is due, but the program holds it back with masktrap";
    line << '\n';
    console().write(line.view());
    budget_is_short_ = budget_is_short_ || at->reason.load(std::memory_order_relaxed) == WaitReason::budget;
    return true;
}

void WaitMonitor::report_budget()
{
    if (budget_is_short_)
        console().write(
            "  the message budget is used up: give the job more (BUDGET=), or receive in another order\n");
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
    for (unsigned i = 0; i < count_; ++i) {
        const bool told = report_wait(i);
        if (told && i < program_count_)
            programs_[i]->end_is_told.store(true, std::memory_order_relaxed);
    }
    report_left();
    report_budget();
    // Each is killed afterwards: by that it sees what has been told.
    at_limit_.store(true, std::memory_order_relaxed);
}

bool WaitMonitor::leaves_telling(const UserProcess& process) const
{
    return at_limit_.load(std::memory_order_relaxed) && process.endpoint < program_count_ &&
           !process.end_is_told.load(std::memory_order_relaxed);
}

// Who has left before: others may wait for what these never sent. Neighbours with one status share a line.
void WaitMonitor::report_left()
{
    for (unsigned i = 0; i < program_count_;) {
        const std::optional<int> status = roster_->left_with(i);
        const int pid = roster_->pid_of(i);
        unsigned after = i + 1;
        while (status && after < program_count_ && roster_->pid_of(after) == pid &&
               !roster_->is_host(after) && roster_->left_with(after) == status)
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

// The list may be long, and in user location a program may have closed it to a circle.
void WaitMonitor::report_queue(const WaitRecord& record)
{
    constexpr unsigned shown = 8;
    const UnmatchedCandidates queue(*messages_);
    unsigned count = 0;
    for (const messaging::Message* message = queue.first(record); message != nullptr;
         message = queue.after(*message)) {
        if (++count > shown)
            return console().write("    and more\n");
        const WaitRecord* from = message->source() < count_ ? messages_->record(message->source()) : nullptr;
        const int node = from == nullptr ? -1 : from->node;
        Text<200> line;
        line << "    unmatched: ";
        describe_unmatched(line, *message, record, node);
        line << '\n';
        console().write(line.view());
    }
}

} // namespace parley::kernel
