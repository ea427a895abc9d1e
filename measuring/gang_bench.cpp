// SPDX-License-Identifier: MIT
#include "measuring/gang_bench.hpp"

#include "arch/x86_64/clock.hpp"
#include "arch/x86_64/pause.hpp"
#include "kernel/process/preemption.hpp"

namespace parley::kernel {

namespace {

void compute(int turns)
{
    for (int i = 0; i < turns; ++i)
        asm volatile("");
}

// Some microseconds of work: enough that an emulator which runs one processor at a time is not busy with
// switching.
constexpr int many_turns = 2000;
// Where a time is drawn for which it computes: beside that time they are short on a machine of two million
// instructions a second, too.
constexpr int few_turns = 50;

// A time between nothing and a slice that is another at every call: collections must not start in step with
// the slices.
std::uint64_t phase(unsigned call) { return (call * 2'654'435'761u >> 8) % sched::time_slice_nanoseconds; }

// Marsaglia's generator of 32 bits: it has only to be even, and the same in every run.
std::uint32_t draw(std::uint32_t& state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

} // namespace

Result<void> GangBench::equip(unsigned count)
{
    for (; equipped_ < count; ++equipped_) {
        Worker* worker = TRY(window_.create<Worker>());
        worker->stack = TRY(window_.stack(arch::kernel_stack_bytes));
        worker->bench = this;
        worker->name = "worker";
        workers_[equipped_] = worker;
    }
    return {};
}

void GangBench::prepare(Worker& worker, void (*run)(void*))
{
    worker.execution.kernel_stack = worker.stack;
    worker.execution.context = arch::new_context(worker.stack, run, &worker);
    worker.first_run = 0;
    worker.gang = nullptr;
    worker.queue = &machine_.scheduler;
    worker.kind = sched::ProcessKind::application;
}

void GangBench::run_member(void* argument)
{
    auto& self = *static_cast<Worker*>(argument);
    sched::finish_switch();
    self.first_run.store(arch::nanoseconds(), std::memory_order_release);
    GangBench& bench = *self.bench;
    bench.begin_together();
    if (self.gang != nullptr)
        bench.machine_.scheduler.member_ended(*self.gang);
    if (bench.members_living_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        bench.machine_.waits.wake({reinterpret_cast<std::uint64_t>(&bench.members_living_), 0}, 1);
    sched::Dispatcher::here().run_next();
}

// A member keeps its processor until all run: otherwise one processor could run them one after the other.
void GangBench::begin_together()
{
    members_to_begin_.fetch_sub(1, std::memory_order_acq_rel);
    const Preemptible scope;
    while (members_to_begin_.load(std::memory_order_acquire) != 0)
        arch::pause();
}

void GangBench::compute_for_whole_slices(const GangBench& bench)
{
    const Preemptible scope;
    while (bench.load_wanted_.load(std::memory_order_relaxed)) {
        compute(many_turns);
        arch::pause();
    }
}

// The process that asks for the gang is one of those whose processors give way at random. It has computed for
// a part of its time, so what is left of it is left of any such time at any moment: of two draws, the least.
void GangBench::compute_what_is_left()
{
    const std::uint32_t one = draw(draws_) % sched::time_slice_nanoseconds;
    const std::uint32_t other = draw(draws_) % sched::time_slice_nanoseconds;
    const std::uint64_t until = arch::nanoseconds() + (one < other ? one : other);
    while (arch::nanoseconds() < until)
        compute(few_turns);
}

void GangBench::compute_at_random(Worker& self)
{
    while (self.bench->load_wanted_.load(std::memory_order_relaxed)) {
        const std::uint64_t until = arch::nanoseconds() + draw(self.draws) % sched::time_slice_nanoseconds;
        {
            const Preemptible scope;
            while (arch::nanoseconds() < until && self.bench->load_wanted_.load(std::memory_order_relaxed))
                compute(few_turns);
        }
        sched::Dispatcher::here().preempt();
    }
}

void GangBench::run_load(void* argument)
{
    auto& self = *static_cast<Worker*>(argument);
    sched::finish_switch();
    GangBench& bench = *self.bench;
    if (bench.load_at_random_)
        compute_at_random(self);
    else
        compute_for_whole_slices(bench);
    if (bench.load_living_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        bench.machine_.waits.wake({reinterpret_cast<std::uint64_t>(&bench.load_living_), 0}, 1);
    sched::Dispatcher::here().run_next();
}

// The workers run on this object's memory, so they come first, even when the caller has been killed.
void GangBench::wait_for(std::atomic<unsigned>& count)
{
    const sched::WaitKey key{reinterpret_cast<std::uint64_t>(&count), 0};
    while (count.load(std::memory_order_acquire) != 0) {
        if (!machine_.waits.block(key, [&] { return count.load(std::memory_order_acquire) != 0; }))
            preemption_point();
    }
}

void GangBench::leave_processors(const sched::ReadyQueue* queue)
{
    for (unsigned i = 0; i < equipped_; ++i) {
        while (workers_[i]->on_processor.load(std::memory_order_acquire))
            give_way_once();
    }
    for (unsigned i = 0; queue != nullptr && i < machine_.processors.servers().count(); ++i) {
        while (machine_.processors.servers()[i].asks(*queue))
            give_way_once();
    }
}

sched::ReadyQueue& GangBench::new_queue()
{
    switch (queue_) {
    case GangQueue::slots: return machine_.scheduler;
    case GangQueue::shared: return *::new (shared_) sched::SharedGangScheduler(machine_.processors.servers());
    case GangQueue::private_queues: break;
    }
    return *::new (private_) sched::PrivateGangScheduler;
}

void GangBench::start_load(unsigned first, unsigned count)
{
    if (count == 0)
        return;
    load_wanted_.store(true, std::memory_order_relaxed);
    load_living_.store(count, std::memory_order_relaxed);
    for (unsigned i = 0; i < count; ++i) {
        prepare(*workers_[first + i], &GangBench::run_load);
        if (load_at_random_) {
            // Without ticks: it gives way by itself, and at no other time.
            workers_[first + i]->kind = sched::ProcessKind::uninterruptible;
            workers_[first + i]->draws = 2'654'435'761u * (calls_ * count + i + 1) | 1;
        }
        sched::make_ready(*workers_[first + i]);
    }
    // Until the slices of all processors are under way.
    constexpr std::uint64_t settling = 3 * sched::time_slice_nanoseconds;
    machine_.timers.sleep_until(arch::nanoseconds() + settling + phase(++calls_));
}

std::uint64_t GangBench::measure_single()
{
    Worker& worker = *workers_[0];
    prepare(worker, &GangBench::run_member);
    members_living_.store(1, std::memory_order_relaxed);
    members_to_begin_.store(1, std::memory_order_relaxed);
    const std::uint64_t ready = arch::nanoseconds();
    sched::make_ready(worker);
    // As for a gang, an idle processor comes to run it, and not this one.
    {
        const Preemptible scope;
        while (machine_.processors.count() > 1 && worker.first_run.load(std::memory_order_acquire) == 0)
            arch::pause();
    }
    wait_for(members_living_);
    leave_processors(nullptr);
    return worker.first_run - ready;
}

nx_gang_times GangBench::times_of(const sched::Gang& gang) const
{
    nx_gang_times times{};
    times.schedule_and_collect = gang.times.collected - gang.times.scheduled;
    times.first = gang.times.begun - gang.times.scheduled;
    times.collect = gang.times.collected - gang.times.begun;
    times.ready_to_running_min = ~0ul;
    for (unsigned i = 0; i < gang.size(); ++i) {
        const std::uint64_t took = workers_[i]->first_run - gang.times.collected;
        times.ready_to_running_min = took < times.ready_to_running_min ? took : times.ready_to_running_min;
        times.ready_to_running_max = took > times.ready_to_running_max ? took : times.ready_to_running_max;
    }
    return times;
}

nx_gang_times GangBench::measure_gang(unsigned members)
{
    const std::uint64_t begun = arch::nanoseconds();
    sched::ReadyQueue& queue = new_queue();
    sched::Gang& gang = *::new (gang_) sched::Gang(queue);
    for (unsigned i = 0; i < members; ++i) {
        prepare(*workers_[i], &GangBench::run_member);
        gang.add(*workers_[i]);
        workers_[i]->kind = sched::ProcessKind::uninterruptible;
    }
    members_living_.store(members, std::memory_order_relaxed);
    members_to_begin_.store(members, std::memory_order_relaxed);
    const std::uint64_t made = arch::nanoseconds();
    machine_.scheduler.schedule(gang);
    if (load_at_random_ && load_wanted_.load(std::memory_order_relaxed))
        compute_what_is_left();
    wait_for(members_living_);
    nx_gang_times times = times_of(gang);
    times.create_and_add = made - begun;
    load_wanted_.store(false, std::memory_order_relaxed);
    wait_for(load_living_);
    leave_processors(&queue);
    return times;
}

Result<nx_gang_times> GangBench::measure(std::uint64_t members, std::uint64_t load)
{
    const bool at_random = (load & NX_LOAD_AT_RANDOM) != 0;
    load &= ~std::uint64_t{NX_LOAD_AT_RANDOM};
    if (members == 0 || members > machine_.processors.count() || load > max_load)
        return std::unexpected(Error::bad_argument);
    if (sched::current().kind == sched::ProcessKind::uninterruptible)
        return std::unexpected(Error::not_permitted);
    if (busy_.exchange(true, std::memory_order_acquire))
        return std::unexpected(Error::would_block);
    const auto count = static_cast<unsigned>(members);
    const auto load_count = static_cast<unsigned>(load) * machine_.processors.count();
    const Result<void> equipped = equip(count + load_count);
    Result<nx_gang_times> times = std::unexpected(Error::no_memory);
    if (equipped) {
        const std::uint64_t single = measure_single();
        load_at_random_ = at_random;
        start_load(count, load_count);
        times = measure_gang(count);
        times->single_dispatch = single;
    }
    busy_.store(false, std::memory_order_release);
    return times;
}

} // namespace parley::kernel
