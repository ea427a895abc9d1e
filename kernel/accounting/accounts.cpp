// SPDX-License-Identifier: MIT
// Each processor has an account. A job's part is what accounts have more when it has ended than when it
// started.
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/processor.hpp"
#include "arch/x86_64/registers.hpp"
#include "base/text.hpp"
#include "kernel/accounting/account.hpp"
#include "kernel/accounting/lock_waits.hpp"
#include "kernel/job/job.hpp"
#include "kernel/kernel.hpp"

#include "base/processor_time_points.hpp"
#include "kernel/accounting_points.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace parley {

namespace {

using kernel::accounting::Account;
using kernel::accounting::Sums;

std::array<Account, arch::max_processors + 1> accounts;
// Before the first job some processors have no block yet to be known by.
std::atomic<bool> started{false};

Account& own_account() { return accounts[arch::this_processor().id]; }

bool is_started() { return started.load(std::memory_order_relaxed); }

// How many processors are at a page because of a fault, and how many have come to one, by a few entries for
// all pages: two pages that share an entry are taken for one.
struct FaultEntry {
    std::atomic<std::uint32_t> here{0}, came{0};
};
std::array<FaultEntry, 256> fault_entries;

FaultEntry& entry_of(std::uint64_t page) { return fault_entries[page % fault_entries.size()]; }

kernel::accounting::LockWaitSites lock_wait_sites;

} // namespace

namespace processor_time {

Activity enter(Activity next)
{
    if (!is_started())
        return Activity::kernel;
    return own_account().enter(next, arch::read_time_stamp());
}

Activity resume(Activity next)
{
    return is_started() ? own_account().change(next, arch::read_time_stamp()) : Activity::kernel;
}

AtPage::AtPage(std::uint64_t address)
    : page_(address / page_bytes + arch::read_cr3() / page_bytes), processor_(arch::this_processor().id),
      time_before_(accounts[processor_].time_in_faults())
{
    FaultEntry& entry = entry_of(page_);
    came_before_ = entry.came.fetch_add(1, std::memory_order_acq_rel);
    found_others_ = entry.here.fetch_add(1, std::memory_order_acq_rel) != 0;
}

AtPage::~AtPage()
{
    FaultEntry& entry = entry_of(page_);
    entry.here.fetch_sub(1, std::memory_order_acq_rel);
    const bool shared = found_others_ || entry.came.load(std::memory_order_acquire) != came_before_ + 1;
    if (shared && is_started() && arch::this_processor().id == processor_)
        own_account().share_fault(time_before_, arch::read_time_stamp());
}

void lock_taken()
{
    if (is_started())
        own_account().lock_taken(arch::read_time_stamp());
}

void lock_left()
{
    if (is_started())
        own_account().lock_left(arch::read_time_stamp());
}

LockWaiting begin_lock_wait()
{
    if (!is_started())
        return {};
    const std::uint64_t now = arch::read_time_stamp();
    const unsigned site = lock_wait_sites.number_of(__builtin_return_address(0));
    return {own_account().begin_lock_wait(site, now), true};
}

void end_lock_wait(const LockWaiting& waiting)
{
    if (waiting.is_counted)
        own_account().end_lock_wait(waiting.before, arch::read_time_stamp());
}

} // namespace processor_time

namespace kernel::accounting {

namespace {

// What accounts tell, read one behind another from `at` on.
struct AllAccounts {
    std::uint64_t at = 0;
    std::array<Sums, arch::max_processors + 1> sums;
    LockWaitSums lock_waits; // of all processors
};
std::array<AllAccounts, Configuration::max_jobs> starts;
AllAccounts at_end; // of the job that ended last

// An account is read as long after `at` when a job starts as when it has ended, so that its processor's part
// of the job is as long as the job.
void read_all(const Kernel& kernel, AllAccounts& to)
{
    to.at = arch::read_time_stamp();
    to.lock_waits = {};
    for (unsigned processor = 0; processor < kernel.processors.count(); ++processor) {
        const AccountReading now = accounts[processor].read(arch::read_time_stamp);
        to.sums[processor] = now.sums;
        for (unsigned site = 0; site < to.lock_waits.size(); ++site) {
            to.lock_waits[site].cycles += now.lock_waits[site].cycles;
            to.lock_waits[site].times += now.lock_waits[site].times;
        }
    }
}

void send(Kernel& kernel, const Job& job, unsigned cluster, unsigned first, unsigned last)
{
    const AllAccounts& start = starts[job.number()];
    Sums sums;
    for (unsigned processor = first; processor < last; ++processor)
        for (unsigned at = 0; at < activities; ++at) {
            sums.cycles[at] += at_end.sums[processor].cycles[at] - start.sums[processor].cycles[at];
            sums.times[at] += at_end.sums[processor].times[at] - start.sums[processor].times[at];
        }
    Text<1024> text;
    text << "job=" << job.number() << "\ncluster=" << cluster << "\nprocessors=" << last - first
         << "\nelapsed=" << at_end.at - start.at << "\nclock_hertz=" << arch::clock_hertz();
    text << "\ncycles=";
    for (const std::uint64_t cycles : sums.cycles)
        text << cycles << ' ';
    text << "\ntimes=";
    for (const std::uint64_t times : sums.times)
        text << times << ' ';
    text << '\n';
    kernel.record.results().send(PARLEY_FRAME_ACCOUNT, text.view());
}

// A wait that began before the job counts with its time alone.
void send_lock_waits(Kernel& kernel, const Job& job)
{
    const LockWaitSums& before = starts[job.number()].lock_waits;
    for (unsigned site = 0; site < before.size(); ++site) {
        const std::uint64_t cycles = at_end.lock_waits[site].cycles - before[site].cycles;
        const std::uint64_t times = at_end.lock_waits[site].times - before[site].times;
        if (cycles == 0 && times == 0)
            continue;
        Text<1024> text;
        text << "job=" << job.number() << "\ncycles=" << cycles << "\ntimes=" << times
             << "\nclock_hertz=" << arch::clock_hertz() << "\nwaiter=" << lock_wait_sites.function_of(site)
             << '\n';
        kernel.record.results().send(PARLEY_FRAME_LOCK_WAIT, text.view());
    }
}

} // namespace

void job_begins(Kernel& kernel, const Job& job)
{
    if (!is_started()) {
        const std::uint64_t now = arch::read_time_stamp();
        for (Account& account : accounts)
            account.begin(now);
        own_account().change(Activity::kernel, now);
        started.store(true, std::memory_order_release);
    }
    read_all(kernel, starts[job.number()]);
}

void job_ended(Kernel& kernel, const Job& job)
{
    read_all(kernel, at_end);
    const unsigned all = kernel.processors.count();
    const unsigned configured = kernel.configuration.clusters.processors;
    const unsigned each = configured == 0 ? all : configured;
    for (unsigned first = 0; first < all; first += each)
        send(kernel, job, first / each, first, std::min(first + each, all));
    send_lock_waits(kernel, job);
}

} // namespace kernel::accounting

} // namespace parley
