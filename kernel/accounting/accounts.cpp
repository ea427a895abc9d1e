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

// Pages at which processors are because of a fault, by a few places for all pages: two pages that share a
// place are taken for one.
struct FaultPage {
    std::atomic<std::uint32_t> here{0}, came{0};
};
std::array<FaultPage, 256> fault_places;

FaultPage& entry_of(std::uint64_t page) { return fault_places[page % fault_places.size()]; }

kernel::accounting::LockWaits lock_waits;

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
    FaultPage& entry = entry_of(page_);
    came_before_ = entry.came.fetch_add(1, std::memory_order_acq_rel);
    found_others_ = entry.here.fetch_add(1, std::memory_order_acq_rel) != 0;
}

AtPage::~AtPage()
{
    FaultPage& entry = entry_of(page_);
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
    Account& account = own_account();
    const Activity before = account.enter(Activity::lock_wait, arch::read_time_stamp());
    return {before, account.since(), __builtin_return_address(0)};
}

void end_lock_wait(const LockWaiting& waiting)
{
    if (waiting.began == 0)
        return;
    Account& account = own_account();
    account.change(waiting.before, arch::read_time_stamp());
    lock_waits.add(waiting.site, account.since() - waiting.began);
}

} // namespace processor_time

namespace kernel::accounting {

namespace {

struct AccountsStart {
    std::uint64_t at = 0;
    std::array<Sums, arch::max_processors + 1> sums;
    LockWaits::Sums waits;
};
std::array<AccountsStart, Configuration::max_jobs> starts;

void send(Kernel& kernel, const Job& job, unsigned cluster, unsigned first, unsigned last)
{
    const AccountsStart& start = starts[job.number()];
    Sums sums;
    for (unsigned processor = first; processor < last; ++processor) {
        const Sums now = accounts[processor].sums(arch::read_time_stamp);
        for (unsigned at = 0; at < activities; ++at) {
            sums.cycles[at] += now.cycles[at] - start.sums[processor].cycles[at];
            sums.times[at] += now.times[at] - start.sums[processor].times[at];
        }
    }
    Text<1024> text;
    text << "job=" << job.number() << "\ncluster=" << cluster << "\nprocessors=" << last - first
         << "\nelapsed=" << arch::read_time_stamp() - start.at << "\nclock_hertz=" << arch::clock_hertz();
    text << "\ncycles=";
    for (const std::uint64_t cycles : sums.cycles)
        text << cycles << ' ';
    text << "\ntimes=";
    for (const std::uint64_t times : sums.times)
        text << times << ' ';
    text << '\n';
    kernel.record.results().send(PARLEY_FRAME_ACCOUNT, text.view());
}

void send_lock_waits(Kernel& kernel, const Job& job)
{
    const LockWaits::Sums now = lock_waits.sums();
    const LockWaits::Sums& before = starts[job.number()].waits;
    for (unsigned number = 0; number < now.size(); ++number) {
        const std::uint64_t times = now[number].times - before[number].times;
        if (times == 0)
            continue;
        Text<1024> text;
        text << "job=" << job.number() << "\ncycles=" << now[number].cycles - before[number].cycles
             << "\ntimes=" << times << "\nclock_hertz=" << arch::clock_hertz()
             << "\nwaiter=" << lock_waits.function_of(number) << '\n';
        kernel.record.results().send(PARLEY_FRAME_LOCK_WAIT, text.view());
    }
}

} // namespace

void job_begins(Kernel& kernel, const Job& job)
{
    AccountsStart& start = starts[job.number()];
    start.at = arch::read_time_stamp();
    if (!is_started()) {
        for (Account& account : accounts)
            account.begin(start.at);
        own_account().change(Activity::kernel, start.at);
        started.store(true, std::memory_order_release);
    }
    for (unsigned processor = 0; processor < kernel.processors.count(); ++processor)
        start.sums[processor] = accounts[processor].sums(arch::read_time_stamp);
    start.waits = lock_waits.sums();
}

void job_ended(Kernel& kernel, const Job& job)
{
    const unsigned all = kernel.processors.count();
    const unsigned configured = kernel.configuration.clusters.processors;
    const unsigned each = configured == 0 ? all : configured;
    for (unsigned first = 0; first < all; first += each)
        send(kernel, job, first / each, first, std::min(first + each, all));
    send_lock_waits(kernel, job);
}

} // namespace kernel::accounting

} // namespace parley
