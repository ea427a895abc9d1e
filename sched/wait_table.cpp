// SPDX-License-Identifier: MIT
#include "sched/wait_table.hpp"

#include "sched/dispatcher.hpp"
#include "sched/trace_points.hpp"

namespace parley::sched {

bool WaitTable::killed() { return current().pending_work.killed(); }

bool WaitTable::sleep(WaitBucket& bucket, WaitKey key)
{
    Process& self = current();
    self.wait_key[0] = key.address;
    self.wait_key[1] = key.space;
    bucket.sleepers.push_back(self);
    // A killer sets `killed` and then looks here; we store here and then look at `killed`. Both in one total
    // order, so one of the two sees the other.
    self.waiting_in.store(&bucket, std::memory_order_seq_cst);
    if (self.pending_work.killed()) {
        no_longer_sleeps(bucket, self);
        bucket.lock.release();
        return false;
    }
    bucket.lock.release();
    // A waker may queue us before we have left this processor; whoever dispatches us waits until our context
    // is saved.
    trace::blocking(self);
    Dispatcher::here().run_next();
    return !killed();
}

namespace {

// The first from `sleeper` on that sleeps on that word; null: none.
Process* next_of_word(const List<Process, &Process::wait_link>& sleepers, Process* sleeper, WaitKey key)
{
    while (sleeper != nullptr && WaitKey{sleeper->wait_key[0], sleeper->wait_key[1]} != key)
        sleeper = sleepers.after(*sleeper);
    return sleeper;
}

} // namespace

unsigned WaitTable::wake_one(WaitKey key)
{
    WaitBucket& bucket = bucket_of(key);
    bucket.lock.acquire();
    Process* const process = next_of_word(bucket.sleepers, bucket.sleepers.first(), key);
    if (process == nullptr) {
        bucket.lock.release();
        return 0;
    }
    no_longer_sleeps(bucket, *process);
    bucket.lock.release();
    trace::waking(*process);
    make_ready(*process);
    return 1;
}

unsigned WaitTable::wake_several(WaitKey key, unsigned count)
{
    // In a list apart: a process that has been made ready may sleep again at once, and would be found again.
    List<Process, &Process::wait_link> woken;
    unsigned found = 0;
    WaitBucket& bucket = bucket_of(key);
    {
        LockGuard guard(bucket.lock);
        Process* next = next_of_word(bucket.sleepers, bucket.sleepers.first(), key);
        while (next != nullptr && found < count) {
            Process& process = *next;
            next = next_of_word(bucket.sleepers, bucket.sleepers.after(process), key);
            ++found;
            no_longer_sleeps(bucket, process);
            woken.push_back(process);
        }
    }
    while (Process* process = woken.pop_front()) {
        trace::waking(*process);
        make_ready(*process);
    }
    return found;
}

void WaitTable::no_longer_sleeps(WaitBucket& bucket, Process& process)
{
    bucket.sleepers.remove(process);
    process.waiting_in.store(nullptr, std::memory_order_relaxed);
}

bool WaitTable::interrupt(Process& process)
{
    WaitBucket* bucket = process.waiting_in.load(std::memory_order_seq_cst);
    if (bucket == nullptr)
        return false;
    {
        LockGuard guard(bucket->lock);
        // It may have been woken, and even have gone to sleep elsewhere, since we looked.
        if (process.waiting_in.load(std::memory_order_relaxed) != bucket)
            return false;
        no_longer_sleeps(*bucket, process);
    }
    make_ready(process);
    return true;
}

} // namespace parley::sched
