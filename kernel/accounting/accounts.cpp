// SPDX-License-Identifier: MIT
// Each processor has an account, which it alone writes, with interrupts off: what it does, since when, and
// for how long and how often it did what there is to do. A job's part is what accounts have more when it has
// ended than when it started.
#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/processor.hpp"
#include "arch/x86_64/registers.hpp"
#include "base/text.hpp"
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

struct Sums {
    std::array<std::uint64_t, activities> cycles{};
    std::array<std::uint64_t, activities> times{};
};

struct alignas(64) Account {
    std::uint64_t since = 0;
    Activity activity = Activity::idle;
    Activity before_locks = Activity::idle;
    unsigned locks = 0; // that its processor holds
    Sums sums;
};

std::array<Account, arch::max_processors + 1> accounts;
// Before the first job some processors have no block yet to be known by.
std::atomic<bool> started{false};

Account& own_account() { return accounts[arch::this_processor().id]; }

bool is_started() { return started.load(std::memory_order_relaxed); }

std::uint64_t& of(std::array<std::uint64_t, activities>& each, Activity what)
{
    return each[static_cast<unsigned>(what)];
}

Activity change(Account& account, Activity next)
{
    const std::uint64_t now = arch::read_time_stamp();
    const Activity before = account.activity;
    of(account.sums.cycles, before) += now - account.since;
    account.since = now;
    account.activity = next;
    return before;
}

void count(Account& account, Activity what) { ++of(account.sums.times, what); }

std::uint64_t time_in_faults(unsigned processor)
{
    return of(accounts[processor].sums.cycles, Activity::fault);
}

// Pages at which processors are because of a fault, by a few places for all pages: two pages that share a
// place are taken for one.
struct FaultPlace {
    std::atomic<std::uint32_t> here{0}, came{0};
};
std::array<FaultPlace, 256> fault_places;

FaultPlace& place_of(std::uint64_t page) { return fault_places[page % fault_places.size()]; }

kernel::accounting::LockWaits lock_waits;

} // namespace

namespace processor_time {

Activity enter(Activity next)
{
    if (!is_started())
        return Activity::kernel;
    Account& account = own_account();
    count(account, next);
    return change(account, next);
}

Activity resume(Activity next) { return is_started() ? change(own_account(), next) : Activity::kernel; }

AtPage::AtPage(std::uint64_t address)
    : page_(address / page_bytes + arch::read_cr3() / page_bytes), processor_(arch::this_processor().id),
      time_before_(time_in_faults(processor_))
{
    FaultPlace& place = place_of(page_);
    came_before_ = place.came.fetch_add(1, std::memory_order_acq_rel);
    found_others_ = place.here.fetch_add(1, std::memory_order_acq_rel) != 0;
}

AtPage::~AtPage()
{
    FaultPlace& place = place_of(page_);
    place.here.fetch_sub(1, std::memory_order_acq_rel);
    const bool shared = found_others_ || place.came.load(std::memory_order_acquire) != came_before_ + 1;
    if (!shared || !is_started() || arch::this_processor().id != processor_)
        return;
    Account& account = own_account();
    change(account, account.activity);
    const std::uint64_t spent = time_in_faults(processor_) - time_before_;
    of(account.sums.cycles, Activity::fault) -= spent;
    of(account.sums.cycles, Activity::shared_fault) += spent;
    --of(account.sums.times, Activity::fault);
    ++of(account.sums.times, Activity::shared_fault);
}

void lock_taken()
{
    if (!is_started())
        return;
    Account& account = own_account();
    if (account.locks++ != 0)
        return;
    count(account, Activity::critical);
    account.before_locks = change(account, Activity::critical);
}

// One that was taken before the first job began is left uncounted.
void lock_left()
{
    if (!is_started())
        return;
    Account& account = own_account();
    if (account.locks == 0 || --account.locks != 0)
        return;
    change(account, account.before_locks);
}

LockWaiting begin_lock_wait()
{
    if (!is_started())
        return {};
    Account& account = own_account();
    count(account, Activity::lock_wait);
    const Activity before = change(account, Activity::lock_wait);
    return {before, account.since, __builtin_return_address(0)};
}

void end_lock_wait(const LockWaiting& waiting)
{
    if (waiting.began == 0)
        return;
    Account& account = own_account();
    change(account, waiting.before);
    lock_waits.add(waiting.place, account.since - waiting.began);
}

} // namespace processor_time

namespace kernel::accounting {

namespace {

struct Start {
    std::uint64_t at = 0;
    std::array<Sums, arch::max_processors + 1> sums;
    LockWaits::Sums waits;
};
std::array<Start, Configuration::max_jobs> starts;

// With what the processor does now. Of a processor that changes just then the moment is not exact.
Sums sums_now(const Account& account)
{
    Sums found = account.sums;
    of(found.cycles, account.activity) += arch::read_time_stamp() - account.since;
    return found;
}

void send(Kernel& kernel, const Job& job, unsigned cluster, unsigned first, unsigned last)
{
    const Start& start = starts[job.number()];
    Sums sums;
    for (unsigned processor = first; processor < last; ++processor) {
        const Sums now = sums_now(accounts[processor]);
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
    for (unsigned number = 0; number < LockWaits::room; ++number) {
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
    Start& start = starts[job.number()];
    start.at = arch::read_time_stamp();
    if (!is_started()) {
        for (Account& account : accounts)
            account.since = start.at;
        own_account().activity = Activity::kernel;
        started.store(true, std::memory_order_release);
    }
    for (unsigned processor = 0; processor < kernel.processors.count(); ++processor)
        start.sums[processor] = sums_now(accounts[processor]);
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
