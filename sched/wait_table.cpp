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
        bucket.sleepers.remove(self);
        self.waiting_in.store(nullptr, std::memory_order_relaxed);
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

unsigned WaitTable::wake(WaitKey key, unsigned count)
{
    List<Process, &Process::wait_link> woken;
    unsigned found = 0;
    WaitBucket& bucket = bucket_of(key);
    {
        LockGuard guard(bucket.lock);
        Process* next = bucket.sleepers.first();
        while (next != nullptr && found < count) {
            Process& process = *next;
            next = bucket.sleepers.after(process);
            if (WaitKey{process.wait_key[0], process.wait_key[1]} != key)
                continue;
            ++found;
            bucket.sleepers.remove(process);
            process.waiting_in.store(nullptr, std::memory_order_relaxed);
            woken.push_back(process);
        }
    }
    while (Process* process = woken.pop_front()) {
        trace::waking(*process);
        make_ready(*process);
    }
    return found;
}

void WaitTable::interrupt(Process& process)
{
    WaitBucket* bucket = process.waiting_in.load(std::memory_order_seq_cst);
    if (bucket == nullptr)
        return;
    {
        LockGuard guard(bucket->lock);
        // It may have been woken, and even have gone to sleep elsewhere, since we looked.
        if (process.waiting_in.load(std::memory_order_relaxed) != bucket)
            return;
        bucket->sleepers.remove(process);
        process.waiting_in.store(nullptr, std::memory_order_relaxed);
    }
    make_ready(process);
}

} // namespace parley::sched
